// Input: a separator, two templates and a key, one per line. A key that a template reads is in its language, and a key
// that both can write can be read by both.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/text/utf8.h"
#include "model/core/model.h"
#include "model/core/names.h"
#include "model/keys/key_automaton.h"

namespace {

using namespace keyfold::model;  // NOLINT: one file

const Entity& EntityForFuzz() {
  static const Entity entity = [] {
    Entity out;
    out.name = "E";
    const std::pair<std::string_view, AttributeType> attributes[] = {
        {"a", AttributeType::kString},      {"b", AttributeType::kString}, {"n", AttributeType::kNumber},
        {"d", AttributeType::kDecimal},     {"e", AttributeType::kEnum},   {"t", AttributeType::kTime},
        {"s", AttributeType::kEpochSeconds}};
    for (const auto& [name, type] : attributes) {
      Attribute& attribute = out.attributes.emplace_back();
      attribute.name = name;
      attribute.type = type;
      if (type == AttributeType::kEnum) attribute.values = {"x", "y", "xy", "#"};
    }
    return out;
  }();
  return entity;
}

bool Parse(std::string_view text, std::string_view separator, Template& out) {
  const Phrase phrase{text, {1, 1}, true};
  return !ParseTemplate(phrase, separator, out) && !BindTemplate(phrase, AttributeScope(EntityForFuzz()), 12, out);
}

bool HasTime(const Template& whole) {
  for (const TemplatePart& part : whole.parts) {
    if (part.alphabet == Alphabet::kTime && !part.IsLiteral()) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  if (size > 200 || !keyfold::IsUtf8(rest) || rest.find('\0') != std::string_view::npos) return 0;
  const auto line = [&] {
    const std::string_view one = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    return one;
  };
  const std::string_view separator = line();
  if (separator.empty() || separator.size() > 4) return 0;
  Template a;
  Template b;
  if (!Parse(line(), separator, a) || !Parse(line(), separator, b)) return 0;
  std::vector<std::string_view> parts;
  if (ReadKey(a, rest, parts)) {
    std::string joined;
    for (const std::string_view part : parts) joined += part;
    CHECK(joined == rest);
    KeyForm key = KeyForm::Of(a);
    key.parts.assign(1, {});
    key.parts[0].text = rest;
    CHECK(Overlap(KeyForm::Of(a), key) == std::string(rest));
  }
  if (const auto text = Overlap(KeyForm::Of(a), KeyForm::Of(b)); text && !HasTime(a) && !HasTime(b)) {
    CHECK(ReadKey(a, *text, parts) && ReadKey(b, *text, parts));
  }
  if (const auto two = FindTwoReadings(a)) CHECK(two->first != two->second);
  return 0;
}
