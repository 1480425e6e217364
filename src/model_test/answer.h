// Parses the database's responses for a trial.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/compile/access.h"
#include "value/item.h"

namespace keyfold::model_test {

struct ReadAnswer {
  std::vector<Item> items;
  std::string last_key;  // JSON of LastEvaluatedKey; empty if there are no more pages
  double units = 0;
};
ReadAnswer AnswerOf(model::Operation operation, const std::string& json);

// The attributes that an update returns.
std::optional<Item> ReturnedIn(const std::string& json);

// The consumed units that a response reports.
double UnitsOf(const std::string& json);

}  // namespace keyfold::model_test
