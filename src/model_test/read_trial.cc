// Trials of read patterns: sends the requests, follows pages, merges shards, and compares the result with the objects.
#include <algorithm>
#include <set>

#include "model_test/acceptance.h"
#include "model_test/answer.h"
#include "model_test/call_choice.h"
#include "model_test/expectation.h"
#include "model_test/planned_units.h"
#include "model_test/trial.h"
#include "value/number.h"

namespace keyfold::model_test {
namespace {

using model::InputValues;
using model::SampleObject;

constexpr uint64_t kSmallPage = 3;  // items per page, to test that following pages gives the same result
constexpr int kPagesMax = 10'000;

std::optional<std::string> AttributeText(ItemView item, const std::string& name) {
  const std::optional<ValueView> value = item.Find(name);
  if (!value) return {};
  switch (value->type()) {
    case Type::kN:
      return Number::Decode(value->AsEncodedNumber()).ToString();
    case Type::kBool:
      return value->AsBool() ? "true" : "false";
    case Type::kS:
    case Type::kB:
      return std::string(value->AsText());
    default:
      return {};
  }
}

// Tries one pattern. Used by one thread at a time.
class ReadTrial {
 public:
  ReadTrial(const TrialContext& context, const model::Access& access)
      : context_(context), model_(context.model), access_(access), pattern_(model_.patterns[access.pattern]) {
    for (const model::KeyRead& read : access.reads) expectations_.emplace_back(context.samples, access, read);
    trial_.pattern = access.pattern;
    trial_.operation = access.operation;
  }

  PatternTrial Run() {
    const std::vector<model::CallInputs> calls = ChooseCalls(context_, access_);
    if (calls.empty()) trial_.untried = "the sample has no object of its entity";
    const bool range = access_.operation == model::Operation::kQuery || access_.operation == model::Operation::kScan;
    for (const model::CallInputs& call : calls) {
      ++trial_.invocations;
      Try(call, {.page_items = {}, .consumed_capacity = true});
      if (range && !pattern_.limit) Try(call, {.page_items = kSmallPage, .consumed_capacity = false});
    }
    CheckNeeds();
    return std::move(trial_);
  }

 private:
  struct Got {
    std::vector<Item> items;
    size_t others = 0;  // items left out that are there instead of wanted ones
    uint64_t requests = 0;
    double units = 0;
  };

  void Try(const model::CallInputs& call, const model::RequestOptions& options) {
    Result<Got> got = Read(call, options);
    if (!got.ok()) {
      trial_.Add({"the request is refused: " + got.error().message(), WordsOf(call), {}, {}});
      return;
    }
    Judge(call, *got, options.page_items.has_value() ? "read in small pages, " : "");
    if (!options.consumed_capacity) return;
    trial_.requests += got->requests;
    trial_.items += got->items.size();
    trial_.measured_units += got->units;
    ++trial_.measured_invocations;
    const std::optional<double> planned = PlannedReadUnits(context_.samples, access_, call);
    if (trial_.planned_units && planned) *trial_.planned_units += *planned;
    if (!planned) trial_.planned_units.reset();
  }

  std::string WordsOf(const model::CallInputs& call) const {
    std::string words = CallWords(call.values);
    for (const auto& elements : call.elements) {
      for (const InputValues& one : elements) words += (words.empty() ? "" : "; ") + CallWords(one);
    }
    return words;
  }

  // Returns true if there is another page and the pattern needs it: to read everything, or to reach its limit of items
  // that pass the filter.
  bool WantsMore(const ReadAnswer& page, size_t have, const model::RequestOptions& options) const {
    if (page.last_key.empty()) return false;
    if (pattern_.limit && !pattern_.paginate) return !access_.filter.empty() && have < *pattern_.limit;
    return pattern_.paginate || access_.operation == model::Operation::kScan || options.page_items.has_value();
  }

  Result<Got> Read(const model::CallInputs& call, const model::RequestOptions& options) {
    Got got;
    for (const model::ApiRequest& request : model::RequestsOf(model_, access_, call, options)) {
      std::string body = request.body;
      const size_t before = got.items.size();
      for (int pages = 0; pages < kPagesMax; ++pages) {
        Result<std::string> answer = context_.database.Call(model::NameOf(request.operation), body);
        if (!answer.ok()) return std::move(answer).TakeError();
        ReadAnswer page = AnswerOf(request.operation, *answer);
        ++got.requests;
        got.units += page.units;
        for (Item& item : page.items) {
          got.others += IsOther(item);
          if (CallerTakes(item, call.values)) got.items.push_back(std::move(item));
        }
        if (!WantsMore(page, got.items.size() - before, options)) break;
        body = model::FollowPage(request.body, page.last_key);
      }
    }
    Merge(got.items);
    if (pattern_.limit && !pattern_.paginate && got.items.size() > *pattern_.limit) got.items.resize(*pattern_.limit);
    return got;
  }

  // The object that the item describes: its attributes, and what can be recovered from its keys.
  SampleObject ObjectOf(ItemView item) const {
    SampleObject object;
    object.entity = EntityOf(item);
    const model::Entity& entity = model_.entities[object.entity];
    for (const model::Attribute& attribute : entity.attributes) {
      if (auto text = AttributeText(item, attribute.name)) object.values[attribute.name] = *std::move(text);
    }
    for (const auto* keys : {&entity.keys, &entity.native_keys}) {
      for (const model::KeyTemplate& key : *keys) Recover(key, item, object);
    }
    return object;
  }

  static void Recover(const model::KeyTemplate& key, ItemView item, SampleObject& object) {
    const auto text = AttributeText(item, key.attribute);
    std::vector<std::string_view> parts;
    if (!text || !model::ReadKey(key.value, *text, parts)) return;
    for (size_t i = 0; i < parts.size(); ++i) {
      const model::TemplatePart& part = key.value.parts[i];
      const bool usable = part.kind == model::TemplatePart::Kind::kAttribute && model::Recovers(part.format);
      if (usable) object.values.emplace(part.text, model::ValueOfText(part, parts[i]));
    }
  }

  model::EntityId EntityOf(ItemView item) const {
    const auto type = AttributeText(item, model_.table.type_attribute);
    const model::Entity* entity = type ? model_.FindEntity(*type) : nullptr;
    if (entity != nullptr) return static_cast<model::EntityId>(entity - model_.entities.data());
    for (const model::KeyRead& read : access_.reads) {
      for (const model::EntityId id : read.wanted) {
        if (HasKeysOf(id, item)) return id;
      }
    }
    return access_.reads[0].wanted[0];
  }

  // Returns true if the item's base key fits the entity's templates.
  bool HasKeysOf(model::EntityId id, ItemView item) const {
    std::vector<std::string_view> parts;
    for (const model::KeySide* side : {&model_.table.pk, &model_.table.sk}) {
      for (const std::string& name : *side) {
        const auto text = AttributeText(item, name);
        if (!text || !model::ReadKey(model_.entities[id].FindKey(name)->value, *text, parts)) return false;
      }
    }
    return true;
  }

  // True for several entities whose sort keys share no prefix: the request reads the whole partition, and the caller
  // keeps the wanted items.
  bool ReadsWholeCollection() const {
    const model::KeyRead& read = access_.read();
    return read.wanted.size() > 1 && read.sort.empty() && read.range.op == model::SortRange::Op::kNone;
  }

  bool IsWanted(ItemView item) const {
    const std::vector<model::EntityId>& wanted = access_.read().wanted;
    const bool typed =
        AttributeText(item, model_.table.type_attribute).has_value();  // a KEYS_ONLY index does not have it
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](model::EntityId id) { return typed ? EntityOf(item) == id : HasKeysOf(id, item); });
  }

  // Returns true for an item of an entity that shares the names of a wanted one, which the caller does not take for it.
  bool IsOther(ItemView item) const {
    if (access_.operation != model::Operation::kQuery || !AttributeText(item, model_.table.type_attribute))
      return false;
    return !IsWanted(item) && context_.acceptance.MayReturn(access_.pattern, EntityOf(item));
  }

  // Applies what the request leaves to its caller: conditions on the key's own attributes, and expired items.
  bool CallerTakes(ItemView item, const InputValues& values) const {
    const Expectation& expected = expectations_[0];
    if (ReadsWholeCollection() && !IsWanted(item)) return false;
    if (IsOther(item)) return false;
    if (access_.untested.empty() && !expected.IsGet()) return true;
    const SampleObject object = ObjectOf(item);
    if (expected.IsGet() && expected.IsExpired(object)) return false;
    return expected.MatchesIn(access_.untested, object, values);
  }

  void Merge(std::vector<Item>& items) const {
    if (!pattern_.merge || pattern_.merge->empty()) return;
    std::vector<std::pair<SampleObject, Item>> all;
    for (Item& item : items) {
      SampleObject object = ObjectOf(item);
      all.emplace_back(std::move(object), std::move(item));
    }
    std::stable_sort(all.begin(), all.end(),
                     [this](const auto& a, const auto& b) { return expectations_[0].Compare(a.first, b.first) < 0; });
    for (size_t i = 0; i < all.size(); ++i) items[i] = std::move(all[i].second);
  }

  std::vector<size_t> Expected(const model::CallInputs& call) const {
    std::vector<size_t> all;
    for (size_t i = 0; i < expectations_.size(); ++i) {
      std::vector<InputValues> elements = {{}};
      if (i < call.elements.size() && !call.elements[i].empty()) elements = call.elements[i];
      for (InputValues& values : elements) {
        values.insert(call.values.begin(), call.values.end());
        for (const size_t at : expectations_[i].Matching(values)) all.push_back(at);
      }
    }
    return all;
  }

  // The item of an object as the request returns it.
  const Item& ReturnedOf(size_t at) const {
    const SampleEntry& entry = context_.samples.entries()[at];
    return access_.fetches ? entry.row : *entry.In(access_.reads[0].index);
  }

  std::string KeyOf(ItemView item) const {
    std::string words = KeyWords(model_, access_.reads[0].index, item);
    const auto type = AttributeText(item, model_.table.type_attribute);
    return type ? *type + ' ' + words : words;
  }

  void Judge(const model::CallInputs& call, const Got& read, const std::string& how) {
    const std::vector<Item>& got = read.items;
    const std::vector<size_t> expected = Expected(call);
    std::multimap<std::string, size_t> open;  // expected items not seen yet, by their bytes
    for (const size_t at : expected) open.emplace(ReturnedOf(at).bytes(), at);
    TrialFault fault;
    std::vector<size_t> order;
    for (const Item& item : got) {
      const auto it = open.find(item.bytes());
      if (it == open.end()) {
        fault.unexpected.push_back(KeyOf(item));
        continue;
      }
      order.push_back(it->second);
      open.erase(it);
    }
    const size_t limit = pattern_.limit && !pattern_.paginate ? *pattern_.limit : SIZE_MAX;
    const bool cut = got.size() + read.others >= limit && expected.size() > got.size();
    for (const auto& [unused, at] : open) {
      if (!cut) fault.missing.push_back(KeyOf(ReturnedOf(at)));
    }
    if (!fault.missing.empty() || !fault.unexpected.empty()) {
      fault.what = how + std::to_string(got.size()) + " items where " +
                   std::to_string(std::min(limit, expected.size())) + " are right";
      fault.call = WordsOf(call);
      return trial_.Add(std::move(fault));
    }
    if (how.empty()) Record(call, order);
    JudgeOrder(call, order, open, how);
  }

  // Records what the call returned, which was right.
  void Record(const model::CallInputs& call, const std::vector<size_t>& order) {
    if (context_.record == nullptr) return;
    std::vector<RightItem> items;
    for (const size_t at : order) {
      const SampleEntry& entry = context_.samples.entries()[at];
      RightItem& right = items.emplace_back(RightItem{at, {}});
      const ItemView seen = *entry.In(access_.reads[0].index);
      const SampleObject object = ObjectOf(seen);
      for (const model::Attribute& attribute : model_.entities[entry.object.entity].attributes) {
        const bool has = object.Find(attribute.name) || seen.Find(attribute.name);
        if (has) right.attributes.push_back(attribute.name);
      }
    }
    context_.record->AddRead(access_, call, items, expectations_[0].ordered());
  }

  void JudgeOrder(const model::CallInputs& call, const std::vector<size_t>& order,
                  const std::multimap<std::string, size_t>& rest, const std::string& how) {
    const Expectation& expected = expectations_[0];
    if (!expected.ordered() || order.empty()) return;
    const auto object = [&](size_t at) -> const SampleObject& { return context_.samples.entries()[at].object; };
    const auto key = [&](size_t at) { return KeyOf(ReturnedOf(at)); };
    for (size_t i = 1; i < order.size(); ++i) {
      if (expected.Compare(object(order[i - 1]), object(order[i])) <= 0) continue;
      return trial_.AddMisordered({how + "the order is wrong: the second of these should come before the first",
                                   WordsOf(call),
                                   {},
                                   {},
                                   {key(order[i - 1]), key(order[i])}});
    }
    for (const auto& [unused, at] : rest) {
      if (expected.Compare(object(at), object(order.back())) >= 0) continue;
      return trial_.AddMisordered(
          {how + "the limit keeps the wrong items", WordsOf(call), {key(at)}, {key(order.back())}});
    }
  }

  // Checks that everything the pattern needs is in the entries it reads, or can be recovered from their keys.
  void CheckNeeds() {
    if (!pattern_.needs || !access_.reads[0].index || access_.fetches) return;
    for (const SampleEntry& entry : context_.samples.entries()) {
      const auto& wanted = access_.reads[0].wanted;
      if (std::find(wanted.begin(), wanted.end(), entry.object.entity) == wanted.end()) continue;
      const Item* item = entry.In(access_.reads[0].index);
      if (item == nullptr) continue;
      const SampleObject seen = ObjectOf(*item);
      for (const std::string& name : *pattern_.needs) {
        if (!entry.object.Find(name) || seen.Find(name) || item->Find(name)) continue;
        return trial_.Add(
            {"it needs " + name + ", which " + model_.indexes[*access_.reads[0].index].name + " does not project",
             "",
             {},
             {KeyOf(*item)}});
      }
    }
  }

  const TrialContext& context_;
  const model::Model& model_;
  const model::Access& access_;
  const model::Pattern& pattern_;
  std::vector<Expectation> expectations_;
  PatternTrial trial_;
};

}  // namespace

PatternTrial TryRead(const TrialContext& context, const model::Access& access) {
  return ReadTrial(context, access).Run();
}

}  // namespace keyfold::model_test
