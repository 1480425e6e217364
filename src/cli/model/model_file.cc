#include "cli/model/model_file.h"

#include <fmt/format.h>

#include <variant>

#include "base/read_file.h"
#include "model/file/load.h"
#include "model/file/yaml.h"

namespace keyfold::cli {

std::optional<std::string> ReadTextFile(const std::string& path, size_t bytes_max, terminal::Console& console) {
  Result<std::string> text = ReadFile(path == "-" ? "/dev/stdin" : path, bytes_max);
  if (text.ok()) return *std::move(text);
  console.Complain(fmt::format("cannot open {}: {}", model::Printable(path), text.error().message()));
  return std::nullopt;
}

std::optional<model::Model> ReadModelFile(const std::string& path, terminal::Console& console) {
  std::optional<std::string> text = ReadTextFile(path, model::kModelBytesMax, console);
  if (!text) return std::nullopt;
  std::variant<model::Model, model::Unreadable> loaded = model::Load(path, *std::move(text));
  if (const auto* why = std::get_if<model::Unreadable>(&loaded)) {
    console.Note(model::LineOf(path, *why) + "\n");
    return std::nullopt;
  }
  return std::get<model::Model>(std::move(loaded));
}

}  // namespace keyfold::cli
