#include "http/tls.h"

#include <gtest/gtest.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "http/server.h"
#include "testing/http/certificate.h"
#include "testing/http/raw_client.h"
#include "testing/http/test_server.h"

namespace keyfold::http {
namespace {

std::string PeerName(RawClient& client) {
  X509* cert = SSL_get1_peer_certificate(client.session());
  if (cert == nullptr) return "";
  char name[64] = "";
  X509_NAME_get_text_by_NID(X509_get_subject_name(cert), NID_commonName, name, sizeof name);
  X509_free(cert);
  return name;
}

class TlsTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string stem = testing::TempDir() + "keyfold_tls_" + std::to_string(getpid());
    options_.port = 0;
    options_.loops = 2;
    options_.tls_cert_file = stem + ".crt";
    options_.tls_key_file = stem + ".key";
    WriteSelfSigned(options_.tls_cert_file, options_.tls_key_file, "first");
  }
  void TearDown() override {
    unlink(options_.tls_cert_file.c_str());
    unlink(options_.tls_key_file.c_str());
  }
  std::unique_ptr<Server> Start() {
    return StartServer(options_, [](Request& request, Responder responder) {
      EXPECT_TRUE(request.tls);
      responder.Send({.body = request.body});
    });
  }

  ServerOptions options_;
};

TEST_F(TlsTest, Exchanges) {
  const auto server = Start();
  RawClient client(server->port(), true);
  ASSERT_TRUE(client.connected());
  EXPECT_GE(SSL_version(client.session()), TLS1_2_VERSION);
  for (const size_t bytes : {0, 1, 1000, 16 * 1024, 100'000, 3'000'000}) {
    const std::string body(bytes, 'b');
    std::thread sender([&] { EXPECT_TRUE(client.Send(PostOf(body))); });
    sender.join();
    EXPECT_EQ(client.Read().body, body);
  }
  client.Send(PostOf("1") + PostOf("2") + "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.Read().body, "1");
  EXPECT_EQ(client.Read().body, "2");
  EXPECT_EQ(client.Read().status, 200);
  EXPECT_TRUE(client.AtEnd());
}

TEST_F(TlsTest, Reloads) {
  const auto server = Start();
  RawClient before(server->port(), true);
  EXPECT_EQ(PeerName(before), "first");
  WriteSelfSigned(options_.tls_cert_file, options_.tls_key_file, "second");
  const Status reloaded = server->ReloadTls();
  ASSERT_TRUE(reloaded.ok()) << reloaded.message();
  RawClient after(server->port(), true);
  EXPECT_EQ(PeerName(after), "second");
  before.Send(PostOf("still here"));
  EXPECT_EQ(before.Read().body, "still here");

  std::ofstream(options_.tls_cert_file) << "junk";
  const Status refused = server->ReloadTls();
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(refused.message().starts_with("cannot use the certificate " + options_.tls_cert_file))
      << refused.message();
  RawClient later(server->port(), true);
  EXPECT_EQ(PeerName(later), "second");
}

TEST_F(TlsTest, PlainClientIsDropped) {
  const auto server = Start();
  RawClient client(server->port());
  client.Send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(client.Read().status, 0);
}

TEST_F(TlsTest, SilentHandshakeTimesOut) {
  options_.header_timeout = std::chrono::milliseconds(50);
  const auto server = Start();
  RawClient client(server->port());
  EXPECT_TRUE(client.AtEnd());
}

// Whether a client that offers only one TLS 1.2 cipher is served.
bool Agrees(uint16_t port, const char* cipher) {
  RawClient client(port);
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  SSL_CTX_set_max_proto_version(context.get(), TLS1_2_VERSION);
  EXPECT_EQ(SSL_CTX_set_cipher_list(context.get(), cipher), 1) << cipher;
  std::unique_ptr<SSL, void (*)(SSL*)> session(SSL_new(context.get()), SSL_free);
  SSL_set_fd(session.get(), client.socket());
  return SSL_connect(session.get()) == 1;
}

TEST_F(TlsTest, OffersForwardSecrecyAndAuthenticatedEncryptionOnly) {
  const auto server = Start();
  struct Row {
    const char* cipher;
    bool served;
  };
  const Row rows[] = {
      {"ECDHE-ECDSA-AES128-GCM-SHA256", true}, {"ECDHE-ECDSA-AES256-GCM-SHA384", true},
      {"ECDHE-ECDSA-CHACHA20-POLY1305", true}, {"ECDHE-ECDSA-AES128-SHA256", false},
      {"ECDHE-ECDSA-AES256-SHA", false},
  };
  for (const Row& row : rows) EXPECT_EQ(Agrees(server->port(), row.cipher), row.served) << row.cipher;
  // With another kind of key, other ciphers might be negotiated, so this checks the list as well.
  const Result<TlsContext> context = LoadTlsContext(options_.tls_cert_file, options_.tls_key_file);
  ASSERT_TRUE(context.ok()) << context.error().message();
  const STACK_OF(SSL_CIPHER)* ciphers = SSL_CTX_get_ciphers(context->get());
  for (int i = 0; i < sk_SSL_CIPHER_num(ciphers); ++i) {
    const SSL_CIPHER* cipher = sk_SSL_CIPHER_value(ciphers, i);
    const std::string name = SSL_CIPHER_get_name(cipher);
    EXPECT_EQ(SSL_CIPHER_is_aead(cipher), 1) << name;
    EXPECT_TRUE(name.starts_with("ECDHE-") || name.starts_with("TLS_")) << name;
  }
}

TEST_F(TlsTest, RefusesAnEncryptedKeyWithoutAsking) {
  std::FILE* file = std::fopen(options_.tls_key_file.c_str(), "r");
  EVP_PKEY* key = PEM_read_PrivateKey(file, nullptr, nullptr, nullptr);
  std::fclose(file);
  file = std::fopen(options_.tls_key_file.c_str(), "w");
  unsigned char password[] = "secret";
  ASSERT_EQ(PEM_write_PrivateKey(file, key, EVP_aes_256_cbc(), password, 6, nullptr, nullptr), 1);
  std::fclose(file);
  EVP_PKEY_free(key);
  const std::string& path = options_.tls_key_file;
  EXPECT_EQ(WhyNotListening(options_), "the key " + path + " is encrypted: decrypt it with openssl pkey -in " + path);
}

TEST_F(TlsTest, RefusesBadFiles) {
  const std::string cert = options_.tls_cert_file;
  options_.tls_cert_file = "";
  EXPECT_EQ(WhyNotListening(options_), "TLS needs both a certificate and a key");
  options_.tls_cert_file = cert + ".none";
  EXPECT_EQ(WhyNotListening(options_), "cannot use the certificate " + cert + ".none: No such file or directory");
  const std::string other = cert + ".other";
  WriteSelfSigned(other, other + ".key", "other");
  options_.tls_cert_file = other;
  const std::string& key = options_.tls_key_file;
  EXPECT_EQ(WhyNotListening(options_), "the key " + key + " does not belong to the certificate " + other);
  unlink(other.c_str());
  unlink((other + ".key").c_str());
  options_.tls_cert_file = cert;
  std::ofstream(key) << "junk";
  const std::string unusable = WhyNotListening(options_);
  EXPECT_TRUE(unusable.starts_with("cannot use the key " + key + ": ")) << unusable;
}

// In a process of its own, since a library context without algorithms stays that way.
TEST(TlsDeathTest, WithoutAlgorithms) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto load = [] {
    OSSL_PROVIDER_load(nullptr, "null");
    const Result<TlsContext> context = LoadClientTlsContext("");
    std::fputs(context.ok() ? "loaded" : context.error().message().c_str(), stderr);
    std::_Exit(0);
  };
  EXPECT_EXIT(load(), testing::ExitedWithCode(0), "^TLS is not available: ");
}

}  // namespace
}  // namespace keyfold::http
