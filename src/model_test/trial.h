// A trial of a model: loads sample data into an in-memory database, runs every pattern as the requests it compiles to,
// and compares the outcome with what the objects themselves imply.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "embedded/embedded_database.h"
#include "model/compile/access.h"
#include "model/sample/sample.h"
#include "model_test/call_record.h"
#include "model_test/sample_table.h"

namespace keyfold::model_test {

struct TrialFault {
  std::string what;  // one clause
  std::string call;  // the inputs, "userId=ann limit=3"
  // Keys of items that are missing, and of items that should not be there or are in the wrong place.
  std::vector<std::string> missing;
  std::vector<std::string> unexpected;
  std::vector<std::string> misplaced = {};  // two items in the order in which they wrongly came
};

struct PatternTrial {
  model::PatternId pattern = 0;
  std::optional<model::Operation> operation;  // nullopt if no request serves it
  std::string unserved;                       // the reason
  std::string untried;                        // the reason: served, but the sample has nothing to call it with (L51)
  std::string accepted;                       // why it counts as passed all the same: an accept of the model
  uint64_t invocations = 0;
  uint64_t requests = 0;
  uint64_t items = 0;  // read or written
  uint64_t faults_count = 0;
  uint64_t misordered = 0;         // those of them that are only about the order
  std::vector<TrialFault> faults;  // the first ones
  // Over all measured invocations: the units that the database reported, and those by the planner's arithmetic from the
  // real sizes.
  uint64_t measured_invocations = 0;
  double measured_units = 0;
  std::optional<double> planned_units = 0;
  bool writes = false;

  bool right() const { return faults_count == 0 && unserved.empty() && untried.empty(); }
  bool ok() const { return right() || !accepted.empty(); }
  void Add(TrialFault fault);
  // Adds a fault that is only about the order of the items.
  void AddMisordered(TrialFault fault);
};

struct TrialReport {
  uint64_t seed = 0;
  std::vector<uint64_t> objects;       // by entity
  std::vector<TrialFault> loading;     // items that overwrote each other or were refused
  std::vector<PatternTrial> patterns;  // in model order
  std::vector<std::string> notes;      // what else to say, one sentence each
  std::string calls;                   // if recorded, and if no pattern prevents it: see CallRecord

  bool ok() const;
};

struct TrialOptions {
  uint64_t seed = 1;
  bool record_calls = false;
};
TrialReport RunTrial(const model::Model& model, const TrialOptions& options);

class Acceptance;

// What the parts of a trial share. Borrowed.
struct TrialContext {
  const model::Model& model;
  embedded::EmbeddedDatabase& database;
  SampleTable& samples;
  model::Sampler& sampler;
  const Acceptance& acceptance;
  CallRecord* record = nullptr;  // nullptr if the calls are not recorded
};

// The inputs as readable text: "userId=ann limit=3".
std::string CallWords(const model::InputValues& values);

PatternTrial TryRead(const TrialContext& context, const model::Access& access);
PatternTrial TryWrite(const TrialContext& context, const model::Access& access);

std::string TrialText(const model::Model& model, const TrialReport& report);
std::string TrialJson(const model::Model& model, const TrialReport& report);

}  // namespace keyfold::model_test
