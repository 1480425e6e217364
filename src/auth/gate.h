// Gate: the one door in front of all operations. It checks a request's signature and hands out the proof without which
// no operation can be called.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "auth/credentials.h"
#include "auth/sigv4.h"
#include "base/error.h"

namespace keyfold {

// Who sent a request. Only the Gate makes one.
class Authenticated {
 public:
  const std::string& access_key_id() const { return access_key_id_; }
  const std::string& account() const { return account_; }

 private:
  friend class Gate;
  Authenticated(std::string_view access_key_id, std::string_view account)
      : access_key_id_(access_key_id), account_(account) {}

  std::string access_key_id_;
  std::string account_;
};

struct GateOptions {
  std::string account = {};
  // Empty: local mode. Any well-formed, current signature passes, whatever it was made with.
  std::string credentials_file = {};
  std::string region = {};  // verified mode: the only one that signatures may be scoped to; empty: any
  bool check_time = true;   // false: for clients whose clock stands still
};

// Thread-safe.
class Gate {
 public:
  // Null, and one line in `error`, where the credentials file cannot be used.
  static std::unique_ptr<Gate> Open(GateOptions options, std::string& error);
  ~Gate();

  // Refuses as DynamoDB does, in its order and words.
  Result<Authenticated> Check(const SignedParts& parts, Micros system_now) const;

  // The server's own hand, for what its configuration asks to be done.
  Authenticated Self() const { return Authenticated("", options_.account); }

  // Reads the credentials file again. On failure the old credentials stay.
  [[nodiscard]] bool Reload(std::string& error);

  bool verifies() const { return !options_.credentials_file.empty(); }

 private:
  class KeyRing;  // the credentials, and the signing keys derived from them

  explicit Gate(GateOptions options);
  std::shared_ptr<const KeyRing> keys() const;
  Status Verify(const struct Claim& claim, const SignedParts& parts, const struct CredentialScope& scope) const;

  const GateOptions options_;
  const Sha256 sha_;
  mutable std::mutex mutex_;  // guards keys_
  std::shared_ptr<const KeyRing> keys_;
};

}  // namespace keyfold
