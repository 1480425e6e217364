// The closed grammar of a model file as tables: one Record per mapping, one Field per key. The tables drive the check
// of a file before it is loaded, the JSON Schema for editors, and the field order of the formatter. There is no second
// list of fields.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/core/unreadable.h"
#include "model/file/yaml.h"

namespace keyfold::model {

enum class Shape : uint8_t {
  kText,         // a string
  kInteger,      // within least and most
  kNumber,       // within least and most
  kBool,         // true or false
  kChoice,       // one of the choices
  kScalar,       // any scalar except null
  kTexts,        // a list of strings
  kTextOrTexts,  // a string or a list of strings
  kChoiceOrTexts,
  kRecord,        // a mapping with the record's fields
  kRecords,       // a list of such mappings
  kNamedTexts,    // a mapping from names to strings
  kNamedRecords,  // a mapping from names to the record
  kAttribute,     // a type's name, a list of values, or the record
  kAttributes,    // a mapping from names to such attributes
  kBounds,        // a mapping from one name to a list of two scalars
  kPrefix,        // a mapping from one name to a scalar
};

struct Record;

struct Field {
  std::string_view name;
  Shape shape = Shape::kText;
  bool required = false;
  std::span<const std::string_view> choices = {};
  const Record* record = nullptr;
  double least = 0;
  double most = 1e15;
  std::string_view says = {};  // one sentence, for the schema
};

struct Record {
  std::string_view title;  // "an entity"
  std::span<const Field> fields;
  // The verbs of a pattern, of which exactly one must be present; empty for other records.
  std::span<const std::string_view> exactly_one_of = {};

  const Field* Find(std::string_view name) const;
};

// The whole file.
extern const Record kModelRecord;

// The names of attribute types in a file, in the order of AttributeType.
extern const std::span<const std::string_view> kAttributeTypeNames;

// Returns the first thing in the file that the tables do not allow.
Fault CheckFields(const Node& root);

}  // namespace keyfold::model
