// Streams on both stores, with a manual clock: what is shown, in which shard, and for how long.
#include "engine/catalog/stream.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <set>
#include <thread>

#include "engine/background/stream_retention.h"
#include "engine/catalog/stream_lookup.h"
#include "engine/catalog/stream_sequence.h"
#include "engine/items/key.h"
#include "engine/streams/stream_read.h"
#include "testing/engine/test_database.h"

namespace keyfold::engine {
namespace {

Table Streaming(std::string name, std::string_view key = "p:S",
                StreamViewType view = StreamViewType::kNewAndOldImages) {
  Table table = TableOfText(std::move(name), key);
  table.stream.enabled = true;
  table.stream.view_type = view;
  return table;
}

// "INSERT {p='a'}" and so on: the event, keys, old and new image.
std::string RecordText(const StreamRecord& record) {
  constexpr const char* kNames[] = {"INSERT", "MODIFY", "REMOVE"};
  std::string text = kNames[static_cast<size_t>(record.event)];
  text.append(record.expired ? " expired " : " ").append(Print(record.keys));
  if (record.old_image) text.append(" old ").append(Print(*record.old_image));
  if (record.new_image) text.append(" new ").append(Print(*record.new_image));
  return text;
}

// A database and a consumer of its streams.
class StreamTest : public OnEachStore {
 protected:
  StreamPtr Latest(std::string_view table) {
    const SnapshotPtr snapshot = base_.catalog().Current();
    StreamPtr latest;
    for (const auto& [name, stream] : snapshot->streams) {
      if (stream->table == table) latest = stream;
    }
    return latest;
  }
  // Waits until everything written so far is durable, and so in the log that readers see.
  void AwaitLog() {
    store::Horizon horizon;
    EXPECT_TRUE(base_.store().ScanSlots({}, [](const store::RowView&) { return false; }, {horizon}).ok());
    std::promise<void> durable;
    base_.store().WhenDurable(horizon.number(), [&] { durable.set_value(); });
    durable.get_future().wait();
  }
  size_t Streams() { return base_.catalog().Current()->streams.size(); }
  ShardCursor StartOf(const Stream& stream, uint32_t shard) {
    return {StreamName(stream.table, stream.label), stream.table_id, shard, {}};
  }
  // Reads everything from the cursor on and advances it. Returns true if the shard has ended.
  bool Read(ShardCursor& cursor, std::vector<std::string>& texts, size_t limit = 1000) {
    store::Horizon horizon;
    while (true) {
      size_t count = 0;
      const auto emit = [&](const Stream&, const StreamRecord& record) {
        texts.push_back(RecordText(record));
        ++count;
      };
      const Result<ShardPage> page = ReadShard(base_.db(), cursor, limit, emit, {horizon});
      EXPECT_TRUE(page.ok()) << page.error().message();
      if (!page.ok()) return true;
      cursor.after = page->reached;
      if (page->ended) return true;
      if (count == 0) return false;
    }
  }
  std::vector<std::string> ReadAll(const Stream& stream, size_t limit = 1000) {
    AwaitLog();
    std::vector<std::string> texts;
    for (const Shard& shard : stream.shards) {
      ShardCursor cursor = StartOf(stream, shard.number);
      Read(cursor, texts, limit);
    }
    return texts;
  }
  std::string Turn(std::string_view table, bool on) {
    const Result<TablePtr> updated = base_.lifecycle().Update(table, [&](const Table&, Table& next) {
      next.stream.enabled = on;
      next.stream.view_type = on ? StreamViewType::kKeysOnly : StreamViewType::kNone;
      return Ok();
    });
    return DatabaseForTest::Message(updated);
  }
  Status Split(const Stream& stream, std::optional<std::string_view> shard = {}) {
    return SplitShards(base_.db(), identity_, StreamArn(identity_, stream.table, stream.label), shard);
  }
  size_t LogRecords(store::TableId table) {
    AwaitLog();
    size_t count = 0;
    const auto counted = [&](const store::LogView&) { return ++count > 0; };
    EXPECT_TRUE(base_.store().ReadLog({.table = table}, counted).ok());
    return count;
  }
  void ApplyRetention() { StreamRetention(base_.db()).WorkOnce(); }

  DatabaseForTest base_{GetParam()};
  const Identity identity_ = {};
};
INSTANTIATE_TEST_SUITE_P(Stores, StreamTest, EachStore(), NameOfStore);

TEST_P(StreamTest, EachViewShowsItsImages) {
  struct Case {
    const char* view;
    std::vector<std::string> shown;
  };
  const Case cases[] = {
      {"KEYS_ONLY", {"INSERT {p='a'}", "MODIFY {p='a'}", "REMOVE {p='a'}"}},
      {"NEW_IMAGE", {"INSERT {p='a'} new {p='a', v=1}", "MODIFY {p='a'} new {p='a', v=2}", "REMOVE {p='a'}"}},
      {"OLD_IMAGE", {"INSERT {p='a'}", "MODIFY {p='a'} old {p='a', v=1}", "REMOVE {p='a'} old {p='a', v=2}"}},
      {"NEW_AND_OLD_IMAGES",
       {"INSERT {p='a'} new {p='a', v=1}", "MODIFY {p='a'} old {p='a', v=1} new {p='a', v=2}",
        "REMOVE {p='a'} old {p='a', v=2}"}},
  };
  for (const Case& c : cases) {
    base_.Create(Streaming(c.view, "p:S", *StreamViewTypeByName(c.view)));
    base_.PutAll(c.view, {"{p='a', v=1}", "{p='a', v=1}", "{p='a', v=2}"});  // the second one changes nothing
    EXPECT_TRUE(base_.Delete(c.view, "{p='a'}").ok());
    EXPECT_TRUE(base_.Delete(c.view, "{p='a'}").ok());
    EXPECT_EQ(ReadAll(*Latest(c.view)), c.shown) << c.view;
    EXPECT_EQ(ReadAll(*Latest(c.view), 1), c.shown) << "one at a time";
  }
}

TEST_P(StreamTest, ShardsShareOutTheSlots) {
  base_.Create(Streaming("tab"));
  const StreamPtr stream = Latest("tab");
  ASSERT_EQ(stream->shards.size(), kStreamShards);
  uint32_t next = 0;
  for (const Shard& shard : stream->shards) {
    EXPECT_EQ(shard.first, next);
    next = shard.last + 1u;
    EXPECT_FALSE(shard.closed || shard.parent);
  }
  EXPECT_EQ(next, store::kSlots);
}

TEST_P(StreamTest, ADisabledStreamStaysForADay) {
  const store::TableId table = base_.Create(Streaming("tab"))->id;
  base_.PutAll("tab", {"{p='a'}"});
  const std::string label = Latest("tab")->label;
  EXPECT_EQ(Turn("tab", false), "");
  base_.PutAll("tab", {"{p='b'}"});  // in no stream
  EXPECT_EQ(Turn("tab", true), "");
  base_.PutAll("tab", {"{p='c'}"});
  base_.Reopen();
  const auto first = base_.catalog().Current()->streams.find(StreamName("tab", label));
  ASSERT_NE(first, base_.catalog().Current()->streams.end());
  EXPECT_FALSE(first->second->enabled());
  EXPECT_EQ(ReadAll(*first->second), std::vector<std::string>{"INSERT {p='a'} new {p='a'}"});
  EXPECT_NE(Latest("tab")->label, label) << "a new label, although the clock has not moved";
  EXPECT_EQ(ReadAll(*Latest("tab")), std::vector<std::string>{"INSERT {p='c'}"});
  ShardCursor cursor = StartOf(*first->second, 1);
  std::vector<std::string> texts;
  EXPECT_TRUE(Read(cursor, texts)) << "its shards have ended";

  base_.clock.Advance(kStreamRetention);
  ApplyRetention();
  EXPECT_EQ(Streams(), 2u);
  base_.clock.Advance(1);
  ApplyRetention();
  EXPECT_EQ(Streams(), 1u);
  EXPECT_EQ(LogRecords(table), 0u);
  EXPECT_EQ(Latest("tab")->enabled(), true);
}

TEST_P(StreamTest, ADeletedTablesStreamStaysForADay) {
  const store::TableId table = base_.Create(Streaming("tab"))->id;
  base_.PutAll("tab", {"{p='a'}"});
  EXPECT_TRUE(base_.lifecycle().Delete("tab").ok());
  base_.RunBackgroundWork();
  base_.Create(Streaming("tab"));
  EXPECT_EQ(Streams(), 2u);
  base_.Reopen();
  const StreamPtr first = base_.catalog().Current()->streams.begin()->second;
  EXPECT_EQ(first->table_id, table);
  EXPECT_EQ(ReadAll(*first), std::vector<std::string>{"INSERT {p='a'} new {p='a'}"});
  EXPECT_EQ(ReadAll(*Latest("tab")), std::vector<std::string>{});
  base_.clock.Advance(kStreamRetention + 1);
  ApplyRetention();
  EXPECT_EQ(Streams(), 1u);
  EXPECT_EQ(LogRecords(table), 0u);
}

TEST_P(StreamTest, AResetLeavesNothing) {
  const store::TableId table = base_.Create(Streaming("tab"))->id;
  base_.PutAll("tab", {"{p='a'}", "{p='b'}"});
  const ShardCursor cursor = StartOf(*Latest("tab"), 1);
  EXPECT_EQ(LogRecords(table), 2u);
  EXPECT_TRUE(base_.lifecycle().Reset().ok());
  base_.RunBackgroundWork();
  EXPECT_EQ(Streams(), 0u);
  EXPECT_EQ(LogRecords(table), 0u);
  store::Horizon horizon;
  const auto page = ReadShard(base_.db(), cursor, 1, [](const Stream&, const StreamRecord&) {}, {horizon});
  EXPECT_EQ(DatabaseForTest::Message(page), "Requested resource not found");
}

TEST_P(StreamTest, OldShardsAreReplacedAndThenRemoved) {
  base_.Create(Streaming("tab"));
  base_.PutAll("tab", {"{p='a'}"});
  base_.clock.Advance(kShardAge - 1);
  ApplyRetention();
  EXPECT_EQ(Latest("tab")->shards.size(), kStreamShards);
  base_.clock.Advance(1);
  ApplyRetention();
  ApplyRetention();  // a second run does nothing
  const StreamPtr rolled = Latest("tab");
  ASSERT_EQ(rolled->shards.size(), 2 * kStreamShards);
  for (uint32_t i = 0; i < kStreamShards; ++i) {
    const Shard &parent = rolled->shards[i], &child = rolled->shards[kStreamShards + i];
    EXPECT_TRUE(parent.closed && !child.closed);
    EXPECT_EQ(child.parent->number, parent.number);
    EXPECT_EQ(child.first, parent.first);
    EXPECT_EQ(child.last, parent.last);
    EXPECT_GT(StartingSequenceNumber(child), EndingSequenceNumber(parent));
    EXPECT_GT(EndingSequenceNumber(parent), StartingSequenceNumber(parent));
    EXPECT_GT(ShardIdOf(child.name()), ShardIdOf(parent.name()));
  }
  base_.PutAll("tab", {"{p='b'}"});
  EXPECT_EQ(ReadAll(*rolled).size(), 2u);

  base_.clock.Advance(kStreamRetention + 1 - kShardAge);  // 'a' is a day old, but its shard closed less than a day ago
  EXPECT_EQ(ReadAll(*Latest("tab")), std::vector<std::string>{"INSERT {p='b'} new {p='b'}"});
  base_.clock.Advance(kShardAge);
  ApplyRetention();
  for (const Shard& shard : Latest("tab")->shards) EXPECT_GT(shard.number, kStreamShards);
  EXPECT_TRUE(Latest("tab")->shards[0].parent) << "children still name their parents";
  store::Horizon horizon;
  const auto page = ReadShard(base_.db(), StartOf(*rolled, 1), 1, [](const Stream&, const StreamRecord&) {}, {horizon});
  EXPECT_EQ(DatabaseForTest::Message(page), "The data you are trying to access has been trimmed");
}

TEST_P(StreamTest, TheLogIsTrimmedAboutOnceAMinute) {
  const store::TableId table = base_.Create(Streaming("tab"))->id;
  StreamRetention retention(base_.db());
  base_.PutAll("tab", {"{p='a'}"});
  base_.clock.Advance(kHour);
  base_.PutAll("tab", {"{p='b'}"});
  base_.clock.Advance(kStreamRetention - kHour);
  retention.WorkOnce();
  EXPECT_EQ(LogRecords(table), 2u);
  base_.clock.Advance(kMinute - 1);
  retention.WorkOnce();
  EXPECT_EQ(LogRecords(table), 2u) << "not yet";
  base_.clock.Advance(1);
  retention.WorkOnce();
  EXPECT_EQ(LogRecords(table), 1u);
}

TEST_P(StreamTest, ASplitHalvesAShard) {
  base_.Create(Streaming("tab"));
  const StreamPtr before = Latest("tab");
  const std::string id = ShardIdOf(before->shards[1].name());
  EXPECT_EQ(DatabaseForTest::Message(Split(*before, id)), "");
  const StreamPtr after = Latest("tab");
  ASSERT_EQ(after->shards.size(), 6u);
  EXPECT_TRUE(after->shards[1].closed);
  const Shard &parent = after->shards[1], &left = after->shards[4], &right = after->shards[5];
  EXPECT_EQ(left.first, parent.first);
  EXPECT_EQ(left.last + 1, right.first);
  EXPECT_EQ(right.last, parent.last);
  EXPECT_EQ(left.parent->number, parent.number);
  EXPECT_EQ(ShardIdOf(*right.parent), id);
  EXPECT_EQ(DatabaseForTest::Message(Split(*before, id)), "The shard " + id + " is closed");
  EXPECT_EQ(DatabaseForTest::Message(Split(*before, "shardId-00000000000000000000-00000001")),
            "Requested resource not found: Shard does not exist");
  EXPECT_EQ(DatabaseForTest::Message(Split(*before)), "");
  EXPECT_EQ(Latest("tab")->shards.size(), 6u + 2 * 5);
}

TEST_P(StreamTest, OpenShardsAreLimited) {
  base_.Create(Streaming("tab"));
  size_t open = kStreamShards;
  for (; 2 * open <= kOpenShardsMax; open *= 2) ASSERT_EQ(DatabaseForTest::Message(Split(*Latest("tab"))), "");
  ASSERT_EQ(open, kOpenShardsMax);
  const StreamPtr full = Latest("tab");
  for (const bool one : {false, true}) {
    const std::string last = ShardIdOf(full->shards.back().name());
    const Status refused = one ? Split(*full, last) : Split(*full);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.kind(), Kind::kLimitExceeded);
    EXPECT_NE(refused.message().find("the maximum is 1024"), std::string::npos) << refused.message();
  }
  EXPECT_EQ(Latest("tab")->shards.size(), full->shards.size());
}

TEST_P(StreamTest, AShardOfOneSlotIsNotSplit) {
  base_.Create(Streaming("tab"));
  const auto first_open = [&] {
    const StreamPtr stream = Latest("tab");
    const auto first = [](const Shard& s) { return !s.closed && s.first == 0; };
    return ShardIdOf(std::find_if(stream->shards.begin(), stream->shards.end(), first)->name());
  };
  for (uint32_t slots = store::kSlots / kStreamShards; slots > 1; slots /= 2) {
    ASSERT_EQ(DatabaseForTest::Message(Split(*Latest("tab"), first_open())), "");
  }
  EXPECT_EQ(DatabaseForTest::Message(Split(*Latest("tab"), first_open())),
            "The shard " + first_open() + " has one slot and cannot be split");
}

// A consumer that reads parents before children, like the Kinesis client library, while writers continue, shards split
// and the database is reopened. It must see every change once, and each item's changes in order.
TEST_P(StreamTest, EveryChangeIsSeenOnceThroughSplits) {
  constexpr int kWriters = 3, kKeys = 20, kRounds = 15;
  base_.Create(Streaming("tab", "p:S", StreamViewType::kNewImage));
  std::vector<std::string> texts;
  std::map<uint32_t, ShardCursor> open;
  std::set<uint32_t> ended, met;
  const auto consume = [&] {
    const StreamPtr stream = Latest("tab");
    for (const Shard& shard : stream->shards) {
      const bool ready = !shard.parent || ended.contains(shard.parent->number);
      if (ready && met.insert(shard.number).second) open[shard.number] = StartOf(*stream, shard.number);
    }
    for (auto it = open.begin(); it != open.end();) {
      if (Read(it->second, texts, 7)) {
        ended.insert(it->first);
        it = open.erase(it);
      } else {
        ++it;
      }
    }
  };
  for (int life = 0; life < 2; ++life) {
    std::atomic<int> running = kWriters;
    std::vector<std::thread> writers;
    for (int w = 0; w < kWriters; ++w) {
      writers.emplace_back([&, w, life] {
        for (int i = 0; i < kRounds * kKeys; ++i) {
          const std::string key = std::to_string(w) + "-" + std::to_string(i % kKeys);
          const std::string item = "{p='" + key + "', v=" + std::to_string(life * kRounds + i / kKeys) + "}";
          EXPECT_TRUE(base_.Put("tab", item).ok());
        }
        --running;
      });
    }
    for (int split = 0; running > 0; ++split) {
      if (split < 3) {
        EXPECT_EQ(DatabaseForTest::Message(Split(*Latest("tab"))), "");
      }
      consume();
    }
    for (std::thread& writer : writers) writer.join();
    base_.Reopen();
  }
  for (int i = 0; i < 6; ++i) consume();
  std::map<std::string, int> versions;
  for (const std::string& text : texts) {
    const size_t key = text.find("{p='") + 4, version = text.find("v=") + 2;
    int& last = versions.try_emplace(text.substr(key, text.find('\'', key) - key), -1).first->second;
    EXPECT_EQ(std::stoi(text.substr(version)), last + 1) << text;
    last = std::stoi(text.substr(version));
  }
  EXPECT_EQ(versions.size(), size_t{kWriters * kKeys});
  EXPECT_EQ(texts.size(), size_t{kWriters * kKeys * kRounds * 2});
}

TEST_P(StreamTest, ALoopIsNotHeldUpByTheLog) {
  base_.Create(Streaming("tab"));
  ShardCursor cursor = StartOf(*Latest("tab"), 1);
  std::vector<std::string> texts;
  Read(cursor, texts);
  store::Horizon horizon;
  const auto ignore = [](const Stream&, const StreamRecord&) {};
  EXPECT_TRUE(ReadShard(base_.db(), cursor, 1, ignore, {horizon, store::Wait::kNever}).ok()) << "nothing to read";
  base_.PutAll("tab", {"{p='a'}"});
  AwaitLog();
  const auto page = ReadShard(base_.db(), cursor, 1, ignore, {horizon, store::Wait::kNever});
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind(), Kind::kWouldBlock);
}

TEST_P(StreamTest, ADamagedRecordIsAnError) {
  base_.Create(Streaming("t"));
  const TablePtr table = base_.Find("t");
  const store::RowKey key = RowKeyOf(*table, ItemOf("{p='a'}"));
  store::Horizon horizon;
  const auto decide = [&](Micros, std::span<const store::Row>, store::Changes& changes) {
    changes.Log({table->id, key.slot(), "\xFF"});
    return Ok();
  };
  ASSERT_TRUE(base_.store().Mutate(base_.catalog().Current()->version, {&key, 1}, decide, {horizon}).ok());
  AwaitLog();
  const StreamPtr stream = Latest("t");
  std::string message;
  for (const Shard& shard : stream->shards) {
    const auto emit = [](const Stream&, const StreamRecord&) {};
    const Result<ShardPage> page = ReadShard(base_.db(), StartOf(*stream, shard.number), 1000, emit, {horizon});
    if (!page.ok()) message += page.error().message();
  }
  EXPECT_EQ(message, "A change record of the table t is damaged");
}

TEST_P(StreamTest, APageHoldsAMegabyteAndAtLeastOneRecord) {
  base_.Create(Streaming("tab", "p:S/s:N"));
  const std::string big(300'000, 'x');
  for (int i = 0; i < 5; ++i) base_.PutAll("tab", {"{p='a', s=" + std::to_string(i) + ", v='" + big + "'}"});
  AwaitLog();
  const StreamPtr stream = Latest("tab");
  std::vector<size_t> pages;
  for (const Shard& shard : stream->shards) {
    ShardCursor cursor = StartOf(*stream, shard.number);
    for (size_t count = 1; count > 0;) {
      count = 0;
      store::Horizon horizon;
      const auto page =
          ReadShard(base_.db(), cursor, 1000, [&](const Stream&, const StreamRecord&) { ++count; }, {horizon});
      ASSERT_TRUE(page.ok());
      cursor.after = page->reached;
      if (count > 0) pages.push_back(count);
    }
  }
  EXPECT_EQ(pages, (std::vector<size_t>{3, 2}));
}

TEST(StreamNamesTest, SequenceNumbersRoundTripAndKeepTheirOrder) {
  const std::string number = SequenceNumberOf({42, 7}, 1'700'000'000'900'000);
  EXPECT_EQ(number, "17000000000000000000000004200007");
  const std::optional<SequencePoint> point = ParseSequenceNumber(number);
  ASSERT_TRUE(point);
  EXPECT_EQ(point->second, 1'700'000'000'000'000);
  EXPECT_TRUE(point->at == (store::LogPosition{42, 7}));
  EXPECT_LT(number, SequenceNumberOf({42, 8}, 1'700'000'000'900'000));
  EXPECT_LT(SequenceNumberOf({42, 65535}, 1'700'000'000'900'000), SequenceNumberOf({43, 0}, 1'700'000'000'900'000));
  for (const char* text : {"", "1", "1700000000000000000000000420000", "170000000000000000000000042000070",
                           "1700000000000000000000000420000x", "17000000000000000000000004265536"}) {
    EXPECT_FALSE(ParseSequenceNumber(text)) << text;
  }
}

TEST(StreamNamesTest, ShardIdsRoundTrip) {
  const std::string id = ShardIdOf({26, 1'700'000'000'123'456});
  EXPECT_EQ(id, "shardId-00000001700000000123-0000001a");
  const std::optional<ShardName> name = ParseShardId(id);
  ASSERT_TRUE(name);
  EXPECT_EQ(name->number, 26u);
  EXPECT_EQ(name->opened, 1'700'000'000'123'000);
  for (const char* text :
       {"", "shardId-", "shardid-00000001700000000123-0000001a", "shardId-00000001700000000123_0000001a",
        "shardId-0000000170000000012x-0000001a", "shardId-00000001700000000123-0000001g",
        "shardId-99999999999999999999-0000001a", "shardId--0000001700000000123-0000001a"}) {
    EXPECT_FALSE(ParseShardId(text)) << text;
  }
}

TEST(StreamNamesTest, AStreamRoundTrips) {
  Stream stream;
  stream.table = "t";
  stream.label = "l";
  stream.shards.push_back({.number = 1, .first = 0, .last = 9, .start = {5, 6}});
  stream.next_shard = 2;
  const std::pair<store::Slot, store::Slot> halves[] = {{0, 4}, {5, 9}};
  stream.ReplaceShard(0, halves);
  stream.Stamp({7, 8});
  const std::optional<Stream> again = DecodeStream(EncodeStream(stream));
  ASSERT_TRUE(again);
  ASSERT_EQ(again->shards.size(), 3u);
  EXPECT_EQ(again->shards[0].end.commit, 7u);
  EXPECT_EQ(again->shards[2].parent->number, 1u);
  EXPECT_EQ(again->shards[2].parent->opened, 6);
  EXPECT_EQ(again->shards[2].start.commit, 7u);
  EXPECT_EQ(again->shards[2].end.commit, 0u);
  EXPECT_EQ(EncodeStream(*again), EncodeStream(stream));
  EXPECT_FALSE(DecodeStream(EncodeStream(stream).substr(1)));
}

}  // namespace
}  // namespace keyfold::engine
