// The service part of a request's X-Amz-Target, which the operation's name follows.
#pragma once

#include <algorithm>
#include <string_view>

namespace keyfold::wire {

inline constexpr std::string_view kDynamoDbTarget = "DynamoDB_20120810.", kStreamsTarget = "DynamoDBStreams_20120810.",
                                  kKeyfoldTarget = "Keyfold_20261116.";  // operations that AWS's API does not have

// The operations of kKeyfoldTarget.
inline constexpr std::string_view kKeyfoldOperations[] = {"DescribeVerification", "ImportExports", "ListJobs",
                                                          "StartVerification"};
constexpr bool IsKeyfoldOperation(std::string_view name) {
  return std::find(std::begin(kKeyfoldOperations), std::end(kKeyfoldOperations), name) != std::end(kKeyfoldOperations);
}

}  // namespace keyfold::wire
