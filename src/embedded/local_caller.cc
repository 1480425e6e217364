#include "embedded/local_caller.h"

#include "base/check.h"
#include "json/writer.h"

namespace keyfold::embedded {
namespace {

constexpr Rule<"the request is not valid JSON"> kRequestNotJson{"embedded-not-json", Kind::kSerialization};
constexpr std::string_view kEndpoint = "localhost:8000";  // for DescribeEndpoints

}  // namespace

Status LocalCaller::Run(const ops::Operation& operation, const std::string& body, const engine::RequestContext& access,
                        std::string& answer) {
  answer.clear();
  const std::optional<json::Value> request = parser_.Parse(body);
  if (!request) return kRequestNotJson();
  ops::Call call{service_, self_, kEndpoint, access, {}};
  json::Writer writer(answer);
  return operation.handler(call, *request, writer);
}

Result<std::string> LocalCaller::Call(std::string_view name, std::string_view body) {
  const ops::Operation* operation = ops::FindOperation(name);
  CHECK(operation != nullptr);
  store::Horizon horizon;
  std::string answer;
  RETURN_IF_ERROR(Run(*operation, std::string(body), {horizon, store::Wait::kAllowed}, answer));
  service_.db.store.WaitUntilDurable(horizon.number());
  return answer;
}

}  // namespace keyfold::embedded
