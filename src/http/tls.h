// TLS contexts: the server's with its certificate and key (a reload creates a new one; connections keep the one they
// started with), and the client's with the authorities it trusts.
#pragma once

#include <memory>
#include <string>

#include "base/error.h"

struct ssl_ctx_st;
struct ssl_st;

namespace keyfold::http {

struct TlsDeleter {
  void operator()(ssl_ctx_st* context) const;
  void operator()(ssl_st* session) const;
};
using TlsContext = std::shared_ptr<ssl_ctx_st>;  // immutable after loading
using TlsSession = std::unique_ptr<ssl_st, TlsDeleter>;

// TLS 1.3, or 1.2 with forward secrecy and authenticated encryption; HTTP/1.1. Returns an error if a file cannot
// be read, the key is encrypted (it never prompts for a password), or the two do not match.
Result<TlsContext> LoadTlsContext(const std::string& cert_file, const std::string& key_file);

// For a client: TLS 1.2 or later. The server's certificate is verified against the authorities in `ca_file` (PEM) or,
// if that is empty, the system's (which SSL_CERT_FILE and SSL_CERT_DIR replace).
Result<TlsContext> LoadClientTlsContext(const std::string& ca_file);

// Returns a session that sends `host` as the server name and accepts only a certificate for it; null if out of memory.
TlsSession NewClientSession(const TlsContext& context, const std::string& host);

// Returns a short reason why the last TLS call of this thread failed, and clears it.
std::string LastTlsError();

}  // namespace keyfold::http
