// The world that a model's sample data makes: every object with the item it should be, in the table and in each index.
// It is what the database must hold, worked out without it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/document.h"
#include "model/sample/object.h"
#include "value/item.h"

namespace keyfold {

struct SampleEntry {
  model::SampleObject object;
  model::SampleItem item;
  Item row;
  std::vector<std::optional<Item>> entries;  // by index; nothing: not in it
  std::string row_key;
  bool alive = true;

  const Item* In(std::optional<model::IndexId> index) const {
    if (!index) return &row;
    return entries[*index] ? &*entries[*index] : nullptr;
  }
};

// One thread at a time. The model outlives it.
class SampleTable {
 public:
  SampleTable(const model::Model& model, int64_t now_ms) : model_(model), now_ms_(now_ms) {}

  // An object with the key of another stays beside it, and overwrites it in the table.
  size_t Add(model::SampleObject object);
  void Change(size_t entry, model::SampleObject object);
  void Remove(size_t entry);

  const std::vector<SampleEntry>& entries() const { return entries_; }
  // The object that the table holds under this key.
  std::optional<size_t> FindRow(const std::string& row_key) const;
  const std::map<std::string, size_t>& rows() const { return rows_; }

  // What an object would be; not added.
  SampleEntry Made(model::SampleObject object) const;
  // The base key of an item, whole or projected, as bytes that compare as keys do.
  std::string RowKeyOf(ItemView item) const;

  const model::Model& model() const { return model_; }
  int64_t now_ms() const { return now_ms_; }

 private:
  const model::Model& model_;
  const int64_t now_ms_;
  std::vector<SampleEntry> entries_;
  std::map<std::string, size_t> rows_;
};

// An item in DynamoDB's JSON; it is well-formed, as what the database answers or the sample says.
Item ItemFromJson(json::Value json);
Item ItemFromJson(const std::string& text);

// "PK=USER#1 SK=PROFILE", of an item's base key and, where it was read there, the index's.
std::string KeyWords(const model::Model& model, std::optional<model::IndexId> index, ItemView item);

}  // namespace keyfold
