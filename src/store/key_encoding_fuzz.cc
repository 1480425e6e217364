// Fuzz target for key parts. The first byte selects the type; the rest is decoded as a part, and encoded as two
// contents.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/text/utf8.h"
#include "store/key_encoding.h"
#include "value/item.h"

namespace keyfold::store {
namespace {

// Every part that decodes is a well-formed value and encodes to the same bytes again.
void CheckTake(std::string_view bytes, Type type) {
  const std::string_view before = bytes;
  std::string value;
  if (!TakeKeyPart(bytes, type, value)) {
    CHECK(bytes == before && value.empty());
    return;
  }
  CHECK(IsWellFormedValue(value) && ValueView(value).type() == type);
  std::string again;
  AppendKeyPart(again, ValueView(value));
  CHECK(again == before.substr(0, before.size() - bytes.size()));
}

std::string Encode(std::string_view content, Type type) {
  std::string value, part;
  ValueWriter writer(value);
  type == Type::kS ? writer.String(content) : writer.Binary(content);
  AppendKeyPart(part, ValueView(value));
  const std::string followed = part + "\xFF";
  std::string_view rest(followed);
  std::string back;
  CHECK(TakeKeyPart(rest, type, back) && back == value && rest == "\xFF");
  return part;
}

void CheckPrefix(std::string_view prefix, std::string_view content, const std::string& part) {
  std::string lower;
  AppendKeyPrefix(lower, prefix);
  const std::string upper = AfterPrefix(lower);
  const bool inside = part >= lower && (upper.empty() || part < upper);
  CHECK(inside == (content.substr(0, prefix.size()) == prefix));
}

void CheckContents(std::string_view a, std::string_view b, Type type) {
  if (type == Type::kS && !(IsUtf8(a) && IsUtf8(b))) return;
  const std::string ea = Encode(a, type), eb = Encode(b, type);
  const int order = a.compare(b), by_bytes = ea.compare(eb);
  CHECK((order > 0) - (order < 0) == (by_bytes > 0) - (by_bytes < 0));
  CHECK(order == 0 || ea.compare(0, eb.size(), eb) != 0);
  CheckPrefix(a, b, eb);
  CheckPrefix(b, a, ea);
}

}  // namespace
}  // namespace keyfold::store

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using keyfold::Type;
  if (size == 0) return 0;
  constexpr Type kTypes[] = {Type::kS, Type::kN, Type::kB};
  const Type type = kTypes[data[0] % 3];
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  keyfold::store::CheckTake(input, type);
  if (type != Type::kN)
    keyfold::store::CheckContents(input.substr(0, input.size() / 2), input.substr(input.size() / 2), type);
  return 0;
}
