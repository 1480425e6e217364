#include "copy/plan.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace keyfold::copy {
namespace {

constexpr uint64_t kSegmentBytes = 256 * 1024 * 1024;
constexpr uint64_t kSegmentsMin = 8, kSegmentsMax = 4096;

constexpr Rule<"--rename takes OLD=NEW, not {}"> kNoRename{"copy-rename", Kind::kValidation};
constexpr Rule<"--rename names {} twice"> kRenamedTwice{"copy-rename-twice", Kind::kValidation};
constexpr Rule<"--rename names {}, which is not copied"> kRenameOfNone{"copy-rename-none", Kind::kValidation};
constexpr Rule<"{} is not a valid table name"> kNoName{"copy-table-name", Kind::kValidation};
constexpr Rule<"{} is named twice"> kNamedTwice{"copy-named-twice", Kind::kValidation};
constexpr Rule<"two tables would be named {}"> kTwoToOne{"copy-two-to-one", Kind::kValidation};
constexpr Rule<"{} would be copied to itself: give another endpoint with --to, or another name with --rename">
    kToItself{"copy-to-itself", Kind::kValidation};

// Endpoints may have different rules for names; all of them allow these characters, and so do file names.
bool IsTableName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
  });
}

}  // namespace

SegmentMark TablePlan::Total() const {
  SegmentMark total;
  for (const SegmentMark& segment : segments) {
    total.items += segment.items;
    total.bytes += segment.bytes;
  }
  return total;
}

Result<Renames> ParseRenames(const std::vector<std::string>& texts) {
  Renames renames;
  for (const std::string& text : texts) {
    const size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) return kNoRename(text);
    const std::string old = text.substr(0, sign);
    if (!renames.emplace(old, text.substr(sign + 1)).second) return kRenamedTwice(old);
  }
  return renames;
}

Result<std::vector<TablePlan>> PlanTables(const std::vector<std::string>& sources, const Renames& renames,
                                          bool same_place) {
  std::vector<TablePlan> tables;
  std::set<std::string, std::less<>> seen, targets;
  for (const std::string& source : sources) {
    if (!seen.insert(source).second) return kNamedTwice(source);
    const auto renamed = renames.find(source);
    const std::string& target = renamed == renames.end() ? source : renamed->second;
    for (const std::string& name : {source, target}) {
      if (!IsTableName(name)) return kNoName(name);
    }
    if (!targets.insert(target).second) return kTwoToOne(target);
    if (same_place && target == source) return kToItself(source);
    tables.push_back({source, target});
  }
  for (const auto& [old, name] : renames) {
    if (!seen.contains(old)) return kRenameOfNone(old);
  }
  return tables;
}

uint32_t SegmentsFor(uint64_t table_bytes, uint32_t threads) {
  const uint64_t by_size = (table_bytes + kSegmentBytes - 1) / kSegmentBytes;
  return static_cast<uint32_t>(std::clamp(std::max<uint64_t>(by_size, threads), kSegmentsMin, kSegmentsMax));
}

}  // namespace keyfold::copy
