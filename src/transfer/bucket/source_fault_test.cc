#include "transfer/bucket/source_fault.h"

#include <gtest/gtest.h>

#include "testing/base/logged.h"
#include "transfer/bucket/bucket_fault.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"{} cannot be read: Input/output error"> kUnread{"unread", Kind::kInternal};

TEST(SourceFault, ABucketsFaultIsReported) {
  const Error fault = SourceFault(BucketFault("NoSuchKey", "It is gone.", "s3://b/k", FaultIs::kFinal));
  EXPECT_EQ(fault.rule(), "import-source");
  EXPECT_EQ(fault.message(), "NoSuchKey: It is gone. (s3://b/k)");
  EXPECT_EQ(FailureCodeOf(fault), "S3NoSuchKey");
}

TEST(SourceFault, WhatOnlyTheOwnerMayKnowIsLogged) {
  const Logged logged;
  const Error fault = SourceFault(kUnread("/data/s3/b/k"));
  EXPECT_EQ(fault.message(), "The source could not be read; see the server's log");
  EXPECT_EQ(FailureCodeOf(fault), "S3ReadFailed");
  EXPECT_NE(logged.text().find("/data/s3/b/k cannot be read: Input/output error"), std::string::npos);
}

}  // namespace
}  // namespace keyfold::transfer
