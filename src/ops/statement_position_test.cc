#include "ops/statement_position.h"

#include <gtest/gtest.h>

#include "ops/sealed_token.h"
#include "testing/expr/value_notation.h"

namespace keyfold::ops {
namespace {

const std::string kStatementSecret(32, 's');

StatementFingerprint OfStatement(std::string_view text, const std::vector<std::string_view>& parameters = {}) {
  std::vector<Value> values;
  for (const std::string_view parameter : parameters) values.push_back(expr::ValueNotation::Read(parameter));
  return StatementFingerprint(text, values);
}

std::string Outcome(const StatementFingerprint& fingerprint, std::string_view token) {
  const Result<StatementPosition> position = UnsealPosition(kStatementSecret, fingerprint, token);
  return position.ok() ? "ok" : position.error().message();
}

TEST(StatementPosition, RoundTrips) {
  const StatementFingerprint fingerprint = OfStatement("SELECT");
  for (const std::optional<Item>& start :
       {std::optional<Item>(), std::optional(expr::ValueNotation::ReadItem("{pk='a', sk=1}"))}) {
    const std::string token = SealPosition(kStatementSecret, fingerprint, {7, 3, start});
    const Result<StatementPosition> position = UnsealPosition(kStatementSecret, fingerprint, token);
    ASSERT_TRUE(position.ok());
    EXPECT_EQ(position->table, 7u);
    EXPECT_EQ(position->query, 3u);
    ASSERT_EQ(position->start.has_value(), start.has_value());
    EXPECT_EQ(position->start ? position->start->bytes() : "", start ? start->bytes() : "");
  }
}

TEST(StatementPosition, BelongsToOneStatement) {
  const std::string token = SealPosition(kStatementSecret, OfStatement("SELECT", {"'a'", "'b'"}), {1, 0, {}});
  EXPECT_EQ(Outcome(OfStatement("SELECT", {"'a'", "'b'"}), token), "ok");
  for (const StatementFingerprint& other :
       {OfStatement("select", {"'a'", "'b'"}), OfStatement("SELECT"), OfStatement("SELECT", {"'b'", "'a'"}),
        OfStatement("SELECT", {"'a'"}), OfStatement("SELECT", {"'ab'", "''"})}) {
    EXPECT_EQ(Outcome(other, token), "NextToken does not match request");
  }
}

TEST(StatementPosition, CannotBeForged) {
  const StatementFingerprint fingerprint = OfStatement("SELECT");
  const std::string token =
      SealPosition(kStatementSecret, fingerprint, {1, 0, expr::ValueNotation::ReadItem("{pk='a'}")});
  for (const std::string& forged :
       {std::string(), std::string("x"), token + "AAAA", token.substr(4),
        SealPosition("other", fingerprint, {1, 0, {}}), Seal(kStatementSecret, "iterator", "payload"),
        Seal(kStatementSecret, "statement", ""),
        Seal(kStatementSecret, "statement", fingerprint.bytes() + std::string(7, '\0')),
        Seal(kStatementSecret, "statement", fingerprint.bytes() + std::string(9, '\0'))}) {
    EXPECT_EQ(Outcome(fingerprint, forged), "Invalid NextToken") << forged;
  }
}

TEST(StatementPosition, FitsItsTableAndQueries) {
  EXPECT_TRUE(PositionFits({7, 1, {}}, 7, 2).ok());
  EXPECT_EQ(PositionFits({7, 2, {}}, 7, 2).message(), "NextToken does not match request");
  EXPECT_EQ(PositionFits({7, 1, {}}, 8, 2).message(), "NextToken does not match request");
}

}  // namespace
}  // namespace keyfold::ops
