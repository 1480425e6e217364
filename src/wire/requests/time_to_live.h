// Requests on time to live: UpdateTimeToLive, DescribeTimeToLive.
#pragma once

#include "wire/shapes.h"

namespace keyfold::wire {

struct TimeToLiveSpecification {
  bool enabled = false;
  std::string attribute_name;
};
template <>
struct ShapeOf<TimeToLiveSpecification> {
  static constexpr std::string_view kName = "TimeToLiveSpecification";
  static constexpr Field kFields[] = {
      Member<&TimeToLiveSpecification::enabled>("Enabled", {.required = true}),
      Member<&TimeToLiveSpecification::attribute_name>("AttributeName", {.required = true, .min = 1, .max = 255}),
  };
};

struct UpdateTimeToLiveRequest {
  std::string table_name;
  TimeToLiveSpecification time_to_live_specification;
};
template <>
struct ShapeOf<UpdateTimeToLiveRequest> {
  static constexpr std::string_view kName = "UpdateTimeToLiveInput";
  static constexpr Field kFields[] = {
      Member<&UpdateTimeToLiveRequest::table_name>("TableName", kChangedTableName),
      Member<&UpdateTimeToLiveRequest::time_to_live_specification>("TimeToLiveSpecification", {.required = true}),
  };
};

struct DescribeTimeToLiveRequest {
  std::string table_name;
};
template <>
struct ShapeOf<DescribeTimeToLiveRequest> {
  static constexpr std::string_view kName = "DescribeTimeToLiveInput";
  static constexpr Field kFields[] = {
      Member<&DescribeTimeToLiveRequest::table_name>("TableName", kChangedTableName),
  };
};

}  // namespace keyfold::wire
