// `keyfold model generate`: a model as source text in another language. typescript/, python/ and cpp/ each write a
// program, cloudformation.cc and terraform.cc a table; program.h, item_layout.h and pattern_function.h are what the
// programs share about the model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/compile/access.h"
#include "model/core/model.h"

namespace keyfold::model {

enum class TargetLanguage : uint8_t { kTypescript, kPython, kCpp, kCloudFormation, kCloudFormationYaml, kTerraform };

struct Generated {
  std::string file;  // its name, made of the table's: "app.ts"
  std::string text;  // the same for the same model, byte for byte
  // Patterns without a request, and so without a function.
  std::vector<Unserved> unserved;
};

// `version` is the program's, for the line that says where the text comes from.
Generated Generate(const Model&, TargetLanguage, std::string_view version);

}  // namespace keyfold::model
