#include "model_test/answer.h"

#include "base/check.h"
#include "model_test/sample_table.h"
#include "wire/attribute_value.h"

namespace keyfold::model_test {
namespace {

double UnitsIn(json::Value answer) {
  const std::optional<json::Value> consumed = json::Find(answer, "ConsumedCapacity");
  if (!consumed) return 0;
  const auto units = [](json::Value one) {
    const std::optional<json::Value> found = json::Find(one, "CapacityUnits");
    return found ? found->AsDouble() : 0;
  };
  if (consumed->is_object()) return units(*consumed);
  double sum = 0;
  for (const json::Value one : consumed->elements()) sum += units(one);
  return sum;
}

void AddAll(json::Value list, std::vector<Item>& out) {
  for (const json::Value one : list.elements()) out.push_back(ItemFromJson(one));
}

}  // namespace

ReadAnswer AnswerOf(model::Operation operation, const std::string& json) {
  json::Parser parser;
  const std::optional<json::Value> answer = parser.Parse(json);
  CHECK(answer.has_value());
  ReadAnswer read;
  read.units = UnitsIn(*answer);
  if (const auto items = json::Find(*answer, "Items")) AddAll(*items, read.items);
  if (const auto item = json::Find(*answer, "Item")) read.items.push_back(ItemFromJson(*item));
  if (const auto tables = json::Find(*answer, "Responses"); tables && tables->is_object()) {
    for (const json::Member table : tables->members()) AddAll(table.value, read.items);
  }
  if (const auto gets = json::Find(*answer, "Responses"); gets && gets->is_array()) {
    for (const json::Value one : gets->elements()) {
      if (const auto item = json::Find(one, "Item")) read.items.push_back(ItemFromJson(*item));
    }
  }
  if (const auto last = json::Find(*answer, "LastEvaluatedKey")) wire::AppendJson(read.last_key, ItemFromJson(*last));
  return read;
}

std::optional<Item> ReturnedIn(const std::string& json) {
  json::Parser parser;
  const std::optional<json::Value> answer = parser.Parse(json);
  const auto attributes = answer ? json::Find(*answer, "Attributes") : std::nullopt;
  return attributes ? std::optional(ItemFromJson(*attributes)) : std::nullopt;
}

double UnitsOf(const std::string& json) {
  json::Parser parser;
  const std::optional<json::Value> answer = parser.Parse(json);
  return answer ? UnitsIn(*answer) : 0;
}

}  // namespace keyfold::model_test
