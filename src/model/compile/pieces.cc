#include "model/compile/pieces.h"

#include <utility>

namespace keyfold::model {

Piece LiteralPiece(std::string text) {
  Piece piece;
  piece.text = std::move(text);
  return piece;
}

void AppendPiece(std::vector<Piece>& pieces, Piece piece) {
  const bool merge =
      piece.kind == Piece::Kind::kLiteral && !pieces.empty() && pieces.back().kind == Piece::Kind::kLiteral;
  if (merge) {
    pieces.back().text += piece.text;
  } else {
    pieces.push_back(std::move(piece));
  }
}

}  // namespace keyfold::model
