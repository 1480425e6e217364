#include "server/dispatch.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/random.h"
#include "base/stopping.h"
#include "json/document.h"
#include "json/writer.h"
#include "server/config/loopback.h"
#include "server/model/model_observer.h"
#include "store/rules.h"
#include "value/error_detail.h"
#include "wire/error_body.h"
#include "wire/target.h"
#include "wire/type_error.h"

namespace keyfold::server {
namespace {

constexpr Rule<""> kUnknownOperation{"unknown-operation", Kind::kUnknownOperation};
constexpr Rule<"Too many requests are waiting; try again"> kWorkersBusy{"workers-busy", Kind::kThrottling};

// Indexed by Api.
constexpr std::string_view kTargets[] = {wire::kDynamoDbTarget, wire::kStreamsTarget, wire::kKeyfoldTarget};
constexpr std::string_view kJson = "application/json", kAmzJson = "application/x-amz-json-1.0";
// Work allowed on an event loop (less than a millisecond) and on a quick worker (a few milliseconds). A larger body is
// parsed and checked on a worker, a very large one on the heavy lane.
constexpr uint64_t kLoopSteps = 500'000, kQuickSteps = 2'000'000;
constexpr size_t kLoopBodyBytesMax = 64 << 10, kQuickBodyBytesMax = 1 << 20;
// Response to GET / in DynamoDB Local's format.
constexpr std::string_view kLocalHealth =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#MissingAuthenticationToken",)"
    R"("Message":"Request must contain either a valid (registered) AWS access key ID or X.509 certificate."})";
constexpr std::string_view kAdminPrefix = "/_keyfold/", kAdminNotLocal = "AdminRequestNotLocal";
constexpr std::string_view kNoSuchThing = "<UnknownOperationException/>\n";

using DigitPair = std::array<char, 2>;
constexpr std::array<DigitPair, 36 * 36> MakeDigitPairs() {
  constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::array<DigitPair, 36 * 36> pairs{};
  for (size_t i = 0; i < pairs.size(); ++i) pairs[i] = {kDigits[i / 36], kDigits[i % 36]};
  return pairs;
}
constexpr std::array<DigitPair, 36 * 36> kDigitPairs = MakeDigitPairs();

// 52 characters of [0-9A-Z], as in AWS.
void AddRequestId(http::Response& response) {
  thread_local Random random(Random::SeedFromSystem());
  char id[52];
  for (size_t i = 0; i < sizeof id;) {
    // A 64-bit fraction yields six pairs: each is the integer part of 36 * 36 times the fraction.
    uint64_t fraction = random.Next();
    for (const size_t end = std::min(i + 12, sizeof id); i < end; i += 2) {
      const unsigned __int128 product = static_cast<unsigned __int128>(fraction) * kDigitPairs.size();
      std::memcpy(id + i, kDigitPairs[static_cast<size_t>(product >> 64)].data(), 2);
      fraction = static_cast<uint64_t>(product);
    }
  }
  response.headers.append("x-amzn-RequestId: ").append(id, sizeof id).append("\r\n");
}

// A parsed body. Each thread keeps a parser, and with it the memory of the largest body it has seen, so a large body
// gets its own.
class ParsedBody {
 public:
  explicit ParsedBody(const std::string& body) {
    thread_local json::Parser kept;
    if (body.size() > kLoopBodyBytesMax) own_.emplace();
    value_ = (own_ ? *own_ : kept).Parse(body);
  }
  ParsedBody(const ParsedBody&) = delete;

  const std::optional<json::Value>& value() const { return value_; }

 private:
  std::optional<json::Parser> own_;
  std::optional<json::Value> value_;
};

uint64_t StepsOf(bool on_loop) { return on_loop ? kLoopSteps : kQuickSteps; }

// Finds PutItem for "DynamoDB_20120810.PutItem". Each service has only its own operations.
const ops::Operation* OperationOf(std::string_view target) {
  const ops::Operation* operation = ops::FindOperation(target.substr(target.find('.') + 1));
  if (!operation) return nullptr;
  const std::string_view prefix = kTargets[static_cast<size_t>(operation->api)];
  return target.starts_with(prefix) && target.size() == prefix.size() + operation->name.size() ? operation : nullptr;
}

std::string_view MediaType(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (!content_type.empty() && content_type.back() == ' ') content_type.remove_suffix(1);
  return content_type;
}

void AddHeader(http::Response& response, std::string_view name, std::string_view value) {
  response.headers.append(name).append(": ").append(value).append("\r\n");
}

// A test build names the rules behind the errors in a response, for tests/wire/run.
#ifdef KEYFOLD_RULE_HEADER
constexpr bool kNamesRules = true;
#else
constexpr bool kNamesRules = false;
#endif

void NameRules(std::span<const std::string_view> rules, http::Response& response) {
  if (rules.empty()) return;
  AddHeader(response, "x-keyfold-rule", fmt::format("{}", fmt::join(rules, ",")));
}

// The error's own rule, then those of the actions that cancelled a transaction.
std::vector<std::string_view> RulesOf(const Error& error) {
  std::vector<std::string_view> rules = {error.rule()};
  const auto* cancelled = dynamic_cast<const CancellationReasons*>(error.detail());
  if (!cancelled) return rules;
  for (const CancellationReasons::Reason& reason : cancelled->reasons) {
    if (!reason.rule.empty()) rules.push_back(reason.rule);
  }
  return rules;
}

RequestRecord::Outcome OutcomeOf(const Status& status) {
  using Outcome = RequestRecord::Outcome;
  if (status.ok()) return Outcome::kSuccess;
  switch (status.kind()) {
    case Kind::kConditionalCheckFailed:
      return Outcome::kConditionFailed;
    case Kind::kThrottling:
    case Kind::kProvisionedThroughputExceeded:
      return Outcome::kThrottled;
    case Kind::kInternal:
    case Kind::kUnavailable:
      return Outcome::kSystemError;
    default:
      return Outcome::kUserError;
  }
}

}  // namespace

// Moved between threads; used by one thread at a time.
struct Dispatcher::Exchange {
  http::Request& request;
  http::Responder responder;
  http::Response response;
  Micros start = 0;
  const ops::Operation* operation = nullptr;
  std::optional<auth::Authenticated> caller;
  ops::Account account;
  store::CommitNumber horizon = 0;
  std::unique_ptr<ModelObserver> observer = nullptr;  // null: no table is watched
  RequestRecord::Outcome outcome = RequestRecord::Outcome::kSuccess;
  std::optional<Kind> error = {};

  void Send() { responder.Send(std::move(response)); }
  void SendText(int status, std::string_view text, std::string_view type = "text/plain") {
    response.status = status;
    response.content_type = type;
    response.body = text;
    Send();
  }
};

Dispatcher::Dispatcher(const ops::Service& service, const auth::Gate& gate, OriginRules origins, Workers& workers,
                       DispatchOptions options)
    : service_(service), gate_(gate), origins_(std::move(origins)), workers_(workers), options_(std::move(options)) {}

void Dispatcher::Handle(http::Request& request, http::Responder responder) {
  Exchange exchange{request, std::move(responder), {}, clock_.Now(), nullptr, std::nullopt, {}, 0, nullptr, {}};
  exchange.response = exchange.responder.NewResponse();
  AddRequestId(exchange.response);
  if (!origins_.AllowsHost(request.Find("Host"))) {
    return Refuse(exchange, 403, "HostNotAllowed", "This Host is not allowed: allow it with --allow-host\n");
  }
  if (const std::string_view origin = request.Find("Origin"); origin.data() != nullptr) {
    if (!origins_.AllowsOrigin(origin)) {
      return Refuse(exchange, 403, "OriginNotAllowed", "This Origin is not allowed: allow it with --allow-origin\n");
    }
    AddHeader(exchange.response, "Access-Control-Allow-Origin", origins_.AllowedOriginFor(origin));
    AddHeader(exchange.response, "Access-Control-Expose-Headers",
              "x-amzn-requestid,x-amzn-errortype,x-amzn-errormessage,x-amzn-date,x-amz-crc32");
    if (request.method == "OPTIONS") return HandlePreflight(exchange);
  }
  if (request.path == "/") {
    if (request.method == "POST") return HandleApi(exchange);
    if (request.method == "GET" && options_.local_health) return exchange.SendText(400, kLocalHealth, kAmzJson);
    if (request.method == "GET") return exchange.SendText(200, fmt::format("healthy: {} ", request.Find("Host")));
  } else if (request.path == "/health" && request.method == "GET") {
    return HandleHealth(exchange);
  } else if (request.path == "/metrics" && request.method == "GET") {
    return HandleMetrics(std::move(exchange));
  } else if (request.path == "/_keyfold/reset" && request.method == "POST" && options_.allow_reset) {
    return HandleReset(std::move(exchange));
  } else if (options_.model_requests && options_.model_requests->Serves(request.method, request.path)) {
    return HandleModels(std::move(exchange));
  } else if (options_.admin && options_.admin->Serves(request.method, request.path)) {
    return HandleAdmin(std::move(exchange));
  }
  const bool admin = request.path.starts_with(kAdminPrefix);
  Refuse(exchange, 404, admin ? "AdminRequestsDisabled" : "UnknownOperationException", kNoSuchThing);
}

void Dispatcher::HandlePreflight(Exchange& exchange) {
  const http::Request& request = exchange.request;
  if (const std::string_view headers = request.Find("Access-Control-Request-Headers"); headers.data() != nullptr) {
    AddHeader(exchange.response, "Access-Control-Allow-Headers", headers);
  }
  if (const std::string_view method = request.Find("Access-Control-Request-Method"); method.data() != nullptr) {
    AddHeader(exchange.response, "Access-Control-Allow-Methods", method);
  }
  AddHeader(exchange.response, "Access-Control-Max-Age", "172800");
  exchange.Send();
}

// AWS checks in this order: content type, JSON, target, signature.
void Dispatcher::HandleApi(Exchange& exchange) {
  const http::Request& request = exchange.request;
  const std::string_view type = MediaType(request.Find("Content-Type"));
  if (!request.body.empty() && type != kAmzJson && type != kJson) {
    return Refuse(exchange, 404, "UnknownOperationException", kNoSuchThing);
  }
  exchange.response.content_type = type == kAmzJson ? kAmzJson : kJson;
  if (request.body.size() <= kLoopBodyBytesMax) return Continue(exchange, Where::kLoop);
  const bool quick = request.body.size() <= kQuickBodyBytesMax;
  ContinueOn(quick ? Where::kQuick : Where::kHeavy, exchange);
}

void Dispatcher::ContinueOn(Where where, Exchange& exchange) {
  auto shared = std::make_shared<Exchange>(std::move(exchange));
  const Lane lane = where == Where::kHeavy ? Lane::kHeavy : Lane::kQuick;
  const bool taken = workers_.Submit(lane, [this, shared, where] { Continue(*shared, where); });
  if (!taken) Finish(*shared, kWorkersBusy());
}

void Dispatcher::Continue(Exchange& exchange, Where where) {
  if (where == Where::kHeavy && workers_.turns().stopping()) return Finish(exchange, kStopping());
  // Parsed again on each thread, because a parser belongs to its thread.
  const ParsedBody body(exchange.request.body);
  if (!exchange.caller) {
    Status admitted = Admit(exchange, body.value().has_value());
    if (!admitted.ok()) return Finish(exchange, std::move(admitted));
  }
  const ops::Runs runs = exchange.operation->runs;
  if (runs == ops::Runs::kOnWorker && where == Where::kLoop) return ContinueOn(Where::kQuick, exchange);
  if (runs == ops::Runs::kAtLength && where != Where::kHeavy) return ContinueOn(Where::kHeavy, exchange);
  if (const auto next = Run(exchange, *body.value(), where)) ContinueOn(*next, exchange);
}

Status Dispatcher::Admit(Exchange& exchange, bool has_body) const {
  const http::Request& request = exchange.request;
  if (!request.body.empty() && !has_body) return wire::NotJson();
  exchange.operation = OperationOf(request.Find("X-Amz-Target"));
  if (!exchange.operation) return kUnknownOperation();
  ASSIGN_OR_RETURN(exchange.caller, Authenticate(request));
  exchange.response.vouched = gate_.verifies();
  if (!has_body) return wire::NotJson();
  return Ok();
}

std::optional<Dispatcher::Where> Dispatcher::WhereNext(const Exchange& exchange, const Status& status,
                                                       const ops::Call& call, Where where) const {
  if (status.ok() || status.kind() != Kind::kWouldBlock) return std::nullopt;
  const Pace* pace = call.access.pace;
  CHECK(exchange.operation->runs == ops::Runs::kAnywhere && pace);  // other operations must not run twice
  if (!pace->refused()) return Where::kQuick;
  // A page asks row by row, so its total cost is not known in advance.
  const bool is_short = !call.account.is_page && pace->wanted() <= kQuickSteps;
  return where == Where::kLoop && is_short ? Where::kQuick : Where::kHeavy;
}

std::optional<Dispatcher::Where> Dispatcher::Run(Exchange& exchange, json::Value body, Where where) {
  store::Horizon horizon;
  std::unique_ptr<ModelObserver> observer;
  if (auto models = options_.models ? options_.models->Current() : nullptr) {
    observer = std::make_unique<ModelObserver>(std::move(models), *exchange.operation);
  }
  const bool on_loop = where == Where::kLoop;
  Pace pace = where == Where::kHeavy ? Pace::InTurns(workers_.turns()) : Pace::OfSteps(StepsOf(on_loop));
  // An operation that writes more than once cannot be rerun on another thread.
  const bool paced = where == Where::kHeavy || exchange.operation->runs == ops::Runs::kAnywhere;
  ops::Call call{
      service_,
      *exchange.caller,
      exchange.request.Find("Host"),
      {{horizon, on_loop ? store::Wait::kNever : store::Wait::kAllowed, paced ? &pace : nullptr}, observer.get()},
      {}};
  json::Writer writer(exchange.response.body);
  Status status = exchange.operation->handler(call, body, writer);
  if (const auto next = WhereNext(exchange, status, call, where)) {
    exchange.response.body.clear();
    return next;
  }
  if (where == Where::kHeavy && call.account.is_page) {
    const int64_t held = pace.longest_held().count();
    int64_t before = page_held_nanos_max_.load(std::memory_order_relaxed);
    while (held > before && !page_held_nanos_max_.compare_exchange_weak(before, held)) {
    }
  }
  if (observer) {
    observer->Finish(call.account, status.ok());
    if (const std::string warning = observer->Warning(); !warning.empty()) {
      AddHeader(exchange.response, "x-keyfold-model", warning);
    }
    exchange.observer = std::move(observer);
  }
  exchange.account = std::move(call.account);
  exchange.horizon = horizon.number();
  Finish(exchange, std::move(status));
  return std::nullopt;
}

void Dispatcher::Finish(Exchange& exchange, Status status) {
  if (!status.ok()) {
    exchange.outcome = OutcomeOf(status);
    exchange.error = status.kind();
    const Error error = std::move(status).TakeError();
    if (error.kind() == Kind::kInternal)
      LogError("{}: {}", exchange.operation ? exchange.operation->name : "", error.message());
    exchange.response.status = wire::HttpStatusOf(error.kind());
    exchange.response.body.clear();
    wire::AppendErrorBody(exchange.response.body, error);
    if (kNamesRules) NameRules(RulesOf(error), exchange.response);
  } else if (kNamesRules) {
    NameRules(exchange.account.rules, exchange.response);
  }
  if (exchange.horizon <= service_.db.store.Durable()) return Answer(exchange);
  auto shared = std::make_shared<Exchange>(std::move(exchange));
  service_.db.store.WhenDurable(shared->horizon, [this, shared] { Answer(*shared); });
}

void Dispatcher::Answer(Exchange& exchange) {
  RequestRecord record;
  // As in CloudWatch, user errors are not counted by table (so a request that names a nonexistent table cannot add a
  // name here).
  if (exchange.outcome != RequestRecord::Outcome::kUserError) record.table = exchange.account.table;
  record.operation = exchange.operation ? exchange.operation->name : "Unknown";
  record.outcome = exchange.outcome;
  record.read_units = exchange.account.read_units;
  record.write_units = exchange.account.write_units;
  record.items_returned = exchange.account.items_returned;
  record.micros = clock_.Now() - exchange.start;
  metrics_.Record(record);
  if (exchange.observer) exchange.observer->Record(record.micros);
  if (options_.audit) AuditAnswer(exchange);
  if (options_.log_requests) {
    LogInfo("{} {} {} {} {} us", exchange.request.peer, record.operation, record.table, exchange.response.status,
            record.micros);
  }
  exchange.Send();
}

Result<auth::Authenticated> Dispatcher::Authenticate(const http::Request& request) const {
  const auth::SignedParts parts{request.method, request.path, request.query, request.headers, request.SentBody()};
  return gate_.Check(parts, clock_.Now());
}

bool Dispatcher::LetIn(Exchange& exchange) {
  if (!gate_.verifies()) return true;
  Result<auth::Authenticated> caller = Authenticate(exchange.request);
  if (!caller.ok()) {
    Refuse(exchange, 403, wire::ExceptionNameOf(caller.error().kind()), "This request must be signed\n");
    return false;
  }
  exchange.caller = *std::move(caller);
  return true;
}

void Dispatcher::Refuse(Exchange& exchange, int status, std::string_view code, std::string_view text) {
  exchange.response.status = status;
  if (options_.audit) Audit(exchange, code);
  exchange.SendText(status, text);
}

void Dispatcher::Audit(const Exchange& exchange, std::string_view error_code) const {
  const http::Request& request = exchange.request;
  AuditEvent event{.time = exchange.start, .source = "keyfold", .error_code = error_code};
  std::string parameters;
  if (exchange.operation) {
    event.name = exchange.operation->name;
    if (IsManagementCall(event.name)) parameters = AuditedParameters(request.body);
    event.parameters = parameters;
  } else if (request.path == "/" && request.method == "POST") {
    event.name = request.Find("X-Amz-Target");
  }
  if (exchange.operation && exchange.operation->api != ops::Api::kKeyfold) event.source = "dynamodb.amazonaws.com";
  if (exchange.caller) event.access_key = exchange.caller->access_key_id();
  event.verified = exchange.caller && gate_.verifies();
  options_.audit->RecordRequest(event, request, exchange.response);
}

// Audits refusals before the operation ran, refusals because of the server's own limits, and management calls.
void Dispatcher::AuditAnswer(const Exchange& exchange) const {
  const bool limit = exchange.error && (*exchange.error == Kind::kThrottling || *exchange.error == Kind::kUnavailable ||
                                        *exchange.error == Kind::kRequestTooLarge);
  if (exchange.caller && !limit && !IsManagementCall(exchange.operation->name)) return;
  Audit(exchange, exchange.error ? wire::ExceptionNameOf(*exchange.error) : std::string_view());
}

void Dispatcher::HandleHealth(Exchange& exchange) {
  // Unsigned health checks from this machine are too frequent to audit each one.
  if (gate_.verifies() && IsLoopback(exchange.request.peer) && !Authenticate(exchange.request).ok()) {
    return exchange.SendText(403, "This request must be signed\n");
  }
  if (!LetIn(exchange)) return;
  const store::StoreInfo info = service_.db.store.Info();
  const std::string last_error = service_.db.store.LastError();
  std::string body;
  json::Writer out(body);
  out.BeginObject();
  out.Member("status", last_error.empty() ? "ok" : "failed");
  out.Member("version", options_.version);
  out.Member("store", info.name);
  out.Member("durability", info.durability);
  out.Member("format", info.format);
  if (!info.path.empty()) {
    struct statvfs disk {};
    if (statvfs(info.path.c_str(), &disk) == 0) {
      out.Member("diskFreeBytes", static_cast<int64_t>(disk.f_bavail) * static_cast<int64_t>(disk.f_frsize));
    }
  }
  out.Member("insecureOpen", options_.insecure_open);
  out.Member("lastError", last_error);
  if (options_.signs) options_.signs->AppendHealth(out);
  out.EndObject();
  exchange.SendText(last_error.empty() ? 200 : 503, body, kJson);
}

void Dispatcher::HandleMetrics(Exchange exchange) {
  if (!LetIn(exchange)) return;
  AnswerOnWorker(std::move(exchange), "text/plain; version=0.0.4", [this](const http::Request&) -> AdminAnswer {
    std::string body;
    metrics_.AppendTo(body);
    AppendGauge("keyfold_page_held_seconds_max", "The longest processor time a page took before it gave way to others",
                static_cast<double>(page_held_nanos_max_.load(std::memory_order_relaxed)) / 1e9, body);
    AppendStoreMetrics(service_.db.store.Info(), service_.db.clock.Now(), body);
    if (service_.jobs) AppendJobMetrics(service_.jobs->List(), body);
    if (options_.model_requests) options_.model_requests->AppendMetrics(body);
    if (options_.audit) options_.audit->AppendMetrics(body);
    if (options_.signs) options_.signs->AppendMetrics(body);
    return {200, std::move(body)};
  });
}

void Dispatcher::HandleReset(Exchange exchange) {
  if (!LetIn(exchange)) return;
  AnswerOnWorker(std::move(exchange), kJson, [this](const http::Request&) -> AdminAnswer {
    if (!service_.lifecycle.Reset().ok()) return {500, "The reset failed; see the log\n"};
    return {200, "{}"};
  });
}

void Dispatcher::HandleAdmin(Exchange exchange) {
  if (!IsLoopback(exchange.request.peer))
    return Refuse(exchange, 403, kAdminNotLocal, "Only requests from this machine are allowed\n");
  if (!LetIn(exchange)) return;
  AnswerOnWorker(std::move(exchange), kJson, [this](const http::Request& request) {
    return options_.admin->Answer(request.method, request.path, request.body);
  });
}

void Dispatcher::HandleModels(Exchange exchange) {
  const bool changes = options_.model_requests->Changes(exchange.request.method);
  if (changes && !IsLoopback(exchange.request.peer))
    return Refuse(exchange, 403, kAdminNotLocal, "Only requests from this machine are allowed\n");
  if (!LetIn(exchange)) return;
  AnswerOnWorker(std::move(exchange), kJson, [this](const http::Request& request) {
    return options_.model_requests->Answer(request.method, request.path, request.query, request.body);
  });
}

void Dispatcher::AnswerOnWorker(Exchange exchange, std::string_view type,
                                std::function<AdminAnswer(const http::Request&)> answer) {
  auto shared = std::make_shared<Exchange>(std::move(exchange));
  const bool taken = workers_.Submit(Lane::kQuick, [this, shared, type, answer = std::move(answer)] {
    const AdminAnswer said = answer(shared->request);
    shared->response.status = said.status;
    if (kNamesRules && !said.rule.empty()) NameRules({&said.rule, 1}, shared->response);
    if (options_.audit && shared->request.method != "GET") {
      Audit(*shared, said.status == 200 ? "" : "AdminRequestFailed");
    }
    shared->SendText(said.status, said.body, said.status == 200 ? type : "text/plain");
  });
  if (!taken) Refuse(*shared, 503, "ServiceUnavailable", "Too many requests are waiting; try again\n");
}

void Dispatcher::WordProtocolError(int status, http::Response& response) {
  AddRequestId(response);
  if (response.content_type.empty()) response.content_type = "text/plain";
}

}  // namespace keyfold::server
