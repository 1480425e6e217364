// Requests on tags: TagResource, UntagResource, ListTagsOfResource. AWS checks the ARN before it checks for missing
// members, so no member is required by shape; the operations check them in that order.
#pragma once

#include "wire/shapes.h"

namespace keyfold::wire {

struct TagResourceRequest {
  std::optional<std::string> resource_arn;
  std::optional<std::vector<ResourceTag>> tags;
};
template <>
struct ShapeOf<TagResourceRequest> {
  static constexpr std::string_view kName = "TagResourceInput";
  static constexpr Field kFields[] = {
      Member<&TagResourceRequest::resource_arn>("ResourceArn"),
      Member<&TagResourceRequest::tags>("Tags"),
  };
};

struct UntagResourceRequest {
  std::optional<std::string> resource_arn;
  std::optional<std::vector<std::string>> tag_keys;
};
template <>
struct ShapeOf<UntagResourceRequest> {
  static constexpr std::string_view kName = "UntagResourceInput";
  static constexpr Field kFields[] = {
      Member<&UntagResourceRequest::resource_arn>("ResourceArn"),
      Member<&UntagResourceRequest::tag_keys>("TagKeys"),
  };
};

struct ListTagsOfResourceRequest {
  std::optional<std::string> resource_arn;
  std::optional<std::string> next_token;
};
template <>
struct ShapeOf<ListTagsOfResourceRequest> {
  static constexpr std::string_view kName = "ListTagsOfResourceInput";
  static constexpr Field kFields[] = {
      Member<&ListTagsOfResourceRequest::resource_arn>("ResourceArn"),
      Member<&ListTagsOfResourceRequest::next_token>("NextToken"),
  };
};

}  // namespace keyfold::wire
