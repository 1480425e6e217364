// Draft: the model that import produces, with its guesses and how certain they are, and its text as a model file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/diff/definition.h"

namespace keyfold::model {

struct DraftAttribute {
  std::string name;
  std::string type;  // in model file syntax
  bool optional = false;
  std::optional<uint64_t> cardinality;
};

struct DraftPer {
  std::string parent;
  double avg = 1;
  double max = 1;
};

struct DraftShard {
  uint32_t n = 1;
  std::string by;
};

struct DraftEntity {
  std::string name;
  std::vector<std::string> comments;                      // lines above it
  std::vector<std::pair<std::string, std::string>> keys;  // attribute, template
  std::vector<std::pair<std::string, std::string>> when;  // index, condition
  std::optional<DraftShard> shard;
  std::vector<DraftAttribute> attributes;
  uint64_t size_avg = 0;  // 0 if unknown
  uint64_t size_max = 0;
  std::optional<uint64_t> count;
  std::optional<DraftPer> per;
};

struct DraftAccept {
  std::string rule;
  std::string reason;
  std::string entity;   // empty for all
  std::string pattern;  // empty for all
  std::string index;    // empty for all
};

struct Draft {
  std::vector<std::string> comments;  // lines at the top
  TableDefinition table;
  std::string region;  // empty if unknown
  std::string separator = "#";
  std::string type_attribute;  // empty if there is none
  std::vector<DraftEntity> entities;
  std::vector<DraftAccept> accepted;
};

// In the layout of `model fmt`.
std::string WriteDraft(const Draft&);

// A scalar in a model file, quoted if it would be read as something else.
std::string YamlText(std::string_view text);

}  // namespace keyfold::model
