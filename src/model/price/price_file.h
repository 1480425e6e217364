// Prices as data: one dated file per region, with price bands per usage type and the constants of DynamoDB's
// arithmetic. The plan takes every number from here, so each can be traced to a row or a rule of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "value/limits.h"

namespace keyfold::model {

// The constants of DynamoDB's arithmetic: the file's `rules`. These are the defaults for what the file omits.
struct PlanRules {
  double read_unit_bytes = kReadUnitBytes;
  double write_unit_bytes = kWriteUnitBytes;
  double eventual_factor = 0.5;
  double transactional_factor = 2;
  double index_transactional_factor = 1;  // for an index write inside a transaction
  double item_overhead_bytes = 100;       // billed in addition for each item and index entry
  double partition_read_units = 3000;     // per second
  double partition_write_units = 1000;
  double heat_target = 0.7;  // share of those above which a key counts as hot
  double target_utilization = 0.7;
  double reserved_block_units = 100;
  double page_bytes = kPageBytesMax;
  double item_bytes_max = kItemBytesMax;
  double transaction_actions_max = kTransactionActionsMax;
  double transaction_bytes_max = kTransactionBytesMax;
  double batch_get_items_max = kBatchGetKeysMax;
  double batch_get_bytes_max = kBatchGetBytesMax;
  double batch_write_items_max = kBatchWritesMax;
};

// One price band of a usage type.
struct PriceRow {
  std::string usage_type;  // AWS's name for it
  std::string term;        // "1yr" or "3yr" for reserved capacity, otherwise empty
  std::string unit;        // `usd` is the price of one of these
  double from = 0;         // monthly quantity
  std::optional<double> to;
  double usd = 0;
  double discount = 0;  // contract discount on `usd`, 0 to 1
  std::string note;

  double Net() const { return usd * (1 - discount); }
};

// Immutable once read.
struct PriceFile {
  std::string name;  // as the user named it
  std::string source_url;
  std::string offer_version;  // empty if unknown
  std::string region;
  std::string effective;   // dates are like 2024-11-01
  std::string superseded;  // when newer prices took effect; empty if none are known
  std::string retrieved;
  std::string published;  // by AWS
  std::string currency = "USD";
  double month_hours = 730;
  PlanRules rules;
  std::vector<PriceRow> rows;

  // When these prices were right: when they were retrieved, else when they were published.
  const std::string& Date() const { return retrieved.empty() ? published : retrieved; }
  double MonthSeconds() const { return month_hours * 3600; }
  // Returns the cost of a month's quantity over all bands, or nullopt if the file has no rows for the usage type.
  // Without the free tier, a free band is charged at the price of the next band.
  std::optional<double> Charge(std::string_view usage_type, double quantity, bool free_tier) const;
  // Returns the first price above zero of one unit, or nullopt.
  std::optional<double> UnitPrice(std::string_view usage_type) const;
  // Returns the price of reserved capacity for a term, by the unit that the price is for, or nullopt.
  std::optional<double> TermPrice(std::string_view usage_type, std::string_view term, std::string_view unit) const;
};

// The error message is one clause that says what is wrong with the file.
Result<PriceFile> ReadPriceFile(std::string name, const std::string& text);

// A file of prices/, embedded in the binary.
struct EmbeddedPrices {
  std::string_view name;  // "aws-us-east-1"
  std::string_view text;
};
std::span<const EmbeddedPrices> AllEmbeddedPrices();
// The embedded prices of the region; nullopt if there are none.
std::optional<PriceFile> BuiltInPrices(std::string_view region);

// Says why these prices may be outdated: superseded, or older than 180 days. Empty if they are current.
std::string AgeWarning(const PriceFile&, int64_t now_ms);

}  // namespace keyfold::model
