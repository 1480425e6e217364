#include "http/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <cstring>
#include <string_view>

namespace keyfold::http {
namespace {

constexpr Rule<"TLS is not available: {}"> kTlsUnavailable{"tls-unavailable", Kind::kInternal};
constexpr Rule<"the key {} is encrypted: decrypt it with openssl pkey -in {}"> kKeyEncrypted{"tls-key-encrypted",
                                                                                             Kind::kValidation};
constexpr Rule<"cannot use the key {}: {}"> kKeyUnusable{"tls-key", Kind::kValidation};
constexpr Rule<"cannot use the certificate {}: {}"> kCertificateUnusable{"tls-certificate", Kind::kValidation};
constexpr Rule<"the key {} does not belong to the certificate {}"> kKeyMismatch{"tls-key-mismatch", Kind::kValidation};
constexpr Rule<"cannot use the certificate authorities {}: {}"> kAuthoritiesUnusable{"tls-authorities",
                                                                                     Kind::kValidation};

int SelectHttp(SSL*, const unsigned char** out, unsigned char* out_bytes, const unsigned char* in, unsigned in_bytes,
               void*) {
  static constexpr unsigned char kHttp[] = "\x08http/1.1";
  unsigned char* chosen = nullptr;
  const int found = SSL_select_next_proto(&chosen, out_bytes, kHttp, sizeof kHttp - 1, in, in_bytes);
  if (found != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_NOACK;
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

// Replaces OpenSSL's own callback, which prompts on the terminal. `asked` is a bool.
int RefusePassword(char*, int, int, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

// Only forward secrecy and authenticated encryption, as in TLS 1.3.
constexpr char kTls12Ciphers[] = "ECDHE+AESGCM:ECDHE+CHACHA20:!PSK:!aNULL";

}  // namespace

void TlsDeleter::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }
void TlsDeleter::operator()(ssl_st* session) const { SSL_free(session); }

std::string LastTlsError() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (ERR_SYSTEM_ERROR(code)) return std::strerror(ERR_GET_REASON(code));
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return reason == nullptr ? "unknown error" : reason;
}

Result<TlsContext> LoadTlsContext(const std::string& cert_file, const std::string& key_file) {
  ERR_clear_error();
  TlsContext context(SSL_CTX_new(TLS_server_method()), TlsDeleter());
  if (context == nullptr) return kTlsUnavailable(LastTlsError());
  SSL_CTX* raw = context.get();
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  if (SSL_CTX_set_cipher_list(raw, kTls12Ciphers) != 1) return kTlsUnavailable(LastTlsError());
  SSL_CTX_set_options(raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  // Buffers are released while a connection is idle; after a partial write, the next may continue from another address.
  SSL_CTX_set_mode(raw, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(raw, 1);
  SSL_CTX_set_alpn_select_cb(raw, SelectHttp, nullptr);
  bool password_asked = false;
  SSL_CTX_set_default_passwd_cb(raw, RefusePassword);
  SSL_CTX_set_default_passwd_cb_userdata(raw, &password_asked);
  // Loads the key first: after the certificate, a key that does not match it would be reported as unusable.
  if (SSL_CTX_use_PrivateKey_file(raw, key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
    const std::string why = LastTlsError();
    return password_asked ? kKeyEncrypted(key_file, key_file) : kKeyUnusable(key_file, why);
  }
  const bool has_certificate = SSL_CTX_use_certificate_chain_file(raw, cert_file.c_str()) == 1;
  SSL_CTX_set_default_passwd_cb_userdata(raw, nullptr);
  if (!has_certificate) return kCertificateUnusable(cert_file, LastTlsError());
  if (SSL_CTX_check_private_key(raw) != 1) return kKeyMismatch(key_file, cert_file);
  return context;
}

Result<TlsContext> LoadClientTlsContext(const std::string& ca_file) {
  ERR_clear_error();
  TlsContext context(SSL_CTX_new(TLS_client_method()), TlsDeleter());
  if (context == nullptr) return kTlsUnavailable(LastTlsError());
  SSL_CTX* raw = context.get();
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  SSL_CTX_set_mode(raw, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nullptr);
  const int trusted =
      ca_file.empty() ? SSL_CTX_set_default_verify_paths(raw) : SSL_CTX_load_verify_file(raw, ca_file.c_str());
  if (trusted != 1) return kAuthoritiesUnusable(ca_file, LastTlsError());
  return context;
}

TlsSession NewClientSession(const TlsContext& context, const std::string& host) {
  TlsSession session(SSL_new(context.get()));
  if (session == nullptr) return nullptr;
  SSL* raw = session.get();
  SSL_set_hostflags(raw, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  // An IP address is not a server name and has its own field in a certificate.
  const bool address = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(raw), host.c_str()) == 1;
  if (!address && (SSL_set1_host(raw, host.c_str()) != 1 || SSL_set_tlsext_host_name(raw, host.c_str()) != 1)) {
    return nullptr;
  }
  return session;
}

}  // namespace keyfold::http
