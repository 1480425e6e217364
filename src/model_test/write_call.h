// One invocation of a write pattern: inputs that objects of the world, or new ones, give, and what the world is to be
// after it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/compile/request.h"
#include "model_test/trial.h"

namespace keyfold {

// What one element of the request does.
struct WriteEffect {
  size_t write = 0;                          // of the Access
  std::optional<size_t> entry;               // of the world, that it is done to
  std::optional<model::SampleObject> after;  // nothing: deleted, or with `check` only looked at
  bool check = false;
};

struct WriteCall {
  model::CallInputs inputs;
  std::vector<WriteEffect> effects;
};

// One thread at a time; borrows all of it.
class WriteCallMaker {
 public:
  WriteCallMaker(const TrialContext& context, const model::Access& access);

  // The `turn` makes calls differ. Nothing where the world has no object that the pattern's conditions let pass.
  std::optional<WriteCall> Make(uint64_t turn);

  // The same call with one condition broken; nothing where no input can break one.
  std::optional<model::CallInputs> Broken(const WriteCall& call) const;

  // The input that an attribute of a write's entity has, and where its value stands.
  std::string InputOf(const model::Write& write, const std::string& attribute) const;
  static bool IsElements(const model::Write& write, const std::string& input);

 private:
  struct Slot;  // where the values of one element go

  std::optional<WriteCall> MakeOnce();
  std::optional<std::string> Value(const Slot& slot, const std::string& input) const;
  void Give(const Slot& slot, const std::string& input, std::string value);
  bool IsItsTurn(const SampleEntry& entry) const;
  bool ChooseExisting(size_t write, size_t element);
  bool TryExisting(size_t write, size_t element, size_t entry);
  bool GiveKey(const Slot& slot, const model::SampleObject& object);
  void GiveOperand(const Slot& slot, const model::Comparison& comparison, const model::SampleObject& object);
  void GiveAssigned(const Slot& slot, const model::Assignment& one, const model::SampleObject& object);
  bool ChooseNew(size_t write, size_t element);
  void LeaveOut(const Slot& slot, model::SampleObject& object);
  std::vector<model::Assignment> AssignmentsOf(const model::Action& action) const;
  bool Apply(const Slot& slot, model::SampleObject& object) const;
  bool ApplyOne(const Slot& slot, const model::Assignment& one, model::SampleObject& object) const;

  const TrialContext& context_;
  const model::Model& model_;
  const model::Access& access_;
  const model::Pattern& pattern_;
  uint64_t turn_ = 0;
  WriteCall call_;
};

}  // namespace keyfold
