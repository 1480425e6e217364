// Putting together the pieces of a key's text. Private to access*.cc.
#pragma once

#include <string>
#include <vector>

#include "model/compile/formula.h"

namespace keyfold::model {

Piece LiteralPiece(std::string text);
// Adds a piece; a literal after a literal continues it.
void AppendPiece(std::vector<Piece>& pieces, Piece piece);

}  // namespace keyfold::model
