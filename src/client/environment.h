// Environment: the variables a command was started with, read once; tests supply their own.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace keyfold::client {

// Immutable.
class Environment {
 public:
  using Variables = std::map<std::string, std::string, std::less<>>;

  explicit Environment(Variables variables) : variables_(std::move(variables)) {}
  static Environment OfProcess();

  // Empty if it is not set: the AWS tools treat both the same.
  const std::string& operator[](std::string_view name) const;
  // Returns whether it is "true", ignoring case.
  bool IsTrue(std::string_view name) const;

 private:
  Variables variables_;
};

}  // namespace keyfold::client
