// Random requests on tables: creating them with and without indexes, changing and tagging them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/table.h"
#include "json/writer.h"
#include "testing/embedded/random_values.h"

namespace keyfold::embedded {

// Each function writes the members of one request; the caller writes the object around them. Used by one thread at a
// time.
class TableRequests {
 public:
  explicit TableRequests(RandomValues& values) : values_(values) {}

  void CreateTable(json::Writer& out);
  void UpdateTable(const engine::Table& table, json::Writer& out);
  void TagResource(const engine::Table& table, json::Writer& out);
  void UntagResource(const engine::Table& table, json::Writer& out);
  void ListTagsOfResource(const engine::Table& table, json::Writer& out);
  void UpdateTimeToLive(const engine::Table& table, json::Writer& out);

 private:
  using Types = std::map<std::string, Type, std::less<>>;  // types of key attributes
  using Names = std::vector<std::string>;

  Type TypeFor(std::string_view attribute, Types& types);
  void WriteKeySchema(const Names& partition, const Names& sort, json::Writer& out);
  void WriteDefinitions(const Types& types, json::Writer& out);
  void WriteProjection(json::Writer& out);
  void WriteLocalIndexes(Types& types, json::Writer& out);
  void WriteGlobalIndex(std::string_view name, bool provisioned, Types& types, json::Writer& out);
  void WriteGlobalIndexes(bool provisioned, Types& types, json::Writer& out);
  void WriteSettings(json::Writer& out);
  void WriteThroughput(json::Writer& out);
  void WriteTags(json::Writer& out);
  void WriteIndexUpdate(const engine::Table& table, json::Writer& out);
  // Picks some of the index key attributes, each at most once.
  Names PickAttributes(size_t count, Names& from);

  RandomValues& values_;
};

}  // namespace keyfold::embedded
