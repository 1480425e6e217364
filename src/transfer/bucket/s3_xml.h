// The XML of S3: what the service answers, read in one pass, and the one document it is sent. Answers come from what
// stands at an address that somebody set, so reading is bounded: no declarations, no entities but the five of XML and
// characters by number, elements inside one another only so deep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"

namespace keyfold {

inline constexpr size_t kXmlDepthMax = 16;

// Calls `on_element` at the end of each element, with the names on the way to it ("ListBucketResult/Contents/Key") and
// the text that stands in it directly. False where it is not XML as far as that is read here.
bool ReadXml(std::string_view xml, FunctionRef<void(std::string_view path, std::string_view text)> on_element);

// Each is nothing where the document is not XML, or another one.

// As the service words it, cut where it is long, and Printable: it goes to logs and to clients.
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
  std::string next;  // the token that continues it; empty: this was the last page
};
std::optional<S3Listing> ReadS3Listing(std::string_view xml);

// A page of ListMultipartUploads.
struct S3Uploads {
  struct Upload {
    std::string key;
    std::string id;
  };
  std::vector<Upload> uploads;
  std::string next_key, next_id;  // the markers that continue it; empty: this was the last page
};
std::optional<S3Uploads> ReadS3Uploads(std::string_view xml);

// Of InitiateMultipartUpload.
std::optional<std::string> ReadS3UploadId(std::string_view xml);
// Of CompleteMultipartUpload; as it stands, with its quotation marks.
std::optional<std::string> ReadS3CompletedETag(std::string_view xml);

// What completes an upload of parts 1, 2, …, by their ETags as they were answered.
std::string S3CompletionXml(const std::vector<std::string>& etags);

}  // namespace keyfold
