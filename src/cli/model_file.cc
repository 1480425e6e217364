#include "cli/model_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <variant>

#include "model/load.h"
#include "model/yaml.h"

namespace keyfold {
namespace {

struct Closing {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

std::string Reason() { return std::error_code(errno, std::generic_category()).message(); }

}  // namespace

std::optional<std::string> ReadTextFile(const std::string& path, size_t bytes_max, Console& console) {
  const std::unique_ptr<std::FILE, Closing> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (file == nullptr) {
    console.Complain(fmt::format("cannot open {}: {}", model::Printable(path), Reason()));
    return std::nullopt;
  }
  std::string text;
  char buffer[64 * 1024];
  while (text.size() <= bytes_max) {
    const size_t bytes = std::fread(buffer, 1, sizeof buffer, file.get());
    text.append(buffer, bytes);
    if (bytes < sizeof buffer) break;
  }
  if (std::ferror(file.get()) != 0) {
    console.Complain(fmt::format("cannot read {}: {}", model::Printable(path), Reason()));
    return std::nullopt;
  }
  if (text.size() > bytes_max + 1) text.resize(bytes_max + 1);
  return text;
}

std::optional<model::Model> ReadModelFile(const std::string& path, Console& console) {
  std::optional<std::string> text = ReadTextFile(path, model::kModelBytesMax, console);
  if (!text) return std::nullopt;
  std::variant<model::Model, model::Unreadable> loaded = model::Load(path, *std::move(text));
  if (const auto* why = std::get_if<model::Unreadable>(&loaded)) {
    console.Note(model::LineOf(path, *why) + "\n");
    return std::nullopt;
  }
  return std::get<model::Model>(std::move(loaded));
}

}  // namespace keyfold
