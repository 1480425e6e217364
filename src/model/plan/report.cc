// Code shared by the three reports.
#include "model/plan/report.h"

#include <fmt/format.h>

#include "model/core/figures.h"

namespace keyfold::model {
namespace {

void AddTerm(std::string& all, const std::string& one) { (all += all.empty() ? "" : " AND ") += one; }

std::string RangeText(const SortRange& range) {
  const std::string low = range.low.ToString();
  switch (range.op) {
    case SortRange::Op::kNone:
      return {};
    case SortRange::Op::kBeginsWith:
      return fmt::format("begins_with({}, {})", range.attribute, low);
    case SortRange::Op::kBetween:
      return fmt::format("{} BETWEEN {} AND {}", range.attribute, low, range.high.ToString());
    case SortRange::Op::kLess:
      return range.attribute + " < " + low;
    case SortRange::Op::kLessEqual:
      return range.attribute + " <= " + low;
    case SortRange::Op::kGreater:
      return range.attribute + " > " + low;
    case SortRange::Op::kGreaterEqual:
      return range.attribute + " >= " + low;
  }
  return {};
}

std::string KeyReadText(const KeyRead& read) {
  std::string text;
  for (const auto* parts : {&read.partition, &read.sort}) {
    for (const KeyPart& part : *parts) AddTerm(text, part.attribute + " = " + part.value.ToString());
  }
  if (const std::string range = RangeText(read.range); !range.empty()) AddTerm(text, range);
  return text;
}

std::string WriteRequestText(const Model& model, const Write& write) {
  constexpr std::string_view kVerbs[] = {"get", "query", "scan", "put", "update", "delete", "", "", "", "", "check"};
  std::string text = fmt::format("{} {}", kVerbs[static_cast<size_t>(write.verb)], model.entities[write.entity].name);
  if (write.times > 1) text += fmt::format(" x{}", write.times);
  if (const std::string update = UpdateOf(write).update; !update.empty()) text += ": " + update;
  if (!write.condition.empty()) text += " if " + write.condition;
  return text;
}

}  // namespace

std::string RequestText(const Model& model, const Access& access) {
  std::string text;
  for (const KeyRead& read : access.reads) {
    if (!text.empty()) text += "; ";
    text += KeyReadText(read);
  }
  for (const Write& write : access.writes) {
    if (!text.empty()) text += "; ";
    text += WriteRequestText(model, write);
  }
  return text;
}

std::string OperationText(const PatternPlan& pattern) {
  const Access* access = pattern.access();
  if (access == nullptr) return "none";
  const std::string name(NameOf(access->operation));
  return pattern.calls > 1 ? NumberText(pattern.calls, 1) + " x " + name : name;
}

std::string PercentText(double share) {
  return share > 0 && share < 0.0005 ? "<0.1 %" : NumberText(100 * share, 1) + " %";
}

std::string UsdText(double usd) {
  if (usd > 0 && usd < 0.005) return "<$0.01";
  std::string digits = NumberText(usd, 2);
  const size_t point = digits.find('.');
  if (point == std::string::npos) return "$" + digits + ".00";
  if (digits.size() - point == 2) digits += '0';
  return "$" + digits;
}

std::string_view DateWord(const PriceFile& prices) { return prices.retrieved.empty() ? "published" : "retrieved"; }

std::string_view ClassName(TableClass table_class) {
  return table_class == TableClass::kStandard ? "standard" : "standard_ia";
}

std::string PlaceName(const Model& model, std::optional<IndexId> index) {
  return index ? model.indexes[*index].name : "table";
}

}  // namespace keyfold::model
