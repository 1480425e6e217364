// The calls of a trial with their inputs and right results, as JSON, so that programs generated from the model can be
// tested with the same calls.
#pragma once

#include <string>
#include <vector>

#include "json/writer.h"
#include "model/compile/request.h"
#include "model_test/sample_table.h"

namespace keyfold::model_test {

struct WriteEffect;

// An item that a read returns, and the attributes of its entity that the result must have: an index can lack others.
struct RightItem {
  size_t entry = 0;
  std::vector<std::string> attributes;
};

// Used by one thread at a time; borrows its arguments.
class CallRecord {
 public:
  // `samples` is what the table contains before the first call.
  CallRecord(const model::Model& model, const SampleTable& samples);

  // The items are in the order in which they are returned; without `ordered`, any order is right.
  void AddRead(const model::Access& access, const model::CallInputs& call, const std::vector<RightItem>& items,
               bool ordered);
  // Called after the effects have been applied to the sample table.
  void AddWrite(const model::Access& access, const model::CallInputs& call, const std::vector<WriteEffect>& effects);
  // A call that a condition refuses.
  void AddRefused(const model::Access& access, const model::CallInputs& call);

  std::string Take();

 private:
  void WriteReturned(const model::Access& access, const model::SampleItem& item);
  void BeginCall(const model::Access& access, const model::CallInputs& call);
  void WriteValues(const model::InputValues& values, const std::vector<const std::vector<model::Input>*>& inputs);
  void WriteInput(const model::Attribute* attribute, std::string_view text);
  void WriteElements(const model::Access& access, const model::CallInputs& call);

  const model::Model& model_;
  const SampleTable& samples_;
  std::string text_;
  json::Writer writer_;
};

}  // namespace keyfold::model_test
