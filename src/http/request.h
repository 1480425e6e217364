// What a handler receives and returns: one parsed HTTP request and the response to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/header.h"

namespace keyfold::http {

// Every view points into storage that the Request owns, so it can be neither copied nor moved. Used by one thread at a
// time.
struct Request {
  Request() = default;
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  std::string_view method;
  std::string_view target;  // as sent
  std::string_view path;    // the target up to '?'; still percent-encoded
  std::string_view query;   // after '?'
  int minor_version = 1;    // HTTP/1.<this>
  std::vector<Header> headers;
  // The content, with transfer and content codings decoded. At least 64 bytes of capacity follow size(), so that a
  // reader that loads whole registers may read past the end.
  std::string body;
  // The content as it was sent (which a signature covers), if a content coding was decoded; empty otherwise.
  std::string encoded_body;
  std::string peer;  // the client's address
  bool tls = false;
  size_t loop = 0;  // index of the server's loop, for Server::Post

  // Returns the value of the first header with that name; a view with data() == nullptr if there is none.
  std::string_view Find(std::string_view name) const {
    for (const Header& header : headers) {
      if (EqualsIgnoringCase(header.name, name)) return header.value;
    }
    return {};
  }
  // The content as it was sent, before content decoding.
  std::string_view SentBody() const { return encoded_body.empty() ? body : encoded_body; }

  std::string head;  // bytes of the request line and the headers; filled by RequestParser
};

struct Response {
  int status = 200;
  std::string_view content_type = {};  // in static storage
  std::string headers = {};            // additional headers, each "Name: value\r\n"
  std::string body = {};
  bool close = false;    // close the connection after this response
  bool compress = true;  // may be compressed if it is long enough and the client accepts it
  bool vouched = false;  // the client has authenticated: its connection gives way after those of strangers
};

}  // namespace keyfold::http
