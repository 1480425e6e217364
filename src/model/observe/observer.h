// Observer: a model attached to a table. It matches requests to patterns and items to entities and counts what they do;
// report.h reports it. It takes plain records and does not depend on the engine or the server.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "model/core/model.h"
#include "model/observe/item_judge.h"
#include "model/observe/ledger.h"
#include "model/observe/pattern_matcher.h"
#include "model/observe/trace.h"
#include "model/plan/plan.h"

namespace keyfold::model {

enum class ObserveMode : uint8_t {
  kObserve,  // counts
  kWarn,     // also warns the client in a header
  kEnforce,  // also refuses writes that drift
};
std::string_view NameOf(ObserveMode);  // "observe"
std::optional<ObserveMode> ModeByName(std::string_view);

struct ObserverOptions {
  ObserveMode mode = ObserveMode::kObserve;
  Micros unseen_after = 35 * kDay;  // a declared pattern not seen for this long is a finding
};

// Thread-safe. The clock is borrowed.
class Observer {
 public:
  Observer(Model, ObserverOptions, const Clock&);
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  const Model& model() const { return model_; }
  const ItemJudge& judge() const { return judge_; }
  const PatternMatcher& patterns() const { return patterns_; }
  const Plan& plan() const { return plan_; }
  const Ledger& ledger() const { return ledger_; }
  const Clock& clock() const { return clock_; }
  Micros since() const { return since_; }
  Micros unseen_after() const { return options_.unseen_after; }

  ObserveMode mode() const { return mode_.load(std::memory_order_relaxed); }
  void set_mode(ObserveMode mode) { mode_.store(mode, std::memory_order_relaxed); }

  void Record(const Trace& trace, Micros latency) { ledger_.Add(trace, latency, clock_.Now()); }
  void RecordRefusal(const Trace& trace) { ledger_.AddRefusal(trace, clock_.Now()); }

 private:
  const Model model_;
  const ObserverOptions options_;
  const Clock& clock_;
  const Micros since_;
  const ItemJudge judge_;
  const PatternMatcher patterns_;
  const Plan plan_;
  std::atomic<ObserveMode> mode_;
  Ledger ledger_;
};

}  // namespace keyfold::model
