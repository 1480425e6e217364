// The server's certificate and key as an OpenSSL context. A reload makes a new one; connections keep the one they began
// with.
#pragma once

#include <memory>
#include <string>

struct ssl_ctx_st;
struct ssl_st;

namespace keyfold {

struct TlsDeleter {
  void operator()(ssl_ctx_st* context) const;
  void operator()(ssl_st* session) const;
};
using TlsContext = std::shared_ptr<ssl_ctx_st>;  // immutable once loaded
using TlsSession = std::unique_ptr<ssl_st, TlsDeleter>;

// TLS 1.2 or later, HTTP/1.1. Null, and one line in `error`, where a file cannot be read or the two do not belong
// together.
TlsContext LoadTlsContext(const std::string& cert_file, const std::string& key_file, std::string& error);

}  // namespace keyfold
