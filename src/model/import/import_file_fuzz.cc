// Imports arbitrary JSON: it is either refused with a one-line error, or becomes a model file that loads and is
// formatted as `model fmt` would format it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "model/file/layout.h"
#include "model/file/load.h"
#include "model/import/finalize.h"
#include "model/import/import_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold;         // NOLINT: one function
  using namespace keyfold::model;  // NOLINT
  json::Parser parser;
  const std::optional<json::Value> root = parser.Parse({reinterpret_cast<const char*>(data), size});
  if (!root) return 0;
  const Result<std::vector<ImportSource>> sources = ReadImportFile(*root);
  if (!sources.ok()) {
    CHECK(!sources.error().message().empty());
    return 0;
  }
  for (const ImportSource& source : *sources) {
    const Result<std::string> text = Finalize(DraftFrom(source));
    if (!text.ok()) {
      CHECK(text.error().message().find('\n') == std::string::npos);
      continue;
    }
    CHECK(std::holds_alternative<Model>(Load("f", *text)));
    const auto laid = LayOut(*text);
    CHECK(std::holds_alternative<std::string>(laid) && std::get<std::string>(laid) == *text);
  }
  return 0;
}
