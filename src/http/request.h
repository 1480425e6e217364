// What a handler gets and gives: one parsed HTTP request, and the answer to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/header.h"

namespace keyfold {

// Every view points into storage that the Request owns, so it neither copies nor moves. One thread at a time.
struct Request {
  Request() = default;
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  std::string_view method;
  std::string_view target;  // as sent
  std::string_view path;    // of the target, up to '?'; still percent-encoded
  std::string_view query;   // after '?'
  int minor_version = 1;    // HTTP/1.<this>
  std::vector<Header> headers;
  // The content, with transfer and content codings undone. At least 64 bytes of capacity follow size(), so that a
  // reader that loads whole registers may run past the end.
  std::string body;
  // Where a content coding was undone, the content as it was sent (what a signature covers); empty otherwise.
  std::string encoded_body;
  std::string peer;  // the client's address
  bool tls = false;
  size_t loop = 0;  // of the server, for Server::Post

  // The value of the first header of that name; a view with data() == nullptr where there is none.
  std::string_view Find(std::string_view name) const {
    for (const Header& header : headers) {
      if (EqualsIgnoringCase(header.name, name)) return header.value;
    }
    return {};
  }
  // The content as it was sent, before content decoding.
  std::string_view SentBody() const { return encoded_body.empty() ? body : encoded_body; }

  std::string head;  // the bytes of the request line and the headers; owned here, filled by RequestParser
};

struct Response {
  int status = 200;
  std::string_view content_type = {};  // of static storage
  std::string headers = {};            // further ones, each "Name: value\r\n"
  std::string body = {};
  bool close = false;    // close the connection behind this answer
  bool compress = true;  // may be compressed if it is long enough and the client asks
  bool vouched = false;  // the client has proved who it is: its connection gives way after those of strangers
};

}  // namespace keyfold
