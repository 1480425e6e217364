#include "base/error.h"

#include <gtest/gtest.h>

namespace keyfold {
namespace {

enum class Color { kRed, kGreen };
std::string_view NameOf(Color color) { return color == Color::kRed ? "red" : "green"; }

constexpr Rule<"Nothing to fill in"> kPlain{"plain", Kind::kValidation};
constexpr Rule<"{} expected: {} actual: {}"> kFilled{"filled", Kind::kResourceNotFound};
constexpr Rule<"between {}{} and {} }{"> kBraces{"braces", Kind::kInternal};

TEST(Rule, FillsItsWording) {
  EXPECT_EQ(kPlain().message(), "Nothing to fill in");
  EXPECT_EQ(kFilled("name", Color::kRed, Color::kGreen).message(), "name expected: red actual: green");
  EXPECT_EQ(kFilled(std::string("{}"), 'c', -12).message(), "{} expected: c actual: -12");
  EXPECT_EQ(kBraces(1u, uint64_t{18446744073709551615u}, int64_t{-9223372036854775807 - 1}).message(),
            "between 118446744073709551615 and -9223372036854775808 }{");
  EXPECT_EQ(kPlain().rule(), "plain");
  EXPECT_EQ(kFilled(1, 2, 3).kind(), Kind::kResourceNotFound);
}

TEST(Error, TakesAPrefixAndADetail) {
  struct Detail : ErrorDetail {
    int number = 5;
  };
  const Error error = kPlain().WithPrefix("Invalid: ").WithDetail(std::make_unique<Detail>());
  EXPECT_EQ(error.message(), "Invalid: Nothing to fill in");
  EXPECT_EQ(static_cast<const Detail*>(error.detail())->number, 5);
  EXPECT_EQ(kPlain().detail(), nullptr);
}

Status Even(int n) {
  if (n % 2 != 0) return kFilled(n, "even", "odd");
  return Ok();
}
Result<int> Half(int n) {
  RETURN_IF_ERROR(Even(n));
  return n / 2;
}
Result<std::string> Quarter(int n) {
  ASSIGN_OR_RETURN(const int half, Half(n));
  ASSIGN_OR_RETURN(const int quarter, Half(half));
  return std::to_string(quarter);
}

TEST(Result, PropagatesErrors) {
  EXPECT_TRUE(Even(2).ok());
  EXPECT_EQ(Even(3).message(), "3 expected: even actual: odd");
  EXPECT_EQ(Even(3).kind(), Kind::kResourceNotFound);
  EXPECT_EQ(*Quarter(12), "3");
  EXPECT_EQ(Quarter(12)->size(), 1u);
  EXPECT_EQ(Quarter(7).error().message(), "7 expected: even actual: odd");
  EXPECT_EQ(Quarter(6).error().message(), "3 expected: even actual: odd");
}

TEST(ResultDeathTest, MisuseStopsTheProcess) {
  EXPECT_DEATH((void)*Half(1), "CHECK failed");
  EXPECT_DEATH((void)Half(2).error(), "CHECK failed");
  EXPECT_DEATH((void)Ok().message(), "CHECK failed");
}

}  // namespace
}  // namespace keyfold
