#include "http/field.h"

#include <gtest/gtest.h>

#include <string>

#include "base/random.h"

namespace keyfold::http {
namespace {

// "name|value|rest", or the error.
std::string Taken(std::string_view lines) {
  Header field;
  const std::string_view fault = TakeField(lines, field);
  if (!fault.empty()) return std::string(fault);
  return std::string(field.name).append("|").append(field.value).append("|").append(lines);
}

TEST(Field, TakesOneLine) {
  const struct {
    std::string_view lines, taken;
  } kRows[] = {
      {"Host: a\r\n", "Host|a|"},
      {"Host: a\r\nB: c\r\n\r\n", "Host|a|B: c\r\n\r\n"},
      {"a:\r\n\r\n", "a||\r\n"},
      {"a: \t b \t \r\n", "a|b|"},
      {"a:b:c\r\n", "a|b:c|"},
      {"x_y!~: 1\r\n", "x_y!~|1|"},
      {"a-long-name-of-more-than-a-block: and a value of more than one, too\r\nz: z\r\n",
       "a-long-name-of-more-than-a-block|and a value of more than one, too|z: z\r\n"},
      {"caf\xC3\xA9: 1\r\n", "a malformed header name"},
      {"n: caf\xC3\xA9\r\n", "n|caf\xC3\xA9|"},
      {"no colon\r\n", "a header without a name or a colon"},
      {"no-colon\r\nb: c\r\n", "a header without a name or a colon"},
      {": b\r\n", "a header without a name or a colon"},
      {" a: b\r\n", "a malformed header name"},
      {"a : b\r\n", "a malformed header name"},
      {"a: b\rc\r\n", "a control byte in a header"},
      {"a: b\r\r\n", "a control byte in a header"},
      {"a: b\x01\r\n", "a control byte in a header"},
      {"a: b\x7f\r\n", "a control byte in a header"},
      {"a\r: b\r\n", "a malformed header name"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Taken(row.lines), row.taken) << row.lines;
}

// A line gives the same result whether it is taken from many lines or parsed alone.
TEST(Field, TakesAsItParses) {
  Random random(23);
  constexpr std::string_view kBytes = "aZ09-:::  \t\r_!\x7f\x80";
  for (int round = 0; round < 100'000; ++round) {
    std::string line;
    const uint64_t odd = 1 + random.Below(30);
    for (uint64_t n = random.Below(50); n > 0; --n) {
      line.push_back(random.OneIn(odd) ? kBytes[random.Below(kBytes.size())]
                                       : static_cast<char>('a' + random.Below(26)));
    }
    if (random.OneIn(2)) line.insert(random.Below(line.size() + 1), ":");
    Header alone;
    const std::string_view fault = ParseField(line, alone);
    const std::string behind = random.OneIn(2) ? "next: line\r\n\r\n" : "";
    std::string expected(fault);
    if (fault.empty()) expected.append(alone.name).append("|").append(alone.value).append("|").append(behind);
    ASSERT_EQ(Taken(line + "\r\n" + behind), expected) << testing::PrintToString(line);
  }
}

}  // namespace
}  // namespace keyfold::http
