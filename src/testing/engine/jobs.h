// A store that records the state of Jobs whenever a table is read or filled through it.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "engine/background/jobs.h"
#include "testing/engine/forwarding_store.h"

namespace keyfold::engine {

// Used by one thread at a time.
class StoreThatSeesJobs final : public ForwardingStore {
 public:
  StoreThatSeesJobs(store::Store& store, const Jobs& jobs) : ForwardingStore(store), behind_(store), jobs_(jobs) {}

  Status ScanSlots(const store::SlotRange& range, store::Visit visit, store::Access access) override {
    Look();
    return behind_.ScanSlots(range, visit, access);
  }
  Result<store::LogPosition> ReadLog(const store::LogRange& range, store::VisitLog visit) override {
    Look();
    return behind_.ReadLog(range, visit);
  }
  Result<std::unique_ptr<store::Ingest>> BeginIngest() override {
    Look();
    ASSIGN_OR_RETURN(auto ingest, behind_.BeginIngest());
    return std::unique_ptr<store::Ingest>(std::make_unique<SeenIngest>(*this, std::move(ingest)));
  }

  // The states in order: "IMPORT t reading 5/9 BYTES".
  std::vector<std::string> seen;
  // The id of the last job seen.
  std::string id;

  bool HasSeen(const std::string& what) const { return std::find(seen.begin(), seen.end(), what) != seen.end(); }
  std::string SeenText() const {
    std::string text;
    for (const std::string& one : seen) text += one + "\n";
    return text;
  }

 private:
  class SeenIngest final : public store::Ingest {
   public:
    SeenIngest(StoreThatSeesJobs& store, std::unique_ptr<store::Ingest> ingest)
        : store_(store), ingest_(std::move(ingest)) {}
    Status Add(std::string_view key, std::string_view value) override {
      store_.Look();
      return ingest_->Add(key, value);
    }
    Status Finish(std::span<const store::Changes::Count> tallies) override {
      store_.Look();
      return ingest_->Finish(tallies);
    }

   private:
    StoreThatSeesJobs& store_;
    const std::unique_ptr<store::Ingest> ingest_;
  };

  void Look() {
    for (const JobState& job : jobs_.List()) {
      std::string text(NameOf(job.kind));
      text.append(" ").append(job.table).append(" ").append(job.step).append(" ");
      text.append(std::to_string(job.done)).append("/").append(job.total ? std::to_string(*job.total) : "?");
      text.append(" ").append(NameOf(job.unit));
      id = job.id;
      if (seen.empty() || seen.back() != text) seen.push_back(text);
    }
  }

  store::Store& behind_;
  const Jobs& jobs_;
};

}  // namespace keyfold::engine
