#include "model/generate/python/entity.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/generate/item_layout.h"
#include "model/generate/literal.h"
#include "model/generate/program.h"
#include "model/generate/python/dictionary.h"

namespace keyfold::model::python {
namespace {

// Values that an item gets if the caller gives none, as entries of a dictionary.
std::vector<std::string> DefaultsOf(const Model& model, const Entity& entity, const Values& target) {
  std::vector<std::string> defaults;
  for (const Attribute& one : entity.attributes) {
    if (one.default_value) {
      defaults.push_back(QuotedText(one.name) + ": " + target.TypedLiteral(one.type, one.default_value->text));
    } else if (IsCountedExpiry(model, entity, one)) {
      defaults.push_back(fmt::format("{}: _now_seconds() + {}", QuotedText(one.name), *entity.ttl_after_s));
    }
  }
  return defaults;
}

// A function object, because FunctionRef binds to objects.
constexpr auto ValueOf = [](std::string_view attribute) { return MemberOf("of", attribute); };

}  // namespace

void EntityCode::WriteTypes() {
  std::vector<Field> out;
  std::vector<Field> in;
  for (const Attribute& one : entity_.attributes) {
    if (!one.fields.empty()) WriteMapTypes(one);
    out.push_back({one.name, TypeOf(one, false, names_.maps), one.optional && !one.default_value});
    const bool left_out = MayLeaveOut(model_, entity_, one);
    in.push_back({one.name, TypeOf(one, true, names_.maps) + (left_out ? " | None" : ""), left_out});
  }
  std::string about = entity_.name + ": " + KeyLine(model_, entity_, {}) + '.';
  if (!entity_.description.empty()) about = entity_.description + ' ' + about;
  WriteDictionary(names_.type, Commented(about), out, code_);
  WriteDictionary(names_.input, "Input for " + names_.type + "; attributes with a default may be left out.", in, code_);
}

// The types of a map with declared fields, after those of the maps in it.
void EntityCode::WriteMapTypes(const Attribute& map) {
  const MapName& name = names_.maps.at(&map);
  std::vector<Field> out;
  std::vector<Field> in;
  for (const Attribute& one : map.fields) {
    if (!one.fields.empty()) WriteMapTypes(one);
    out.push_back({one.name, TypeOf(one, false, names_.maps), one.optional});
    in.push_back({one.name, TypeOf(one, true, names_.maps), one.optional});
  }
  WriteDictionary(name.type, Commented(map.name) + " of " + names_.type + '.', out, code_);
  WriteDictionary(name.input, "Input for " + name.type + '.', in, code_);
}

void EntityCode::WriteKey(const std::string& name, std::optional<IndexId> index) {
  const KeyIngredients key = IngredientsOf(model_, entity_, index);
  Scope scope(ReservedIn(Place::kParameter));
  std::map<std::string, std::string, std::less<>> parameters;
  std::vector<std::string> signature;
  for (const Attribute* one : key.attributes) {
    parameters[one->name] = scope.Take(ParameterName(one->name));
    signature.push_back(parameters[one->name] + ": " + TypeOf(*one, true, names_.maps));
  }
  if (key.shard) signature.push_back("shard: int");
  const auto value = [&](std::string_view attribute) { return parameters.find(attribute)->second; };
  code_.Add("\n\n");
  if (!signature.empty()) signature.insert(signature.begin(), "*");
  code_.OpenList(fmt::format("def {}(", name), signature, ") -> Item:");
  code_.Add(fmt::format("r\"\"\"{}{}\"\"\"", index ? "Key in " + Commented(model_.indexes[*index].name) + ": " : "",
                        Commented(KeyLine(model_, entity_, index))));
  std::vector<std::string> members;
  for (const KeyTemplate* one : key.keys)
    members.push_back(QuotedText(one->attribute) + ": " +
                      target_.Key(entity_, one->value, {value, nullptr, "str(shard)"}));
  code_.AddList("return {", members, "}");
  code_.Close();
}

// Each index key is written only if all its placeholders have values.
void EntityCode::WriteIndexKeys() {
  const auto stored = [&](std::string_view attribute) { return Get("item", attribute); };
  for (const IndexKeys& index : IndexKeysOf(model_, entity_)) {
    if (index.when != nullptr) {
      code_.Add(fmt::format("# In {} only if {}.", Commented(model_.indexes[index.index].name),
                            Commented(index.when->condition.text)));
      code_.Open(fmt::format("if {}:", target_.Condition(index.when->condition, entity_, stored)));
    }
    const bool varies = index.choices.size() > 1;
    for (size_t i = 0; i < index.choices.size(); ++i) {
      const IndexKeys::Choice& choice = index.choices[i];
      const std::string test = choice.condition == nullptr ? "" : target_.Condition(*choice.condition, entity_, stored);
      if (varies) code_.Open(choice.condition == nullptr ? "else:" : (i == 0 ? "if " : "elif ") + test + ':');
      WriteKeysOf(choice);
      if (varies) code_.Close();
    }
    if (index.when != nullptr) code_.Close();
  }
}

void EntityCode::WriteKeysOf(const IndexKeys::Choice& choice) {
  for (const auto& [key, needed] : choice.keys) {
    std::vector<std::string> tests;
    for (const std::string& name : needed) tests.push_back(QuotedText(name) + " in of");
    if (!tests.empty()) code_.Open("if " + Joined(tests, " and ") + ':');
    code_.Add(MemberOf("item", key->attribute) + " = " + target_.Key(entity_, key->value, {ValueOf}));
    if (!tests.empty()) code_.Close();
  }
}

std::string EntityCode::StoredMember(const Attribute& one) const {
  if (!one.fields.empty()) return fmt::format("_stored({}, {})", ValueOf(one.name), ShapeOf(one));
  return target_.Stored(one.type, ValueOf(one.name));
}

void EntityCode::WriteItem() {
  code_.Add("\n\n");
  const std::vector<std::string> defaults = DefaultsOf(model_, entity_, target_);
  const bool may_lack = std::any_of(entity_.attributes.begin(), entity_.attributes.end(),
                                    [&](const Attribute& one) { return MayLeaveOut(model_, entity_, one); });
  code_.Open(fmt::format("def {}({}: {}) -> Item:", names_.make, may_lack ? "values" : "of", names_.input));
  code_.Add(fmt::format("\"\"\"The item of one {}, with all its keys.\"\"\"", names_.type));
  if (may_lack) code_.AddList("of = _filled(values, {", defaults, "})");
  if (entity_.shard && !entity_.shard->hash_of) code_.Add(fmt::format("shard = _random_shard({})", entity_.shard->n));
  code_.Open("item: Item = {");
  for (const KeyTemplate* key : TemplatesOf(model_, entity_, {}))
    code_.Add(fmt::format("{}: {},", QuotedText(key->attribute), target_.Key(entity_, key->value, {ValueOf})));
  if (!model_.table.type_attribute.empty())
    code_.Add(fmt::format("{}: {},", QuotedText(model_.table.type_attribute), QuotedText(entity_.name)));
  std::vector<const Attribute*> optional;
  for (const Attribute* one : PlainAttributes(model_, entity_)) {
    if (MayMiss(model_, entity_, *one) || MayBeEmptySet(*one)) {
      optional.push_back(one);
    } else {
      code_.Add(fmt::format("{}: {},", QuotedText(one->name), StoredMember(*one)));
    }
  }
  code_.Close("}");
  for (const Attribute* one : optional) {
    code_.Open(IsSet(one->type) ? fmt::format("if {}:", Get("of", one->name))
                                : fmt::format("if {} in of:", QuotedText(one->name)));
    code_.Add(fmt::format("{} = {}", MemberOf("item", one->name), StoredMember(*one)));
    code_.Close();
  }
  WriteIndexKeys();
  code_.Add("return item");
  code_.Close();
}

void EntityCode::WriteShape() {
  std::vector<std::string> attributes;
  std::vector<std::string> defaults;
  for (const Attribute& one : entity_.attributes) {
    attributes.push_back(QuotedText(one.name) + ": " + ShapeOf(one));
    if (one.default_value)
      defaults.push_back(QuotedText(one.name) + ": " + target_.TypedLiteral(one.type, one.default_value->text));
    if (MayBeEmptySet(one)) defaults.push_back(QuotedText(one.name) + ": set()");
  }
  code_.Add("\n\n");
  code_.Open(names_.shape + ": Item = {");
  code_.Add(fmt::format("\"name\": {},", QuotedText(entity_.name)));
  code_.AddList("\"attributes\": {", attributes, "},");
  code_.Add("\"defaults\": {" + Joined(defaults) + "},");
  code_.Open("\"keys\": [");
  for (const KeyTemplate* key : ReadableKeys(entity_)) {
    if (key->value.type != StoredType::kS) continue;
    std::vector<std::string> groups;
    for (const std::string& name : RecoveredBy(key->value)) groups.push_back(QuotedText(name));
    code_.Add(fmt::format("({}, re.compile({}), [{}]),", QuotedText(key->attribute),
                          QuotedText(KeyExpression(key->value)), Joined(groups)));
  }
  code_.Close("],");
  code_.Close("}");
}

void EntityCode::WriteReaders() {
  code_.Add("\n\n");
  code_.Open(fmt::format("def {}(item: Item) -> {}:", names_.read, names_.type));
  code_.Add(fmt::format("return cast({}, _read({}, item))", names_.type, names_.shape));
  code_.Close();
  code_.Add("\n\n");
  code_.Open(fmt::format("def {}(item: Item) -> bool:", names_.is));
  code_.Add(fmt::format("return _is_of({}, item)", names_.shape));
  code_.Close();
}

void EntityCode::Write() {
  WriteTypes();
  WriteKey(names_.key, {});
  for (const auto& [index, name] : names_.index_keys) WriteKey(name, index);
  WriteItem();
  WriteShape();
  WriteReaders();
}

}  // namespace keyfold::model::python
