// The steps from one model to another on a table in use: one index at a time, writes in both forms before a backfill, a
// backfill before readers switch, and old data deleted last. Each step has its cost. `keyfold model diff` prints it.
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
    kNote,     // nothing to do; the title says why
    kCallApi,  // changes a setting of the table
    kCreateTable,
    kDualWrite,  // from now on, programs write both the old and the new form
    kBackfill,
    kCreateIndex,
    kVerify,
    kCutOver,  // programs read the new form, and then write only the new form
    kDeleteItems,
    kDeleteIndex,
    kDeleteTable,
  };
  Kind kind = Kind::kNote;
  std::string title = {};
  std::string entity = {};  // empty if there is none
  std::string index = {};
  std::vector<std::string> details = {};  // how to do it, and what to check
  std::string operation = {};             // API operation; empty if there is none
  std::string body = {};
  // items read or written; nullopt if there are none or the model does not give the number
  std::optional<double> items = {};
  bool uncounted = false;  // the model does not give the number of items
  double read_units = 0;
  double write_units = 0;
  double usd = 0;
};
std::string_view NameOf(MigrationStep::Kind);  // "create_index"

struct Migration {
  std::vector<MigrationStep> steps;  // in order
  std::string price_file;            // its name and date

  double ReadUnits() const;
  double WriteUnits() const;
  double Usd() const;
};

Migration MigrationFrom(const Model& before, const Model& after, const PriceFile&);

std::string MigrationText(const Migration&);
std::string MigrationJson(const Migration&);

}  // namespace keyfold::model
