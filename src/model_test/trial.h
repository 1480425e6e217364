// A trial of a model: sample data in an in-memory database, every pattern run as the requests it compiles to, and what
// came of it held against what the objects themselves say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "embedded/in_memory_database.h"
#include "model/compile/access.h"
#include "model/sample/sample.h"
#include "model_test/sample_table.h"

namespace keyfold {

struct TrialFault {
  std::string what;  // one clause
  std::string call;  // the inputs, "userId=ann limit=3"
  // Keys: of items that should be there and are not, and of those that are and should not, or stand in the wrong place.
  std::vector<std::string> missing;
  std::vector<std::string> unexpected;
};

struct PatternTrial {
  model::PatternId pattern = 0;
  std::optional<model::Operation> operation;  // nothing: no request serves it
  std::string unserved;                       // why not
  std::string untried;                        // served, but the sample has nothing to call it with
  uint64_t invocations = 0;
  uint64_t requests = 0;
  uint64_t items = 0;  // read or written
  uint64_t faults_count = 0;
  std::vector<TrialFault> faults;  // the first ones
  // Of all invocations that count: what the database said, and what the planner's arithmetic makes of the real sizes.
  uint64_t measured_invocations = 0;
  double measured_units = 0;
  std::optional<double> planned_units = 0;
  bool writes = false;

  bool ok() const { return faults_count == 0 && unserved.empty(); }
  void Add(TrialFault fault);
};

struct TrialReport {
  uint64_t seed = 0;
  std::vector<uint64_t> objects;       // by entity
  std::vector<TrialFault> loading;     // items that overwrote each other, or were refused
  std::vector<PatternTrial> patterns;  // in the order of the model

  bool ok() const;
};

struct TrialOptions {
  uint64_t seed = 1;
};
TrialReport RunTrial(const model::Model& model, const TrialOptions& options);

// What the parts of a trial work on. Borrowed.
struct TrialContext {
  const model::Model& model;
  InMemoryDatabase& database;
  SampleTable& samples;
  model::Sampler& sampler;
};

// "userId=ann limit=3", for people.
std::string CallWords(const model::InputValues& values);

PatternTrial TryRead(const TrialContext& context, const model::Access& access);
PatternTrial TryWrite(const TrialContext& context, const model::Access& access);

std::string TrialText(const model::Model& model, const TrialReport& report);
std::string TrialJson(const model::Model& model, const TrialReport& report);

}  // namespace keyfold
