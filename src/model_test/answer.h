// What a trial reads out of the database's answers.
#pragma once

#include <string>
#include <vector>

#include "model/compile/access.h"
#include "value/item.h"

namespace keyfold {

struct ReadAnswer {
  std::vector<Item> items;
  std::string last_key;  // JSON of LastEvaluatedKey; empty: that was all
  double units = 0;
};
ReadAnswer AnswerOf(model::Operation operation, const std::string& json);

// The units that any answer says it took.
double UnitsOf(const std::string& json);

}  // namespace keyfold
