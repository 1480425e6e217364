// From one model to another in steps that can be taken on a table in use: one index at a time, writes in both forms
// before a backfill, a backfill before a reader moves, what is old deleted last; each with what it costs.
// `keyfold model diff` prints it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/model.h"
#include "model/price/price_file.h"

namespace keyfold::model {

struct MigrationStep {
  enum class Kind : uint8_t {
    kNote,     // nothing is to be done; why is said
    kCallApi,  // a setting of the table
    kCreateTable,
    kDualWrite,  // programs write the old form and the new one from here on
    kBackfill,
    kCreateIndex,
    kVerify,
    kCutOver,  // programs read the new form, and then write only that
    kDeleteItems,
    kDeleteIndex,
    kDeleteTable,
  };
  Kind kind = Kind::kNote;
  std::string title = {};
  std::string entity = {};  // empty: none
  std::string index = {};
  std::vector<std::string> details = {};  // how, and what to look at
  std::string operation = {};             // of the API; empty: none
  std::string body = {};
  std::optional<double> items = {};  // that are read or written; nothing where there are none or the model does not say
  bool uncounted = false;            // the model does not say how many items
  double read_units = 0;
  double write_units = 0;
  double usd = 0;
};
std::string_view NameOf(MigrationStep::Kind);  // "create_index"

struct Migration {
  std::vector<MigrationStep> steps;  // in their order
  std::string price_file;            // its name and date

  double ReadUnits() const;
  double WriteUnits() const;
  double Usd() const;
};

Migration MigrationFrom(const Model& before, const Model& after, const PriceFile&);

std::string MigrationText(const Migration&);
std::string MigrationJson(const Migration&);

}  // namespace keyfold::model
