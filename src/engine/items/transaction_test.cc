// Transactions on the write and read paths: cancellation reasons, atomicity, what is logged and counted, tokens and
// their sweep, and concurrency.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <random>
#include <thread>

#include "engine/items/cancellation.h"
#include "engine/items/change_record.h"
#include "engine/items/item_read.h"
#include "engine/items/key.h"
#include "engine/items/request_token.h"
#include "testing/engine/forwarding_store.h"
#include "testing/engine/test_database.h"
#include "testing/expr/value_notation.h"
#include "value/error_detail.h"
#include "value/limits.h"

namespace keyfold::engine {
namespace {

struct ActionText {
  Action action;
  std::string table, item;
  WriteText text = {};
  bool must_be_new = false;
};

// A transaction written as text; owns what its ItemWrites borrow.
class TransactionText {
 public:
  explicit TransactionText(const std::vector<ActionText>& actions) {
    for (const ActionText& action : actions) Add(action);
  }

  Result<Applied> Write(DatabaseForTest& test, const RequestToken* token = nullptr) {
    store::Horizon horizon;
    outcomes = std::vector<WriteOutcome>(writes_.size());
    return WriteTransaction(test.db(), writes_, outcomes, token, {horizon});
  }

  std::vector<WriteOutcome> outcomes;

 private:
  void Add(const ActionText& action) {
    names_.push_back(action.table);
    items_.push_back(ItemOf(action.item));
    ItemWrite write{.action = action.action, .table = names_.back(), .item = items_.back()};
    expr::PlaceholdersForTest& placeholders = placeholders_.emplace_back(action.text.values);
    if (!action.text.condition.empty()) {
      conditions_.push_back(*expr::ParseCondition("ConditionExpression", action.text.condition, placeholders.get()));
      write.condition = &conditions_.back();
    }
    if (!action.text.update.empty()) {
      updates_.push_back(*expr::ParseUpdate(action.text.update, placeholders.get()));
      write.update = &updates_.back();
    }
    write.failed_item = action.text.failed_item;
    write.must_be_new = action.must_be_new;
    writes_.push_back(write);
  }

  std::deque<std::string> names_;
  std::deque<Item> items_;
  std::deque<expr::PlaceholdersForTest> placeholders_;
  std::deque<expr::Condition> conditions_;
  std::deque<expr::Update> updates_;
  std::vector<ItemWrite> writes_;
};

// "None|ConditionalCheckFailed: The conditional request failed {p='k'}", the message of another error, or "".
template <typename T>
std::string ReasonsOf(const Result<T>& result) {
  if (result.ok()) return "";
  const auto* cancelled = dynamic_cast<const CancellationReasons*>(result.error().detail());
  if (!cancelled) return result.error().message();
  std::string text;
  for (const auto& reason : cancelled->reasons) {
    if (!text.empty()) text += "|";
    text += reason.code;
    if (!reason.message.empty()) text += ": " + reason.message;
    if (reason.item) text += " " + Print(*reason.item);
  }
  return text;
}

class TransactionTest : public OnEachStore {};
INSTANTIATE_TEST_SUITE_P(Stores, TransactionTest, EachStore(), NameOfStore);

#define FAILED "ConditionalCheckFailed: The conditional request failed"

TEST_P(TransactionTest, ReasonsOfCancellation) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S", {Global("g", "a:S")}));
  test.Create(TableOfText("u", "p:S/s:N"));
  test.PutAll("t", {"{p='here', a='x', n=1}"});
  const WriteText is_new{.condition = "attribute_not_exists(p)"}, exists{.condition = "attribute_exists(p)"};
  const WriteText shown{.condition = "attribute_not_exists(p)", .failed_item = true};
  const WriteText add_to_text{.update = "SET a = a + :n", .values = "{:n=1}"};
  const std::string large = "{p='k', v='" + std::string(kItemBytesMax, 'x') + "'}";
  const struct {
    std::vector<ActionText> actions;
    const char* reasons;
  } rows[] = {
      {{{Action::kPut, "t", "{p='1'}"}, {Action::kPut, "t", "{p='here'}", is_new}}, "None|" FAILED},
      {{{Action::kPut, "t", "{p='here'}", is_new}, {Action::kDelete, "t", "{p='1'}", exists}}, FAILED "|" FAILED},
      {{{Action::kCheck, "t", "{p='here'}", shown}, {Action::kCheck, "t", "{p='1'}", exists}},
       FAILED " {a='x', n=1, p='here'}|" FAILED},
      {{{Action::kUpdate, "t", "{p='here'}", add_to_text}, {Action::kPut, "t", "{p='1'}", exists}},
       "ValidationError: An operand in the update expression has an incorrect data type|" FAILED},
      {{{Action::kPut, "t", "{p='here'}", {}, true}, {Action::kPut, "t", "{p='1'}", {}, true}},
       "DuplicateItem: Duplicate primary key exists in table|None"},
      // An action that does not fit its table ends the checks of the others, and no condition is tested.
      {{{Action::kPut, "t", "{p='here'}", is_new}, {Action::kPut, "u", "{p='1'}"}, {Action::kPut, "u", "{p='2'}"}},
       "None|ValidationError: One or more parameter values were invalid: Missing the key s in the item|None"},
      {{{Action::kDelete, "t", "{p=1}"}}, "ValidationError: The provided key element does not match the schema"},
      {{{Action::kPut, "t", large}}, "ValidationError: Item size has exceeded the maximum allowed size"},
      // These are errors of the whole request.
      {{{Action::kPut, "t", "{p='1'}"}, {Action::kPut, "none", "{p='1'}"}}, "Requested resource not found"},
      {{{Action::kPut, "t", "{p=1}"}, {Action::kPut, "none", "{p='1'}"}}, "Requested resource not found"},
      {{{Action::kPut, "t", "{p='1'}"}, {Action::kCheck, "t", "{p='1'}", exists}},
       "Transaction request cannot include multiple operations on one item"},
      {{{Action::kPut, "t", "{p='1'}"}, {Action::kPut, "t", "{p='2'}"}, {Action::kPut, "t", "{p='1'}"}},
       "Transaction request cannot include multiple operations on one item"},
  };
  for (const auto& row : rows) {
    TransactionText transaction(row.actions);
    const Result<Applied> applied = transaction.Write(test);
    EXPECT_EQ(ReasonsOf(applied), row.reasons);
    EXPECT_EQ(test.Scan("t")->items, std::vector<std::string>{"{a='x', n=1, p='here'}"}) << row.reasons;
  }
  test.ExpectSound("t");
}

TEST(Transaction, TheMessageListsTheCodes) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S"));
  TransactionText transaction(
      {{Action::kPut, "t", "{p='1'}"}, {Action::kPut, "t", "{p='2'}", {.condition = "attribute_exists(p)"}}});
  const Result<Applied> applied = transaction.Write(test);
  ASSERT_FALSE(applied.ok());
  EXPECT_EQ(applied.error().kind(), Kind::kTransactionCanceled);
  EXPECT_EQ(applied.error().message(),
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
            "ConditionalCheckFailed]");
}

// The size of the collection is written directly to the store.
TEST(Transaction, ACollectionThatIsFull) {
  DatabaseForTest test;
  const TablePtr table = test.Create(TableOfText("t", "p:S/s:S", {Local("l", "p:S/a:S")}));
  test.PutAll("t", {"{p='k', s='1'}"});
  const Item key = ItemOf("{p='k'}");
  const store::RowKey row(table->id, kCollectionIndex, EncodeAttributes(table->key.partition, key), {});
  store::Horizon horizon;
  const auto plant = [&](Micros, std::span<const store::Row>, store::Changes& changes) {
    std::string value;
    AppendU64(value, kItemCollectionBytesMax - 10);
    changes.Put(row, std::move(value));
    return Ok();
  };
  ASSERT_TRUE(test.store().Mutate(test.catalog().Current()->version, {&row, 1}, plant, {horizon}).ok());
  TransactionText transaction({{Action::kPut, "t", "{p='j', s='1'}"}, {Action::kPut, "t", "{p='k', s='22222222222'}"}});
  EXPECT_EQ(ReasonsOf(transaction.Write(test)), "None|ItemCollectionSizeLimitExceeded: Collection size exceeded.");
}

TEST(Transaction, UnitsOfTheTableAreTwiceThoseOfSingleWrites) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S", {Global("g", "a:S")}));
  const std::string v(1500, 'x');
  TransactionText transaction({{Action::kPut, "t", "{p='1', a='x', v='" + v + "'}"},
                               {Action::kCheck, "t", "{p='2'}", {.condition = "attribute_not_exists(p)"}}});
  ASSERT_EQ(ReasonsOf(transaction.Write(test)), "");
  EXPECT_EQ(transaction.outcomes[0].units.table, 4);
  ASSERT_EQ(transaction.outcomes[0].units.indexes.size(), 1u);
  EXPECT_EQ(transaction.outcomes[0].units.indexes[0].units, 2);
  EXPECT_EQ(transaction.outcomes[1].units.Total(), 2);
}

// The records of a table's log in order: each record's commit and the item's new image, or "gone".
std::vector<std::pair<store::CommitNumber, std::string>> LogOf(DatabaseForTest& test, store::TableId table) {
  std::vector<std::pair<store::CommitNumber, std::string>> records;
  store::LogRange range;
  range.table = table;
  const auto collect = [&](const store::LogView& record) {
    const auto change = DecodeChange(record.body);
    EXPECT_TRUE(change.has_value());
    if (change) records.emplace_back(record.at.commit, change->after ? Print(*change->after) : "gone");
    return true;
  };
  EXPECT_TRUE(test.store().ReadLog(range, collect).ok());
  return records;
}

TEST(Transaction, OneCommitForAllAndNoRecordOfACheck) {
  DatabaseForTest test;
  Table table = TableOfText("t", "p:S");
  table.stream.enabled = true;
  table.stream.view_type = StreamViewType::kNewAndOldImages;
  const store::TableId id = test.Create(std::move(table))->id;
  test.PutAll("t", {"{p='1', a=1}", "{p='2', a=1}", "{p='3', a=1}"});
  TransactionText transaction({{Action::kPut, "t", "{p='1', a=2}"},
                               {Action::kCheck, "t", "{p='2'}", {.condition = "attribute_exists(p)"}},
                               {Action::kDelete, "t", "{p='3'}"},
                               {Action::kDelete, "t", "{p='4'}"}});
  ASSERT_EQ(ReasonsOf(transaction.Write(test)), "");
  const auto records = LogOf(test, id);
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[3].second, "{a=2, p='1'}");
  EXPECT_EQ(records[4].second, "gone");
  EXPECT_EQ(records[3].first, records[4].first);
  EXPECT_GT(records[3].first, records[2].first);

  TransactionText only_checks({{Action::kCheck, "t", "{p='2'}", {.condition = "attribute_exists(p)"}}});
  ASSERT_EQ(ReasonsOf(only_checks.Write(test)), "");
  EXPECT_EQ(LogOf(test, id).size(), 5u);
}

// Applies the same random writes as transactions to one table and one by one to another.
TEST_P(TransactionTest, RandomTransactionsEqualSingleWrites) {
  DatabaseForTest test(GetParam());
  for (const char* name : {"t", "u"}) {
    test.Create(TableOfText(name, "p:S/s:N", {Local("l", "p:S/a:S", ProjectionKind::kKeysOnly), Global("g", "a:S")}));
  }
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return random() % n; };
  for (int round = 0; round < 60; ++round) {
    std::set<std::string> keys;
    while (keys.size() < 1 + below(12))
      keys.insert("p='" + std::to_string(below(3)) + "', s=" + std::to_string(below(8)));
    std::vector<ActionText> actions;
    for (const std::string& key : keys) {
      const std::string rest = ", a='" + std::to_string(below(4)) + "', v='" + std::string(below(2000), 'v') + "'";
      switch (below(3)) {
        case 0:
          actions.push_back({Action::kPut, "t", "{" + key + rest + "}"});
          break;
        case 1:
          actions.push_back({Action::kDelete, "t", "{" + key + "}"});
          break;
        default:
          actions.push_back(
              {Action::kUpdate, "t", "{" + key + "}", {.update = "ADD n :n REMOVE a", .values = "{:n=1}"}});
      }
    }
    TransactionText transaction(actions);
    ASSERT_EQ(ReasonsOf(transaction.Write(test)), "");
    for (size_t i = 0; i < actions.size(); ++i) {
      const Result<WriteOutcome> single = test.Write(actions[i].action, "u", actions[i].item, actions[i].text);
      ASSERT_TRUE(single.ok());
      EXPECT_EQ(transaction.outcomes[i].units.Total(), single->units.table + single->units.Total());
    }
  }
  EXPECT_EQ(test.Scan("t")->items, test.Scan("u")->items);
  EXPECT_GT(test.Scan("t")->items.size(), 5u);
  for (const char* name : {"t", "u"}) test.ExpectSound(name);
}

TEST_P(TransactionTest, ATokenIsAppliedOnce) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S"));
  const ActionText add{Action::kUpdate, "t", "{p='k'}", {.update = "ADD n :n", .values = "{:n=1}"}};
  TransactionText transaction({add});
  const RequestToken token("token", "meaning"), other("token", "another meaning"), second("tokens", "meaning");
  ASSERT_EQ(*transaction.Write(test, &token), Applied::kNow);
  EXPECT_EQ(transaction.outcomes[0].units.table, 2);
  test.Reopen();  // the token is as durable as the item
  test.clock.Advance(kTokenLifeMicros - 1);
  ASSERT_EQ(*transaction.Write(test, &token), Applied::kReplay);
  EXPECT_EQ(transaction.outcomes[0].units.table, 2);
  EXPECT_TRUE(transaction.outcomes[0].exists);
  const Result<Applied> mismatch = transaction.Write(test, &other);
  ASSERT_FALSE(mismatch.ok());
  EXPECT_EQ(mismatch.error().kind(), Kind::kIdempotentParameterMismatch);
  EXPECT_EQ(test.Get("t", "{p='k'}"), "{n=1, p='k'}");
  ASSERT_EQ(*transaction.Write(test, &second), Applied::kNow);
  EXPECT_EQ(test.Get("t", "{p='k'}"), "{n=2, p='k'}");
  test.clock.Advance(1);
  ASSERT_EQ(*transaction.Write(test, &other), Applied::kNow) << "after ten minutes it is a new request";
  EXPECT_EQ(test.Get("t", "{p='k'}"), "{n=3, p='k'}");
}

TEST(Transaction, ACancelledOneLeavesNoToken) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S"));
  const RequestToken token("token", "meaning");
  TransactionText cancelled({{Action::kPut, "t", "{p='k'}", {.condition = "attribute_exists(p)"}}});
  EXPECT_EQ(ReasonsOf(cancelled.Write(test, &token)), FAILED);
  TransactionText transaction({{Action::kPut, "t", "{p='k'}"}});
  EXPECT_EQ(*transaction.Write(test, &token), Applied::kNow);
}

// A replay costs as much as reading the items as they are now.
TEST(Transaction, AReplayCountsReads) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S/s:S", {Local("l", "p:S/a:S")}));
  const RequestToken token("token", "meaning");
  const std::string v(5000, 'x');
  TransactionText transaction(
      {{Action::kPut, "t", "{p='k', s='1', v='" + v + "'}"}, {Action::kDelete, "t", "{p='k', s='2'}"}});
  ASSERT_EQ(*transaction.Write(test, &token), Applied::kNow);
  const std::optional<int64_t> bytes = transaction.outcomes[0].collection_bytes;
  ASSERT_EQ(*transaction.Write(test, &token), Applied::kReplay);
  EXPECT_EQ(transaction.outcomes[0].units.Total(), 4);
  EXPECT_EQ(transaction.outcomes[1].units.Total(), 2);
  EXPECT_EQ(transaction.outcomes[0].collection_bytes, bytes);
}

TEST_P(TransactionTest, TokensAreSweptWhenTheyAreDue) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S"));
  TransactionText transaction({{Action::kPut, "t", "{p='k'}"}});
  const auto write = [&](std::string_view text) {
    const RequestToken token(text, "meaning");
    const Result<Applied> applied = transaction.Write(test, &token);
    ASSERT_TRUE(applied.ok() && *applied == Applied::kNow) << text;
  };
  const auto rows = [&] { return std::make_pair(test.Rows(0, 0).size(), test.Rows(0, 1).size()); };
  using Counts = std::pair<size_t, size_t>;
  for (int i = 0; i < 70; ++i) write("t" + std::to_string(i));
  test.clock.Advance(kTokenLifeMicros / 2);
  write("later");
  EXPECT_EQ(*SweepTokens(test.db(), test.clock.Now()), 0u);
  EXPECT_EQ(rows(), (Counts{71, 71}));
  test.clock.Advance(kTokenLifeMicros / 2);
  write("t5");  // used again, so it is no longer the one that is due
  EXPECT_EQ(rows(), (Counts{71, 71}));
  EXPECT_EQ(*SweepTokens(test.db(), test.clock.Now()), 69u);
  EXPECT_EQ(rows(), (Counts{2, 2}));
  EXPECT_EQ(*SweepTokens(test.db(), test.clock.Now()), 0u);
  test.clock.Advance(kTokenLifeMicros);
  EXPECT_EQ(*SweepTokens(test.db(), test.clock.Now()), 2u);
  EXPECT_EQ(rows(), (Counts{0, 0}));
}

// Runs a callback before the next Mutate: a token rewritten between the sweep's read and its removal must stay.
class LateStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  std::function<void()> before_mutate;
  Status Mutate(store::CatalogVersion catalog, std::span<const store::RowKey> keys, store::Decide decide,
                store::Access access) override {
    if (before_mutate) std::exchange(before_mutate, nullptr)();
    return ForwardingStore::Mutate(catalog, keys, decide, access);
  }
};

TEST(Transaction, TheSweepLooksAgainUnderTheLock) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S"));
  TransactionText transaction({{Action::kPut, "t", "{p='k'}"}});
  const RequestToken token("token", "meaning");
  ASSERT_EQ(*transaction.Write(test, &token), Applied::kNow);
  test.clock.Advance(kTokenLifeMicros);
  LateStore late(test.store());
  late.before_mutate = [&] { ASSERT_EQ(*transaction.Write(test, &token), Applied::kNow); };
  ASSERT_TRUE(SweepTokens({late, test.catalog(), test.clock}, test.clock.Now()).ok());
  EXPECT_EQ(test.Rows(0, 0).size(), 1u);
  EXPECT_EQ(test.Rows(0, 1).size(), 1u);
  ASSERT_EQ(*transaction.Write(test, &token), Applied::kReplay);
}

Result<std::vector<TransactReadOutcome>> Read(DatabaseForTest& test,
                                              const std::vector<std::pair<std::string, Item>>& keys) {
  std::vector<TransactRead> reads;
  for (const auto& [table, key] : keys) reads.push_back({.table = table, .key = key});
  store::Horizon horizon;
  return ReadTransaction(test.db(), reads, {horizon});
}

TEST_P(TransactionTest, ReadsInTheOrderAskedFor) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S"));
  test.Create(TableOfText("u", "p:S"));
  test.PutAll("t", {"{p='1', x=1}", "{p='2', x=2}"});
  test.PutAll("u", {"{p='1', x=3}"});
  const auto outcomes = Read(test, {{"u", ItemOf("{p='1'}")}, {"t", ItemOf("{p='9'}")}, {"t", ItemOf("{p='2'}")}});
  ASSERT_EQ(ReasonsOf(outcomes), "");
  EXPECT_EQ(Print(ItemView((*outcomes)[0].row.value)), "{p='1', x=3}");
  EXPECT_FALSE((*outcomes)[1].row.exists);
  EXPECT_EQ((*outcomes)[1].table->name, "t");
  EXPECT_EQ(Print(ItemView((*outcomes)[2].row.value)), "{p='2', x=2}");
  EXPECT_EQ(ReasonsOf(Read(test, {{"t", ItemOf("{p='1'}")}, {"t", ItemOf("{p=1}")}})),
            "None|ValidationError: The provided key element does not match the schema");
  EXPECT_EQ(ReasonsOf(Read(test, {{"t", ItemOf("{p='1'}")}, {"t", ItemOf("{p='1'}")}})),
            "Transaction request cannot include multiple operations on one item");
  EXPECT_EQ(ReasonsOf(Read(test, {{"t", ItemOf("{p=1}")}, {"none", ItemOf("{p='1'}")}})),
            "Requested resource not found");
}

// Two writers use the same keys in opposite orders while readers read all of them: there is no deadlock, every read
// sees one moment, and no write is lost.
TEST_P(TransactionTest, OppositeOrdersNeitherDeadlockNorTear) {
#ifdef __SANITIZE_THREAD__
  constexpr int kKeys = 50;  // its deadlock detector supports at most 64 locks per thread
#else
  constexpr int kKeys = 100;
#endif
  constexpr int kRounds = 20;
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S"));
  std::vector<std::pair<std::string, Item>> keys;
  for (int i = 0; i < kKeys; ++i) keys.emplace_back("t", ItemOf("{p='" + std::to_string(i) + "'}"));
  std::atomic<int> failures = 0, writing = 2;
  const auto write = [&](bool backwards) {
    std::vector<ActionText> actions;
    for (int i = 0; i < kKeys; ++i) {
      const std::string key = "{p='" + std::to_string(backwards ? kKeys - 1 - i : i) + "'}";
      actions.push_back({Action::kUpdate, "t", key, {.update = "ADD n :n", .values = "{:n=1}"}});
    }
    TransactionText transaction(actions);
    for (int round = 0; round < kRounds; ++round) failures += !transaction.Write(test).ok();
    --writing;
  };
  std::thread forwards(write, false), backwards(write, true);
  while (writing > 0) {
    const auto outcomes = Read(test, keys);
    ASSERT_TRUE(outcomes.ok());
    const auto number = [](const TransactReadOutcome& outcome) {
      return outcome.row.exists ? Print(Item(ItemView(outcome.row.value))).substr(0, 6) : "";
    };
    for (const TransactReadOutcome& outcome : *outcomes) failures += number(outcome) != number(outcomes->front());
  }
  forwards.join();
  backwards.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(test.Get("t", "{p='7'}"), "{n=" + std::to_string(2 * kRounds) + ", p='7'}");
  test.ExpectSound("t");
}

}  // namespace
}  // namespace keyfold::engine
