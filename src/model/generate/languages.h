// The generators used by Generate, one per language. Private to generate/.
#pragma once

#include <string>
#include <string_view>

#include "model/generate/program.h"

namespace keyfold::model {

std::string WriteTypescript(const Program&, std::string_view origin);
std::string WritePython(const Program&, std::string_view origin);
std::string WriteCpp(const Program&, std::string_view origin);
std::string WriteCloudFormation(const Model&, std::string_view origin, bool yaml);
std::string WriteTerraform(const Model&, std::string_view origin);

}  // namespace keyfold::model
