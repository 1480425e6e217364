// TLS contexts: the server's with its certificate and key (a reload makes a new one; connections keep the one they
// began with), and the client's with the authorities it trusts.
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

// TLS 1.3, or 1.2 with forward secrecy and authenticated encryption; HTTP/1.1. Null, and one line in `error`, where a
// file cannot be read, the key is encrypted (nobody is asked for a password), or the two do not belong together.
TlsContext LoadTlsContext(const std::string& cert_file, const std::string& key_file, std::string& error);

// For a client: TLS 1.2 or later, the server's certificate verified against the authorities in `ca_file` (PEM) or,
// where that is empty, the system's (which SSL_CERT_FILE and SSL_CERT_DIR replace). Null and one line as above.
TlsContext LoadClientTlsContext(const std::string& ca_file, std::string& error);

// A session that offers `host`'s name and accepts only a certificate for it. A null one where there is no memory.
TlsSession NewClientSession(const TlsContext& context, const std::string& host);

// Why the last TLS call of this thread failed, in a few words; what was noted is forgotten.
std::string LastTlsError();

}  // namespace keyfold
