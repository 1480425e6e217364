// Reads and writes whole objects of a bucket, for the tests of buckets.
#pragma once

#include <string>
#include <string_view>

#include "transfer/bucket/bucket.h"

namespace keyfold::transfer {

// "ok", or the error's message.
inline std::string Describe(const Status& status) { return status.ok() ? "ok" : status.message(); }
template <typename T>
std::string Describe(const Result<T>& result) {
  return result.ok() ? "ok" : result.error().message();
}

inline std::string PutObject(Bucket& bucket, std::string_view key, std::string_view content,
                             std::string* etag = nullptr) {
  Result<std::unique_ptr<files::ByteSink>> sink = bucket.Write(key, etag);
  if (!sink.ok()) return Describe(sink);
  if (const Status written = (*sink)->Write(content); !written.ok()) return Describe(written);
  return Describe((*sink)->Finish());
}

// The content, or the error's message.
inline std::string GetObject(Bucket& bucket, std::string_view key) {
  Result<std::unique_ptr<files::ByteSource>> source = bucket.Read(key);
  if (!source.ok()) return Describe(source);
  std::string content, piece(1'000'003, '\0');
  while (true) {
    const Result<size_t> bytes = (*source)->Read(piece.data(), piece.size());
    if (!bytes.ok()) return Describe(bytes);
    if (*bytes == 0) return content;
    content.append(piece, 0, *bytes);
  }
}

// "key:bytes key:bytes ", or the error's message.
inline std::string ListObjects(Bucket& bucket, std::string_view prefix) {
  const Result<std::vector<Bucket::Object>> objects = bucket.List(prefix);
  if (!objects.ok()) return Describe(objects);
  std::string text;
  for (const Bucket::Object& object : *objects) {
    text.append(object.key).append(":").append(std::to_string(object.bytes)).append(" ");
  }
  return text;
}

}  // namespace keyfold::transfer
