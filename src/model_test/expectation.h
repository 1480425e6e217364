// Which objects a read pattern means, and in which order. Derived from the objects' values and the pattern's
// declaration, not from the requests it compiles to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/compile/access.h"
#include "model_test/sample_table.h"

namespace keyfold::model_test {

// Expectation for one read of a pattern (only TransactGetItems has several). Used by one thread at a time; borrows its
// arguments.
class Expectation {
 public:
  Expectation(const SampleTable& samples, const model::Access& access, const model::KeyRead& read);

  // Returns entries of the sample table, in no particular order.
  std::vector<size_t> Matching(const model::InputValues& inputs) const;
  bool Matches(const model::SampleObject& object, const model::InputValues& inputs) const;
  // Checks only the conditions on these attributes, which the request leaves to its caller.
  bool MatchesIn(const std::vector<std::string>& attributes, const model::SampleObject& object,
                 const model::InputValues& inputs) const;

  // True if the results of all requests of a call have one order.
  bool ordered() const { return ordered_; }
  // Negative if a comes before b, positive if it comes after b, zero if either order is correct.
  int Compare(const model::SampleObject& a, const model::SampleObject& b) const;

  // An expired item exists until it is deleted, but the caller of a get ignores it.
  bool IsGet() const;
  bool IsExpired(const model::SampleObject& object) const;

 private:
  const model::TemplatePart* PartOf(const model::Entity& entity, std::string_view attribute) const;
  std::vector<const model::Binding*> BindingsOf(const model::SampleObject& object) const;
  bool HasVariant(const model::SampleObject& object) const;
  bool HasKey(const model::SampleObject& object, const model::InputValues& inputs) const;
  bool Equal(const model::SampleObject& object, const std::string& attribute, const std::string& wanted) const;
  bool InRange(const model::SampleObject& object, const model::InputValues& inputs) const;
  bool Begins(const model::SampleObject& object, const model::InputValues& inputs) const;
  int CompareIn(const model::TemplatePart& part, const model::SampleObject& a, const model::SampleObject& b) const;
  std::string ItemKey(const model::SampleObject& object, const std::string& name) const;
  int CompareParts(const std::vector<model::TemplatePart>& parts, const model::SampleObject& a,
                   const model::SampleObject& b) const;
  int CompareSortKeys(const model::SampleObject& a, const model::SampleObject& b) const;
  const model::Attribute* OrderingTime(const model::Entity& entity) const;

  const SampleTable& samples_;
  const model::Model& model_;
  const model::Access& access_;
  const model::Pattern& pattern_;
  const model::KeyRead& read_;
  bool ordered_ = false;
};

}  // namespace keyfold::model_test
