// Any bytes as a model file: they are loaded or rejected with a one-line message. A loaded model compiles, and its keys
// can be compared.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "model/file/load.h"
#include "model/keys/coverage.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold::model;  // NOLINT: one function
  const auto loaded = Load("f", {reinterpret_cast<const char*>(data), size});
  if (const auto* why = std::get_if<Unreadable>(&loaded)) {
    CHECK(why->mark.line > 0 && !why->message.empty());
    CHECK(LineOf("f", *why).find('\n') == std::string::npos);
    return 0;
  }
  const Model& model = std::get<Model>(loaded);
  const Coverage coverage(model);
  coverage.Collisions();
  for (PatternId id = 0; id < model.patterns.size(); ++id) {
    const Compiled compiled = Compile(model, id);
    const auto* access = std::get_if<Access>(&compiled);
    if (access == nullptr) continue;
    for (const KeyRead& read : access->reads) {
      const auto covered = coverage.Of(read);
      // A request must cover the entities it wants.
      for (const EntityId wanted : read.wanted) {
        bool found = false;
        for (const Coverage::Covered& one : covered) found |= one.entity == wanted;
        CHECK(found || !read.range.of.empty() || !model.patterns[id].where.empty());
      }
    }
    for (const Write& write : access->writes) UpdateOf(write);
  }
  return 0;
}
