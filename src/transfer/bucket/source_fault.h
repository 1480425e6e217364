// What is wrong with an import's source: errors with which it comes to nothing, whatever is tried again, and the
// FailureCode that tells of each. S3's own have its code behind "S3", as DynamoDB has it: "S3NoSuchBucket".
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold {

// An error that a bucket or a stream over its objects gave. What only the machine's owner may know is told to the log,
// and the client that there is something there.
Error SourceFault(const Error& error);
// The file is not what it was, or not there: `what` names it.
Error DamagedSource(std::string_view what);
// Exports that do not fit the order or each other: `what` names them.
Error UnfitSource(std::string_view what);

// Empty: the error is not of the source.
std::string_view FailureCodeOf(const Error& error);

}  // namespace keyfold
