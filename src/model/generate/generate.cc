#include "model/generate/generate.h"

#include "model/generate/code.h"
#include "model/generate/languages.h"
#include "model/generate/program.h"

namespace keyfold::model {
namespace {

std::string_view EndingOf(TargetLanguage language) {
  constexpr std::string_view kEndings[] = {".ts", ".py", ".h", ".template.json", ".template.yaml", ".tf"};
  return kEndings[static_cast<size_t>(language)];
}

}  // namespace

bool IsProgram(TargetLanguage language) {
  return language == TargetLanguage::kTypescript || language == TargetLanguage::kPython ||
         language == TargetLanguage::kCpp;
}

Generated Generate(const Model& model, TargetLanguage language, std::string_view version) {
  Generated out;
  out.file = Cased(Case::kSnake, model.table.name) + std::string(EndingOf(language));
  const std::string origin =
      "Generated from " + Commented(LastPart(model.file)) + " by keyfold " + std::string(version);
  if (!IsProgram(language)) {
    out.text = language == TargetLanguage::kTerraform
                   ? WriteTerraform(model, origin)
                   : WriteCloudFormation(model, origin, language == TargetLanguage::kCloudFormationYaml);
    return out;
  }
  Program program(model);
  out.text = language == TargetLanguage::kTypescript ? WriteTypescript(program, origin)
             : language == TargetLanguage::kPython   ? WritePython(program, origin)
                                                     : WriteCpp(program, origin);
  out.unserved = std::move(program.unserved);
  return out;
}

}  // namespace keyfold::model
