// TagResource, UntagResource and ListTagsOfResource. AWS checks the ARN before it checks for missing members.
#include "wire/requests/tags.h"

#include <algorithm>

#include "engine/catalog/rules.h"
#include "ops/handlers.h"
#include "ops/table_rules.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Invalid ResourceArn"> kNoArn{"resource-arn-missing", Kind::kValidation};
constexpr Rule<"Atleast one Tag needs to be provided as Input."> kNoTags{"tags-empty", Kind::kValidation};
constexpr Rule<"Atleast one Tag Key needs to be provided as Input."> kNoTagKeys{"tag-keys-empty", Kind::kValidation};

Result<engine::TablePtr> FindTagged(const Call& call, const std::optional<std::string>& arn) {
  if (!arn) return kNoArn();
  ASSIGN_OR_RETURN(const std::string name, engine::TableNameOfArn(call.service.identity, *arn));
  engine::TablePtr table = call.service.db.catalog.Current()->Find(name);
  if (!table) return engine::kNoSuchResource(*arn);
  return table;
}

}  // namespace

Status TagResource(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::TagResourceRequest r, wire::Decode<wire::TagResourceRequest>(request));
  if (!r.resource_arn) return kNoArn();
  ASSIGN_OR_RETURN(const std::string name, engine::TableNameOfArn(call.service.identity, *r.resource_arn));
  if (!r.tags) return wire::MemberIsNull("tags");
  if (r.tags->empty()) return kNoTags();
  ASSIGN_OR_RETURN(const Tags added, TagsOf(*r.tags));
  ASSIGN_OR_RETURN(const engine::TablePtr table, FindTagged(call, r.resource_arn));
  RETURN_IF_ERROR(
      call.service.lifecycle.Annotate(table->name, [&](engine::Table& t) { return MergeTags(t.tags, added); }));
  return Ok();
}

Status UntagResource(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::UntagResourceRequest r, wire::Decode<wire::UntagResourceRequest>(request));
  if (!r.resource_arn) return kNoArn();
  ASSIGN_OR_RETURN(const std::string name, engine::TableNameOfArn(call.service.identity, *r.resource_arn));
  if (!r.tag_keys) return wire::MemberIsNull("tagKeys");
  if (r.tag_keys->empty()) return kNoTagKeys();
  ASSIGN_OR_RETURN(const engine::TablePtr table, FindTagged(call, r.resource_arn));
  RETURN_IF_ERROR(call.service.lifecycle.Annotate(table->name, [&](engine::Table& t) -> Status {
    const auto gone = [&](const auto& tag) {
      return std::find(r.tag_keys->begin(), r.tag_keys->end(), tag.first) != r.tag_keys->end();
    };
    t.tags.erase(std::remove_if(t.tags.begin(), t.tags.end(), gone), t.tags.end());
    return Ok();
  }));
  return Ok();
}

Status ListTagsOfResource(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::ListTagsOfResourceRequest r, wire::Decode<wire::ListTagsOfResourceRequest>(request));
  ASSIGN_OR_RETURN(const engine::TablePtr table, FindTagged(call, r.resource_arn));
  answer.BeginObject();
  answer.Key("Tags");
  answer.BeginArray();
  for (const auto& [key, value] : table->tags) {
    answer.BeginObject();
    answer.Member("Key", key);
    answer.Member("Value", value);
    answer.EndObject();
  }
  answer.EndArray();
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
