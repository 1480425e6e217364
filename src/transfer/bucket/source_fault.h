// Errors in an import's source, which retrying cannot fix, and the FailureCode of each. S3's own errors have its code
// after "S3", as in DynamoDB: "S3NoSuchBucket".
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold::transfer {

// Converts an error of a bucket or of a stream over its objects. Details that only the machine's operator may see go to
// the log; the client gets a message that refers to it.
Error SourceFault(const Error& error);
template <typename T>
Result<T> FromSource(Result<T> result) {
  if (result.ok()) return result;
  return SourceFault(result.error());
}
// The file is damaged or missing; `what` names it.
Error DamagedSource(std::string_view what);
// The exports do not match the request or each other; `what` names them.
Error UnfitSource(std::string_view what);

// Empty if the error does not concern the source.
std::string_view FailureCodeOf(const Error& error);

}  // namespace keyfold::transfer
