// S3's XML: parses the service's responses in one pass and writes the one document it is sent. Responses come from
// whatever is at the configured address, so parsing is bounded: no declarations, no entities except XML's five and
// numeric characters, and limited nesting.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"

namespace keyfold::transfer {

inline constexpr size_t kXmlDepthMax = 16;

// Calls `on_element` at the end of each element, with its path ("ListBucketResult/Contents/Key") and the text directly
// in it. Returns false if the input is not in the supported subset of XML.
bool ReadXml(std::string_view xml, FunctionRef<void(std::string_view path, std::string_view text)> on_element);

// The functions below return nullopt if the document is not XML, or is of another type.

// The service's wording, truncated if long, and Printable: it goes to logs and clients.
struct S3Fault {
  std::string code;
  std::string message;
};
std::optional<S3Fault> ReadS3Fault(std::string_view xml);

// A page of ListObjectsV2.
struct S3Listing {
  struct Object {
    std::string key;
    uint64_t bytes = 0;
  };
  std::vector<Object> objects;
  std::string next;  // continuation token; empty on the last page
};
std::optional<S3Listing> ReadS3Listing(std::string_view xml);

// A page of ListMultipartUploads.
struct S3Uploads {
  struct Upload {
    std::string key;
    std::string id;
  };
  std::vector<Upload> uploads;
  std::string next_key, next_id;  // continuation markers; empty on the last page
};
std::optional<S3Uploads> ReadS3Uploads(std::string_view xml);

// Reads the response to CreateMultipartUpload (InitiateMultipartUploadResult).
std::optional<std::string> ReadS3UploadId(std::string_view xml);
// Reads the response to CompleteMultipartUpload. The ETag keeps its quotation marks.
std::optional<std::string> ReadS3CompletedETag(std::string_view xml);

// The document that completes an upload of parts 1, 2, …, given their ETags as the service returned them.
std::string S3CompletionXml(const std::vector<std::string>& etags);

}  // namespace keyfold::transfer
