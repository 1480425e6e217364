#include "engine/items/query.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/stopping.h"
#include "engine/items/key.h"
#include "engine/items/request_observer.h"
#include "store/key_encoding.h"
#include "store/rules.h"
#include "value/limits.h"

namespace keyfold::engine {
namespace {

constexpr Rule<"The table does not have the specified index: {}"> kNoIndex{"index-not-found", Kind::kValidation};
constexpr Rule<"Cannot read from backfilling global secondary index: {}"> kBackfilling{"index-backfilling",
                                                                                       Kind::kValidation};
constexpr Rule<"Consistent reads are not supported on global secondary indexes"> kConsistentGlobal{"consistent-global",
                                                                                                   Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index "
    "{} because its projection type is not ALL">
    kAllFromGlobal{"all-from-global", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Global secondary index {} does not project [{}]">
    kNotProjected{"not-projected", Kind::kValidation};
constexpr Rule<"The provided starting key is invalid"> kStartInvalid{"start-invalid", Kind::kValidation};
constexpr Rule<"The query can return at most one row and cannot be restarted"> kStartInOtherPartition{
    "start-in-other-partition", Kind::kValidation};
constexpr Rule<"The provided starting key is invalid: {}"> kStartInvalidBecause{"start-invalid-because",
                                                                                Kind::kValidation};
constexpr Rule<"The provided exclusive start key is invalid: ExclusiveStartKey: {{}}"> kStartOfSingleRow{
    "start-of-single-row", Kind::kValidation};
constexpr Rule<"The provided starting key is outside query boundaries based on provided conditions"> kStartOutside{
    "start-outside", Kind::kValidation};
constexpr Rule<"The provided starting key does not match the range key predicate"> kStartOutsideRange{
    "start-outside-range", Kind::kValidation};
constexpr Rule<
    "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct "
    "Segment. TotalSegments: {} Segment: {}">
    kStartOutsideSegment{"start-outside-segment", Kind::kValidation};
constexpr Rule<"{} can only contain non-primary key attributes: Primary key attribute: {}"> kFilterOnKey{
    "filter-on-key", Kind::kValidation};

// The table or index that a page is read from, and how its rows are shown.
struct Source {
  TablePtr table;
  const Index* index = nullptr;
  bool fetch_base = false;  // attributes are requested that the local index does not hold

  const KeySchema& key() const { return index ? index->key : table->key; }
  store::IndexId index_id() const { return index ? index->id : store::kBaseTable; }
};

Result<Source> FindSource(const Database& db, const PageRequest& request) {
  Source source;
  ASSIGN_OR_RETURN(source.table, UsableTable(db, *db.catalog.Current(), request.table));
  if (request.index.empty()) return source;
  source.index = source.table->FindIndex(request.index);
  if (!source.index) return kNoIndex(request.index);
  if (!source.index->IsReadable()) {
    if (source.index->backfilling) return kBackfilling(request.index);
    return kNoIndex(request.index);
  }
  if (source.index->global && request.consistent) return kConsistentGlobal();
  return source;
}

// Checks that the source's rows have the requested attributes; sets fetch_base if the table's rows are needed as well.
Status ResolveSelection(const PageRequest& request, Source& source) {
  if (!source.index || source.index->projection == ProjectionKind::kAll) return Ok();
  if (request.selection == Selection::kAll) {
    if (source.index->global) return kAllFromGlobal(source.index->name);
    source.fetch_base = true;
    return Ok();
  }
  if (!request.projection || request.projection->empty()) return Ok();
  std::vector<std::string_view> asked;
  expr::CollectAttributes(*request.projection, asked);
  std::string missing;
  for (const std::string_view attribute : asked) {
    if (IndexHolds(*source.table, *source.index, attribute)) continue;
    if (!missing.empty()) missing += ", ";
    missing += attribute;
  }
  if (missing.empty()) return Ok();
  if (source.index->global) return kNotProjected(source.index->name, missing);
  source.fetch_base = true;
  return Ok();
}

// Key attributes are scalars: neither the projection nor the filter may have paths into them.
Status PathsKeepKeysWhole(const PageRequest& request, const Source& source) {
  if (request.projection) RETURN_IF_ERROR(KeepsKeysWhole(*source.table, *request.projection));
  if (request.filter) RETURN_IF_ERROR(KeepsKeysWhole(*source.table, *request.filter));
  return Ok();
}

Status FilterLeavesKeyAlone(const PageRequest& request, const Source& source) {
  if (!request.filter || request.of_statement) return Ok();
  std::vector<std::string_view> read;
  expr::CollectAttributes(*request.filter, read);
  for (const KeyAttribute& part : source.key().attributes()) {
    if (std::find(read.begin(), read.end(), part.name) == read.end()) continue;
    return kFilterOnKey(std::string_view(request.legacy_filter ? "QueryFilter" : "Filter Expression"), part.name);
  }
  return Ok();
}

// The number of attributes in a starting key: those of the table's key and of the index's.
size_t StartAttributes(const Source& source) {
  size_t count = source.table->key.attributes().size();
  if (!source.index) return count;
  for (const KeyAttribute& part : source.index->key.attributes()) count += source.table->key.Names(part.name) ? 0 : 1;
  return count;
}

// Checks that the starting key has the attributes of the source's key, with the right types.
Status StartFitsKey(const KeySchema& key, ItemView start) {
  for (const KeyAttribute& part : key.attributes()) {
    const auto value = start.Find(part.name);
    if (!value) return kStartInvalid();
    if (value->type() != part.type) return kKeyMismatch();
  }
  return Ok();
}

// The row that the starting key refers to; it need not exist. Query and Scan have different messages for some errors.
Result<store::RowKey> StartRow(const PageRequest& request, const Source& source, bool is_scan) {
  const Table& table = *source.table;
  const ItemView start = *request.start;
  const bool bare_scan = is_scan && !source.index;
  if (start.count() != StartAttributes(source)) {
    if (bare_scan) return kStartInvalidBecause(kKeyMismatch().message());
    return kStartInvalid();
  }
  if (!bare_scan) RETURN_IF_ERROR(StartFitsKey(source.key(), start));
  const Status fits = KeyFitsTable(table, KeyPart(table, nullptr, start));
  if (!fits.ok()) return kStartInvalidBecause(fits.message());
  if (!source.index) return RowKeyOf(table, start);
  std::optional<store::RowKey> row = IndexRowKeyOf(table, *source.index, start);
  if (!row) return kStartInvalid();
  return *std::move(row);
}

// KeyConditions can have one condition for each of the two key attributes. Only an index with several attributes per
// side can have more.
Status LegacyConditionsAreFew(const QueryInput& query, const Source& source) {
  const size_t parts = source.key().attributes().size();
  if (query.legacy_key_condition && query.key_condition->terms.size() > std::max<size_t>(2, parts))
    return expr::kKeyConditionCount();
  return Ok();
}

// Without a sort key a partition is a single row, so a Query has no rows after it: it takes no starting key and returns
// no LastEvaluatedKey.
bool IsSingleRow(const Source& source) { return !source.index && !source.table->key.HasSort(); }

Status QueryCanBeRestarted(const PageRequest& request, const Source& source) {
  if (!request.start || !IsSingleRow(source)) return Ok();
  std::string shown;
  for (const Entry e : request.start->entries()) {
    if (!shown.empty()) shown += ", ";
    shown.append(e.name).append("=AttributeValue: ").append(BracedScalar(e.value));
  }
  return kStartOfSingleRow(shown);
}

// Sets the bounds on sort bytes for a bound key condition.
void SortBounds(const expr::KeyQuery& query, store::PartitionRange& range) {
  std::string prefix;
  for (const Value& v : query.sort_equal) store::AppendKeyPart(prefix, v);
  range.lower = prefix;
  range.upper = store::AfterPrefix(prefix);
  if (!query.range) return;
  std::string first = prefix;
  const expr::KeyTerm& term = *query.range;
  if (term.op == expr::KeyTerm::Op::kBeginsWith) {
    store::AppendKeyPrefix(first, term.first.view().AsText());
    range.lower = first;
    range.upper = store::AfterPrefix(first);
    return;
  }
  store::AppendKeyPart(first, term.first);
  switch (term.op) {
    case expr::KeyTerm::Op::kLt:
      range.upper = first;
      break;
    case expr::KeyTerm::Op::kLe:
      range.upper = store::AfterPrefix(first);
      break;
    case expr::KeyTerm::Op::kGt:
      range.lower = store::AfterPrefix(first);
      break;
    case expr::KeyTerm::Op::kGe:
      range.lower = first;
      break;
    case expr::KeyTerm::Op::kBetween: {
      std::string second = prefix;
      store::AppendKeyPart(second, term.second);
      range.lower = first;
      range.upper = store::AfterPrefix(second);
      break;
    }
    case expr::KeyTerm::Op::kEq:
    case expr::KeyTerm::Op::kBeginsWith:
    case expr::KeyTerm::Op::kNotIndexable:
      break;
  }
}

// Checks that the start is in the partition and range of the query.
Status StartIsInside(const store::RowKey& start, const store::PartitionRange& range, bool has_sort_condition) {
  const bool same_partition = start.partition() == range.partition;
  if (!has_sort_condition) {
    if (!same_partition) return kStartOutside();
    return Ok();
  }
  const bool in_range = start.sort() >= range.lower && (range.upper.empty() || start.sort() < range.upper);
  if (!in_range) return kStartOutsideRange();
  if (!same_partition) return kStartInOtherPartition();
  return Ok();
}

// A copy of a row, so that it can be processed while no store resources are held.
struct KeptRow {
  std::string key, value;
  std::optional<std::string> base;
};

// Takes rows one by one, and decides what is shown and when the page is full. Used by one thread at a time.
//
// Rows arrive during the store's visits, which hold resources that others wait for. If the page's time slice is over,
// or a row takes long to process, the visit ends and that row is kept. The page then yields its turn, processes the
// row, and continues after it.
class PageReader {
 public:
  PageReader(const PageRequest& request, const Source& source, Emit emit, RequestContext context)
      : request_(request),
        source_(source),
        emit_(emit),
        observer_(context.observer),
        pace_(context.pace),
        operators_(pace_ && request.filter ? expr::CountOperators(*request.filter) : 0) {}

  // Called during a visit; returns false to end it. `base` is the table's row if fetch_base is set.
  bool Visit(const store::RowView& row, const store::RowView* base) {
    const std::string_view value = base ? base->value : row.value;
    if (pace_) {
      const uint64_t steps = StepsOf(row.value, value);
      if (!pace_->MayDo(steps)) return false;
      if (pace_->due() || (steps > kStepsInVisit && pace_->takes_turns())) return Keep(row, base), false;
      pace_->Spend(steps);
    }
    const ItemView item(value);
    return Take(ItemView(row.value), base ? &item : nullptr, nullptr);
  }

  // Called after a visit. Returns true if the page continues, and sets `after` to the row to continue after.
  Result<bool> GoesOn(std::string& after) {
    if (!pace_) return false;
    if (pace_->refused()) return store::kTooMuchHere();
    if (!kept_) return false;
    if (pace_->stopping()) return kStopping();
    const KeptRow row = *std::exchange(kept_, std::nullopt);
    const ItemView item(row.base ? *row.base : row.value);
    ASSIGN_OR_RETURN(const bool more, TakeOutside(ItemView(row.value), row.base ? &item : nullptr));
    after = row.key;
    return more;
  }

  // Takes a row outside of a visit.
  Result<bool> TakeOutside(ItemView row, const ItemView* base) {
    if (!pace_) return Take(row, base, nullptr);
    const uint64_t steps = StepsOf(row.bytes(), (base ? *base : row).bytes());
    if (!pace_->MayDo(steps)) return store::kTooMuchHere();
    if (pace_->stopping()) return kStopping();
    if (pace_->due()) pace_->GiveWay();
    if (steps > kStepsInVisit && pace_->takes_turns()) return Take(row, base, pace_);
    pace_->Spend(steps);
    return Take(row, base, nullptr);
  }

  QueryOutcome Finish() && {
    outcome_.table = source_.table;
    outcome_.index = source_.index;
    outcome_.bytes = bytes();
    const double units = ReadUnits(row_bytes_, read_kind());
    source_.index ? outcome_.units.AddIndex(source_.index->id, units) : void(outcome_.units.table = units);
    outcome_.units.table += base_units_;
    return std::move(outcome_);
  }

 private:
  static constexpr uint64_t kStepsInVisit = 1'000'000;
  static constexpr uint64_t kStepsPerRow = 100, kStepsPerShownByte = 3;

  [[gnu::cold]] void Keep(const store::RowView& row, const store::RowView* base) {
    kept_.emplace(KeptRow{std::string(row.key), std::string(row.value), {}});
    if (base) kept_->base.emplace(base->value);
  }

  uint64_t StepsOf(std::string_view row, std::string_view item) const {
    return kStepsPerRow + row.size() + item.size() * (kStepsPerShownByte + operators_);
  }

  // With a pace, the filter can yield between its operators.
  bool Take(ItemView row, const ItemView* base, Pace* pace) {
    const ItemView item = base ? *base : row;
    const size_t row_bytes = ItemSize(row);
    row_bytes_ += row_bytes;
    page_bytes_ += base ? ItemSize(*base) : row_bytes;
    ++outcome_.scanned;
    if (base) base_units_ += ReadUnits(ItemSize(*base), read_kind());
    if (!request_.filter || expr::Test(*request_.filter, item, pace)) {
      ++outcome_.count;
      if (observer_) observer_->PageRow(*source_.table, item);
      Show(item);
    }
    if (outcome_.scanned != request_.limit && bytes() < request_.bytes_max) return true;
    outcome_.last_key = KeyPart(*source_.table, source_.index, row);
    return false;
  }

  size_t bytes() const { return std::max(row_bytes_, page_bytes_); }
  ReadKind read_kind() const { return request_.consistent ? ReadKind::kConsistent : ReadKind::kEventual; }

  void Show(ItemView item) {
    if (request_.selection == Selection::kCount) return;
    if (!request_.projection || request_.projection->empty() || request_.of_statement) return emit_(item);
    projected_.clear();
    expr::AppendProjected(*request_.projection, item, projected_);
    emit_(ItemView(projected_));
  }

  const PageRequest& request_;
  const Source& source_;
  Emit emit_;
  RequestObserver* const observer_;
  Pace* const pace_;
  const uint64_t operators_;  // number of operators in the filter
  std::optional<KeptRow> kept_;
  size_t row_bytes_ = 0;   // bytes of the rows of the source: determines the cost
  size_t page_bytes_ = 0;  // bytes of the items they refer to: limits the page
  double base_units_ = 0;
  std::string projected_;
  QueryOutcome outcome_;
};

Status VisitRange(const Database& db, const Source& source, const store::PartitionRange& range, PageReader& reader,
                  store::Access access) {
  if (!source.fetch_base) {
    return db.store.Range(
        range, [&](const store::RowView& row) { return reader.Visit(row, nullptr); }, access);
  }
  const auto base_key = [&](const store::RowView& row) { return RowKeyOf(*source.table, ItemView(row.value)); };
  const auto take = [&](const store::RowView& row, const store::RowView& base) {
    return reader.Visit(row, base.value.empty() ? &row : &base);
  };
  return db.store.RangeWithBase(range, base_key, take, access);
}

Status ReadRange(const Database& db, const Source& source, store::PartitionRange range, PageReader& reader,
                 store::Access access) {
  while (true) {
    RETURN_IF_ERROR(VisitRange(db, source, range, reader, access));
    ASSIGN_OR_RETURN(const bool more, reader.GoesOn(range.after));
    if (!more) return Ok();
  }
}

Status ReadSlots(const Database& db, store::SlotRange range, PageReader& reader, store::Access access) {
  const auto take = [&](const store::RowView& row) { return reader.Visit(row, nullptr); };
  while (true) {
    RETURN_IF_ERROR(db.store.ScanSlots(range, take, access));
    ASSIGN_OR_RETURN(const bool more, reader.GoesOn(range.after));
    if (!more) return Ok();
  }
}

// Scans a local index that must show attributes it does not hold: reads the page's index rows, then the base row of
// each.
Status ScanWithBase(const Database& db, const Source& source, const store::SlotRange& range, int64_t limit,
                    PageReader& reader, store::Access access) {
  std::vector<std::string> index_rows;
  size_t bytes = 0;
  const auto collect = [&](const store::RowView& row) {  // stops where the reader would find the page full
    bytes += ItemSize(ItemView(row.value));
    index_rows.emplace_back(row.value);
    return bytes < kPageBytesMax && static_cast<int64_t>(index_rows.size()) != limit;
  };
  RETURN_IF_ERROR(db.store.ScanSlots(range, collect, access));
  for (const std::string& row : index_rows) {
    const store::RowKey key = RowKeyOf(*source.table, ItemView(row));
    std::vector<store::Row> base;
    RETURN_IF_ERROR(db.store.Get({&key, 1}, base, access));
    const ItemView item(base[0].exists ? std::string_view(base[0].value) : std::string_view(row));
    ASSIGN_OR_RETURN(const bool more, reader.TakeOutside(ItemView(row), &item));
    if (!more) break;
  }
  return Ok();
}

// Segment i of n is an even share of the slots. With more segments than slots, some are empty (returns false).
bool SegmentSlots(int64_t segment, int64_t segments, store::SlotRange& range) {
  const int64_t first = segment * store::kSlots / segments;
  const int64_t end = (segment + 1) * store::kSlots / segments;
  if (first == end) return false;
  range.first = static_cast<store::Slot>(first);
  range.last = static_cast<store::Slot>(end - 1);
  return true;
}

}  // namespace

bool IndexHolds(const Table& table, const Index& index, std::string_view attribute) {
  if (index.projection == ProjectionKind::kAll) return true;
  if (table.key.Names(attribute) || index.key.Names(attribute)) return true;
  return std::find(index.included.begin(), index.included.end(), attribute) != index.included.end();
}

Result<QueryOutcome> RunQuery(const Database& db, const QueryInput& request, Emit emit, RequestContext context) {
  ASSIGN_OR_RETURN(Source source, FindSource(db, request));
  RETURN_IF_ERROR(LegacyConditionsAreFew(request, source));
  store::PartitionRange range;
  range.table = source.table->id;
  range.index = source.index_id();
  range.direction = request.forward ? store::Direction::kForward : store::Direction::kBackward;
  store::RowKey start;
  if (request.start) {
    ASSIGN_OR_RETURN(start, StartRow(request, source, false));
    range.after = start.bytes();
  }
  ASSIGN_OR_RETURN(const expr::KeyQuery key_query,
                   expr::BindKeyCondition(*request.key_condition, source.key(), request.legacy_key_condition));
  for (const Value& v : key_query.partition) store::AppendKeyPart(range.partition, v);
  SortBounds(key_query, range);
  RETURN_IF_ERROR(QueryCanBeRestarted(request, source));
  const bool has_sort_condition = key_query.range.has_value() || !key_query.sort_equal.empty();
  if (request.start) RETURN_IF_ERROR(StartIsInside(start, range, has_sort_condition));
  RETURN_IF_ERROR(PathsKeepKeysWhole(request, source));
  RETURN_IF_ERROR(FilterLeavesKeyAlone(request, source));
  RETURN_IF_ERROR(ResolveSelection(request, source));
  PageReader reader(request, source, emit, context);
  RETURN_IF_ERROR(ReadRange(db, source, std::move(range), reader, context));
  QueryOutcome outcome = std::move(reader).Finish();
  if (IsSingleRow(source)) outcome.last_key.reset();
  if (context.observer) context.observer->PageRead(request, &key_query, request.forward, outcome);
  return outcome;
}

Result<QueryOutcome> RunScan(const Database& db, const ScanInput& request, Emit emit, RequestContext context) {
  ASSIGN_OR_RETURN(Source source, FindSource(db, request));
  store::SlotRange range;
  range.table = source.table->id;
  range.index = source.index_id();
  const bool has_slots = SegmentSlots(request.segment, request.segments, range);
  if (request.start) {
    ASSIGN_OR_RETURN(const store::RowKey start, StartRow(request, source, true));
    range.after = start.bytes();
    const bool inside = has_slots && start.slot() >= range.first && start.slot() <= range.last;
    if (!inside) return kStartOutsideSegment(request.segments, request.segment);
  }
  RETURN_IF_ERROR(PathsKeepKeysWhole(request, source));
  RETURN_IF_ERROR(ResolveSelection(request, source));
  PageReader reader(request, source, emit, context);
  if (has_slots) {
    RETURN_IF_ERROR(source.fetch_base ? ScanWithBase(db, source, range, request.limit, reader, context)
                                      : ReadSlots(db, std::move(range), reader, context));
  }
  QueryOutcome outcome = std::move(reader).Finish();
  if (context.observer) context.observer->PageRead(request, nullptr, true, outcome);
  return outcome;
}

}  // namespace keyfold::engine
