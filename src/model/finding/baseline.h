// A baseline: the findings a team has already, kept in a file, so that check reports only what is new. Findings are
// known by file, rule and names, not by line; of several alike, as many as were known.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/finding/finding.h"

namespace keyfold::model {

// One thread at a time.
class Baseline {
 public:
  // Nothing: the text is no baseline.
  static std::optional<Baseline> Read(const std::string& json);
  // The baseline of these findings, accepted ones left out; it stays the same where lines move.
  static std::string Write(std::span<const FileFindings>);

  // Takes the known ones out of a file's findings.
  void Remove(FileFindings&);

 private:
  std::map<std::string, size_t, std::less<>> known_;  // by fingerprint
};

}  // namespace keyfold::model
