// What `keyfold model check` says: one Finding per rule and place, in the order a reader goes through a file, and the
// text and JSON it is told in. SARIF is check/sarif.h's, what is known already baseline.h's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "model/core/mark.h"

namespace keyfold::model {

enum class Severity : uint8_t { kError, kWarning, kInfo };
std::string_view NameOf(Severity);  // "error"

struct Finding {
  std::string_view rule;  // "L04", of the program's own text
  Severity severity = Severity::kError;
  Mark mark;
  // Names; empty: none.
  std::string entity;
  std::string pattern;
  std::string index;
  std::string related;   // the other entity
  std::string message;   // what is wrong and what to do
  std::string example;   // what proves it; empty: none
  std::string accepted;  // the reason of the `accept` that matches; empty: none
};

// What was found in one file.
struct FileFindings {
  std::string file;
  std::string text;  // its bytes, for the line under a finding
  std::vector<Finding> findings;
};

struct Summary {
  size_t errors = 0;
  size_t warnings = 0;
  size_t infos = 0;
  size_t accepted = 0;
};
// Accepted ones count apart.
Summary Summarize(std::span<const FileFindings>);

// By line, rule, entity and pattern; of several with one rule and place the first stays.
void SortFindings(std::vector<Finding>&);

// Names a finding whatever line it stands on, for baselines and code scanning.
std::string FingerprintOf(std::string_view file, const Finding&);

// "FILE:LINE:COLUMN: error L04: message", the line with a caret, the example; at the end a line that counts. `paint`
// colours a severity's word.
std::string FindingsText(std::span<const FileFindings>, FunctionRef<std::string(Severity, std::string_view)> paint);

std::string FindingsJson(std::span<const FileFindings>);

}  // namespace keyfold::model
