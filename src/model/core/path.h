// Document paths: an attribute, then names and positions below it, such as `details.pages` or `lines[0]`. A name in
// braces, as in `reviewers.{username}`, is an input: the caller names the entry of a map.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/condition.h"
#include "model/core/phrase.h"
#include "model/core/unreadable.h"

namespace keyfold::model {

class AttributeScope;

// Returns the input's name if the name in a path is one, otherwise an empty text.
std::string_view InputOfName(std::string_view name);

// The inputs in a path, in order.
std::vector<std::string> InputsOfPath(std::string_view path);

// The path with the values of its inputs; nullopt if one is missing.
std::optional<std::string> FilledPath(std::string_view path, TextOf input);

// Checks that each input of a path names an entry of a map that declares the type of its values. The head of the path
// is declared.
Fault CheckPath(Phrase path, const AttributeScope&);

}  // namespace keyfold::model
