// A baseline file records a team's existing findings, so that check reports only new ones. Findings are identified by
// file, rule and names, not by line. If several are identical, as many are suppressed as the baseline has.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/finding/finding.h"

namespace keyfold::model {

// Used by one thread at a time.
class Baseline {
 public:
  // Returns nullopt if the text is not a baseline.
  static std::optional<Baseline> Read(const std::string& json);
  // Writes the baseline of these findings, without accepted ones. It does not change when lines move.
  static std::string Write(std::span<const FileFindings>);

  // Removes the known findings from a file's findings. Each entry of the baseline counts once.
  void Remove(FileFindings&);

 private:
  std::map<std::string, size_t, std::less<>> known_;  // by fingerprint
};

}  // namespace keyfold::model
