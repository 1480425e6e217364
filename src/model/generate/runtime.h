// The runtimes of generated programs: typescript/runtime.ts, python/runtime.py and cpp/runtime.hpp, which CMake embeds.
// Comment lines divide such a file: `@top` precedes what every program starts with, `@snippet NAME` precedes a function
// or type that a program contains only if it uses it. What precedes `@top` makes the file valid by itself.
#pragma once

#include <string_view>
#include <vector>

#include "model/generate/code.h"

namespace keyfold::model {

struct Runtime {
  std::string_view top;
  std::vector<Snippet> snippets;  // in the order of the file
};

// Each part ends with one line end, without the blank lines before the next part. The views are into `source`.
Runtime ReadRuntime(std::string_view source);

const Runtime& TypescriptRuntime();
const Runtime& PythonRuntime();
const Runtime& CppRuntime();

// The files' texts (embedded_runtimes.cc.in).
extern const std::string_view kTypescriptRuntimeText;
extern const std::string_view kPythonRuntimeText;
extern const std::string_view kCppRuntimeText;

}  // namespace keyfold::model
