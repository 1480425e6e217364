// The expected contents of the table: every sample object with its item in the table and in each index, computed
// without the database.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/document.h"
#include "model/sample/object.h"
#include "value/item.h"

namespace keyfold::model_test {

struct SampleEntry {
  model::SampleObject object;
  model::SampleItem item;
  Item row;
  std::vector<std::optional<Item>> entries;  // by index; nullopt if it is not in the index
  std::string row_key;
  bool alive = true;

  const Item* In(std::optional<model::IndexId> index) const {
    if (!index) return &row;
    return entries[*index] ? &*entries[*index] : nullptr;
  }
};

// Used by one thread at a time. The model outlives it.
class SampleTable {
 public:
  SampleTable(const model::Model& model, int64_t now_ms) : model_(model), now_ms_(now_ms) {}

  // If another object has the same key, its entry stays, but the new object overwrites it in the table.
  size_t Add(model::SampleObject object);
  void Change(size_t entry, model::SampleObject object);
  void Remove(size_t entry);

  const std::vector<SampleEntry>& entries() const { return entries_; }
  // The object that the table holds under this key, if any.
  std::optional<size_t> FindRow(const std::string& row_key) const;
  const std::map<std::string, size_t>& rows() const { return rows_; }

  // The entry of an object, without adding it.
  SampleEntry Made(model::SampleObject object) const;
  // The base key of a complete or projected item, as bytes that sort like keys.
  std::string RowKeyOf(ItemView item) const;

  const model::Model& model() const { return model_; }
  int64_t now_ms() const { return now_ms_; }

 private:
  const model::Model& model_;
  const int64_t now_ms_;
  std::vector<SampleEntry> entries_;
  std::map<std::string, size_t> rows_;
};

// Reads an item in DynamoDB JSON. It must be well-formed, as responses and samples are.
Item ItemFromJson(json::Value json);
Item ItemFromJson(const std::string& text);

// "PK=USER#1 SK=PROFILE": an item's base key and, if it was read from an index, that of the index.
std::string KeyWords(const model::Model& model, std::optional<model::IndexId> index, ItemView item);

}  // namespace keyfold::model_test
