#include "ops/sealed_token.h"

#include <gtest/gtest.h>

namespace keyfold::ops {
namespace {

const std::string kSecret(32, 's');

TEST(SealedTokenTest, RoundTrips) {
  for (const std::string& payload :
       {std::string(), std::string("a"), std::string(1000, '\0'), std::string("\xff|{}")}) {
    const std::string sealed = Seal(kSecret, "iterator", payload);
    EXPECT_EQ(Unseal(kSecret, "iterator", sealed), payload);
    EXPECT_EQ(sealed.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="),
              std::string::npos);
  }
}

TEST(SealedTokenTest, OthersAreRefused) {
  const std::string sealed = Seal(kSecret, "iterator", "payload");
  EXPECT_FALSE(Unseal(std::string(32, 't'), "iterator", sealed)) << "another database's";
  EXPECT_FALSE(Unseal(kSecret, "page", sealed)) << "another kind";
  EXPECT_FALSE(Unseal(kSecret, "iterato", Seal(kSecret, "iterator", "payload"))) << "a purpose that is a part of it";
  for (const std::string_view text : {"", "a", "AAAA", "not base64!", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}) {
    EXPECT_FALSE(Unseal(kSecret, "iterator", text)) << text;
  }
}

TEST(SealedTokenTest, EveryChangedOrMissingCharacterIsNoticed) {
  const std::string sealed = Seal(kSecret, "iterator", "payload");
  for (size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(Unseal(kSecret, "iterator", changed)) << i;
    EXPECT_FALSE(Unseal(kSecret, "iterator", sealed.substr(0, i))) << i;
    EXPECT_FALSE(Unseal(kSecret, "iterator", sealed.substr(0, i) + sealed.substr(i + 1))) << i;
  }
}

}  // namespace
}  // namespace keyfold::ops
