#include "model/core/path.h"

#include <algorithm>

#include "model/core/model.h"
#include "model/core/names.h"

namespace keyfold::model {
namespace {

constexpr Rule<"{} is expected to be the name of an input in braces, such as {}"> kPathInput{"path-input",
                                                                                             Kind::kValidation};
constexpr Rule<"{} is not a map that declares its values, so {} cannot name an entry of it; declare values for the map">
    kPathValues{"path-values", Kind::kValidation};

// Calls `visit(name, at)` for each name behind a dot, until it returns false.
template <typename Visit>
void VisitNames(std::string_view path, Visit visit) {
  for (size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    const std::string_view rest = path.substr(dot + 1);
    if (!visit(rest.substr(0, rest.find_first_of(".[")), dot + 1)) return;
  }
}

}  // namespace

std::string_view InputOfName(std::string_view name) {
  const bool braces = name.size() > 2 && name.front() == '{' && name.back() == '}';
  return braces ? name.substr(1, name.size() - 2) : std::string_view();
}

std::vector<std::string> InputsOfPath(std::string_view path) {
  std::vector<std::string> inputs;
  VisitNames(path, [&](std::string_view name, size_t) {
    if (const std::string_view input = InputOfName(name); !input.empty()) inputs.emplace_back(input);
    return true;
  });
  return inputs;
}

std::optional<std::string> FilledPath(std::string_view path, TextOf input) {
  std::string filled;
  size_t end = 0;
  bool whole = true;
  VisitNames(path, [&](std::string_view name, size_t at) {
    const std::string_view named = InputOfName(name);
    if (named.empty()) return true;
    const std::optional<std::string> text = input(named);
    whole = text.has_value();
    if (whole) filled.append(path.substr(end, at - end)).append(*text);
    end = at + name.size();
    return whole;
  });
  if (!whole) return {};
  return filled.append(path.substr(end));
}

Fault CheckPath(Phrase path, const AttributeScope& scope) {
  const Attribute* head = scope.FindHead(path.text);
  Fault fault;
  VisitNames(path.text, [&](std::string_view name, size_t at) {
    if (head == nullptr || at <= head->name.size() || name.find_first_of("{}") == std::string_view::npos) return true;
    const Phrase place = path.Cut(at, name.size());
    const std::string above(path.text.substr(0, at - 1));
    const Attribute* map = scope.FindPath(above);
    if (!IsIdentifier(InputOfName(name))) {
      fault = Unreadable(place.mark, kPathInput(name, "{name}"));
    } else if (map == nullptr || map->entry.empty()) {
      fault = Unreadable(place.mark, kPathValues(above, name));
    }
    return !fault;
  });
  return fault;
}

}  // namespace keyfold::model
