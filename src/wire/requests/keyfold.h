// Requests of Keyfold's own operations (target Keyfold_20261116.NAME), for what AWS's API does not have.
#pragma once

#include "wire/requests/imports.h"

namespace keyfold::wire {

// The member of ImportExports in addition to those of ImportTable.
struct ImportExportsRequest {
  std::vector<std::string> increments;
};
template <>
struct ShapeOf<ImportExportsRequest> {
  static constexpr std::string_view kName = "ImportExportsInput";
  static constexpr Field kFields[] = {
      Member<&ImportExportsRequest::increments>("Increments",
                                                {.required = true, .max = 1000, .elements = {.min = 1, .max = 1024}}),
  };
};

struct ListJobsRequest {};
template <>
struct ShapeOf<ListJobsRequest> {
  static constexpr std::string_view kName = "ListJobsInput";
  static constexpr std::span<const Field> kFields = {};
};

struct StartVerificationRequest {
  std::optional<std::string> table_name;  // nullopt: the whole database
};
template <>
struct ShapeOf<StartVerificationRequest> {
  static constexpr std::string_view kName = "StartVerificationInput";
  static constexpr Field kFields[] = {
      Member<&StartVerificationRequest::table_name>("TableName", {.min = 1, .max = 1024}),
  };
};

struct DescribeVerificationRequest {};
template <>
struct ShapeOf<DescribeVerificationRequest> {
  static constexpr std::string_view kName = "DescribeVerificationInput";
  static constexpr std::span<const Field> kFields = {};
};

}  // namespace keyfold::wire
