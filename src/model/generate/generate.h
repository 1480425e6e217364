// `keyfold model generate`: writes a model as source text in another language. typescript/, python/ and cpp/ each write
// a program, cloudformation.cc and terraform.cc a table. program.h, item_layout.h and pattern_function.h hold what the
// programs share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/compile/access.h"
#include "model/core/model.h"

namespace keyfold::model {

enum class TargetLanguage : uint8_t { kTypescript, kPython, kCpp, kCloudFormation, kCloudFormationYaml, kTerraform };

// Returns true for code with a function for each pattern, and false for a definition of the table.
bool IsProgram(TargetLanguage);

struct Generated {
  std::string file;  // file name, derived from the table's name: "app.ts"
  std::string text;  // byte for byte the same for the same model
  // Patterns without a request, which therefore have no function.
  std::vector<Unserved> unserved;
};

// `version` is that of Keyfold, for the line that states the origin of the text.
Generated Generate(const Model&, TargetLanguage, std::string_view version);

}  // namespace keyfold::model
