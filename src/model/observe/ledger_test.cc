#include "model/observe/ledger.h"

#include <gtest/gtest.h>

namespace keyfold::model {
namespace {

// One finding for each entity and attribute: a later message replaces only the one about the same attribute.
TEST(Ledger, KeepsDriftApartByAttribute) {
  Ledger ledger(0, 2, 1);
  const auto add = [&](DriftKind kind, EntityId entity, const std::string& attribute, const std::string& other,
                       const std::string& message) {
    Trace trace;
    trace.drifts.push_back({{kind, entity, std::nullopt, attribute, other, message}, "key"});
    ledger.Add(trace, 0, 1);
  };
  add(DriftKind::kAttributeType, 0, "name", "", "name is wrong");
  add(DriftKind::kAttributeType, 0, "age", "", "age is wrong");
  add(DriftKind::kAttributeType, 0, "name", "", "name is wrong again");
  add(DriftKind::kMissing, 0, "name", "", "name is missing");
  add(DriftKind::kAttributeType, 1, "name", "", "the other's name is wrong");
  add(DriftKind::kKey, 1, "PK", "id", "PK contradicts id");
  add(DriftKind::kKey, 1, "PK", "at", "PK contradicts at");
  std::string found;
  for (const DriftTotals& drift : ledger.Read().drifts) {
    found += drift.last.message + ' ' + std::to_string(drift.count) + '\n';
  }
  EXPECT_EQ(found,
            "PK contradicts at 1\n"
            "PK contradicts id 1\n"
            "age is wrong 1\n"
            "name is wrong again 2\n"
            "the other's name is wrong 1\n"
            "name is missing 1\n");
}

}  // namespace
}  // namespace keyfold::model
