// The rules of the arithmetic, by id. Every line of a plan that states a number names its rule, and a report prints the
// rules it used.
#pragma once

#include <span>
#include <string_view>

namespace keyfold::model {

struct PlanRule {
  std::string_view id;
  std::string_view text;
};

inline constexpr PlanRule kReadItem{
    "read-item", "an item read by its key: its size rounded up to 4 KB; half for eventual, double for transactional"};
inline constexpr PlanRule kReadQuery{
    "read-query",
    "a Query or Scan: the sum of all items the key condition covers, wanted or not, rounded up to 4 KB once per "
    "request; half for eventual"};
inline constexpr PlanRule kReadPages{"read-pages", "a request returns at most 1 MB; paginate: all reads every page"};
inline constexpr PlanRule kItemsRead{
    "items-read",
    "limit, else returns.items, else per.avg of the parent that the given attributes name, multiplied along the parents "
    "these belong to, else the count / the distinct values of the attributes, else 1"};
inline constexpr PlanRule kReadFetch{
    "read-fetch", "an attribute that a local index does not hold: the whole item is read from the table, by its key"};
inline constexpr PlanRule kWriteItem{"write-item",
                                     "a write: the item's size rounded up to 1 KB; double inside a transaction"};
inline constexpr PlanRule kWriteIndex{
    "write-index",
    "a write to an index: one if the item enters, leaves or a projected attribute changes, two if its key there "
    "changes, none otherwise; not doubled inside a transaction"};
inline constexpr PlanRule kOnDemand{"on-demand", "units per request x requests per second x seconds of the month"};
inline constexpr PlanRule kProvisioned{
    "provisioned",
    "separately for reads and writes of the table and of each GSI: average units per second / 0.70, rounded up, at "
    "least 1; the auto-scaling maximum from the peak"};
inline constexpr PlanRule kReservedCapacity{
    "reserved", "whole blocks of 100 units of the provisioned capacity by term, the rest by the hour; Standard only"};
inline constexpr PlanRule kBreakEven{
    "break-even", "the utilization above which capacity by the hour costs less than the same units by request"};
inline constexpr PlanRule kTableClass{"table-class", "the same units and bytes at the other class's price rows"};
inline constexpr PlanRule kStorage{"storage",
                                   "items x (size + 100 bytes), of the table and of every index; a GB is 2^30 bytes"};
inline constexpr PlanRule kBackup{"backup", "point-in-time recovery: bytes of the table and of its LSIs"};
inline constexpr PlanRule kPopulation{
    "population",
    "count, else the largest per.avg x the parent's count, else puts per second x time to live; every put makes a new "
    "item"};
inline constexpr PlanRule kCollection{
    "collection", "items of one partition key value; puts are divided by the number of partitions at that time"};
inline constexpr PlanRule kHeat{
    "heat",
    "peak units per second x the share of the most loaded key value, relative to 3,000 read and 1,000 write "
    "units"};
inline constexpr PlanRule kShards{"shards", "peak units on one key value / (1,000 or 3,000 x 0.7), rounded up"};
inline constexpr PlanRule kEntry{
    "entry",
    "an index entry: entry_size, else the whole item if all is projected, else the keys and the projected "
    "attributes"};
inline constexpr PlanRule kEstimate{
    "estimate",
    "bytes of an attribute: avg_bytes, else by its type; strings, lists and maps share what is left of the item"};

// All rules, in the order above.
std::span<const PlanRule> AllPlanRules();

}  // namespace keyfold::model
