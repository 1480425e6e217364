// keyfold model fmt: formats model files.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "cli/model/commands.h"
#include "cli/model/model_file.h"
#include "cli/shell/options.h"
#include "model/file/fields.h"
#include "model/file/layout.h"
#include "model/file/yaml.h"

namespace keyfold::cli {
namespace {

// Writes a new file next to it first, so that a full disk leaves the file unchanged.
bool Replace(const std::string& path, const std::string& text, terminal::Console& console) {
  const std::string fresh = path + ".fmt";
  const auto complain = [&](int error) {
    console.Complain(fmt::format("cannot write {}: {}", model::Printable(path),
                                 std::error_code(error, std::generic_category()).message()));
    return false;
  };
  std::FILE* const file = std::fopen(fresh.c_str(), "wbx");
  if (file == nullptr) return complain(errno);
  int error = std::fwrite(text.data(), 1, text.size(), file) == text.size() ? 0 : errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  if (error == 0) {
    std::error_code unknown;
    const std::filesystem::perms permissions = std::filesystem::status(path, unknown).permissions();
    // If the permissions cannot be copied, those of a new file remain.
    if (!unknown) std::filesystem::permissions(fresh, permissions, unknown);
    if (std::rename(fresh.c_str(), path.c_str()) == 0) return true;
    error = errno;
  }
  std::remove(fresh.c_str());
  return complain(error);
}

// Accepts only what the field tables allow.
std::variant<std::string, model::Unreadable> LayOutModel(const std::string& text) {
  const std::variant<model::Node, model::Unreadable> root = model::ReadYaml(text);
  if (const auto* node = std::get_if<model::Node>(&root)) {
    if (model::Fault fault = model::CheckFields(*node)) return *std::move(fault);
  }
  return model::LayOut(text);
}

int Format(const std::string& path, bool check, terminal::Console& console) {
  const std::optional<std::string> text = ReadTextFile(path, model::kModelBytesMax, console);
  if (!text) return kExitUsage;
  const std::variant<std::string, model::Unreadable> laid = LayOutModel(*text);
  if (const auto* why = std::get_if<model::Unreadable>(&laid)) {
    console.Note(model::LineOf(path, *why) + "\n");
    return kExitUsage;
  }
  const std::string& out = std::get<std::string>(laid);
  if (path == "-" && !check) {
    console.Print(out);
    return kExitOk;
  }
  if (out == *text) return kExitOk;
  console.Print(model::Printable(path) + "\n");
  if (check) return kExitFailure;
  return Replace(path, out, console) ? kExitOk : kExitFailure;
}

}  // namespace

int RunModelFmt(const Arguments& arguments, terminal::Console& console) {
  std::vector<std::string> files;
  bool check = false;
  OptionParser parser("keyfold model fmt",
                      "Formats model files in place and names those it changed; - formats standard input");
  parser.Texts("FILE", files, "Model files").Required();
  parser.Flag("--check", check, "Change nothing; name files that are not formatted, and exit with 1 if there are any");
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  int code = kExitOk;
  for (const std::string& file : files) code = std::max(code, Format(file, check, console));
  return code;
}

}  // namespace keyfold::cli
