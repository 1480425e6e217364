#include "model/generate/typescript/entity.h"

#include <fmt/format.h>

#include "model/generate/item_layout.h"
#include "model/generate/literal.h"
#include "model/generate/program.h"

namespace keyfold::model::typescript {
namespace {

// A function object, because FunctionRef binds to objects.
constexpr auto ValueOf = [](std::string_view attribute) { return MemberOf("of", attribute); };

}  // namespace

void EntityCode::WriteTypes() {
  code_.Add();
  std::string about = entity_.name + ": " + KeyLine(model_, entity_, {}) + '.';
  if (!entity_.description.empty()) about = entity_.description + ' ' + about;
  code_.Add("/** " + Commented(about) + " */");
  code_.Open(fmt::format("export interface {} {{", names_.type));
  for (const Attribute& one : entity_.attributes) {
    const bool optional = one.optional && !one.default_value;
    code_.Add(fmt::format("{}{}: {};", Property(one.name), optional ? "?" : "", TypeOf(one, false)));
  }
  code_.Close("}");
  code_.Add();
  code_.Add(fmt::format("/** Input for {}: times may be Dates, and attributes with a default may be left out. */",
                        names_.type));
  code_.Open(fmt::format("export interface {} {{", names_.input));
  for (const Attribute& one : entity_.attributes) {
    const bool optional = MayLeaveOut(model_, entity_, one);
    code_.Add(fmt::format("{}{}: {};", Property(one.name), optional ? "?" : "", TypeOf(one, true)));
  }
  code_.Close("}");
}

void EntityCode::WriteKey(const std::string& name, std::optional<IndexId> index) {
  const KeyIngredients key = IngredientsOf(model_, entity_, index);
  std::vector<std::string> members;
  for (const Attribute* one : key.attributes) members.push_back(Property(one->name) + ": " + TypeOf(*one, true));
  std::vector<std::string> parameters;
  if (!members.empty()) parameters.push_back("of: { " + Joined(members, "; ") + " }");
  if (key.shard) parameters.push_back("shard: number");
  code_.Add();
  code_.Add(fmt::format("/** {}{} */", index ? "Key in " + Commented(model_.indexes[*index].name) + ": " : "",
                        Commented(KeyLine(model_, entity_, index))));
  code_.OpenList(fmt::format("export function {}(", name), parameters, ") {");
  code_.Open("return {");
  for (const KeyTemplate* one : key.keys)
    code_.Add(fmt::format("{}: {},", Property(one->attribute), target_.Key(entity_, one->value, {ValueOf})));
  code_.Close("};");
  code_.Close("}");
}

// Each index key is written only if all its placeholders have values.
void EntityCode::WriteIndexKeys() {
  const auto stored = [&](std::string_view attribute) { return MemberOf("item", attribute); };
  for (const IndexKeys& index : IndexKeysOf(model_, entity_)) {
    if (index.when != nullptr) {
      code_.Add(fmt::format("// In {} only if {}.", Commented(model_.indexes[index.index].name),
                            Commented(index.when->condition.text)));
      code_.Open(fmt::format("if ({}) {{", target_.Condition(index.when->condition, entity_, stored)));
    }
    const bool varies = index.choices.size() > 1;
    for (size_t i = 0; i < index.choices.size(); ++i) {
      const IndexKeys::Choice& choice = index.choices[i];
      const std::string test = choice.condition == nullptr
                                   ? ""
                                   : fmt::format("if ({}) ", target_.Condition(*choice.condition, entity_, stored));
      if (i > 0) code_.Close(fmt::format("}} else {}{{", test));
      if (varies) i > 0 ? code_.Indent() : code_.Open(test + '{');
      WriteKeysOf(choice);
    }
    if (varies) code_.Close("}");
    if (index.when != nullptr) code_.Close("}");
  }
}

void EntityCode::WriteKeysOf(const IndexKeys::Choice& choice) {
  for (const auto& [key, needed] : choice.keys) {
    std::vector<std::string> tests;
    for (const std::string& name : needed) tests.push_back(ValueOf(name) + " !== undefined");
    const std::string line =
        MemberOf("item", key->attribute) + " = " + target_.Key(entity_, key->value, {ValueOf}) + ';';
    code_.Add(tests.empty() ? line : fmt::format("if ({}) {}", Joined(tests, " && "), line));
  }
}

std::string EntityCode::StoredMember(const Attribute& one) const {
  if (!one.fields.empty()) return fmt::format("stored({}, {})", ValueOf(one.name), ShapeOf(one));
  return target_.Stored(one.type, ValueOf(one.name));
}

void EntityCode::WriteItem() {
  std::vector<std::string> filled;
  for (const Attribute& one : entity_.attributes) {
    const std::string given = Property(one.name) + ": " + MemberOf("input", one.name);
    if (one.default_value) {
      filled.push_back(fmt::format("{} ?? {}", given, target_.TypedLiteral(one.type, one.default_value->text)));
    } else if (IsCountedExpiry(model_, entity_, one)) {
      filled.push_back(fmt::format("{} ?? nowSeconds() + {}", given, *entity_.ttl_after_s));
    }
  }
  code_.Add();
  code_.Add(fmt::format("/** The item of one {}, with all its keys. */", names_.type));
  code_.Open(
      fmt::format("export function {}({}: {}): Item {{", names_.make, filled.empty() ? "of" : "input", names_.input));
  if (!filled.empty()) code_.Add(fmt::format("const of = {{ ...input, {} }};", Joined(filled)));
  if (entity_.shard && !entity_.shard->hash_of)
    code_.Add(fmt::format("const shard = randomShard({});", entity_.shard->n));
  code_.Open("const item: Item = {");
  for (const KeyTemplate* key : TemplatesOf(model_, entity_, {}))
    code_.Add(fmt::format("{}: {},", Property(key->attribute), target_.Key(entity_, key->value, {ValueOf})));
  if (!model_.table.type_attribute.empty())
    code_.Add(fmt::format("{}: {},", Property(model_.table.type_attribute), QuotedText(entity_.name)));
  std::vector<const Attribute*> optional;
  for (const Attribute* one : PlainAttributes(model_, entity_)) {
    if (MayMiss(model_, entity_, *one) || MayBeEmptySet(*one)) {
      optional.push_back(one);
    } else {
      code_.Add(fmt::format("{}: {},", Property(one->name), StoredMember(*one)));
    }
  }
  code_.Close("};");
  for (const Attribute* one : optional) {
    const std::string given = IsSet(one->type) ? fmt::format("({}?.size ?? 0) > 0", ValueOf(one->name))
                                               : ValueOf(one->name) + " !== undefined";
    code_.Add(fmt::format("if ({}) {} = {};", given, MemberOf("item", one->name), StoredMember(*one)));
  }
  WriteIndexKeys();
  code_.Add("return item;");
  code_.Close("}");
}

void EntityCode::WriteShape() {
  std::vector<std::string> attributes;
  std::vector<std::string> defaults;
  for (const Attribute& one : entity_.attributes) {
    attributes.push_back(Property(one.name) + ": " + ShapeOf(one));
    if (one.default_value)
      defaults.push_back(Property(one.name) + ": " + target_.TypedLiteral(one.type, one.default_value->text));
    if (MayBeEmptySet(one)) defaults.push_back(Property(one.name) + ": new Set()");
  }
  code_.Add();
  code_.Open(fmt::format("const {}: Shape = {{", names_.shape));
  code_.Add(fmt::format("name: {},", QuotedText(entity_.name)));
  code_.AddList("attributes: { ", attributes, " },");
  code_.Add(defaults.empty() ? "defaults: {}," : "defaults: { " + Joined(defaults) + " },");
  code_.Open("keys: [");
  for (const KeyTemplate* key : ReadableKeys(entity_)) {
    if (key->value.type != StoredType::kS) continue;
    std::vector<std::string> groups;
    for (const std::string& name : RecoveredBy(key->value)) groups.push_back(QuotedText(name));
    code_.Add(
        fmt::format("[{}, /^{}$/u, [{}]],", QuotedText(key->attribute), KeyExpression(key->value), Joined(groups)));
  }
  code_.Close("],");
  code_.Close("};");
}

void EntityCode::WriteReaders() {
  code_.Add();
  code_.Open(fmt::format("export function {}(item: Item): {} {{", names_.read, names_.type));
  code_.Add(fmt::format("return read<{}>({}, item);", names_.type, names_.shape));
  code_.Close("}");
  code_.Add();
  code_.Open(fmt::format("export function {}(item: Item): boolean {{", names_.is));
  code_.Add(fmt::format("return isOf({}, item);", names_.shape));
  code_.Close("}");
}

void EntityCode::Write() {
  WriteTypes();
  WriteKey(names_.key, {});
  for (const auto& [index, name] : names_.index_keys) WriteKey(name, index);
  WriteItem();
  WriteShape();
  WriteReaders();
}

}  // namespace keyfold::model::typescript
