#include "model/observe/value_form.h"

#include <algorithm>

#include "model/core/calendar.h"
#include "model/core/sortable_id.h"
#include "value/number.h"

namespace keyfold::model {
namespace {

constexpr Rule<"{} must be {}, but is {}"> kOtherStoredType{"drift-attribute-type", Kind::kValidation};
constexpr Rule<"{} is \"{}\", which is not one of its values"> kNotInEnum{"drift-not-in-enum", Kind::kValidation};
constexpr Rule<"{} is \"{}\", but must be {}"> kWrongForm{"drift-form", Kind::kValidation};
constexpr Rule<"{} is {}, but must be a whole number of {} since 1970"> kNotWhole{"drift-epoch", Kind::kValidation};
constexpr Rule<"{} is {}, which is in {}: store {}"> kOtherEpoch{"drift-epoch-unit", Kind::kValidation};
constexpr Rule<"{} is missing"> kPartMissing{"drift-field-missing", Kind::kValidation};

// As seconds, the first is after the year 5000. As milliseconds, the others are a few weeks of early 1970.
constexpr int64_t kSecondsMost = 100'000'000'000;
constexpr int64_t kMillisOfSecondsLeast = 1'000'000'000, kMillisOfSecondsMost = 9'999'999'999;
constexpr size_t kShownBytesMax = 100;

bool IsEpochOf(AttributeType type, ValueView value) {
  int64_t epoch = 0;
  if (!Number::Decode(value.AsEncodedNumber()).ToInt64(epoch)) return false;
  if (type == AttributeType::kEpochSeconds) return epoch < kSecondsMost;
  return epoch < kMillisOfSecondsLeast || epoch > kMillisOfSecondsMost;
}

std::string Shown(std::string_view text) {
  return text.size() <= kShownBytesMax ? Printable(text) : Printable(text.substr(0, kShownBytesMax)) + "…";
}

std::string_view WantedForm(AttributeType type) {
  switch (type) {
    case AttributeType::kDate:
      return "a date such as 2024-01-15";
    case AttributeType::kTimeSeconds:
      return "a time such as 2024-01-15T10:30:00Z";
    case AttributeType::kTimeMicros:
      return "a time such as 2024-01-15T10:30:00.000000Z";
    case AttributeType::kUlid:
      return "a ULID";
    case AttributeType::kKsuid:
      return "a KSUID";
    case AttributeType::kUuid7:
      return "a version 7 UUID in lower case";
    default:
      return "a time such as 2024-01-15T10:30:00.000Z";
  }
}

// A place in a document, innermost last.
struct FieldPlace {
  const FieldPlace* above;
  std::string_view name;

  std::string Path() const { return above ? above->Path() + '.' + std::string(name) : std::string(name); }
};

void ReportForm(const Attribute& attribute, ValueView value, const std::string& path, ReportValue report) {
  const ValueForm form = FormOf(attribute);
  if (form == ValueForm::kChoice) return report(path, false, kNotInEnum(path, Shown(value.AsText())));
  if (form != ValueForm::kEpoch) {
    return report(path, false, kWrongForm(path, Shown(value.AsText()), WantedForm(attribute.type)));
  }
  const Number number = Number::Decode(value.AsEncodedNumber());
  const bool seconds = attribute.type == AttributeType::kEpochSeconds;
  const std::string_view wanted = seconds ? "seconds" : "milliseconds", other = seconds ? "milliseconds" : "seconds";
  int64_t epoch = 0;
  report(path, false,
         number.ToInt64(epoch) ? kOtherEpoch(path, number.ToString(), other, wanted)
                               : kNotWhole(path, number.ToString(), wanted));
}

void CheckAt(const Attribute& attribute, ValueView value, const FieldPlace& where, ReportValue report) {
  if (!HasStoredType(value, StoredAs(attribute.type))) {
    const std::string path = where.Path();
    const std::string_view wanted = NameOf(StoredAs(attribute.type));
    return report(path, false, kOtherStoredType(path, wanted, keyfold::NameOf(value.type())));
  }
  const ValueForm form = FormOf(attribute);
  if (form != ValueForm::kMap) {
    if (!HasForm(form, attribute, value)) ReportForm(attribute, value, where.Path(), report);
    return;
  }
  for (const Attribute& field : attribute.fields) {
    const FieldPlace inner{&where, field.name};
    const std::optional<ValueView> found = value.Find(field.name);
    if (found) {
      CheckAt(field, *found, inner, report);
    } else if (!field.optional && !field.default_value) {
      report(inner.Path(), true, kPartMissing(inner.Path()));
    }
  }
}

}  // namespace

ValueForm FormOf(const Attribute& attribute) {
  if (attribute.type == AttributeType::kEnum) return ValueForm::kChoice;
  if (IsTimeText(attribute.type)) return ValueForm::kTime;
  if (IsSortableId(attribute.type)) return ValueForm::kId;
  if (IsEpoch(attribute.type)) return ValueForm::kEpoch;
  return attribute.fields.empty() ? ValueForm::kAny : ValueForm::kMap;
}

bool HasOtherStoredType(ValueView value, StoredType type) {
  switch (type) {
    case StoredType::kS:
      return value.tag() == Tag::kS;
    case StoredType::kN:
      return value.tag() == Tag::kN;
    case StoredType::kB:
      return value.tag() == Tag::kB;
    case StoredType::kBool:
      return value.tag() == Tag::kTrue || value.tag() == Tag::kFalse;
    case StoredType::kL:
      return value.tag() == Tag::kL;
    case StoredType::kM:
      return value.tag() == Tag::kM;
    case StoredType::kSS:
      return value.tag() == Tag::kSS;
    case StoredType::kNS:
      return value.tag() == Tag::kNS;
    case StoredType::kBS:
      return value.tag() == Tag::kBS;
  }
  return false;
}

bool HasForm(ValueForm form, const Attribute& attribute, ValueView value) {
  switch (form) {
    case ValueForm::kAny:
      return true;
    case ValueForm::kChoice:
      return std::find(attribute.values.begin(), attribute.values.end(), value.AsText()) != attribute.values.end();
    case ValueForm::kTime:
      return IsWholeTime(StoredFormat(attribute.type), value.AsText());
    case ValueForm::kId:
      return IsWholeId(attribute.type, value.AsText());
    case ValueForm::kEpoch:
      return IsEpochOf(attribute.type, value);
    case ValueForm::kMap:
      return false;
  }
  return true;
}

void CheckValue(const Attribute& attribute, ValueView value, ReportValue report) {
  CheckAt(attribute, value, {nullptr, attribute.name}, report);
}

}  // namespace keyfold::model
