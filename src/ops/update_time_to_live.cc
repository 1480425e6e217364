// UpdateTimeToLive: sets which attribute has an item's expiry time.
#include "ops/handlers.h"
#include "wire/requests/time_to_live.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"TimeToLive is already enabled"> kAlreadyEnabled{"ttl-already-enabled", Kind::kValidation};
constexpr Rule<"TimeToLive is already disabled"> kAlreadyDisabled{"ttl-already-disabled", Kind::kValidation};
constexpr Rule<"TimeToLive is active on a different AttributeName: current AttributeName is {}"> kOtherAttribute{
    "ttl-other-attribute", Kind::kValidation};

Status ChangeExpiry(const wire::TimeToLiveSpecification& wanted, const engine::ExpirySettings& present,
                    engine::ExpirySettings& next) {
  if (!present.enabled && !wanted.enabled) return kAlreadyDisabled();
  if (present.enabled && present.attribute != wanted.attribute_name) return kOtherAttribute(present.attribute);
  if (present.enabled && wanted.enabled) return kAlreadyEnabled();
  next.enabled = wanted.enabled;
  if (wanted.enabled) next.attribute = wanted.attribute_name;
  return Ok();
}

}  // namespace

Status UpdateTimeToLive(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::UpdateTimeToLiveRequest r, wire::Decode<wire::UpdateTimeToLiveRequest>(request));
  ASSIGN_OR_RETURN(const std::string name, engine::TableNameOf(call.service.identity, r.table_name));
  const wire::TimeToLiveSpecification& wanted = r.time_to_live_specification;
  const auto change = [&](const engine::ExpirySettings& present, engine::ExpirySettings& next) {
    return ChangeExpiry(wanted, present, next);
  };
  ASSIGN_OR_RETURN(const engine::TablePtr updated, call.service.lifecycle.UpdateExpiry(name, change));
  call.account.table = updated->name;
  answer.BeginObject();
  answer.Key("TimeToLiveSpecification");
  answer.BeginObject();
  answer.Member("AttributeName", wanted.attribute_name);
  answer.Member("Enabled", wanted.enabled);
  answer.EndObject();
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
