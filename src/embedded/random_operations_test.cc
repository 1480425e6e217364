// Sends the same random API requests to two complete engines, one on rocksdb and one in memory: every response must be
// the same, byte for byte, and so must their data, across restarts and with a cache too small for the data.
//   KEYFOLD_RANDOM_OPS   number of requests
//   KEYFOLD_SEED         repeats a run
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <map>
#include <set>

#include "base/bytes.h"
#include "testing/embedded/request_generator.h"
#include "testing/embedded/table_audit.h"
#include "testing/embedded/test_engine.h"
#include "wire/attribute_value.h"

namespace keyfold::embedded {
namespace {

constexpr uint64_t kOperationsDefault = 5'000;
constexpr uint64_t kOperationsPerAudit = 1'000, kOperationsPerRestart = 2'000;
constexpr size_t kPagesMax = 5'000;
constexpr size_t kShownBytesMax = 4'000;

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = getenv(name);
  return text == nullptr ? otherwise : strtoull(text, nullptr, 10);
}

// The slot in RowKey::bytes(), which follows table and index.
store::Slot SlotOfRow(const std::string& key) {
  return LoadU16(key.data() + store::RowKey::kHeaderBytes - sizeof(store::Slot));
}

// The accumulated result of reading all pages.
struct Pages {
  std::string items;  // concatenated
  int64_t count = 0, scanned = 0;
  bool operator==(const Pages&) const = default;
};

class RandomOperations : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "keyfold-engines-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    memory_ = std::make_unique<TestEngine>("", clock_);
    rocksdb_ = std::make_unique<TestEngine>(folder_, clock_);
    Restart();
  }
  void TearDown() override {
    rocksdb_.reset();
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  // Closes and reopens both, the folder with different cache and write buffer sizes, so that blocks, and then rows, are
  // sometimes in memory and sometimes not.
  void Restart();
  // Returns the response of both engines; if they differ, fails and shows both.
  std::string Ask(const ops::Operation& operation, const std::string& body);
  // Reads all pages of a Query or Scan whose first response is `answer`.
  Pages Walk(const ops::Operation& operation, const std::string& body, std::string answer);
  // Reads the pages of a Scan's segments, one after another. `named` is a request without its closing brace.
  Pages WalkSegments(const std::string& named, uint32_t total, const std::set<uint32_t>& segments);
  void AskNext();
  // Writes items before and while a new index of `table` is filled; both engines then have it.
  void FinishIndexes(const std::string& table);
  // Checks that both hold the same data and that it is consistent with the items.
  void Audit();
  void AuditRemoved();
  void Report() const;

  const uint64_t seed_ = FromEnvironment("KEYFOLD_SEED", Random::SeedFromSystem());
  const uint64_t operations_ = FromEnvironment("KEYFOLD_RANDOM_OPS", kOperationsDefault);
  Random random_{seed_};
  ManualClock clock_{1'700'000'000'000'000};
  RequestGenerator generator_{random_};
  json::Parser parser_;
  std::string folder_;
  std::unique_ptr<TestEngine> memory_, rocksdb_;
  uint64_t number_ = 0;
  std::set<store::TableId> live_;  // table ids at the last audit

  struct Count {
    int64_t answers = 0, errors = 0;
  };
  std::map<std::string_view, Count> counts_;
  int64_t restarts_ = 0, audits_ = 0;
};

void RandomOperations::Restart() {
  constexpr uint64_t kCacheBytes[] = {16 << 10, 256 << 10, 1 << 20, 32 << 20};
  constexpr uint64_t kWriteBufferBytes[] = {256 << 10, 1 << 20, 8 << 20};
  store::RocksdbOptions options;
  options.cache_bytes = kCacheBytes[random_.Below(std::size(kCacheBytes))];
  options.write_buffer_bytes = kWriteBufferBytes[random_.Below(std::size(kWriteBufferBytes))];
  const uint64_t seed = random_.Next();
  for (TestEngine* engine : {memory_.get(), rocksdb_.get()}) {
    engine->Close();
    engine->Open(options, seed);
  }
  // Only one of them yields, and it must return the same as the other.
  constexpr uint64_t kSteps[] = {0, 1'000, 100'000};
  rocksdb_->RunPaced(kSteps[random_.Below(std::size(kSteps))]);
  ++restarts_;
}

std::string RandomOperations::Ask(const ops::Operation& operation, const std::string& body) {
  const std::string expected = memory_->Run(operation, body);
  const std::string answer = rocksdb_->Run(operation, body);
  Count& count = counts_[operation.name];
  ++count.answers;
  count.errors += IsError(expected) ? 1 : 0;
  EXPECT_TRUE(answer == expected) << fmt::format("KEYFOLD_SEED={} operation {}: {} {}\n  memory:  {}\n  rocksdb: {}",
                                                 seed_, number_, operation.name, body.substr(0, kShownBytesMax),
                                                 expected.substr(0, kShownBytesMax), answer.substr(0, kShownBytesMax));
  return expected;
}

Pages RandomOperations::Walk(const ops::Operation& operation, const std::string& body, std::string answer) {
  Pages pages;
  for (size_t page = 0; !IsError(answer) && page < kPagesMax && !HasFailure(); ++page) {
    const json::Value json = *parser_.Parse(answer);
    pages.count += *json::Find(json, "Count")->AsInt64();
    pages.scanned += *json::Find(json, "ScannedCount")->AsInt64();
    if (const auto items = json::Find(json, "Items")) {
      for (const json::Value item : items->elements()) {
        wire::Supplied<Item> decoded;
        EXPECT_TRUE(wire::DecodeItem(item, wire::Place::kElement, decoded).ok());
        pages.items += decoded->bytes();
      }
    }
    const auto last = json::Find(json, "LastEvaluatedKey");
    if (!last) return pages;
    wire::Supplied<Item> start;
    EXPECT_TRUE(wire::DecodeItem(*last, wire::Place::kMember, start).ok());
    std::string next = body.substr(0, body.size() - 1) + ",\"ExclusiveStartKey\":";
    wire::AppendJson(next, start->view());
    answer = Ask(operation, next + '}');
  }
  EXPECT_FALSE(IsError(answer)) << answer;
  return pages;
}

void RandomOperations::AskNext() {
  const GeneratedRequest request = generator_.Next(*memory_->catalog());
  const ops::Operation& operation = *request.operation;
  const std::string answer = Ask(operation, request.body);
  if (IsError(answer) || HasFailure()) return;
  if (operation.name == "UpdateTable") {
    const auto name = json::Find(*parser_.Parse(request.body), "TableName");
    FinishIndexes(std::string(name->AsString()));
  }
  if (operation.name != "Query" && operation.name != "Scan") return;
  const Pages pages = Walk(operation, request.body, answer);
  if (!random_.OneIn(8) || HasFailure()) return;
  // If a member is repeated, the later one counts.
  const std::string unlimited = request.body.substr(0, request.body.size() - 1) + ",\"Limit\":1000000}";
  EXPECT_TRUE(Walk(operation, unlimited, Ask(operation, unlimited)) == pages)
      << "KEYFOLD_SEED=" << seed_ << " operation " << number_ << ": pages differ with their limit: " << request.body;
}

void RandomOperations::FinishIndexes(const std::string& table) {
  const engine::TablePtr changed = memory_->catalog()->Find(table);
  const bool filling = std::any_of(changed->indexes.begin(), changed->indexes.end(),
                                   [](const engine::Index& index) { return index.backfilling; });
  if (filling && random_.OneIn(2)) {
    memory_->BeginWork();
    rocksdb_->BeginWork();
  }
  for (uint64_t left = filling ? random_.Below(40) : 0; left > 0 && !HasFailure(); --left) {
    const GeneratedRequest request = generator_.NextOnItem(*changed);
    Ask(*request.operation, request.body);
  }
  memory_->FinishWork();
  rocksdb_->FinishWork();
}

Pages RandomOperations::WalkSegments(const std::string& named, uint32_t total, const std::set<uint32_t>& segments) {
  const ops::Operation& scan = *ops::FindOperation("Scan");
  Pages all;
  for (const uint32_t segment : segments) {
    const std::string body = fmt::format("{},\"TotalSegments\":{},\"Segment\":{}}}", named, total, segment);
    const Pages part = Walk(scan, body, Ask(scan, body));
    all = {all.items + part.items, all.count + part.count, all.scanned + part.scanned};
  }
  return all;
}

void RandomOperations::AuditRemoved() {
  memory_->FinishWork();
  rocksdb_->FinishWork();
  std::set<store::TableId> now;
  for (const auto& [name, table] : memory_->catalog()->tables) now.insert(table->id);
  for (const store::TableId id : live_) {
    if (now.count(id) != 0) continue;
    for (TestEngine* engine : {memory_.get(), rocksdb_.get()}) {
      EXPECT_TRUE(ReadRows(engine->store(), id, store::kBaseTable).empty());
      EXPECT_EQ(engine->store().ReadTally(id, store::kBaseTable).rows, 0);
    }
  }
  live_ = std::move(now);
}

void RandomOperations::Audit() {
  SCOPED_TRACE(fmt::format("KEYFOLD_SEED={} after operation {}", seed_, number_));
  AuditRemoved();
  for (const auto& [name, table] : memory_->catalog()->tables) {
    const std::string named = fmt::format("{{\"TableName\":\"{}\"", name);
    Ask(*ops::FindOperation("DescribeTable"), named + "}");
    const ops::Operation& scan = *ops::FindOperation("Scan");
    const Pages whole = Walk(scan, named + "}", Ask(scan, named + "}"));
    EXPECT_TRUE(WalkSegments(named, 3, {0, 1, 2}) == whole) << name << ": segments do not add up to the whole";
    // One segment per slot: every row is at both ends of its segment.
    std::set<uint32_t> slots;
    for (const auto& [key, value] : ReadRows(memory_->store(), table->id, store::kBaseTable))
      slots.insert(SlotOfRow(key));
    EXPECT_TRUE(WalkSegments(named, store::kSlots, slots) == whole) << name << ": slots do not add up to the whole";
    for (const engine::Index& index : table->indexes) {
      const std::string body = fmt::format("{},\"IndexName\":\"{}\"}}", named, index.name);
      Walk(scan, body, Ask(scan, body));
      EXPECT_TRUE(ReadRows(memory_->store(), table->id, index.id) == ReadRows(rocksdb_->store(), table->id, index.id));
    }
    for (TestEngine* engine : {memory_.get(), rocksdb_.get()}) {
      EXPECT_EQ(AuditTable(engine->store(), *engine->catalog()->Find(name)), "") << engine->store().Info().name;
    }
  }
  ++audits_;
}

void RandomOperations::Report() const {
  for (const auto& [name, count] : counts_)
    fmt::print("{:26} {:8} of them errors {:8}\n", name, count.answers, count.errors);
  fmt::print("{} restarts, {} audits, {} calls would have blocked, {} were throttled\n", restarts_, audits_,
             rocksdb_->blocked(), rocksdb_->throttled());
}

TEST_F(RandomOperations, RocksdbAndMemoryRespondAlike) {
  fmt::print("KEYFOLD_SEED={} KEYFOLD_RANDOM_OPS={}\n", seed_, operations_);
  for (number_ = 1; number_ <= operations_ && !HasFailure(); ++number_) {
    clock_.Advance(static_cast<Micros>(random_.Below(1'000'000)));
    AskNext();
    const bool restart = random_.OneIn(kOperationsPerRestart);
    if (restart && !HasFailure()) Restart();
    if ((restart || random_.OneIn(kOperationsPerAudit)) && !HasFailure()) Audit();
  }
  if (!HasFailure()) Audit();
  Report();
  // The run is meaningful only if some rows were not in memory.
  EXPECT_TRUE(rocksdb_->blocked() > 0 || operations_ < kOperationsDefault);
}

}  // namespace
}  // namespace keyfold::embedded
