// The wording of a finding: one sentence that states the problem and one that states the remedy. Like a Rule
// (base/error.h), a Wording is declared next to the check that uses it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"

namespace keyfold::model {

// What a finding says.
struct Advice {
  std::string_view rule;  // "L04"; views static text
  std::string problem;
  std::string remedy;
};

constexpr size_t CountPlaceholders(std::string_view text) {
  size_t n = 0;
  for (size_t i = 0; i + 1 < text.size(); ++i) n += text[i] == '{' && text[i + 1] == '}';
  return n;
}

// The two sentences, with {} for each argument: first those of the problem, then those of the remedy.
//   constexpr Wording<"{} and {} can have the same key.", "Put a word before the key of {}."> kSame{"L03"};
//   report.Add(Severity::kError, place, kSame(a, b, b));
template <FixedString Problem, FixedString Remedy>
struct Wording {
  std::string_view id;

  template <typename... Args>
  Advice operator()(const Args&... args) const {
    constexpr size_t problem = CountPlaceholders(Problem.view());
    constexpr size_t remedy = CountPlaceholders(Remedy.view());
    static_assert(sizeof...(Args) == problem + remedy, "a wording takes one argument for each {}");
    const auto all = std::tie(args...);
    return {id, Filled<0>(Problem.view(), all, std::make_index_sequence<problem>()),
            Filled<problem>(Remedy.view(), all, std::make_index_sequence<remedy>())};
  }

 private:
  template <size_t First, typename Tuple, size_t... At>
  static std::string Filled(std::string_view rest, [[maybe_unused]] const Tuple& all, std::index_sequence<At...>) {
    std::string text;
    [[maybe_unused]] const auto next = [&](const auto& argument) {
      const size_t at = rest.find("{}");
      text.append(rest.substr(0, at));
      AppendArgument(text, argument);
      rest.remove_prefix(at + 2);
    };
    (next(std::get<First + At>(all)), ...);
    return text.append(rest);
  }
};

}  // namespace keyfold::model
