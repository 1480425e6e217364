// Amazon Ion text as far as it needs no understanding of values: which characters are what, and where records begin and
// end. A record is one value at the top of the text; a list there only stands around its records. The cutter finds
// records with it, and the reader the way on behind one that it cannot read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace keyfold::ion {

inline constexpr std::string_view kVersionMarker = "$ion_1_0";

inline bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }
inline bool IsSymbolStart(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return (lower >= 'a' && lower <= 'z') || c == '_' || c == '$';
}
inline bool IsSymbolPart(char c) { return IsSymbolStart(c) || IsDigit(c); }

// May stand without quotes: a word that is no keyword ("null", "true", …) and no number of a symbol table ("$10").
bool IsPlainSymbol(std::string_view name);

// A version marker stands at `at`: a word of its own, and no annotation or field name.
bool IsVersionMarker(std::string_view text, size_t at);

enum class Place : uint8_t {
  kRecord,  // a record begins here
  kEnd,     // the text ends
  kCut,     // the text ends in the middle of a comment or marker
};

// Moves `at` from the end of a record over what is between two: space, comments, version markers, and the brackets and
// commas of a list of records. `at_end`: nothing comes behind `text`, so nothing is cut.
Place FindRecord(std::string_view text, bool at_end, size_t& at);

// Where the record at `at` ends; nothing where `text` ends before that. A malformed one ends with its line, or before
// the next line that begins with a version marker.
std::optional<size_t> RecordEnd(std::string_view text, bool at_end, size_t at);

}  // namespace keyfold::ion
