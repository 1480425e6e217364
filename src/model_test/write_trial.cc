// Trials of write patterns: calls them with inputs that must succeed, repeats the calls, and calls them with inputs
// that must fail. Then reads every row of the table and its indexes and compares them with the objects.
#include <algorithm>

#include "model_test/answer.h"
#include "model_test/planned_units.h"
#include "model_test/trial.h"
#include "model_test/write_call.h"

namespace keyfold::model_test {
namespace {

constexpr uint64_t kTurns = 5;
constexpr int kScanPagesMax = 100'000;

bool IsRefusal(const Error& error) {
  return error.kind() == Kind::kConditionalCheckFailed || error.kind() == Kind::kTransactionCanceled;
}

// "GSI1PK, total": the attributes in which two items differ.
std::string Differing(ItemView a, ItemView b) {
  std::string names;
  const auto add = [&](std::string_view name) { (names += names.empty() ? "" : ", ") += name; };
  for (const Entry entry : a.entries()) {
    const std::optional<ValueView> other = b.Find(entry.name);
    if (!other || !(*other == entry.value)) add(entry.name);
  }
  for (const Entry entry : b.entries()) {
    if (!a.Find(entry.name)) add(entry.name);
  }
  return names;
}

// Tries one pattern. Used by one thread at a time.
class WriteTrial {
 public:
  WriteTrial(const TrialContext& context, const model::Access& access)
      : context_(context),
        model_(context.model),
        access_(access),
        pattern_(model_.patterns[access.pattern]),
        maker_(context, access) {
    trial_.pattern = access.pattern;
    trial_.operation = access.operation;
    trial_.writes = true;
  }

  PatternTrial Run() {
    for (uint64_t turn = 0; turn < kTurns; ++turn) {
      const std::optional<WriteCall> call = maker_.Make(turn);
      if (!call) break;
      if (!TryOnce(*call)) break;
      TryAgain(*call);
    }
    if (trial_.invocations == 0) trial_.untried = "the sample has no object to which it can be applied";
    if (trial_.faults_count == 0) TryBroken();
    if (trial_.faults_count == 0) TrySecondOwner();
    Audit({});
    for (model::IndexId id = 0; id < model_.indexes.size(); ++id) Audit(id);
    return std::move(trial_);
  }

 private:
  struct Sent {
    uint64_t requests = 0;
    double units = 0;
    std::optional<Item> returned;
  };

  Result<Sent> Send(const model::CallInputs& inputs) {
    Sent sent;
    for (const model::ApiRequest& request :
         model::RequestsOf(model_, access_, inputs, {.page_items = {}, .consumed_capacity = true})) {
      Result<std::string> answer = context_.database.Call(model::NameOf(request.operation), request.body);
      if (!answer.ok()) return std::move(answer).TakeError();
      ++sent.requests;
      sent.units += UnitsOf(*answer);
      sent.returned = ReturnedIn(*answer);
    }
    return sent;
  }

  std::string WordsOf(const model::CallInputs& call) const {
    std::string words = CallWords(call.values);
    for (const auto& elements : call.elements) {
      for (const model::InputValues& one : elements) words += "; " + CallWords(one);
    }
    return words;
  }

  bool TryOnce(const WriteCall& call) {
    ++trial_.invocations;
    const Result<Sent> sent = Send(call.inputs);
    if (!sent.ok()) {
      trial_.Add({"the request is refused: " + sent.error().message(), WordsOf(call.inputs), {}, {}});
      return false;
    }
    trial_.requests += sent->requests;
    trial_.measured_units += sent->units;
    ++trial_.measured_invocations;
    for (const WriteEffect& effect : call.effects) Apply(effect);
    CheckReturned(call, sent->returned);
    if (context_.record != nullptr) context_.record->AddWrite(access_, call.inputs, call.effects);
    return true;
  }

  // Checks that an update returns what the pattern needs, as it is afterwards.
  void CheckReturned(const WriteCall& call, const std::optional<Item>& returned) {
    if (access_.returned == model::Access::Returned::kNothing) return;
    const Item after = context_.samples.Made(*call.effects[0].after).row;
    for (const std::string& name : *pattern_.needs) {
      const std::optional<ValueView> wanted = after.Find(name);
      const std::optional<ValueView> got = returned ? returned->Find(name) : std::nullopt;
      if (wanted.has_value() == got.has_value() && (!wanted || *wanted == *got)) continue;
      trial_.Add({"it does not return " + name + " as it is after the update", WordsOf(call.inputs), {}, {}});
    }
  }

  void Apply(const WriteEffect& effect) {
    SampleTable& samples = context_.samples;
    const bool transactional = access_.operation == model::Operation::kTransactWriteItems;
    std::optional<SampleEntry> before;
    if (effect.entry) before = samples.entries()[*effect.entry];
    std::optional<SampleEntry> after;
    if (effect.check) after = before;
    if (effect.after) after = samples.Made(*effect.after);
    *trial_.planned_units +=
        PlannedWriteUnits(model_, before ? &*before : nullptr, after ? &*after : nullptr, transactional);
    ++trial_.items;
    if (effect.check) return;
    if (!effect.after) return samples.Remove(*effect.entry);
    if (effect.entry) return samples.Change(*effect.entry, *effect.after);
    samples.Add(*effect.after);
  }

  bool IsOnce() const {
    return std::any_of(pattern_.actions.begin(), pattern_.actions.end(), [](const model::Action& action) {
      const auto lock = [](const model::Comparison& one) { return one.comparator == model::Comparator::kLock; };
      return action.if_new || std::any_of(action.condition.all.begin(), action.condition.all.end(), lock);
    });
  }

  // Repeats the call. With a token it has no effect; with a condition that requires a new item it is refused.
  void TryAgain(const WriteCall& call) {
    const bool token = !access_.token.empty();
    if (!token && !IsOnce()) return;
    const Result<Sent> sent = Send(call.inputs);
    if (token && !sent.ok()) {
      trial_.Add(
          {"the same request with its token is refused: " + sent.error().message(), WordsOf(call.inputs), {}, {}});
    }
    if (token && sent.ok() && context_.record != nullptr) {
      context_.record->AddWrite(access_, call.inputs, call.effects);
    }
    if (!token && !sent.ok()) RecordRefused(call.inputs);
    if (!token && sent.ok()) trial_.Add({"the same request is accepted twice", WordsOf(call.inputs), {}, {}});
    if (!token && !sent.ok() && !IsRefusal(sent.error())) {
      trial_.Add({"the request is refused: " + sent.error().message(), WordsOf(call.inputs), {}, {}});
    }
  }

  void RecordRefused(const model::CallInputs& inputs) {
    if (context_.record != nullptr) context_.record->AddRefused(access_, inputs);
  }

  void TryBroken() {
    const std::optional<WriteCall> call = maker_.Make(kTurns);
    const std::optional<model::CallInputs> broken = call ? maker_.Broken(*call) : std::nullopt;
    if (!broken) return;
    const Result<Sent> sent = Send(*broken);
    if (!sent.ok()) RecordRefused(*broken);
    if (sent.ok()) trial_.Add({"a request that its condition forbids is accepted", WordsOf(*broken), {}, {}});
  }

  // Puts another object with an existing value of an attribute that is declared unique.
  void TrySecondOwner() {
    for (size_t i = 0; i < access_.writes.size(); ++i) {
      const model::Write& write = access_.writes[i];
      if (write.verb != model::Verb::kPut || write.times > 1) continue;
      for (const model::Attribute& attribute : model_.entities[write.entity].attributes) {
        if (attribute.unique) TrySecondOwnerOf(write, attribute);
      }
    }
  }

  void TrySecondOwnerOf(const model::Write& write, const model::Attribute& attribute) {
    std::optional<std::string> taken;
    for (const SampleEntry& entry : context_.samples.entries()) {
      if (entry.alive && entry.object.entity == write.entity) taken = entry.object.Find(attribute.name);
      if (taken) break;
    }
    std::optional<WriteCall> call = taken ? maker_.Make(kTurns + 1) : std::nullopt;
    if (!call) return;
    call->inputs.values[maker_.InputOf(write, attribute.name)] = *taken;
    const Result<Sent> sent = Send(call->inputs);
    if (!sent.ok()) RecordRefused(call->inputs);
    if (sent.ok()) {
      trial_.Add({"a second " + model_.entities[write.entity].name + " with the same " + attribute.name +
                      ", which is unique, is accepted",
                  WordsOf(call->inputs),
                  {},
                  {}});
    }
  }

  Result<std::vector<Item>> ScanAll(std::optional<model::IndexId> index) {
    std::string body;
    json::Writer writer(body);
    writer.BeginObject();
    writer.Member("TableName", model_.table.name);
    if (index) writer.Member("IndexName", model_.indexes[*index].name);
    writer.EndObject();
    std::vector<Item> items;
    std::string next = body;
    for (int pages = 0; pages < kScanPagesMax; ++pages) {
      Result<std::string> answer = context_.database.Call("Scan", next);
      if (!answer.ok()) return std::move(answer).TakeError();
      ReadAnswer page = AnswerOf(model::Operation::kScan, *answer);
      for (Item& item : page.items) items.push_back(std::move(item));
      if (page.last_key.empty()) break;
      next = model::FollowPage(body, page.last_key);
    }
    return items;
  }

  void Audit(std::optional<model::IndexId> index) {
    const std::string where = index ? model_.indexes[*index].name : "the table";
    Result<std::vector<Item>> items = ScanAll(index);
    if (!items.ok())
      return trial_.Add({"the scan of " + where + " is refused: " + items.error().message(), "", {}, {}});
    std::map<std::string, const Item*> open;
    for (const auto& [key, at] : context_.samples.rows()) {
      if (const Item* item = context_.samples.entries()[at].In(index)) open[key] = item;
    }
    TrialFault fault;
    for (const Item& item : *items) {
      const auto it = open.find(context_.samples.RowKeyOf(item));
      if (it == open.end()) {
        fault.unexpected.push_back(KeyWords(model_, index, item));
        continue;
      }
      const std::string differing = Differing(*it->second, item);
      if (!differing.empty()) fault.unexpected.push_back(KeyWords(model_, index, item) + ": wrong " + differing);
      open.erase(it);
    }
    for (const auto& [unused, item] : open) fault.missing.push_back(KeyWords(model_, index, *item));
    if (fault.missing.empty() && fault.unexpected.empty()) return;
    fault.what = "after it, " + where + " does not have the expected contents";
    trial_.Add(std::move(fault));
  }

  const TrialContext& context_;
  const model::Model& model_;
  const model::Access& access_;
  const model::Pattern& pattern_;
  WriteCallMaker maker_;
  PatternTrial trial_;
};

}  // namespace

PatternTrial TryWrite(const TrialContext& context, const model::Access& access) {
  return WriteTrial(context, access).Run();
}

}  // namespace keyfold::model_test
