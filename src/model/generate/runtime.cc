#include "model/generate/runtime.h"

#include <algorithm>

namespace keyfold::model {
namespace {

// Returns what follows the comment sign and the space of a line that starts with `@`; empty for other lines.
std::string_view MarkerOf(std::string_view line) {
  for (const std::string_view sign : {"// @", "# @"}) {
    if (line.starts_with(sign)) return line.substr(sign.size());
  }
  return {};
}

std::string_view WithoutBlankLines(std::string_view text) {
  while (text.ends_with("\n\n")) text.remove_suffix(1);
  return text;
}

}  // namespace

Runtime ReadRuntime(std::string_view source) {
  constexpr std::string_view kSnippetWord = "snippet ";
  Runtime runtime;
  std::string_view* part = nullptr;  // the part whose text ends at the next marker
  size_t begin = 0;
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::min(source.find('\n', at), source.size());
    const std::string_view marker = MarkerOf(source.substr(at, end - at));
    const bool snippet = marker.starts_with(kSnippetWord);
    if (snippet || marker == "top") {
      if (part != nullptr) *part = WithoutBlankLines(source.substr(begin, at - begin));
      if (snippet) runtime.snippets.push_back({marker.substr(kSnippetWord.size()), {}});
      part = snippet ? &runtime.snippets.back().text : &runtime.top;
      begin = end + 1;
    }
    at = end + 1;
  }
  if (part != nullptr) *part = WithoutBlankLines(source.substr(begin));
  return runtime;
}

const Runtime& TypescriptRuntime() {
  static const Runtime runtime = ReadRuntime(kTypescriptRuntimeText);
  return runtime;
}

const Runtime& PythonRuntime() {
  static const Runtime runtime = ReadRuntime(kPythonRuntimeText);
  return runtime;
}

const Runtime& CppRuntime() {
  static const Runtime runtime = ReadRuntime(kCppRuntimeText);
  return runtime;
}

}  // namespace keyfold::model
