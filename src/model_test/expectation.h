// Which objects a read pattern means, and in which order: from the objects' values and the pattern's own words, without
// the requests that it compiles to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/compile/access.h"
#include "model_test/sample_table.h"

namespace keyfold {

// Of one read of a pattern (several only in TransactGetItems). One thread at a time; borrows all of it.
class Expectation {
 public:
  Expectation(const SampleTable& samples, const model::Access& access, const model::KeyRead& read);

  // Entries of the world, in no order.
  std::vector<size_t> Matching(const model::InputValues& inputs) const;
  bool Matches(const model::SampleObject& object, const model::InputValues& inputs) const;
  // Only the conditions on these attributes, which the request leaves to its caller.
  bool MatchesIn(const std::vector<std::string>& attributes, const model::SampleObject& object,
                 const model::InputValues& inputs) const;

  // Is there an order across all requests of a call?
  bool ordered() const { return ordered_; }
  // Negative, zero or positive: a stands before b, either may, a stands behind b.
  int Compare(const model::SampleObject& a, const model::SampleObject& b) const;

  // An expired item is there until it is reaped; a get's caller does not take it.
  bool IsGet() const;
  bool IsExpired(const model::SampleObject& object) const;

 private:
  const model::TemplatePart* PartOf(const model::Entity& entity, std::string_view attribute) const;
  bool HasKey(const model::SampleObject& object, const model::InputValues& inputs) const;
  bool Equal(const model::SampleObject& object, const std::string& attribute, const std::string& wanted) const;
  bool InRange(const model::SampleObject& object, const model::InputValues& inputs) const;
  bool Begins(const model::SampleObject& object, const model::InputValues& inputs) const;
  int CompareIn(const model::TemplatePart& part, const model::SampleObject& a, const model::SampleObject& b) const;
  int CompareSortKeys(const model::SampleObject& a, const model::SampleObject& b) const;
  const model::Attribute* OrderingTime(const model::Entity& entity) const;

  const SampleTable& samples_;
  const model::Model& model_;
  const model::Access& access_;
  const model::Pattern& pattern_;
  const model::KeyRead& read_;
  bool ordered_ = false;
};

}  // namespace keyfold
