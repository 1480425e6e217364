#include "model/generate/cpp/entity.h"

#include <fmt/format.h>

#include "model/generate/item_layout.h"
#include "model/generate/program.h"

namespace keyfold::model::cpp {

std::string EntityCode::ValueOf(std::string_view attribute) const {
  return (MayLeaveOut(model_, entity_, *entity_.Find(attribute)) ? "*" : "") + MemberOf(attribute);
}

void EntityCode::WriteKey(const std::string& name, std::optional<IndexId> index) {
  const KeyIngredients key = IngredientsOf(model_, entity_, index);
  std::vector<std::string> parameters;
  for (const Attribute* one : key.attributes)
    parameters.push_back(fmt::format("const {}& {}", TypeOf(*one), members_.at(one->name)));
  if (key.shard) parameters.push_back("int shard");
  const auto value = [&](std::string_view attribute) { return members_.find(attribute)->second; };
  code_.Add();
  code_.Add(fmt::format("// {}{}", index ? "Key in " + Commented(model_.indexes[*index].name) + ": " : "",
                        Commented(KeyLine(model_, entity_, index))));
  code_.Open(fmt::format("inline std::string {}({}) {{", name, Joined(parameters)));
  code_.Open("return detail::object({");
  for (const KeyTemplate* one : key.keys)
    code_.Add(fmt::format("{{{}, {}}},", Quote(one->attribute),
                          target_.Key(entity_, one->value, {value, nullptr, "std::to_string(shard)"})));
  code_.Close("});");
  code_.Close("}");
}

// Each index key is written only if all its placeholders have values.
void EntityCode::WriteIndexKeys() {
  const auto member = [&](std::string_view attribute) { return MemberOf(attribute); };
  for (const IndexKeys& index : IndexKeysOf(model_, entity_)) {
    if (index.when != nullptr) {
      code_.Add(fmt::format("// In {} only if {}.", Commented(model_.indexes[index.index].name),
                            Commented(index.when->condition.text)));
      code_.Open(fmt::format("if ({}) {{", target_.Condition(index.when->condition, entity_, member)));
    }
    const bool varies = index.choices.size() > 1;
    for (size_t i = 0; i < index.choices.size(); ++i) {
      const IndexKeys::Choice& choice = index.choices[i];
      const std::string test = choice.condition == nullptr
                                   ? ""
                                   : fmt::format("if ({}) ", target_.Condition(*choice.condition, entity_, member));
      if (i > 0) code_.Close(fmt::format("}} else {}{{", test));
      if (varies) i > 0 ? code_.Indent() : code_.Open(test + '{');
      WriteKeysOf(choice);
    }
    if (varies) code_.Close("}");
    if (index.when != nullptr) code_.Close("}");
  }
}

void EntityCode::WriteKeysOf(const IndexKeys::Choice& choice) {
  const auto value = [&](std::string_view attribute) { return ValueOf(attribute); };
  for (const auto& [key, needed] : choice.keys) {
    std::vector<std::string> tests;
    for (const std::string& name : needed) tests.push_back(MemberOf(name));
    const std::string line =
        fmt::format("item.emplace_back({}, {});", Quote(key->attribute), target_.Key(entity_, key->value, {value}));
    code_.Add(tests.empty() ? line : fmt::format("if ({}) {}", Joined(tests, " && "), line));
  }
}

void EntityCode::WriteItem() {
  const auto value = [&](std::string_view attribute) { return ValueOf(attribute); };
  code_.Add();
  code_.Add(fmt::format("// The item of one {} with all its keys, in the API's JSON.", names_.type));
  code_.Open(fmt::format("inline std::string {}({} of) {{", names_.make, names_.type));
  for (const Attribute& one : entity_.attributes) {
    std::string filled;
    if (one.default_value) {
      filled = target_.TypedLiteral(one.type, one.default_value->text);
    } else if (IsCountedExpiry(model_, entity_, one)) {
      filled = fmt::format("detail::nowSeconds() + {}", *entity_.ttl_after_s);
    }
    if (!filled.empty()) code_.Add(fmt::format("if (!{0}) {0} = {1};", MemberOf(one.name), filled));
  }
  if (entity_.shard && !entity_.shard->hash_of)
    code_.Add(fmt::format("const std::string shard = detail::randomShard({});", entity_.shard->n));
  code_.Add("detail::Members item;");
  const auto add = [&](const std::string& attribute, const std::string& stored) {
    return fmt::format("item.emplace_back({}, {});", Quote(attribute), stored);
  };
  for (const KeyTemplate* key : TemplatesOf(model_, entity_, {}))
    code_.Add(add(key->attribute, target_.Key(entity_, key->value, {value})));
  if (!model_.table.type_attribute.empty())
    code_.Add(add(model_.table.type_attribute, target_.StoredLiteral(StoredType::kS, entity_.name)));
  for (const Attribute* one : PlainAttributes(model_, entity_)) {
    std::string test = MayMiss(model_, entity_, *one) ? MemberOf(one->name) : "";
    if (IsSet(one->type)) test = target_.Both(test, fmt::format("!{}.empty()", Dereferenced(ValueOf(one->name))));
    if (!test.empty()) test = fmt::format("if ({}) ", test);
    code_.Add(test + add(one->name, target_.Stored(one->type, ValueOf(one->name))));
  }
  WriteIndexKeys();
  code_.Add("return detail::object(item);");
  code_.Close("}");
}

void EntityCode::Write() {
  code_.Add();
  if (!entity_.description.empty()) code_.Add("// " + Commented(entity_.description));
  code_.Add("// " + Commented(KeyLine(model_, entity_, {})));
  code_.Open(fmt::format("struct {} {{", names_.type));
  for (const Attribute& one : entity_.attributes) {
    const std::string type = MayLeaveOut(model_, entity_, one) ? "std::optional<" + TypeOf(one) + '>' : TypeOf(one);
    code_.Add(fmt::format("{} {}{{}};{}", type, members_.at(one.name), NoteOf(one)));
  }
  code_.Close("};");
  WriteKey(names_.key, {});
  for (const auto& [index, name] : names_.index_keys) WriteKey(name, index);
  WriteItem();
}

}  // namespace keyfold::model::cpp
