#include "transfer/layout/export_summary.h"

#include "base/time_text.h"
#include "json/document.h"
#include "transfer/layout/export.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"{} is not an incremental export, but an increment must be one"> kNotIncremental{"increment-kind",
                                                                                                Kind::kValidation};
constexpr Rule<"{} is an incremental export, but increments apply to a full one"> kNotFull{"increment-over-another",
                                                                                           Kind::kValidation};
constexpr Rule<"{} and {} are of different tables: their tableId differs"> kOtherTable{"increment-table",
                                                                                       Kind::kValidation};
constexpr Rule<"{} begins at {}, but {} ends at {}: changes in between would be missing"> kGap{"increment-gap",
                                                                                               Kind::kValidation};
constexpr Rule<"{} begins at {}, but {} ends at {}: items created in between and deleted since would reappear">
    kOverlap{"increment-overlap", Kind::kValidation};
constexpr Rule<"{} ends at {}, but {} ends at {}: increments must be in chronological order"> kWrongOrder{
    "increment-order", Kind::kValidation};

std::optional<DataFormat> FormatByName(std::string_view name) {
  for (const DataFormat format : {DataFormat::kDynamoDbJson, DataFormat::kIon}) {
    if (name == NameOf(format)) return format;
  }
  return std::nullopt;
}

Status Follows(const ExportSummary& before, const ExportSummary& next) {
  if (!next.incremental) return kNotIncremental(next.name);
  if (next.table_id != before.table_id) return kOtherTable(next.name, before.name);
  if (next.from > before.time) {
    return kGap(next.name, FormatIsoTime(next.from), before.name, FormatIsoTime(before.time));
  }
  if (next.time <= before.time) {
    return kWrongOrder(next.name, FormatIsoTime(next.time), before.name, FormatIsoTime(before.time));
  }
  // Periods are in whole seconds, and a full export may be of a moment within the second that a period begins with.
  if (next.from < before.time / kSecond * kSecond) {
    return kOverlap(next.name, FormatIsoTime(next.from), before.name, FormatIsoTime(before.time));
  }
  return Ok();
}

}  // namespace

std::optional<ExportSummary> ReadExportSummary(std::string name, const std::string& text) {
  json::Parser parser;
  const std::optional<json::Value> json = parser.Parse(text);
  if (!json || !json->is_object()) return std::nullopt;
  ExportSummary summary;
  summary.name = std::move(name);
  // Full exports of earlier years have no exportType.
  summary.incremental = json::TextAt(*json, "exportType") == NameOf(ExportOrder::Kind::kIncremental);
  summary.table_id = json::TextAt(*json, "tableId");
  summary.format = FormatByName(json::TextAt(*json, "outputFormat"));
  const std::optional<json::Value> items = json::Find(*json, "itemCount");
  if (items && items->type() == json::Type::kInteger) summary.items = items->AsInt64();
  const auto time = ParseIsoTime(json::TextAt(*json, summary.incremental ? "exportToTime" : "exportTime"));
  const auto from = summary.incremental ? ParseIsoTime(json::TextAt(*json, "exportFromTime")) : Micros{0};
  if (!time || !from) return std::nullopt;
  summary.time = *time;
  summary.from = *from;
  return summary;
}

Status IncrementsFollow(const std::optional<ExportSummary>& full, const std::vector<ExportSummary>& increments) {
  if (increments.empty()) return Ok();
  if (full && full->incremental) return kNotFull(full->name);
  if (!increments.front().incremental) return kNotIncremental(increments.front().name);
  if (full) RETURN_IF_ERROR(Follows(*full, increments.front()));
  for (size_t i = 1; i < increments.size(); ++i) RETURN_IF_ERROR(Follows(increments[i - 1], increments[i]));
  return Ok();
}

}  // namespace keyfold::transfer
