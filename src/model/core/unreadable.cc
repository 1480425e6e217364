#include "model/core/unreadable.h"

namespace keyfold::model {

std::string LineOf(std::string_view file, const Unreadable& why) {
  std::string line = Printable(file);
  AppendArgument(line += ':', why.mark.line);
  if (why.mark.column != 0) AppendArgument(line += ':', why.mark.column);
  return line + ": " + Printable(why.message);
}

}  // namespace keyfold::model
