#include "model_test/sample_table.h"

#include "base/check.h"
#include "value/number.h"
#include "wire/attribute_value.h"

namespace keyfold::model_test {
namespace {

std::string ScalarText(ValueView value) {
  if (value.type() == Type::kN) return Number::Decode(value.AsEncodedNumber()).ToString();
  if (value.type() == Type::kS) return std::string(value.AsText());
  return BracedScalar(value);
}

}  // namespace

Item ItemFromJson(json::Value json) {
  wire::Supplied<Item> item;
  CHECK(wire::DecodeItem(json, wire::Place::kMember, item).ok());
  CHECK(item.Check().ok());
  return *std::move(item);
}

Item ItemFromJson(const std::string& text) {
  json::Parser parser;
  const std::optional<json::Value> parsed = parser.Parse(text);
  CHECK(parsed.has_value());
  return ItemFromJson(*parsed);
}

std::string SampleTable::RowKeyOf(ItemView item) const {
  std::string key;
  for (const model::KeySide* side : {&model_.table.pk, &model_.table.sk}) {
    for (const std::string& name : *side) {
      const std::optional<ValueView> part = item.Find(name);
      if (part) key.append(part->bytes());
    }
  }
  return key;
}

SampleEntry SampleTable::Made(model::SampleObject object) const {
  SampleEntry entry;
  entry.item = model::ItemOf(model_, object, now_ms_);
  entry.row = ItemFromJson(model::JsonOf(entry.item));
  for (model::IndexId id = 0; id < model_.indexes.size(); ++id) {
    entry.entries.emplace_back();
    if (!model::IsIn(model_, id, object, entry.item, now_ms_)) continue;
    entry.entries.back() = ItemFromJson(model::JsonOf(model::Projected(model_, id, entry.item)));
  }
  entry.row_key = RowKeyOf(entry.row);
  entry.object = std::move(object);
  return entry;
}

size_t SampleTable::Add(model::SampleObject object) {
  entries_.push_back(Made(std::move(object)));
  rows_[entries_.back().row_key] = entries_.size() - 1;
  return entries_.size() - 1;
}

void SampleTable::Change(size_t entry, model::SampleObject object) {
  Remove(entry);
  entries_[entry] = Made(std::move(object));
  rows_[entries_[entry].row_key] = entry;
}

void SampleTable::Remove(size_t entry) {
  entries_[entry].alive = false;
  if (const auto it = rows_.find(entries_[entry].row_key); it != rows_.end() && it->second == entry) rows_.erase(it);
}

std::optional<size_t> SampleTable::FindRow(const std::string& row_key) const {
  const auto it = rows_.find(row_key);
  return it == rows_.end() ? std::nullopt : std::optional(it->second);
}

std::string KeyWords(const model::Model& model, std::optional<model::IndexId> index, ItemView item) {
  std::string words;
  const auto add = [&](const model::KeySide& side) {
    for (const std::string& name : side) {
      const std::optional<ValueView> value = item.Find(name);
      if (!value || words.find(name + '=') != std::string::npos) continue;
      words += (words.empty() ? "" : " ") + name + '=' + ScalarText(*value);
    }
  };
  if (index) add(model.indexes[*index].pk), add(model.indexes[*index].sk);
  add(model.table.pk);
  add(model.table.sk);
  return words;
}

}  // namespace keyfold::model_test
