#include "model/price/price_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/error.h"
#include "json/document.h"
#include "model/core/calendar.h"

namespace keyfold::model {
namespace {

constexpr int64_t kDayMs = 86'400'000;
constexpr int64_t kFreshDays = 180;

struct NamedRule {
  std::string_view name;
  double PlanRules::*value;
};
constexpr NamedRule kRules[] = {
    {"read_unit_bytes", &PlanRules::read_unit_bytes},
    {"write_unit_bytes", &PlanRules::write_unit_bytes},
    {"eventual_factor", &PlanRules::eventual_factor},
    {"transactional_factor", &PlanRules::transactional_factor},
    {"index_transactional_factor", &PlanRules::index_transactional_factor},
    {"item_overhead_bytes", &PlanRules::item_overhead_bytes},
    {"partition_read_units", &PlanRules::partition_read_units},
    {"partition_write_units", &PlanRules::partition_write_units},
    {"heat_target", &PlanRules::heat_target},
    {"target_utilization", &PlanRules::target_utilization},
    {"reserved_block_units", &PlanRules::reserved_block_units},
    {"page_bytes", &PlanRules::page_bytes},
    {"item_bytes_max", &PlanRules::item_bytes_max},
    {"transaction_actions_max", &PlanRules::transaction_actions_max},
    {"transaction_bytes_max", &PlanRules::transaction_bytes_max},
    {"batch_get_items_max", &PlanRules::batch_get_items_max},
    {"batch_get_bytes_max", &PlanRules::batch_get_bytes_max},
    {"batch_write_items_max", &PlanRules::batch_write_items_max},
};

constexpr Rule<"it is not a JSON object"> kNoObject{"prices-no-object", Kind::kValidation};
constexpr Rule<"{} is not {}"> kFieldType{"prices-wrong-type", Kind::kValidation};
constexpr Rule<"there is no field {} in {}"> kNoSuchField{"prices-unknown-field", Kind::kValidation};
constexpr Rule<"{} is missing"> kFieldMissing{"prices-missing", Kind::kValidation};
constexpr Rule<"{} must be above zero"> kZero{"prices-zero", Kind::kValidation};
constexpr Rule<"the discount of {} is above 1"> kDiscount{"prices-discount", Kind::kValidation};
constexpr Rule<"a band of {} ends at or before its start"> kEmptyBand{"prices-empty-band", Kind::kValidation};
constexpr Rule<"rows has no price for {}"> kNoPrice{"prices-no-price", Kind::kValidation};

bool IsJsonNumber(json::Value value) {
  return value.type() == json::Type::kInteger || value.type() == json::Type::kDecimal;
}

Status ReadNumber(json::Member member, double& out) {
  if (!IsJsonNumber(member.value) || member.value.AsDouble() < 0) {
    return kFieldType(member.name, "a number of zero or more");
  }
  out = member.value.AsDouble();
  return Ok();
}

Status ReadString(json::Member member, std::string& out) {
  if (member.value.is_null()) return Ok();
  if (!member.value.is_string()) return kFieldType(member.name, "a string");
  out = member.value.AsString();
  return Ok();
}

bool IsDate(std::string_view text) { return text.size() == 10 && FollowsLayout(text, "YYYY-MM-DD"); }

Status ReadDate(json::Member member, std::string& out) {
  RETURN_IF_ERROR(ReadString(member, out));
  if (!out.empty() && !IsDate(out)) return kFieldType(member.name, "a date like 2024-11-01");
  return Ok();
}

Status ReadRules(json::Value rules, PlanRules& out) {
  if (!rules.is_object()) return kFieldType("rules", "an object");
  for (const json::Member member : rules.members()) {
    const auto* rule =
        std::find_if(std::begin(kRules), std::end(kRules), [&](const NamedRule& r) { return r.name == member.name; });
    if (rule == std::end(kRules)) return kNoSuchField(member.name, "rules");
    RETURN_IF_ERROR(ReadNumber(member, out.*rule->value));
    // Most rules are divisors, and a factor of zero would make everything free.
    if (out.*rule->value == 0 && member.name != "item_overhead_bytes") return kZero(member.name);
  }
  return Ok();
}

Status ReadRowMember(json::Member member, PriceRow& row) {
  if (member.name == "usage_type") return ReadString(member, row.usage_type);
  if (member.name == "term") return ReadString(member, row.term);
  if (member.name == "unit") return ReadString(member, row.unit);
  if (member.name == "note") return ReadString(member, row.note);
  if (member.name == "from") return ReadNumber(member, row.from);
  if (member.name == "usd") return ReadNumber(member, row.usd);
  if (member.name == "discount") return ReadNumber(member, row.discount);
  if (member.name != "to") return kNoSuchField(member.name, "a row");
  if (member.value.is_null()) return Ok();
  return ReadNumber(member, row.to.emplace());
}

Status ReadRows(json::Value rows, std::vector<PriceRow>& out) {
  if (!rows.is_array()) return kFieldType("rows", "an array");
  for (const json::Value value : rows.elements()) {
    if (!value.is_object()) return kFieldType("a row", "an object");
    PriceRow& row = out.emplace_back();
    for (const json::Member member : value.members()) {
      RETURN_IF_ERROR(ReadRowMember(member, row));
    }
    if (row.usage_type.empty()) return kFieldMissing("usage_type of a row");
    if (row.discount > 1) return kDiscount(row.usage_type);
    if (row.to && *row.to <= row.from) return kEmptyBand(row.usage_type);
  }
  return Ok();
}

Status ReadMember(json::Member member, PriceFile& file) {
  if (member.name == "source_url") return ReadString(member, file.source_url);
  if (member.name == "offer_version") return ReadString(member, file.offer_version);
  if (member.name == "region") return ReadString(member, file.region);
  if (member.name == "effective") return ReadDate(member, file.effective);
  if (member.name == "superseded") return ReadDate(member, file.superseded);
  if (member.name == "retrieved") return ReadDate(member, file.retrieved);
  if (member.name == "published") return ReadDate(member, file.published);
  if (member.name == "currency") return ReadString(member, file.currency);
  if (member.name == "month_hours") return ReadNumber(member, file.month_hours);
  if (member.name == "rules") return ReadRules(member.value, file.rules);
  if (member.name == "rows") return ReadRows(member.value, file.rows);
  return kNoSuchField(member.name, "a price file");
}

// Checks for the fields that a plan needs.
Status CheckComplete(const PriceFile& file) {
  if (file.Date().empty()) return kFieldMissing("retrieved, the date of these prices,");
  if (file.month_hours <= 0) return kZero("month_hours");
  for (const std::string_view usage : {"WriteRequestUnits", "ReadRequestUnits", "TimedStorage-ByteHrs"}) {
    if (!file.UnitPrice(usage)) return kNoPrice(usage);
  }
  return Ok();
}

Status ReadAll(const std::string& text, PriceFile& file) {
  json::Parser parser;
  const std::optional<json::Value> document = parser.Parse(text);
  if (!document || !document->is_object()) return kNoObject();
  for (const json::Member member : document->members()) RETURN_IF_ERROR(ReadMember(member, file));
  RETURN_IF_ERROR(CheckComplete(file));
  // Charge goes through the bands in ascending order.
  std::stable_sort(file.rows.begin(), file.rows.end(),
                   [](const PriceRow& a, const PriceRow& b) { return a.from < b.from; });
  return Ok();
}

int64_t DayMs(std::string_view date) { return EpochMillis(std::string(date) + "T00:00:00Z").value_or(0); }

}  // namespace

std::optional<double> PriceFile::Charge(std::string_view usage_type, double quantity, bool free_tier) const {
  double usd = 0;
  bool found = false;
  double from_unpriced = -1;  // start of a free band that the next band absorbs, or -1
  for (const PriceRow& row : rows) {
    if (row.usage_type != usage_type || !row.term.empty()) continue;
    found = true;
    if (row.usd == 0 && !free_tier) {
      if (from_unpriced < 0) from_unpriced = row.from;
      continue;
    }
    const double from = from_unpriced >= 0 ? from_unpriced : row.from;
    from_unpriced = -1;
    const double to = row.to ? std::min(*row.to, quantity) : quantity;
    if (to > from) usd += (to - from) * row.Net();
  }
  if (!found) return {};
  return usd;
}

std::optional<double> PriceFile::UnitPrice(std::string_view usage_type) const {
  for (const PriceRow& row : rows) {
    if (row.usage_type == usage_type && row.term.empty() && row.usd > 0) return row.Net();
  }
  return {};
}

std::optional<double> PriceFile::TermPrice(std::string_view usage_type, std::string_view term,
                                           std::string_view unit) const {
  for (const PriceRow& row : rows) {
    if (row.usage_type == usage_type && row.term == term && row.unit == unit) return row.Net();
  }
  return {};
}

Result<PriceFile> ReadPriceFile(std::string name, const std::string& text) {
  PriceFile file;
  file.name = std::move(name);
  RETURN_IF_ERROR(ReadAll(text, file));
  return file;
}

std::optional<PriceFile> BuiltInPrices(std::string_view region) {
  const std::span<const EmbeddedPrices> all = AllEmbeddedPrices();
  const std::string name = "aws-" + std::string(region);
  const auto found = std::find_if(all.begin(), all.end(), [&](const EmbeddedPrices& one) { return one.name == name; });
  if (found == all.end()) return {};
  Result<PriceFile> read = ReadPriceFile(std::string(found->name), std::string(found->text));
  CHECK(read.ok());  // embedded by the build; a test reads each
  return *std::move(read);
}

std::string AgeWarning(const PriceFile& file, int64_t now_ms) {
  if (file.rows.empty()) return {};
  if (!file.superseded.empty() && DayMs(file.superseded) <= now_ms) {
    return fmt::format("the prices in {} ended on {}; newer prices have applied since", file.name, file.superseded);
  }
  const int64_t days = (now_ms - DayMs(file.Date())) / kDayMs;
  if (days <= kFreshDays) return {};
  return fmt::format("the prices in {} are from {}, {} days ago; check them against {}", file.name, file.Date(), days,
                     file.source_url.empty() ? "their source" : file.source_url);
}

}  // namespace keyfold::model
