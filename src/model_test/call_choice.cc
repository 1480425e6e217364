#include "model_test/call_choice.h"

#include <algorithm>
#include <set>

#include "model/core/calendar.h"
#include "model/core/document_text.h"
#include "model/core/path.h"

namespace keyfold::model_test {
namespace {

using model::InputValues;
using model::Operand;
using model::SampleObject;

constexpr size_t kFirstCalls = 14;  // from the first objects, which have the awkward values
constexpr size_t kOtherCalls = 14;
constexpr size_t kBatchKeys = 5;
constexpr int kAgreementSteps = 10'000;  // objects examined for one call
constexpr uint64_t kNobodys = 990'000;   // number of a value so far out that no object has it

// Used by one thread at a time.
class Chooser {
 public:
  Chooser(const TrialContext& context, const model::Access& access)
      : context_(context), model_(context.model), access_(access), pattern_(model_.patterns[access.pattern]) {}

  std::vector<model::CallInputs> Run() {
    if (access_.operation == model::Operation::kBatchGetItem) return Batches();
    if (access_.reads.size() > 1) return Transactions();
    std::vector<model::CallInputs> calls;
    for (InputValues& values : Singles(access_.read())) calls.push_back(CallWith(Completed(std::move(values))));
    if (!calls.empty() && !pattern_.by.empty()) calls.push_back(CallWith(Absent(calls[0].values)));
    return calls;
  }

 private:
  model::CallInputs CallWith(InputValues values) const { return {std::move(values), {}, context_.samples.now_ms()}; }

  std::vector<const SampleObject*> ObjectsOf(const model::KeyRead& read) const {
    std::vector<const SampleObject*> all;
    for (const SampleEntry& entry : context_.samples.entries()) {
      const bool wanted = std::find(read.wanted.begin(), read.wanted.end(), entry.object.entity) != read.wanted.end();
      if (entry.alive && wanted) all.push_back(&entry.object);
    }
    return all;
  }

  // The inputs from all objects, without duplicates.
  std::vector<InputValues> AllOf(const model::KeyRead& read) {
    const std::vector<const SampleObject*> objects = ObjectsOf(read);
    std::vector<InputValues> all;
    std::set<InputValues> seen;
    for (size_t i = 0; i < objects.size(); ++i) {
      std::optional<InputValues> values = ValuesFrom(read, *objects[i], objects, i);
      if (values && seen.insert(*values).second) all.push_back(*std::move(values));
    }
    return all;
  }

  // The inputs from the first objects and from some random others.
  std::vector<InputValues> Singles(const model::KeyRead& read) {
    std::vector<InputValues> all = AllOf(read);
    Random& random = context_.sampler.values().random();
    while (all.size() > kFirstCalls + kOtherCalls) {
      all.erase(all.begin() + static_cast<ptrdiff_t>(kFirstCalls + random.Below(all.size() - kFirstCalls)));
    }
    return all;
  }

  std::optional<InputValues> ValuesFrom(const model::KeyRead& read, const SampleObject& object,
                                        const std::vector<const SampleObject*>& objects, size_t turn) {
    InputValues values;
    const model::Entity& entity = model_.entities[object.entity];
    for (const model::Binding& one : pattern_.by) {
      const bool meant = model::FindBinding(pattern_.by, object.entity, one.attribute) == &one;
      if (!meant || entity.Find(one.attribute) == nullptr) continue;
      const auto value = object.Find(one.attribute);
      if (!value) return {};
      values[one.value.text] = *value;
    }
    const auto given = [&](const model::Binding& one) { return values.count(one.value.text) != 0; };
    if (!std::all_of(pattern_.by.begin(), pattern_.by.end(), given)) return {};
    AddFreeKey(read, object, values);
    if (pattern_.between) AddBounds(object, objects, turn, values);
    if (pattern_.begins) AddPrefix(object, turn, values);
    for (const model::Comparison* one : model::ComparisonsOf(pattern_.where)) {
      model::NameEntries(entity, object, one->path, context_.sampler.values(), values);
      AddOperands(*one, object, objects, turn, values);
    }
    return values;
  }

  // Adds the inputs of a comparison, so that it holds for the object; some upper bounds are the values of others.
  void AddOperands(const model::Comparison& one, const SampleObject& object,
                   const std::vector<const SampleObject*>& objects, size_t turn, InputValues& values) const {
    const auto given = [&](std::string_view input) {
      const auto it = values.find(input);
      return it == values.end() ? std::nullopt : std::optional(it->second);
    };
    const std::string path = model::FilledPath(one.path, given).value_or(one.path);
    const auto value = object.At(model_.entities[object.entity], path);
    if (!value) return;
    const bool upper = one.comparator == model::Comparator::kLess || one.comparator == model::Comparator::kLessEqual;
    for (const Operand& operand : one.operands()) {
      if (operand.kind != Operand::Kind::kInput || values.count(operand.text) != 0) continue;
      std::string text = *value;
      if (upper && !one.size && turn % 2 == 0) {
        const SampleObject& other = *objects[context_.sampler.values().random().Below(objects.size())];
        text = other.At(model_.entities[other.entity], path).value_or(text);
      }
      values[operand.text] = OperandText(one, object, std::move(text));
    }
  }

  std::string OperandText(const model::Comparison& one, const SampleObject& object, std::string text) const {
    const model::Attribute* declared = model_.entities[object.entity].FindPath(one.path);
    const model::StoredType type = declared != nullptr ? model::StoredAs(declared->type) : model::StoredType::kS;
    if (one.size) return std::to_string(model::SizeOfText(type, text));
    if (one.comparator == model::Comparator::kBeginsWith) return text.substr(0, HalfOf(text));
    if (one.comparator != model::Comparator::kContains) return text;
    if (declared != nullptr && model::IsSet(declared->type)) {
      const std::vector<std::string> all = model::ElementsOfSet(text);
      return all.empty() ? "" : all.back();
    }
    if (type != model::StoredType::kL) return text.substr(0, HalfOf(text));
    const auto first = model::ValueInside(text, type, "[0]");
    return first ? first->text : "";
  }

  // Adds the inputs of a key that `by` does not name.
  void AddFreeKey(const model::KeyRead& read, const SampleObject& object, InputValues& values) const {
    for (const auto* parts : {&read.partition, &read.sort}) {
      for (const model::KeyPart& part : *parts) {
        for (const model::Piece& piece : part.value.pieces) {
          const bool hashed = piece.kind == model::Piece::Kind::kShardOfHash;
          if (!hashed && (piece.kind != model::Piece::Kind::kInput || piece.origin == nullptr)) continue;
          const bool shard = !hashed && piece.origin->kind == model::TemplatePart::Kind::kShard;
          const auto value =
              shard ? std::to_string(object.shard) : object.Find(hashed ? piece.text : piece.origin->text);
          if (value) values.emplace(piece.text, *value);
        }
      }
    }
  }

  // Size of the first half of the characters, at least one.
  static size_t HalfOf(const std::string& text) {
    size_t at = (text.size() + 1) / 2;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
    return at;
  }

  // Number of characters of a time that the sort key distinguishes; all of them if the sort key has no time.
  size_t TimePrecision(model::AttributeType type) const {
    const model::SortRange& range = access_.read().range;
    const model::Format format =
        range.of.empty() || range.low.pieces.empty() || range.low.pieces.back().origin == nullptr
            ? model::StoredFormat(type)
            : range.low.pieces.back().origin->format;
    if (format == model::Format::kIsoSeconds) return std::string_view("2024-01-15T10:30:00").size();
    const std::string_view layout = model::LayoutOf(format);
    return layout.empty() ? model::LayoutOf(model::StoredFormat(type)).size() : layout.size();
  }

  // Adds bounds taken from two objects that agree on `by`. Some bounds name only a day.
  void AddBounds(const SampleObject& object, const std::vector<const SampleObject*>& objects, size_t turn,
                 InputValues& values) {
    const model::Between& between = *pattern_.between;
    const auto alike = [&](const SampleObject* other) {
      const auto same = [&](const model::Binding& by) {
        return object.Find(by.attribute) == other->Find(by.attribute);
      };
      return other->entity == object.entity && std::all_of(pattern_.by.begin(), pattern_.by.end(), same);
    };
    std::vector<std::string> bounds;
    for (const SampleObject* other : objects) {
      const auto value = alike(other) ? other->Find(between.attribute) : std::nullopt;
      if (value) bounds.push_back(*value);
    }
    const auto own = object.Find(between.attribute);
    if (!own || bounds.empty()) return;
    std::string from = *own;
    std::string to = bounds[context_.sampler.values().random().Below(bounds.size())];
    const model::Attribute& declared = *model_.entities[object.entity].Find(between.attribute);
    const bool number = model::StoredAs(declared.type) == model::StoredType::kN;
    if (number ? std::stod(from) > std::stod(to) : from > to) std::swap(from, to);
    if (model::IsTimeText(declared.type)) {
      const size_t day = std::string_view("2024-01-15").size();
      const size_t least = access_.buckets ? model::LayoutOf(access_.buckets->format).size() : 0;
      const size_t most = TimePrecision(declared.type);
      from.resize(turn % 3 == 1 ? std::min(std::max(day, least), most) : most);
      to.resize(turn % 3 == 2 ? std::min(std::max(day, least), most) : most);
    }
    if (between.from.kind == Operand::Kind::kInput) values[between.from.text] = std::move(from);
    if (between.to.kind == Operand::Kind::kInput) values[between.to.text] = std::move(to);
  }

  void AddPrefix(const SampleObject& object, size_t turn, InputValues& values) const {
    if (pattern_.begins->prefix.kind != Operand::Kind::kInput) return;
    const auto value = object.Find(pattern_.begins->attribute);
    if (!value) return;
    const model::AttributeType type = model_.entities[object.entity].Find(pattern_.begins->attribute)->type;
    const bool time = model::IsTimeText(type);
    const size_t most = time ? std::min(TimePrecision(type), value->size()) : value->size();
    const size_t part = time ? std::string_view("2024-01").size() : HalfOf(*value);
    values[pattern_.begins->prefix.text] = value->substr(0, turn % 2 == 0 ? std::min(part, most) : most);
  }

  // A value that no object has; nullopt if the attribute's limits leave none.
  std::optional<std::string> Nobodys(const model::Attribute& attribute) const {
    if (attribute.max || attribute.max_length || attribute.type == model::AttributeType::kEnum) return {};
    return context_.sampler.values().Nth(attribute, kNobodys);
  }

  std::string AnyOf(const model::Attribute& attribute) const { return context_.sampler.values().Nth(attribute, 0); }

  InputValues Absent(InputValues values) const {
    for (const model::Binding& one : pattern_.by) {
      for (const model::Input& input : access_.inputs) {
        if (input.name != one.value.text || input.attribute == nullptr) continue;
        if (std::optional<std::string> value = Nobodys(*input.attribute)) values[input.name] = *std::move(value);
      }
    }
    return values;
  }

  std::vector<model::CallInputs> Batches() {
    const std::vector<InputValues> keys = Singles(access_.read());
    std::vector<model::CallInputs> calls;
    for (size_t at = 0; at < keys.size(); at += kBatchKeys) {
      model::CallInputs call = CallWith({});
      call.elements.resize(access_.reads.size());
      for (size_t i = at; i < keys.size() && i < at + kBatchKeys; ++i) call.elements[0].push_back(keys[i]);
      calls.push_back(std::move(call));
    }
    return calls;
  }

  // Chooses one object per read if some agree on the inputs they share. Otherwise, and at least once, chooses elements
  // that do not exist. Every input gets a value.
  std::vector<model::CallInputs> Transactions() {
    const std::vector<InputValues> firsts = Singles(access_.read());
    if (firsts.empty()) return {};
    std::vector<std::vector<InputValues>> keys;
    for (const model::KeyRead& read : access_.reads) keys.push_back(AllOf(read));
    std::vector<model::CallInputs> calls;
    for (InputValues values : firsts) {
      int steps = kAgreementSteps;
      FindAgreeing(keys, 1, steps, values);
      calls.push_back(CallWith(Completed(std::move(values))));
    }
    calls.push_back(CallWith(Completed(firsts[0])));
    calls.push_back(CallWith(Completed({})));
    return calls;
  }

  static bool Agree(const InputValues& values, const InputValues& other) {
    return std::all_of(other.begin(), other.end(), [&](const auto& one) {
      const auto it = values.find(one.first);
      return it == values.end() || it->second == one.second;
    });
  }

  // Adds the values of one object for each read from `at` on. Returns false and adds nothing if no objects agree or the
  // search takes too many steps.
  static bool FindAgreeing(const std::vector<std::vector<InputValues>>& keys, size_t at, int& steps,
                           InputValues& values) {
    if (at == keys.size()) return true;
    for (const InputValues& other : keys[at]) {
      if (--steps < 0) return false;
      if (!Agree(values, other)) continue;
      InputValues both = values;
      both.insert(other.begin(), other.end());
      if (!FindAgreeing(keys, at + 1, steps, both)) continue;
      values = std::move(both);
      return true;
    }
    return false;
  }

  // Gives the remaining inputs a value that no object has. If there is none, because the attribute's limits leave none
  // or it is a shard, any value is used.
  InputValues Completed(InputValues values) const {
    for (const model::Input& input : access_.inputs) {
      if (values.count(input.name) != 0) continue;
      values[input.name] =
          input.attribute == nullptr ? "0" : Nobodys(*input.attribute).value_or(AnyOf(*input.attribute));
    }
    return values;
  }

  const TrialContext& context_;
  const model::Model& model_;
  const model::Access& access_;
  const model::Pattern& pattern_;
};

}  // namespace

std::vector<model::CallInputs> ChooseCalls(const TrialContext& context, const model::Access& access) {
  return Chooser(context, access).Run();
}

}  // namespace keyfold::model_test
