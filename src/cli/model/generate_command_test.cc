// `keyfold model generate` as a command: models for which no code is generated.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "cli/model/commands.h"
#include "testing/terminal/console.h"

namespace keyfold::cli {
namespace {

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

Outcome Generated(const std::string& text, const std::string& language) {
  const std::string path = testing::TempDir() + "keyfold-generate-" + std::to_string(::getpid()) + ".yaml";
  std::ofstream(path) << text;
  terminal::TestConsole test;
  Outcome outcome;
  outcome.code = RunModelGenerate({path, "--language", language}, test.console());
  outcome.out = test.out();
  outcome.err = test.err();
  std::remove(path.c_str());
  return outcome;
}

constexpr char kOptionalInKey[] =
    "model: 1\ntable: {name: T, key: {pk: PK, sk: SK}}\nentities:\n"
    "  A: {keys: {PK: \"A#{a}\", SK: A}, attributes: {a: {type: string, optional: true}}}\n";

TEST(ModelGenerate, RefusesAModelWhoseCodeWouldBeWrong) {
  for (const std::string language : {"typescript", "python", "cpp"}) {
    const Outcome refused = Generated(kOptionalInKey, language);
    EXPECT_EQ(refused.code, kExitFailure) << language;
    EXPECT_EQ(refused.out, "") << language;
    EXPECT_NE(refused.err.find(":4:19: no code is generated because of error L30: "), std::string::npos) << refused.err;
  }
  EXPECT_EQ(Generated(kOptionalInKey, "terraform").code, kExitOk);
}

TEST(ModelGenerate, GeneratesWhatTheFileAccepts) {
  const Outcome accepted =
      Generated(std::string(kOptionalInKey) + "accept: [{rule: L30, reason: a is always given}]\n", "python");
  EXPECT_EQ(accepted.code, kExitOk) << accepted.err;
  EXPECT_NE(accepted.out.find("def a_key("), std::string::npos);
}

}  // namespace
}  // namespace keyfold::cli
