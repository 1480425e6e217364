#include "copy/journal.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/read_file.h"
#include "json/document.h"
#include "json/writer.h"

namespace keyfold::copy {
namespace {

constexpr int64_t kFormat = 1;
constexpr size_t kBytesMax = 256 * 1024 * 1024;
constexpr std::string_view kPhases[] = {"waiting", "copying", "copied", "done"};

constexpr Rule<
    "{} exists: it belongs to an unfinished copy. Resume it with --resume {}, or delete the file to start again">
    kUnfinished{"copy-unfinished", Kind::kResourceInUse};
constexpr Rule<"{}: {}"> kUnreadable{"copy-journal-unreadable", Kind::kValidation};
constexpr Rule<"not a copy journal"> kNoJournal{"copy-no-journal", Kind::kValidation};
constexpr Rule<"the journal has format {}; this program supports {}"> kOtherFormat{"copy-journal-format",
                                                                                   Kind::kValidation};

// --- writing

void WriteEnd(json::Writer& w, std::string_view name, const client::ClientSettings& end) {
  w.Key(name);
  w.BeginObject();
  w.Member("endpoint", end.endpoint);
  w.Member("region", end.region);
  w.Member("profile", end.profile);
  w.Member("ca_file", end.ca_file);
  w.EndObject();
}

void WriteSegment(json::Writer& w, const SegmentMark& segment) {
  w.BeginObject();
  w.Member("next", segment.next);
  w.Member("items", segment.items);
  w.Member("bytes", segment.bytes);
  w.Member("done", segment.done);
  w.EndObject();
}

void WriteTable(json::Writer& w, const TablePlan& table) {
  w.BeginObject();
  w.Member("source", table.source);
  w.Member("target", table.target);
  w.Member("creates", table.creates);
  w.Member("items_about", table.items_about);
  w.Member("phase", kPhases[static_cast<size_t>(table.phase)]);
  w.Key("segments");
  w.BeginArray();
  for (const SegmentMark& segment : table.segments) WriteSegment(w, segment);
  w.EndArray();
  w.EndObject();
}

// --- reading: a member that is missing or of another type gets its default

uint64_t CountIn(json::Value object, std::string_view name) {
  const auto value = object.is_object() ? json::Find(object, name) : std::nullopt;
  const bool integer = value && value->type() == json::Type::kInteger;
  return integer ? static_cast<uint64_t>(std::max<int64_t>(value->AsInt64().value_or(0), 0)) : 0;
}

bool FlagIn(json::Value object, std::string_view name) {
  const auto value = object.is_object() ? json::Find(object, name) : std::nullopt;
  return value && value->type() == json::Type::kBool && value->AsBool();
}

client::ClientSettings ReadEnd(json::Value object, std::string_view name) {
  const auto end = json::Find(object, name);
  if (!end) return {};
  return {.endpoint = std::string(json::TextAt(*end, "endpoint")),
          .region = std::string(json::TextAt(*end, "region")),
          .profile = std::string(json::TextAt(*end, "profile")),
          .ca_file = std::string(json::TextAt(*end, "ca_file"))};
}

Result<TablePlan> ReadTable(json::Value object) {
  TablePlan table{std::string(json::TextAt(object, "source")), std::string(json::TextAt(object, "target")),
                  FlagIn(object, "creates"), CountIn(object, "items_about")};
  const std::string_view phase = json::TextAt(object, "phase");
  const auto found = std::find(std::begin(kPhases), std::end(kPhases), phase);
  if (table.source.empty() || table.target.empty() || found == std::end(kPhases)) return kNoJournal();
  table.phase = static_cast<TablePhase>(found - std::begin(kPhases));
  const auto segments = json::Find(object, "segments");
  if (!segments || !segments->is_array()) return kNoJournal();
  for (const json::Value each : segments->elements()) {
    table.segments.push_back({std::string(json::TextAt(each, "next")), CountIn(each, "items"), CountIn(each, "bytes"),
                              FlagIn(each, "done")});
  }
  return table;
}

// Splits a path into the folder and the name in it.
std::pair<std::string, std::string> Parted(const std::string& path) {
  const std::filesystem::path whole(path);
  const std::string folder = whole.parent_path().string();
  return {folder.empty() ? "." : folder, whole.filename().string()};
}

}  // namespace

std::string TextOf(const CopyPlan& plan) {
  std::string text;
  json::Writer w(text);
  w.BeginObject();
  w.Member("keyfold_copy", kFormat);
  WriteEnd(w, "from", plan.from);
  WriteEnd(w, "to", plan.to);
  w.Member("ttl", plan.settings.ttl);
  w.Member("tags", plan.settings.tags);
  w.Member("stream", plan.settings.stream);
  w.Member("schema_only", plan.schema_only);
  w.Member("items_only", plan.items_only);
  w.Member("append", plan.append);
  w.Member("verify", plan.verify);
  w.Member("threads", plan.speed.threads);
  w.Member("rate_items", plan.speed.limits.items);
  w.Member("rate_bytes", plan.speed.limits.bytes);
  w.Key("tables");
  w.BeginArray();
  for (const TablePlan& table : plan.tables) WriteTable(w, table);
  w.EndArray();
  w.EndObject();
  return text.append("\n");
}

Result<CopyPlan> ReadPlan(const std::string& text) {
  json::Parser parser;
  const auto document = parser.Parse(text);
  const auto tables = document && document->is_object() ? json::Find(*document, "tables") : std::nullopt;
  if (!tables || !tables->is_array() || !json::Find(*document, "keyfold_copy")) return kNoJournal();
  const uint64_t format = CountIn(*document, "keyfold_copy");
  if (format != kFormat) return kOtherFormat(format, kFormat);
  CopyPlan plan;
  plan.from = ReadEnd(*document, "from");
  plan.to = ReadEnd(*document, "to");
  plan.settings = {FlagIn(*document, "ttl"), FlagIn(*document, "tags"), FlagIn(*document, "stream")};
  plan.schema_only = FlagIn(*document, "schema_only");
  plan.items_only = FlagIn(*document, "items_only");
  plan.append = FlagIn(*document, "append");
  plan.verify = FlagIn(*document, "verify");
  plan.speed.threads = static_cast<uint32_t>(std::max<uint64_t>(CountIn(*document, "threads"), 1));
  plan.speed.limits = {CountIn(*document, "rate_items"), CountIn(*document, "rate_bytes")};
  for (const json::Value each : tables->elements()) {
    ASSIGN_OR_RETURN(TablePlan table, ReadTable(each));
    plan.tables.push_back(std::move(table));
  }
  return plan;
}

Result<std::unique_ptr<CopyJournal>> CopyJournal::Begin(const std::string& path, CopyPlan plan) {
  auto [folder_path, name] = Parted(path);
  ASSIGN_OR_RETURN(files::Folder folder, files::Folder::Open(folder_path));
  if (folder.Has(name)) return kUnfinished(path, path);
  std::unique_ptr<CopyJournal> journal(new CopyJournal(path, std::move(folder), std::move(name), std::move(plan)));
  RETURN_IF_ERROR(journal->Save());
  return journal;
}

Result<std::unique_ptr<CopyJournal>> CopyJournal::Resume(const std::string& path) {
  const Result<std::string> text = ReadFile(path, kBytesMax);
  if (!text.ok()) return kUnreadable(path, text.error().message());
  Result<CopyPlan> plan = ReadPlan(*text);
  if (!plan.ok()) return kUnreadable(path, plan.error().message());
  auto [folder_path, name] = Parted(path);
  ASSIGN_OR_RETURN(files::Folder folder, files::Folder::Open(folder_path));
  return std::unique_ptr<CopyJournal>(new CopyJournal(path, std::move(folder), std::move(name), *std::move(plan)));
}

CopyPlan CopyJournal::plan() const {
  MutexLock lock(mutex_);
  return plan_;
}

TablePlan CopyJournal::table(size_t table) const {
  MutexLock lock(mutex_);
  return plan_.tables[table];
}

SegmentMark CopyJournal::segment(size_t table, size_t segment) const {
  MutexLock lock(mutex_);
  return plan_.tables[table].segments[segment];
}

CopySpeed CopyJournal::speed() const {
  MutexLock lock(mutex_);
  return plan_.speed;
}

void CopyJournal::SetSpeed(CopySpeed speed) {
  MutexLock lock(mutex_);
  plan_.speed = speed;
  changed_ = true;
}

void CopyJournal::SetPhase(size_t table, TablePhase phase) {
  MutexLock lock(mutex_);
  plan_.tables[table].phase = phase;
  changed_ = true;
}

void CopyJournal::Advance(size_t table, size_t segment, std::string_view next, uint64_t items, uint64_t bytes) {
  MutexLock lock(mutex_);
  SegmentMark& mark = plan_.tables[table].segments[segment];
  mark.next = next;
  mark.items += items;
  mark.bytes += bytes;
  mark.done = next.empty();
  changed_ = true;
}

Status CopyJournal::Save() {
  std::string text;
  {
    MutexLock lock(mutex_);
    if (!changed_) return Ok();
    text = TextOf(plan_);
    changed_ = false;
  }
  return Write(text);
}

Status CopyJournal::Write(const std::string& text) const {
  const std::string beside = name_ + ".new";
  RETURN_IF_ERROR(folder_.Remove(beside));
  ASSIGN_OR_RETURN(files::File file, folder_.CreateNew(beside));
  RETURN_IF_ERROR(file.Write(text));
  RETURN_IF_ERROR(file.Sync());
  return folder_.Rename(beside, name_);
}

Status CopyJournal::Remove() {
  RETURN_IF_ERROR(folder_.Remove(name_ + ".new"));
  return folder_.Remove(name_);
}

}  // namespace keyfold::copy
