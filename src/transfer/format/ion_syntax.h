// The lexical structure of Amazon Ion text, independent of values: character classes, and where records begin and end.
// A record is one value at the top level; a list there merely encloses its records. The cutter uses it to find records,
// and the reader to continue after one that it cannot read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/text/ascii.h"

namespace keyfold::transfer::ion {

inline constexpr std::string_view kVersionMarker = "$ion_1_0";

inline bool IsSymbolStart(char c) { return IsLetter(c) || c == '_' || c == '$'; }
inline bool IsSymbolPart(char c) { return IsSymbolStart(c) || IsDigit(c); }

// Whether `name` can be written without quotes: a word that is neither a keyword ("null", "true", …) nor a symbol table
// number ("$10").
bool IsPlainSymbol(std::string_view name);

// Whether a version marker is at `at`: a separate word that is not an annotation or field name.
bool IsVersionMarker(std::string_view text, size_t at);

enum class Place : uint8_t {
  kRecord,  // a record begins here
  kEnd,     // the text ends
  kCut,     // the text ends inside a comment or marker
};

// Moves `at` from the end of a record over everything between two records: space, comments, version markers, and the
// brackets and commas of a list of records. `at_end` means that nothing follows `text`, so nothing is cut off.
Place FindRecord(std::string_view text, bool at_end, size_t& at);

// Returns where the record at `at` ends; nullopt if `text` ends before that. A malformed record ends with its line, or
// before the next line that begins with a version marker.
std::optional<size_t> RecordEnd(std::string_view text, bool at_end, size_t at);

}  // namespace keyfold::transfer::ion
