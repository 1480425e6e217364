// Prices as data: one dated file per region with bands per usage type, and the constants of the service's arithmetic
// beside them. The plan takes every number from here, so that each can be traced to a row or a rule of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace keyfold::model {

// The constants of DynamoDB's arithmetic: the file's `rules`. What the file leaves out is as here.
struct PlanRules {
  double read_unit_bytes = 4096;
  double write_unit_bytes = 1024;
  double eventual_factor = 0.5;
  double transactional_factor = 2;
  double index_transactional_factor = 1;  // of an index write inside a transaction
  double item_overhead_bytes = 100;       // storage that is billed for each item and index entry
  double partition_read_units = 3000;     // per second
  double partition_write_units = 1000;
  double heat_target = 0.7;  // of those, before a key counts as hot
  double target_utilization = 0.7;
  double reserved_block_units = 100;
  double page_bytes = 1048576;
  double item_bytes_max = 409600;
  double transaction_actions_max = 100;
  double transaction_bytes_max = 4194304;
  double batch_get_items_max = 100;
  double batch_get_bytes_max = 16777216;
  double batch_write_items_max = 25;
};

// One band of a usage type.
struct PriceRow {
  std::string usage_type;  // AWS's own name
  std::string term;        // of reserved capacity: "1yr", "3yr"; else empty
  std::string unit;        // what `usd` is the price of, one of it
  double from = 0;         // quantity in a month
  std::optional<double> to;
  double usd = 0;
  double discount = 0;  // 0..1, taken off `usd`: a contract's
  std::string note;

  double Net() const { return usd * (1 - discount); }
};

// Immutable once read.
struct PriceFile {
  std::string name;  // as the user named it
  std::string source_url;
  std::string offer_version;  // empty: not known
  std::string region;
  std::string effective;   // dates: 2024-11-01
  std::string superseded;  // the day other prices took their place; empty: none known
  std::string retrieved;
  std::string currency = "USD";
  double month_hours = 730;
  PlanRules rules;
  std::vector<PriceRow> rows;

  double MonthSeconds() const { return month_hours * 3600; }
  // What a month's quantity costs over the bands; nothing where the file has no such rows. Without the free tier a band
  // that costs nothing has the price of the next.
  std::optional<double> Charge(std::string_view usage_type, double quantity, bool free_tier) const;
  // The first price above zero of one unit.
  std::optional<double> UnitPrice(std::string_view usage_type) const;
  // Of reserved capacity: a term's row by what it is the price of.
  std::optional<double> TermPrice(std::string_view usage_type, std::string_view term, std::string_view unit) const;
};

// The error's message is one clause that says why not.
Result<PriceFile> ReadPriceFile(std::string name, const std::string& text);

// A file of prices/ in the binary.
struct EmbeddedPrices {
  std::string_view name;  // "aws-us-east-1"
  std::string_view text;
};
std::span<const EmbeddedPrices> AllEmbeddedPrices();
// Today's, of the region; of another region those of us-east-1 (the plan says so).
PriceFile DefaultPrices(std::string_view region);

// Why these prices may no longer hold: superseded, or older than 180 days. Empty: they hold.
std::string AgeWarning(const PriceFile&, int64_t now_ms);

}  // namespace keyfold::model
