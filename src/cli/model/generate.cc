// keyfold model generate: writes a model as code or as a table definition. Needs no network.
#include "model/generate/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/version.h"
#include "cli/model/commands.h"
#include "cli/model/model_file.h"
#include "cli/shell/options.h"
#include "model/check/check.h"
#include "model/compile/access.h"
#include "model/core/unreadable.h"

namespace keyfold::cli {
namespace {

struct GenerateOptions {
  std::string file;
  std::string language;
  std::string format = "json";
  std::string out = "-";
};

model::TargetLanguage LanguageOf(const GenerateOptions& options) {
  if (options.language == "typescript") return model::TargetLanguage::kTypescript;
  if (options.language == "python") return model::TargetLanguage::kPython;
  if (options.language == "cpp") return model::TargetLanguage::kCpp;
  if (options.language == "terraform") return model::TargetLanguage::kTerraform;
  return options.format == "yaml" ? model::TargetLanguage::kCloudFormationYaml : model::TargetLanguage::kCloudFormation;
}

// The rules whose errors make generated code wrong: DynamoDB would refuse its requests, or its writes would leave keys
// that no longer fit their items.
constexpr std::string_view kCodeRules[] = {"L26", "L27", "L28", "L30", "L33", "L40", "L44"};

bool CountsDown(const std::vector<model::KeyTemplate>& keys) {
  return std::any_of(keys.begin(), keys.end(), [](const model::KeyTemplate& key) {
    const std::vector<model::TemplatePart>& parts = key.value.parts;
    return std::any_of(parts.begin(), parts.end(),
                       [](const model::TemplatePart& part) { return part.format == model::Format::kDesc; });
  });
}

bool NamesEntries(const model::Access& access) {
  const auto named = [](const model::Write& write) { return !write.aliases.given_names.empty(); };
  return !access.aliases.given_names.empty() || std::any_of(access.writes.begin(), access.writes.end(), named);
}

// Reports what the generated programs cannot say yet. Returns true if the model uses it.
bool ReportUnsaid(const model::Model& model, const GenerateOptions& options, terminal::Console& console) {
  std::string what;
  for (const model::Entity& entity : model.entities) {
    bool down = CountsDown(entity.keys);
    for (const model::Variant& variant : entity.variants) down |= CountsDown(variant.keys);
    if (down) what = entity.name + " has a key with a number that counts down (desc)";
  }
  for (model::PatternId id = 0; id < model.patterns.size(); ++id) {
    const model::Compiled compiled = model::Compile(model, id);
    const auto* access = std::get_if<model::Access>(&compiled);
    if (access != nullptr && NamesEntries(*access))
      what = model.patterns[id].name + " names an entry of a map by an input";
  }
  if (what.empty()) return false;
  console.Complain(model::Printable(
      fmt::format("{}: no code is generated because {}, which generated programs cannot do", options.file, what)));
  return true;
}

// Reports the errors of these rules that the file does not accept. Returns true if there are any.
bool ReportWrongCode(const model::Model& model, const GenerateOptions& options, terminal::Console& console) {
  bool wrong = false;
  for (const model::Finding& one : model::Check(model)) {
    const bool of_code = std::find(std::begin(kCodeRules), std::end(kCodeRules), one.rule) != std::end(kCodeRules);
    if (!of_code || one.severity != model::Severity::kError || !one.accepted.empty()) continue;
    wrong = true;
    console.Complain(
        model::Printable(fmt::format("{}:{}:{}: no code is generated because of error {}: {}", options.file,
                                     one.mark.line, one.mark.column, one.rule, one.Message())));
  }
  return wrong;
}

// Writes into the folder, which is created if it does not exist.
bool Save(const std::string& folder, const model::Generated& generated, terminal::Console& console) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::filesystem::path path = std::filesystem::path(folder) / generated.file;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << generated.text;
  out.close();
  if (!out) {
    console.Complain(model::Printable(fmt::format("{} cannot be written: {}", path.string(), std::strerror(errno))));
    return false;
  }
  console.Note(model::Printable(path.string()) + "\n");
  return true;
}

}  // namespace

int RunModelGenerate(const Arguments& arguments, terminal::Console& console) {
  GenerateOptions options;
  OptionParser parser("keyfold model generate", "Write a model as typed code, or its table as a definition");
  parser.Text("FILE", options.file, "A model file; - is standard input").Required();
  parser.Text("--language", options.language, "typescript, python, cpp, cloudformation or terraform")
      .Required()
      .OneOf({"typescript", "python", "cpp", "cloudformation", "terraform"});
  parser.Text("--format", options.format, "Format of cloudformation: json or yaml").OneOf({"json", "yaml"});
  parser.Text("--out", options.out, "Folder for the file, which is named after the table; - is standard output");
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  const std::optional<model::Model> model = ReadModelFile(options.file, console);
  if (!model) return kExitUsage;
  const bool program = model::IsProgram(LanguageOf(options));
  if (program && (ReportWrongCode(*model, options, console) || ReportUnsaid(*model, options, console)))
    return kExitFailure;
  const model::Generated generated = model::Generate(*model, LanguageOf(options), kVersion);
  if (options.out == "-") {
    console.Print(generated.text);
  } else if (!Save(options.out, generated, console)) {
    return kExitFailure;
  }
  for (const model::Unserved& one : generated.unserved) {
    const model::Pattern& pattern = model->patterns[one.pattern];
    console.Complain(model::Printable(fmt::format("{}:{}:{}: {} has no function: {}", options.file, pattern.mark.line,
                                                  pattern.mark.column, pattern.name, one.message)));
  }
  return generated.unserved.empty() ? kExitOk : kExitFailure;
}

}  // namespace keyfold::cli
