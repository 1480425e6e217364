// The output of `keyfold model check`: one Finding per rule and place, in the order of the file, as text and JSON.
// SARIF output is in check/sarif.h, known findings in baseline.h.
#pragma once

#include <cstdint>
#include <optional>
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
  std::string_view rule;  // "L04"; views static text
  Severity severity = Severity::kError;
  Mark mark;
  // Names; empty if there is none.
  std::string entity;
  std::string pattern;
  std::string index;
  std::string related;   // the other entity involved
  std::string problem;   // one sentence: what is wrong
  std::string remedy;    // one sentence: what to do
  std::string example;   // a proof; empty if there is none
  std::string accepted;  // the reason given by the matching `accept`; empty if none matches

  std::string Message() const { return problem + " " + remedy; }
};

// The findings in one file.
struct FileFindings {
  std::string file;
  std::string text;  // the file's bytes, to show the line of a finding
  std::vector<Finding> findings;
};

struct Summary {
  size_t errors = 0;
  size_t warnings = 0;
  size_t infos = 0;
  size_t accepted = 0;
};
// Accepted findings are counted separately.
Summary Summarize(std::span<const FileFindings>);

// Sorts by line, rule, entity and pattern. Of several with the same rule and place, only the first stays.
void SortFindings(std::vector<Finding>&);

// Identifies a finding independently of its line, for baselines and code scanning.
std::string FingerprintOf(std::string_view file, const Finding&);

// Writes "FILE:LINE:COLUMN: error L04: problem. Remedy.", the line with a caret, and the example for each finding, then
// a summary line. `paint` colors a severity's word. With `columns`, for a terminal: the problem and the remedy start
// on lines of their own and are wrapped.
std::string FindingsText(std::span<const FileFindings>, FunctionRef<std::string(Severity, std::string_view)> paint,
                         std::optional<size_t> columns = {});

std::string FindingsJson(std::span<const FileFindings>);

}  // namespace keyfold::model
