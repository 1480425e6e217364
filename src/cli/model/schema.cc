// keyfold model schema: the grammar of model files, for editors.
#include "model/file/schema.h"

#include "cli/model/commands.h"
#include "cli/shell/options.h"

namespace keyfold::cli {

int RunModelSchema(const Arguments& arguments, terminal::Console& console) {
  OptionParser parser("keyfold model schema",
                      "Prints the JSON Schema (2020-12) of model files, for editors and validators");
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  console.Print(model::SchemaText());
  return kExitOk;
}

}  // namespace keyfold::cli
