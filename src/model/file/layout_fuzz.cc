// Runs any bytes through `model fmt`: they are formatted or rejected with a one-line message. Formatted text does not
// change when formatted again, and loads as the same model.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "model/file/fields.h"
#include "model/file/layout.h"
#include "model/file/load.h"
#include "model/file/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold::model;  // NOLINT: one function
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto root = ReadYaml(text);
  if (const Node* node = std::get_if<Node>(&root); node != nullptr && CheckFields(*node)) return 0;
  const auto laid = LayOut(text);
  if (const auto* why = std::get_if<Unreadable>(&laid)) {
    CHECK(why->mark.line > 0 && !why->message.empty());
    CHECK(LineOf("f", *why).find('\n') == std::string::npos);
    return 0;
  }
  const std::string& once = std::get<std::string>(laid);
  const auto again = LayOut(once);
  CHECK(std::holds_alternative<std::string>(again) && std::get<std::string>(again) == once);
  CHECK(Load("f", std::string(text)).index() == Load("f", once).index());
  return 0;
}
