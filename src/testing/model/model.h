// Models for tests: written in the test, or one of the examples.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "model/file/load.h"
#include "testing/base/repository.h"

namespace keyfold::model {

inline std::string ExampleText(const std::string& name) {
  std::ifstream in(RepositoryPath("examples/" + name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline Model LoadForTest(const std::string& text) {
  auto loaded = Load("m.yaml", text);
  if (auto* why = std::get_if<Unreadable>(&loaded)) {
    ADD_FAILURE() << LineOf("m.yaml", *why) << "\n" << text;
    return {};
  }
  return std::get<Model>(std::move(loaded));
}

// The line a user would see, or "read" if the model can be loaded.
inline std::string FaultForTest(const std::string& text) {
  auto loaded = Load("m.yaml", text);
  const auto* why = std::get_if<Unreadable>(&loaded);
  return why != nullptr ? LineOf("m.yaml", *why) : "read";
}

// A small model with some entities and patterns, each a YAML mapping in flow style.
inline std::string ModelText(const std::string& entities, const std::string& patterns = "{}",
                             const std::string& indexes = "{GSI1: {pk: GSI1PK, sk: GSI1SK}}",
                             const std::string& more = "") {
  return "model: 1\ntable: {name: T, key: {pk: PK, sk: SK}" + more + "}\nindexes: " + indexes +
         "\nentities: " + entities + "\npatterns: " + patterns + "\n";
}

}  // namespace keyfold::model
