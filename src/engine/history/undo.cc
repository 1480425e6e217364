#include "engine/history/undo.h"

#include <algorithm>

#include "base/log.h"

namespace keyfold::engine {
namespace {

constexpr size_t kEntryBytes = 128;  // overhead per map entry
constexpr char kAbsent = 0, kPresent = 1;

}  // namespace

Undo::Undo(files::Folder scratch, size_t memory_bytes) : scratch_(std::move(scratch)), memory_bytes_(memory_bytes) {}

Undo::~Undo() {
  for (Run& run : runs_) {
    run.reader.reset();
    if (const Status s = scratch_.Remove(run.name); !s.ok()) LogWarning("{}", s.message());
  }
}

Status Undo::Add(std::string_view key, std::optional<ItemView> before) {
  const auto it = images_.lower_bound(key);
  if (it != images_.end() && it->first == key) return Ok();
  std::string image(1, before ? kPresent : kAbsent);
  if (before) image.append(before->bytes());
  bytes_ += key.size() + image.size() + kEntryBytes;
  images_.emplace_hint(it, key, std::move(image));
  return bytes_ > memory_bytes_ ? WriteRun() : Ok();
}

Status Undo::WriteRun() {
  Run run;
  run.name = "undo-" + std::to_string(runs_written_++);
  RETURN_IF_ERROR(scratch_.Remove(run.name));
  ASSIGN_OR_RETURN(const auto writer, files::RecordFileWriter::Create(scratch_, run.name));
  for (const auto& [key, image] : images_) RETURN_IF_ERROR(writer->Add(key, image));
  RETURN_IF_ERROR(writer->Finish(/*durable=*/false));
  images_.clear();
  bytes_ = 0;
  ASSIGN_OR_RETURN(run.reader, files::RecordFileReader::Open(scratch_, run.name));
  RETURN_IF_ERROR(Advance(run));
  runs_.push_back(std::move(run));
  return Ok();
}

Status Undo::Advance(Run& run) {
  std::string_view key, value;
  ASSIGN_OR_RETURN(const bool more, run.reader->Next(key, value));
  run.ended = !more;
  run.key = key;
  run.value = value;
  return Ok();
}

std::optional<std::string_view> Undo::LeastKey() const {
  std::optional<std::string_view> least;
  for (const Run& run : runs_) {
    if (!run.ended && (!least || run.key < *least)) least = run.key;
  }
  if (!images_.empty() && (!least || images_.begin()->first < *least)) least = images_.begin()->first;
  return least;
}

Status Undo::TakeLeast(std::optional<Item>& before) {
  const std::string key(*LeastKey());
  std::optional<std::string> image;  // from the oldest run that has the key
  for (Run& run : runs_) {
    if (run.ended || run.key != key) continue;
    if (!image) image = run.value;
    RETURN_IF_ERROR(Advance(run));
  }
  if (!images_.empty() && images_.begin()->first == key) {
    auto entry = images_.extract(images_.begin());
    bytes_ -= std::min(bytes_, key.size() + entry.mapped().size() + kEntryBytes);
    if (!image) image = std::move(entry.mapped());
  }
  before.reset();
  if (image->front() == kPresent) before = Item(image->substr(1));
  return Ok();
}

}  // namespace keyfold::engine
