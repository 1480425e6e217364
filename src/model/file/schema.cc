#include "model/file/schema.h"

#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "json/writer.h"
#include "model/file/fields.h"

namespace keyfold::model {
namespace {

// Writes JSON with one member per line. Used by one thread at a time.
class Lines {
 public:
  void Open(char bracket) {
    out_ += bracket;
    closing_.push_back(bracket == '{' ? '}' : ']');
    first_ = true;
  }
  void Close() {
    const char bracket = closing_.back();
    closing_.pop_back();
    if (!first_) NewLine();
    out_ += bracket;
    first_ = false;
  }
  void Key(std::string_view name) {
    Next();
    json::AppendQuoted(out_, name);
    out_ += ": ";
  }
  void Member(std::string_view name, std::string_view text) {
    Key(name);
    json::AppendQuoted(out_, text);
  }
  void RawMember(std::string_view name, std::string_view value) {
    Key(name);
    out_ += value;
  }
  // Starts the next element of an array.
  void Next() {
    if (!first_) out_ += ',';
    first_ = false;
    NewLine();
  }
  // Writes ["a", "b"] on one line.
  void Names(std::string_view name, std::span<const std::string_view> names) {
    Key(name);
    out_ += '[';
    for (size_t i = 0; i < names.size(); ++i) {
      if (i > 0) out_ += ", ";
      json::AppendQuoted(out_, names[i]);
    }
    out_ += ']';
  }
  std::string Take() { return std::move(out_) + "\n"; }

 private:
  void NewLine() { out_.append("\n").append(closing_.size() * 2, ' '); }

  std::string out_;
  std::vector<char> closing_;
  bool first_ = true;
};

// Writes the tables from the root down. Only attributes are recursive, and those are written once. Used by one thread
// at a time.
class SchemaWriter {
 public:
  std::string Write() {
    lines_.Open('{');
    lines_.Member("$schema", "https://json-schema.org/draft/2020-12/schema");
    lines_.Member("title", "A Keyfold single-table model");
    RecordMembers(kModelRecord);
    lines_.Close();
    return lines_.Take();
  }

 private:
  void RecordMembers(const Record& record) {
    lines_.Member("type", "object");
    lines_.Key("properties");
    lines_.Open('{');
    std::vector<std::string_view> required;
    for (const Field& field : record.fields) {
      if (field.required) required.push_back(field.name);
      lines_.Key(field.name);
      lines_.Open('{');
      if (!field.says.empty()) lines_.Member("description", field.says);
      FieldMembers(field);
      lines_.Close();
    }
    lines_.Close();
    lines_.RawMember("additionalProperties", "false");
    if (!required.empty()) lines_.Names("required", required);
    if (!record.exactly_one_of.empty()) Verbs(record.exactly_one_of);
  }

  void Verbs(std::span<const std::string_view> verbs) {
    lines_.Key("oneOf");
    lines_.Open('[');
    for (const std::string_view& verb : verbs) {
      lines_.Next();
      lines_.Open('{');
      lines_.Names("required", {&verb, 1});
      lines_.Close();
    }
    lines_.Close();
  }

  void FieldMembers(const Field& field) {
    switch (field.shape) {
      case Shape::kText:
        return lines_.Member("type", "string");
      case Shape::kBool:
        return lines_.Member("type", "boolean");
      case Shape::kInteger:
      case Shape::kNumber:
        return Number(field);
      case Shape::kChoice:
        return lines_.Names("enum", field.choices);
      case Shape::kScalar:
        return Scalar();
      case Shape::kTexts:
        return Texts();
      case Shape::kTextOrTexts:
        return Either([&] { lines_.Member("type", "string"); }, [&] { Texts(); });
      case Shape::kChoiceOrTexts:
        return Either([&] { lines_.Names("enum", field.choices); }, [&] { Texts(); });
      case Shape::kRecord:
        return RecordMembers(*field.record);
      case Shape::kRecords:
        lines_.Member("type", "array");
        return Inside("items", [&] { RecordMembers(*field.record); });
      case Shape::kNamedTexts:
        return Named([&] { lines_.Member("type", "string"); });
      case Shape::kNamedRecords:
        return Named([&] { RecordMembers(*field.record); });
      case Shape::kAttribute:
        return Attribute(*field.record);
      case Shape::kAttributes:
        return Named([&] { Attribute(*field.record); });
      case Shape::kBounds:
        return One([&] {
          lines_.Member("type", "array");
          Inside("items", [&] { Scalar(); });
          lines_.RawMember("minItems", "2");
          lines_.RawMember("maxItems", "2");
        });
      case Shape::kPrefix:
        return One([&] { Scalar(); });
    }
  }

  void Number(const Field& field) {
    constexpr double kLarge = 1e15;  // larger bounds are internal and not shown
    lines_.Member("type", field.shape == Shape::kInteger ? "integer" : "number");
    if (std::abs(field.least) < kLarge) lines_.RawMember("minimum", std::to_string(static_cast<int64_t>(field.least)));
    if (field.most < kLarge) lines_.RawMember("maximum", std::to_string(static_cast<int64_t>(field.most)));
  }

  void Scalar() {
    constexpr std::string_view kTypes[] = {"string", "number", "boolean"};
    lines_.Names("type", kTypes);
  }

  void Texts() {
    lines_.Member("type", "array");
    Inside("items", [&] { lines_.Member("type", "string"); });
  }

  // A type's name, a list of values, or the record. The fields and values of a map are attributes again, and refer to
  // this place.
  void Attribute(const Record& record) {
    if (inside_attribute_)
      return lines_.Member("$ref",
                           "#/properties/entities/additionalProperties/properties/attributes/additionalProperties");
    inside_attribute_ = true;
    lines_.Key("anyOf");
    lines_.Open('[');
    Entry([&] { lines_.Names("enum", kAttributeTypeNames); });
    Entry([&] { Texts(); });
    Entry([&] { RecordMembers(record); });
    lines_.Close();
    inside_attribute_ = false;
  }

  template <typename Write>
  void Inside(std::string_view name, Write write) {
    lines_.Key(name);
    lines_.Open('{');
    write();
    lines_.Close();
  }

  template <typename Write>
  void Entry(Write write) {
    lines_.Next();
    lines_.Open('{');
    write();
    lines_.Close();
  }

  template <typename First, typename Second>
  void Either(First first, Second second) {
    lines_.Key("anyOf");
    lines_.Open('[');
    Entry(first);
    Entry(second);
    lines_.Close();
  }

  // A mapping with any names, each with a value that `write` describes.
  template <typename Write>
  void Named(Write write) {
    lines_.Member("type", "object");
    Inside("additionalProperties", write);
  }

  // A mapping with exactly one name.
  template <typename Write>
  void One(Write write) {
    Named(write);
    lines_.RawMember("minProperties", "1");
    lines_.RawMember("maxProperties", "1");
  }

  Lines lines_;
  bool inside_attribute_ = false;
};

}  // namespace

std::string SchemaText() { return SchemaWriter().Write(); }

}  // namespace keyfold::model
