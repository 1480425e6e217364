#include "wire/error_body.h"

#include <gtest/gtest.h>

#include "value/error_detail.h"
#include "value/item.h"
#include "wire/type_error.h"

namespace keyfold::wire {
namespace {

constexpr Rule<"Say \"{}\""> kInvalid{"test", Kind::kValidation};
constexpr Rule<"NUMBER_VALUE cannot be converted to String"> kWrongType{"test", Kind::kSerialization};
constexpr Rule<"whatever"> kUnknown{"test", Kind::kUnknownOperation};
constexpr Rule<"Requested resource not found"> kNotFound{"test", Kind::kResourceNotFound};
constexpr Rule<"The conditional request failed"> kCondition{"test", Kind::kConditionalCheckFailed};
constexpr Rule<"No"> kDenied{"test", Kind::kAccessDenied};
constexpr Rule<"disk full at sector {}"> kDisk{"test", Kind::kInternal};
constexpr Rule<"moved"> kMoved{"test", Kind::kStale};
constexpr Rule<"Busy"> kBusy{"test", Kind::kUnavailable};
constexpr Rule<"Request is missing Authentication Token"> kToken{"test", Kind::kMissingAuthenticationToken};
constexpr Rule<"Transaction cancelled"> kCanceled{"test", Kind::kTransactionCanceled};

std::string BodyOf(const Error& error) {
  std::string out;
  AppendErrorBody(out, error);
  return out;
}

TEST(ErrorBody, HasNamespaceNameAndMessage) {
#define DYNAMO "com.amazonaws.dynamodb.v20120810#"
#define SERVICE "com.amazon.coral.service#"
  EXPECT_EQ(BodyOf(kInvalid("x")),
            R"({"__type":"com.amazon.coral.validate#ValidationException","message":"Say \"x\""})");
  EXPECT_EQ(BodyOf(kWrongType()), R"({"__type":")" SERVICE
                                  R"(SerializationException","Message":"NUMBER_VALUE cannot be converted to String"})");
  EXPECT_EQ(BodyOf(NotJson()), R"({"__type":")" SERVICE R"(SerializationException"})");
  EXPECT_EQ(BodyOf(kUnknown()), R"({"__type":")" SERVICE R"(UnknownOperationException"})");
  EXPECT_EQ(BodyOf(kToken()),
            R"({"__type":")" SERVICE
            R"(MissingAuthenticationTokenException","message":"Request is missing Authentication Token"})");
  EXPECT_EQ(BodyOf(kDenied()), R"({"__type":")" SERVICE R"(AccessDeniedException","Message":"No"})");
  EXPECT_EQ(BodyOf(kNotFound()),
            R"({"__type":")" DYNAMO R"(ResourceNotFoundException","message":"Requested resource not found"})");
  EXPECT_EQ(BodyOf(kCanceled()),
            R"({"__type":")" DYNAMO R"(TransactionCanceledException","Message":"Transaction cancelled"})");
  EXPECT_EQ(BodyOf(kBusy()), R"({"__type":")" DYNAMO R"(ServiceUnavailableException","message":"Busy"})");
#undef DYNAMO
#undef SERVICE
}

TEST(ErrorBody, IsValidUtf8) {
  EXPECT_EQ(BodyOf(kInvalid("\xC3\xA9\xF0\x9F")),
            "{\"__type\":\"com.amazon.coral.validate#ValidationException\","
            "\"message\":\"Say \\\"\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\\\"\"}");
}

TEST(ErrorBody, ShowsNothingOfInternalErrors) {
  constexpr std::string_view kFixed =
      R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"The request could not be processed because of an internal error"})";
  EXPECT_EQ(BodyOf(kDisk(7)), kFixed);
  EXPECT_EQ(BodyOf(kMoved()), kFixed);
}

TEST(ErrorBody, CarriesTheFailedItem) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  writer.Name("pk");
  writer.String("a");
  writer.EndMap();
  const Error error = kCondition().WithDetail(std::make_unique<FailedItem>(Item(bytes)));
  EXPECT_EQ(
      BodyOf(error),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed","Item":{"pk":{"S":"a"}}})");
}

TEST(ErrorBody, CarriesCancellationReasons) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  writer.Name("pk");
  writer.String("a");
  writer.EndMap();
  std::vector<CancellationReasons::Reason> reasons(3);
  reasons[1] = {.code = "ConditionalCheckFailed", .message = "No", .item = Item(bytes)};
  reasons[2] = {.code = "ValidationError", .message = "Say \"x\""};
  const Error error = kCanceled().WithDetail(std::make_unique<CancellationReasons>(std::move(reasons)));
  EXPECT_EQ(
      BodyOf(error),
      R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled","CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed","Item":{"pk":{"S":"a"}},"Message":"No"},{"Code":"ValidationError","Message":"Say \"x\""}]})");
}

TEST(ErrorBody, HasHttpStatus) {
  EXPECT_EQ(HttpStatusOf(Kind::kValidation), 400);
  EXPECT_EQ(HttpStatusOf(Kind::kThrottling), 400);
  EXPECT_EQ(HttpStatusOf(Kind::kRequestTooLarge), 413);
  EXPECT_EQ(HttpStatusOf(Kind::kInternal), 500);
  EXPECT_EQ(HttpStatusOf(Kind::kWouldBlock), 500);
  EXPECT_EQ(HttpStatusOf(Kind::kUnavailable), 503);
  EXPECT_EQ(ExceptionNameOf(Kind::kThrottling), "ThrottlingException");
  EXPECT_EQ(KindOfException("ThrottlingException"), Kind::kThrottling);
  EXPECT_EQ(KindOfException("InternalServerError"), Kind::kInternal);
  EXPECT_EQ(KindOfException("Throttling"), std::nullopt);
}

}  // namespace
}  // namespace keyfold::wire
