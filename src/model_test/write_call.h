// One invocation of a write pattern: inputs from existing or new sample objects, and the expected state after it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/compile/request.h"
#include "model/core/document_text.h"
#include "model_test/trial.h"

namespace keyfold::model_test {

// What one element of the request does.
struct WriteEffect {
  size_t write = 0;                          // index into the writes of the Access
  std::optional<size_t> entry;               // the sample entry it applies to
  std::optional<model::SampleObject> after;  // nullopt if deleted or, with `check`, unchanged
  bool check = false;
};

struct WriteCall {
  model::CallInputs inputs;
  std::vector<WriteEffect> effects;
};

// Used by one thread at a time; borrows its arguments.
class WriteCallMaker {
 public:
  WriteCallMaker(const TrialContext& context, const model::Access& access);

  // `turn` makes calls differ. Returns nullopt if no sample object satisfies the pattern's conditions.
  std::optional<WriteCall> Make(uint64_t turn);

  // Returns the same call with one condition violated, nullopt if no input can violate one.
  std::optional<model::CallInputs> Broken(const WriteCall& call) const;

  // The input for an attribute of a write's entity.
  std::string InputOf(const model::Write& write, const std::string& attribute) const;
  static bool IsElements(const model::Write& write, const std::string& input);

 private:
  struct Slot;  // where the values of one element are stored

  std::optional<WriteCall> MakeOnce();
  std::optional<std::string> Value(const Slot& slot, const std::string& input) const;
  void Give(const Slot& slot, const std::string& input, std::string value);
  bool IsItsTurn(const SampleEntry& entry) const;
  bool ChooseExisting(size_t write, size_t element);
  bool TryExisting(size_t write, size_t element, size_t entry);
  bool GiveKey(const Slot& slot, const model::SampleObject& object);
  void GiveOperand(const Slot& slot, const model::Comparison& comparison, const model::SampleObject& object);
  void GiveNames(const Slot& slot, std::string_view path, const model::SampleObject& object);
  std::string PathOf(const Slot& slot, const std::string& path) const;
  void GiveAssigned(const Slot& slot, const model::Assignment& one, const model::SampleObject& object);
  bool ChooseNew(size_t write, size_t element);
  std::optional<model::SampleObject> MakeNew(const Slot& slot, model::InputValues given) const;
  void LeaveOut(const Slot& slot, model::SampleObject& object);
  bool HasLiterals(const model::Action& action, const model::SampleObject& object) const;
  std::optional<std::string> LiteralOf(const model::Write& write, const model::Attribute& attribute) const;
  bool LeavesOut(const model::Action& action, const model::Assignment& one) const;
  std::string OperandText(const model::Comparison& one, const model::SampleObject& object,
                          const std::string& text) const;
  static bool SetAt(const model::Attribute& head, std::string_view path, const std::optional<model::InnerValue>& value,
                    model::SampleObject& object);
  static std::optional<std::string> Combined(const model::Assignment& one, const model::Attribute* declared,
                                             std::optional<std::string> old, const std::string& value);
  bool Apply(const Slot& slot, model::SampleObject& object) const;
  bool ApplyOne(const Slot& slot, const model::Assignment& one, model::SampleObject& object) const;

  const TrialContext& context_;
  const model::Model& model_;
  const model::Access& access_;
  const model::Pattern& pattern_;
  uint64_t turn_ = 0;
  WriteCall call_;
};

}  // namespace keyfold::model_test
