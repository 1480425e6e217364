#include "copy/segment_copy.h"

#include <algorithm>
#include <charconv>

#include "json/raw_json.h"
#include "json/writer.h"

namespace keyfold::copy {
namespace {

constexpr uint64_t kPageItemsMin = 25, kPagesASecond = 4;

constexpr Rule<"the response of Scan is not a valid DynamoDB response"> kOddScanAnswer{"copy-scan-answer",
                                                                                       Kind::kUnavailable};

// A page is read at once and is written again after a crash, so with a limit it is a fraction of a second's items.
uint64_t PageLimit(const CopySpeed& speed) {
  if (speed.limits.items == 0) return 0;
  return std::max(speed.limits.items / speed.threads / kPagesASecond, kPageItemsMin);
}

// The key where the scan continues; empty at the end.
std::string_view NextOf(std::string_view answer) {
  const auto next = FindRaw(answer, "LastEvaluatedKey");
  return next && *next != "null" ? *next : std::string_view();
}

}  // namespace

Result<ScanPage> CutScanPage(std::string_view answer) {
  const auto array = FindRaw(answer, "Items");
  auto items = array ? RawElementsOf(*array) : std::nullopt;
  if (!items) return kOddScanAnswer();
  ScanPage page{*std::move(items), NextOf(answer)};
  for (const std::string_view item : page.items) page.bytes += item.size();
  return page;
}

std::string BodyOf(const ScanRequest& request) {
  std::string body;
  json::Writer w(body);
  w.BeginObject();
  w.Member("TableName", request.table);
  w.Member("ConsistentRead", true);
  w.Member("TotalSegments", request.segments);
  w.Member("Segment", request.segment);
  if (request.limit > 0) w.Member("Limit", request.limit);
  if (request.count_only) w.Member("Select", "COUNT");
  if (!request.next.empty()) {
    w.Key("ExclusiveStartKey");
    w.Raw(request.next);
  }
  w.EndObject();
  return body;
}

Status SegmentCopy::Run(size_t segment) {
  const uint64_t limit = PageLimit(journal_.speed());
  const TablePlan table = journal_.table(table_);
  std::string next = table.segments[segment].next;
  do {
    if (stop_.raised()) return kStopped();
    ASSIGN_OR_RETURN(const std::string answer, source_.Call("Scan", BodyOf({.table = table.source,
                                                                            .segment = segment,
                                                                            .segments = table.segments.size(),
                                                                            .next = next,
                                                                            .limit = limit})));
    ASSIGN_OR_RETURN(const ScanPage page, CutScanPage(answer));
    RETURN_IF_ERROR(write_.Put(page.items));
    journal_.Advance(table_, segment, page.next, page.items.size(), page.bytes);
    next = page.next;
  } while (!next.empty());
  return Ok();
}

Result<uint64_t> CountSegment(client::ApiCaller& caller, const std::string& table, size_t segment, size_t segments,
                              StopRequest& stop) {
  uint64_t count = 0;
  std::string next;
  do {
    if (stop.raised()) return kStopped();
    ASSIGN_OR_RETURN(
        const std::string answer,
        caller.Call(
            "Scan",
            BodyOf({.table = table, .segment = segment, .segments = segments, .next = next, .count_only = true})));
    const std::string_view text = FindRaw(answer, "Count").value_or("");
    uint64_t here = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), here).ec != std::errc()) return kOddScanAnswer();
    count += here;
    next = NextOf(answer);
  } while (!next.empty());
  return count;
}

}  // namespace keyfold::copy
