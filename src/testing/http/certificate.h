// Certificates for TLS tests.
#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <string>

namespace keyfold::http {

// Writes a key and a self-signed certificate. `names` is for example "DNS:localhost,IP:127.0.0.1", or empty.
inline void WriteSelfSigned(const std::string& cert_file, const std::string& key_file, const std::string& name,
                            const std::string& names = "") {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* cert = X509_new();
  X509_set_version(cert, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(cert), 1);
  X509_gmtime_adj(X509_getm_notBefore(cert), 0);
  X509_gmtime_adj(X509_getm_notAfter(cert), 3600);
  X509_set_pubkey(cert, key);
  X509_NAME* subject = X509_get_subject_name(cert);
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1,
                             0);
  X509_set_issuer_name(cert, subject);
  if (!names.empty()) {
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
    ASSERT_NE(extension, nullptr);
    X509_add_ext(cert, extension, -1);
    X509_EXTENSION_free(extension);
  }
  ASSERT_NE(X509_sign(cert, key, EVP_sha256()), 0);
  std::FILE* file = std::fopen(cert_file.c_str(), "w");
  PEM_write_X509(file, cert);
  std::fclose(file);
  file = std::fopen(key_file.c_str(), "w");
  PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
  X509_free(cert);
  EVP_PKEY_free(key);
}

}  // namespace keyfold::http
