// LocalCaller: runs operations of a Service in this process, without HTTP, as server/dispatch.cc runs them.
#pragma once

#include <string>
#include <string_view>

#include "auth/gate.h"
#include "client/api_caller.h"
#include "engine/items/request_context.h"
#include "json/document.h"
#include "ops/operation.h"

namespace keyfold::embedded {

// Used by one thread at a time.
class LocalCaller final : public client::ApiCaller {
 public:
  // `service` refers to what must outlive the caller.
  LocalCaller(const ops::Service& service, auth::Authenticated self) : service_(service), self_(std::move(self)) {}

  // Returns after the result is durable. `operation` is one of ops/operations.cc.
  Result<std::string> Call(std::string_view operation, std::string_view body) override;

  // Runs an operation once and replaces `answer`, which is valid only without an error. Does not wait until the result
  // is durable: `access` has the request's horizon, and also says whether the operation may block and how much it may
  // do.
  Status Run(const ops::Operation& operation, const std::string& body, const engine::RequestContext& access,
             std::string& answer);

  const ops::Service& service() const { return service_; }

 private:
  const ops::Service service_;
  const auth::Authenticated self_;
  json::Parser parser_;
};

}  // namespace keyfold::embedded
