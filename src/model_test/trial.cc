#include "model_test/trial.h"

#include <algorithm>
#include <memory>

#include "model/diff/definition.h"
#include "model_test/acceptance.h"

namespace keyfold::model_test {
namespace {

constexpr size_t kFaultsKept = 3;  // per pattern

// The database and its expected contents. Recreated after a pattern has left them different.
struct Ground {
  Ground(const model::Model& model, uint64_t seed)
      : database(embedded::EmbeddedDatabase::InMemory(clock, seed)), samples(model, model::kSamplePresentMs) {}

  const ManualClock clock{model::kSamplePresentMs * 1000};  // it never advances, so nothing expires
  const std::unique_ptr<embedded::EmbeddedDatabase> database;
  SampleTable samples;
};

std::string PutBody(const model::Model& model, const std::string& item) {
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  writer.Member("TableName", model.table.name);
  writer.Key("Item");
  writer.Raw(item);
  writer.EndObject();
  return body;
}

// Used by one thread at a time.
class Trial {
 public:
  Trial(const model::Model& model, const TrialOptions& options)
      : model_(model),
        options_(options),
        sampler_(model, {.seed = options.seed, .items = {}, .now_ms = model::kSamplePresentMs}),
        sample_(sampler_.MakeAll()),
        acceptance_(model) {}

  TrialReport Run() {
    report_.seed = options_.seed;
    report_.objects.resize(model_.entities.size());
    for (const model::SampleObject& object : sample_) ++report_.objects[object.entity];
    const bool laid = Lay(&report_.loading);
    for (model::PatternId id = 0; id < model_.patterns.size(); ++id) {
      report_.patterns.emplace_back().pattern = id;
      if (!laid) report_.patterns.back().untried = "there is no table";
    }
    if (!laid) return std::move(report_);
    if (options_.record_calls) record_.emplace(model_, ground_->samples);
    for (const bool writes : {false, true}) {
      for (model::PatternId id = 0; id < model_.patterns.size(); ++id) {
        if (model_.patterns[id].Reads() != writes) Try(id);
      }
    }
    for (std::string& note : acceptance_.Unmatched(report_.patterns)) report_.notes.push_back(std::move(note));
    if (record_) report_.calls = record_->Take();
    return std::move(report_);
  }

 private:
  void Try(model::PatternId id) {
    PatternTrial& trial = report_.patterns[id];
    const model::Compiled compiled = model::Compile(model_, id);
    if (const auto* unserved = std::get_if<model::Unserved>(&compiled)) {
      trial.unserved = unserved->message;
      trial.accepted = acceptance_.ReasonFor(trial);
      if (!trial.ok()) record_.reset();
      return;
    }
    const auto& access = std::get<model::Access>(compiled);
    CallRecord* const record = record_ ? &*record_ : nullptr;
    const TrialContext context{model_, *ground_->database, ground_->samples, sampler_, acceptance_, record};
    trial = model_.patterns[id].Reads() ? TryRead(context, access) : TryWrite(context, access);
    trial.accepted = acceptance_.ReasonFor(trial);
    const bool spoiled = trial.writes && trial.faults_count > 0;  // the table differs from the sample
    if (spoiled && trial.ok() && record_) report_.notes.push_back(NotRecorded(trial));
    if (!trial.ok() || spoiled) record_.reset();
    if (spoiled) Lay(nullptr);
  }

  std::string NotRecorded(const PatternTrial& trial) const {
    return "The calls are not recorded, because " + model_.patterns[trial.pattern].name +
           " is accepted although it fails, and the table then differs from what the model says.";
  }

  // Creates the table and loads the sample. Returns false if the table cannot be created.
  bool Lay(std::vector<TrialFault>* faults) {
    ground_ = std::make_unique<Ground>(model_, options_.seed);
    model::TableDefinition definition = model::DefinitionOf(model_);
    definition.stream = model::Stream::kOff;
    const Result<std::string> created = ground_->database->Call("CreateTable", model::CreateTableBody(definition, {}));
    if (!created.ok()) {
      if (faults != nullptr) faults->push_back({"the table is refused: " + created.error().message(), "", {}, {}});
      return false;
    }
    shared_ = 0;
    for (const model::SampleObject& object : sample_) Put(object, faults);
    return true;
  }

  // Decides about an object whose key another object of the sample has, if the model shares keys on purpose. Of two
  // entities each gets every other key. Returns false if the object is left out.
  bool TakesKey(const model::SampleObject& object, size_t other) {
    const bool same = ground_->samples.entries()[other].object.entity == object.entity;
    if (same || ++shared_ % 2 == 0) return false;
    ground_->samples.Remove(other);
    return true;
  }

  void Put(const model::SampleObject& object, std::vector<TrialFault>* faults) {
    const SampleEntry made = ground_->samples.Made(object);
    std::optional<size_t> other = ground_->samples.FindRow(made.row_key);
    if (other && acceptance_.MayShareKeys(ground_->samples.entries()[*other].object.entity, object.entity)) {
      if (!TakesKey(object, *other)) return;
      other.reset();
    }
    const Result<std::string> put = ground_->database->Call("PutItem", PutBody(model_, model::JsonOf(made.item)));
    const std::string key = model_.entities[object.entity].name + ' ' + KeyWords(model_, {}, made.row);
    if (put.ok()) ground_->samples.Add(object);
    if (faults == nullptr || faults->size() >= kFaultsKept) return;
    if (!put.ok()) {
      faults->push_back({"an item of the sample is refused: " + put.error().message(), "", {}, {key}});
    } else if (other) {
      const model::EntityId first = ground_->samples.entries()[*other].object.entity;
      faults->push_back({"items overwrite each other: " + model_.entities[first].name + " and " +
                             model_.entities[object.entity].name + " can have the same key",
                         "",
                         {},
                         {key}});
    }
  }

  const model::Model& model_;
  const TrialOptions options_;
  model::Sampler sampler_;
  const std::vector<model::SampleObject> sample_;
  const Acceptance acceptance_;
  std::unique_ptr<Ground> ground_;
  uint64_t shared_ = 0;  // keys of the sample that two entities have
  std::optional<CallRecord> record_;
  TrialReport report_;
};

}  // namespace

void PatternTrial::Add(TrialFault fault) {
  ++faults_count;
  if (faults.size() < kFaultsKept) faults.push_back(std::move(fault));
}

void PatternTrial::AddMisordered(TrialFault fault) {
  ++misordered;
  Add(std::move(fault));
}

bool TrialReport::ok() const {
  return loading.empty() &&
         std::all_of(patterns.begin(), patterns.end(), [](const PatternTrial& one) { return one.ok(); });
}

std::string CallWords(const model::InputValues& values) {
  std::string words;
  for (const auto& [name, value] : values) words += (words.empty() ? "" : " ") + name + '=' + value;
  return words;
}

TrialReport RunTrial(const model::Model& model, const TrialOptions& options) { return Trial(model, options).Run(); }

}  // namespace keyfold::model_test
