#include "files/sorter.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "base/log.h"

namespace keyfold::files {
namespace {

// Runs are read this much at a time. With less, another merge pass would be cheaper; more would waste memory.
constexpr size_t kReadBytes = 256 << 10;
constexpr size_t kFanInMin = 2, kFanInMax = 256;
constexpr size_t kLimitPerFile = 48;

// Eight bytes of the key from `at` on, as a number that orders like the bytes. A shorter key is padded with zeros, so
// equal numbers decide nothing. All keys have the same bytes before `at`.
uint64_t WordOf(std::string_view key, size_t at) {
  if (key.size() >= at + 8) return LoadU64(key.data() + at);
  char word[8] = {};
  std::memcpy(word, key.data() + at, key.size() - at);
  return LoadU64(word);
}

// Records in one block of memory: records grow from its start, their entries from its end. Used by one thread at a
// time.
class Arena {
 public:
  explicit Arena(size_t bytes) : entries_max_(bytes / sizeof(Entry)), memory_(new Entry[entries_max_]) { Clear(); }

  bool empty() const { return first_ == end(); }
  size_t size() const { return static_cast<size_t>(end() - first_); }

  // Returns false, and adds nothing, if there is no space.
  bool Add(std::string_view key, std::string_view value) {
    const size_t room = static_cast<size_t>(reinterpret_cast<char*>(first_) - base()) - used_;
    if (kHeaderBytes + key.size() + value.size() + sizeof(Entry) > room) return false;
    *--first_ = {0, used_};
    char* p = base() + used_;
    StoreU32(p, static_cast<uint32_t>(key.size()));
    StoreU32(p + 4, static_cast<uint32_t>(value.size()));
    key.copy(p + kHeaderBytes, key.size());
    value.copy(p + kHeaderBytes + key.size(), value.size());
    used_ += kHeaderBytes + key.size() + value.size();
    return true;
  }

  // Sorts by key, ascending. Equal keys stay in the order they were added, which is the order of their offsets.
  void Sort(size_t common) {
    for (Entry* e = first_; e != end(); ++e) e->word = WordOf(KeyOf(*e), common);
    std::sort(first_, end(), [this, common](const Entry& a, const Entry& b) {
      if (a.word != b.word) return a.word < b.word;
      const int order = KeyOf(a).substr(common).compare(KeyOf(b).substr(common));
      return order != 0 ? order < 0 : a.offset < b.offset;
    });
  }

  // Call it after Sort.
  void At(size_t i, std::string_view& key, std::string_view& value) const {
    const char* const p = base() + first_[i].offset;
    key = KeyOf(first_[i]);
    value = {key.data() + key.size(), LoadU32(p + 4)};
  }

  void Clear() {
    first_ = end();
    used_ = 0;
  }

 private:
  struct Entry {
    uint64_t word;
    uint64_t offset;
  };
  static constexpr size_t kHeaderBytes = 8;  // both lengths

  char* base() const { return reinterpret_cast<char*>(memory_.get()); }
  Entry* end() const { return memory_.get() + entries_max_; }
  std::string_view KeyOf(const Entry& entry) const {
    const char* const p = base() + entry.offset;
    return {p + kHeaderBytes, LoadU32(p)};
  }

  size_t entries_max_;
  std::unique_ptr<Entry[]> memory_;  // uninitialized, so that unused pages are never allocated
  Entry* first_;
  size_t used_;
};

// Used by one thread at a time.
class ArenaSource final : public RecordSource {
 public:
  explicit ArenaSource(Arena arena) : arena_(std::move(arena)) {}
  Result<bool> Next(std::string_view& key, std::string_view& value) override {
    if (next_ == arena_.size()) return false;
    arena_.At(next_++, key, value);
    return true;
  }

 private:
  const Arena arena_;
  size_t next_ = 0;
};

// A record file of this sorter, removed by the destructor. Used by one thread at a time.
class Run {
 public:
  Run(const Folder& scratch, std::string name) : scratch_(scratch), name_(std::move(name)) {}
  Run(Run&& other) noexcept : scratch_(other.scratch_), name_(std::exchange(other.name_, {})) {}
  Run& operator=(Run&&) = delete;
  ~Run() {
    if (name_.empty()) return;
    if (const Status removed = scratch_.Remove(name_); !removed.ok()) LogWarning("{}", removed.message());
  }
  const Folder& scratch() const { return scratch_; }
  const std::string& name() const { return name_; }

 private:
  const Folder scratch_;
  std::string name_;
};

// Merges several runs with a loser tree: each node holds the input that lost there, tree_[0] the overall winner. When
// the winner advances, it is compared again only with the losers on its path to the root. Used by one thread at a time.
class Merge final : public RecordSource {
 public:
  // Records with equal keys come in the order of `runs`.
  static Result<std::unique_ptr<Merge>> Open(std::vector<Run> runs, size_t common, size_t buffer_bytes) {
    std::unique_ptr<Merge> merge(new Merge(std::move(runs), common));
    for (size_t i = 0; i < merge->runs_.size(); ++i) {
      const Run& run = merge->runs_[i];
      ASSIGN_OR_RETURN(merge->inputs_[i].reader, RecordFileReader::Open(run.scratch(), run.name(), buffer_bytes));
      RETURN_IF_ERROR(merge->Advance(merge->inputs_[i]));
    }
    merge->tree_[0] = merge->Play(1);
    return merge;
  }

  Result<bool> Next(std::string_view& key, std::string_view& value) override {
    if (shown_) RETURN_IF_ERROR(Replay());
    const Input& winner = inputs_[tree_[0]];
    shown_ = winner.live;
    if (!winner.live) return false;
    key = winner.key;
    value = winner.value;
    return true;
  }

 private:
  struct Input {
    std::unique_ptr<RecordFileReader> reader;
    std::string_view key, value;
    uint64_t word = 0;
    bool live = false;
  };

  Merge(std::vector<Run> runs, size_t common)
      : common_(common), runs_(std::move(runs)), inputs_(runs_.size()), tree_(runs_.size()) {}

  Status Advance(Input& input) {
    ASSIGN_OR_RETURN(input.live, input.reader->Next(input.key, input.value));
    if (input.live) input.word = WordOf(input.key, common_);
    return Ok();
  }

  bool Before(size_t i, size_t j) const {
    const Input& a = inputs_[i];
    const Input& b = inputs_[j];
    if (!a.live || !b.live) return a.live;
    if (a.word != b.word) return a.word < b.word;
    const int order = a.key.substr(common_).compare(b.key.substr(common_));
    return order != 0 ? order < 0 : i < j;
  }

  // Returns the winner of the subtree. Nodes from inputs_.size() on are leaves.
  size_t Play(size_t node) {
    if (node >= inputs_.size()) return node - inputs_.size();
    const size_t left = Play(2 * node), right = Play(2 * node + 1);
    const bool left_wins = Before(left, right);
    tree_[node] = left_wins ? right : left;
    return left_wins ? left : right;
  }

  Status Replay() {
    size_t winner = tree_[0];
    RETURN_IF_ERROR(Advance(inputs_[winner]));
    for (size_t node = (winner + inputs_.size()) / 2; node > 0; node /= 2) {
      if (Before(tree_[node], winner)) std::swap(tree_[node], winner);
    }
    tree_[0] = winner;
    return Ok();
  }

  const size_t common_;
  std::vector<Run> runs_;
  std::vector<Input> inputs_;
  std::vector<size_t> tree_;
  bool shown_ = false;  // the winner's record was returned; it advances at the next call
};

}  // namespace

struct Sorter::Rep {
  Rep(Folder folder, std::string run_prefix, size_t bytes)
      : scratch(std::move(folder)), prefix(std::move(run_prefix)), memory_bytes(bytes), arena(bytes) {}

  void Note(std::string_view key, std::string_view value);
  Result<std::unique_ptr<RecordFileWriter>> NewRun(std::vector<Run>& list);
  Status AddRun(std::string_view key, std::string_view value);
  Status Spill();
  size_t FanIn() const;
  size_t BufferBytes(size_t inputs) const;
  Status MergeInto(std::vector<Run>& list, std::vector<Run> group);
  Status MergePass(size_t fan_in);

  const Folder scratch;
  const std::string prefix;
  const size_t memory_bytes;
  Arena arena;
  std::string first_key;
  size_t common = SIZE_MAX;  // length of the prefix that all keys share; SIZE_MAX: no key yet
  size_t record_bytes_max = 0;
  size_t runs_made = 0;
  std::vector<Run> runs;  // in the order in which their records were added
  bool finished = false;
};

// The keys of one table share a prefix; they differ only after it.
void Sorter::Rep::Note(std::string_view key, std::string_view value) {
  record_bytes_max = std::max(record_bytes_max, key.size() + value.size());
  if (common == SIZE_MAX) {
    first_key = key;
    common = key.size();
  } else if (!key.starts_with(std::string_view(first_key).substr(0, common))) {
    const auto bound = key.begin() + static_cast<std::ptrdiff_t>(std::min(key.size(), common));
    common = static_cast<size_t>(std::mismatch(key.begin(), bound, first_key.begin()).first - key.begin());
  }
}

Result<std::unique_ptr<RecordFileWriter>> Sorter::Rep::NewRun(std::vector<Run>& list) {
  std::string name = prefix + '-' + std::to_string(runs_made);
  ASSIGN_OR_RETURN(auto writer, RecordFileWriter::Create(scratch, name));
  ++runs_made;
  list.emplace_back(scratch, std::move(name));
  return writer;
}

// Writes a record that is too large for the arena as a run of its own.
Status Sorter::Rep::AddRun(std::string_view key, std::string_view value) {
  ASSIGN_OR_RETURN(const auto writer, NewRun(runs));
  RETURN_IF_ERROR(writer->Add(key, value));
  RETURN_IF_ERROR(writer->Finish(false));
  return Ok();
}

Status Sorter::Rep::Spill() {
  if (arena.empty()) return Ok();
  arena.Sort(common);
  ASSIGN_OR_RETURN(const auto writer, NewRun(runs));
  std::string_view key, value;
  for (size_t i = 0; i < arena.size(); ++i) {
    arena.At(i, key, value);
    RETURN_IF_ERROR(writer->Add(key, value));
  }
  RETURN_IF_ERROR(writer->Finish(false));
  arena.Clear();
  return Ok();
}

// The number of runs that can be read at once within the limits of memory and descriptors, while another is written.
// Three sorters may run at once, and all jobs together may use an eighth of the descriptors.
size_t Sorter::Rep::FanIn() const {
  const size_t each = std::max(kReadBytes, record_bytes_max + kRecordBlockBytes);
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) files.rlim_cur = 0;
  const size_t most = std::clamp<size_t>(files.rlim_cur / kLimitPerFile, kFanInMin, kFanInMax);
  return std::clamp(memory_bytes / each, kFanInMin + 1, most + 1) - 1;
}

size_t Sorter::Rep::BufferBytes(size_t inputs) const {
  return std::clamp(memory_bytes / (inputs + 1), kRecordBlockBytes, kReadBytes);
}

Status Sorter::Rep::MergeInto(std::vector<Run>& list, std::vector<Run> group) {
  const size_t inputs = group.size();
  ASSIGN_OR_RETURN(const auto merge, Merge::Open(std::move(group), common, BufferBytes(inputs)));
  ASSIGN_OR_RETURN(const auto writer, NewRun(list));
  std::string_view key, value;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, merge->Next(key, value));
    if (!more) break;
    RETURN_IF_ERROR(writer->Add(key, value));
  }
  RETURN_IF_ERROR(writer->Finish(false));
  return Ok();
}

// Merges adjacent runs, at most `fan_in` at a time, and only as many as needed to leave `fan_in` runs if one pass can
// achieve that.
Status Sorter::Rep::MergePass(size_t fan_in) {
  std::vector<Run> before = std::exchange(runs, {});
  size_t excess = before.size() - fan_in;
  for (size_t i = 0; i < before.size();) {
    const size_t take = std::min({fan_in, excess + 1, before.size() - i});
    std::vector<Run> group;
    for (const size_t end = i + take; i < end; ++i) group.push_back(std::move(before[i]));
    if (take == 1) {
      runs.push_back(std::move(group.front()));
    } else {
      RETURN_IF_ERROR(MergeInto(runs, std::move(group)));
    }
    excess -= take - 1;
  }
  return Ok();
}

Sorter::Sorter(Folder scratch, std::string prefix, size_t memory_bytes)
    : rep_(std::make_unique<Rep>(std::move(scratch), std::move(prefix), memory_bytes)) {}

Sorter::~Sorter() = default;

Status Sorter::Add(std::string_view key, std::string_view value) {
  CHECK(!rep_->finished && key.size() + value.size() <= kRecordBytesMax);
  rep_->Note(key, value);
  if (rep_->arena.Add(key, value)) return Ok();
  RETURN_IF_ERROR(rep_->Spill());
  return rep_->arena.Add(key, value) ? Ok() : rep_->AddRun(key, value);
}

Result<std::unique_ptr<RecordSource>> Sorter::Finish() {
  CHECK(!rep_->finished);
  rep_->finished = true;
  std::unique_ptr<RecordSource> source;
  if (rep_->runs.empty()) {
    rep_->arena.Sort(rep_->common);
    source = std::make_unique<ArenaSource>(std::move(rep_->arena));
    return source;
  }
  RETURN_IF_ERROR(rep_->Spill());
  rep_->arena = Arena(0);  // frees its memory for the readers
  const size_t fan_in = rep_->FanIn();
  while (rep_->runs.size() > fan_in) RETURN_IF_ERROR(rep_->MergePass(fan_in));
  const size_t inputs = rep_->runs.size();
  ASSIGN_OR_RETURN(source, Merge::Open(std::move(rep_->runs), rep_->common, rep_->BufferBytes(inputs)));
  return source;
}

}  // namespace keyfold::files
