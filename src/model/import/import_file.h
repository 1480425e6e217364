// Reads files that describe a table without being a model: NoSQL Workbench 3.0 JSON, a CreateTable request, a table
// description, a CloudFormation template.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "json/document.h"
#include "model/import/draft.h"
#include "model/import/inference.h"

namespace keyfold::model {

// A view of one entity in a NoSQL Workbench model.
struct Facet {
  std::string name;
  std::string pk_alias;  // "USER#userId"; may be empty
  std::string sk_alias;
  std::vector<std::string> attributes;
  bool has_items = false;
};

struct ImportSource {
  std::string format;  // "NoSQL Workbench 3.0"
  SampleOf sample;
  std::vector<Facet> facets;
  std::map<std::string, std::string> types;  // types of attributes that are not keys: S, N, …
};

// Returns one source per table in the file.
Result<std::vector<ImportSource>> ReadImportFile(json::Value root);

// The inferred model, with the names and templates that the facets give.
Draft DraftFrom(const ImportSource&);

}  // namespace keyfold::model
