// Gate: the single entry point to all operations. It checks a request's signature and returns the proof without which
// no operation can be called.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "auth/credentials.h"
#include "auth/sigv4.h"
#include "base/error.h"
#include "base/mutex.h"

namespace keyfold::auth {

// The sender of a request. Only the Gate makes one.
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
  // If empty, local mode: any well-formed, current signature passes, whatever key it was made with.
  std::string credentials_file = {};
  std::string region = {};  // verified mode: the only region that signatures may have; empty: any
  bool check_time = true;   // false for clients with a fixed clock
};

// Thread-safe.
class Gate {
 public:
  // Fails if the credentials file cannot be used.
  static Result<std::unique_ptr<Gate>> Open(GateOptions options);
  // Local mode, which needs no file.
  static std::unique_ptr<Gate> OpenLocal(std::string account);
  ~Gate();

  // Refuses as DynamoDB does, with its precedence and messages.
  Result<Authenticated> Check(const SignedParts& parts, Micros system_now) const;

  // The server itself, for what its configuration requests.
  Authenticated Self() const { return Authenticated("", options_.account); }

  // Reads the credentials file again. On failure the old credentials remain in use.
  Status Reload();

  bool verifies() const { return !options_.credentials_file.empty(); }

 private:
  class KeyRing;  // the credentials, and the signing keys derived from them

  explicit Gate(GateOptions options);
  std::shared_ptr<const KeyRing> keys() const;
  Status Verify(const struct Claim& claim, const SignedParts& parts, const struct CredentialScope& scope) const;

  const GateOptions options_;
  const Sha256 sha_;
  mutable Mutex mutex_;
  std::shared_ptr<const KeyRing> keys_ GUARDED_BY(mutex_);
};

}  // namespace keyfold::auth
