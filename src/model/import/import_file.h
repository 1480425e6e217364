// Files that say something of a table without being a model: NoSQL Workbench 3.0 JSON, a CreateTable request, a table's
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
  std::string pk_alias;  // "USER#userId", or empty
  std::string sk_alias;
  std::vector<std::string> attributes;
  bool has_items = false;
};

struct ImportSource {
  std::string format;  // "NoSQL Workbench 3.0"
  SampleOf sample;
  std::vector<Facet> facets;
  std::map<std::string, std::string> types;  // of attributes that are no key: S, N, …
};

// One for each table in the file.
Result<std::vector<ImportSource>> ReadImportFile(json::Value root);

// The inferred model, with the names and templates that facets give.
Draft DraftFrom(const ImportSource&);

}  // namespace keyfold::model
