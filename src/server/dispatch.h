// From an HTTP request to a response: which path, whether it is allowed, which operation, on which thread it runs, and
// when its response may be sent (not before everything it depends on is durable).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "auth/gate.h"
#include "base/clock.h"
#include "http/server.h"
#include "ops/operation.h"
#include "server/admin.h"
#include "server/audit_log.h"
#include "server/config/origin_rules.h"
#include "server/metrics.h"
#include "server/model/attached_models.h"
#include "server/model_requests.h"
#include "server/signs.h"
#include "server/work/workers.h"

namespace keyfold::server {

struct DispatchOptions {
  bool log_requests = false;
  bool allow_reset = false;
  bool insecure_open = false;
  std::string version;
  Admin* admin = nullptr;                  // borrowed, like the next two; null: there are no administrative requests
  const AttachedModels* models = nullptr;  // null: no table can be watched
  ModelRequests* model_requests = nullptr;
  AuditLog* audit = nullptr;     // borrowed; null: nothing is recorded
  bool local_health = false;     // GET / responds as DynamoDB Local does
  const Signs* signs = nullptr;  // null: nothing is watched
};

// Thread-safe. Everything it borrows must outlive it.
class Dispatcher {
 public:
  Dispatcher(const ops::Service& service, const auth::Gate& gate, OriginRules origins, Workers& workers,
             DispatchOptions options);

  void Handle(http::Request& request, http::Responder responder);

  // Writes the response for a protocol error found by the HTTP layer.
  static void WordProtocolError(int status, http::Response& response);

 private:
  struct Exchange;  // one request in progress

  // Where a request runs: it starts on the event loop and moves to a lane of the workers if it would block or take long
  // there.
  enum class Where : uint8_t { kLoop, kQuick, kHeavy };

  void HandleApi(Exchange& exchange);
  void Continue(Exchange& exchange, Where where);
  void ContinueOn(Where where, Exchange& exchange);  // takes over the exchange
  // Finds the operation and the caller, or returns why it cannot.
  Status Admit(Exchange& exchange, bool has_body) const;
  // Runs it and sends the response, or returns where to run it again.
  std::optional<Where> Run(Exchange& exchange, json::Value body, Where where);
  std::optional<Where> WhereNext(const Exchange& exchange, const Status& status, const ops::Call& call,
                                 Where where) const;
  // Formats the result and sends it when everything it depends on is durable.
  void Finish(Exchange& exchange, Status status);
  void Answer(Exchange& exchange);

  void HandlePreflight(Exchange& exchange);
  void HandleHealth(Exchange& exchange);
  void HandleMetrics(Exchange exchange);
  void HandleReset(Exchange exchange);
  void HandleAdmin(Exchange exchange);
  void HandleModels(Exchange exchange);
  void AnswerOnWorker(Exchange exchange, std::string_view type,
                      std::function<AdminAnswer(const http::Request&)> answer);
  Result<auth::Authenticated> Authenticate(const http::Request& request) const;
  // Whether a request outside the API may continue: it must be signed if signatures are verified. If false, it has been
  // refused.
  bool LetIn(Exchange& exchange);
  // Sends and records the refusal; `code` is its error code in the audit log.
  void Refuse(Exchange& exchange, int status, std::string_view code, std::string_view text);
  void Audit(const Exchange& exchange, std::string_view error_code) const;
  void AuditAnswer(const Exchange& exchange) const;

  const ops::Service& service_;
  const auth::Gate& gate_;
  const OriginRules origins_;
  Workers& workers_;
  const DispatchOptions options_;
  const SystemClock clock_;
  Metrics metrics_;
  std::atomic<int64_t> page_held_nanos_max_ = 0;
};

}  // namespace keyfold::server
