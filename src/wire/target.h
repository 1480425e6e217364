// What the X-Amz-Target of a request begins with: the service, behind which stands the operation.
#pragma once

#include <string_view>

namespace keyfold {

inline constexpr std::string_view kDynamoDbTarget = "DynamoDB_20120810.", kStreamsTarget = "DynamoDBStreams_20120810.",
                                  kKeyfoldTarget = "Keyfold_20261116.";  // what AWS's API has no word for

}  // namespace keyfold
