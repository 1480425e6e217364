// The table of operations. Other names get UnknownOperationException.
#include <algorithm>

#include "ops/handlers.h"

namespace keyfold::ops {
namespace {

// Sorted by name, for binary search. Table operations wait until the catalog is on disk, so they run on workers.
constexpr Operation kOperations[] = {
    {"BatchExecuteStatement", BatchExecuteStatement, Runs::kAtLength},
    {"BatchGetItem", BatchGetItem, Runs::kAnywhere},
    {"BatchWriteItem", BatchWriteItem, Runs::kOnWorker},
    {"CreateBackup", CreateBackup, Runs::kOnWorker},
    {"CreateTable", CreateTable, Runs::kOnWorker},
    {"DeleteBackup", DeleteBackup, Runs::kOnWorker},
    {"DeleteItem", DeleteItem, Runs::kAnywhere},
    {"DeleteTable", DeleteTable, Runs::kOnWorker},
    {"DescribeBackup", DescribeBackup, Runs::kAnywhere},
    {"DescribeContinuousBackups", DescribeContinuousBackups, Runs::kAnywhere},
    {"DescribeEndpoints", DescribeEndpoints, Runs::kAnywhere},
    {"DescribeExport", DescribeExport, Runs::kAnywhere},
    {"DescribeImport", DescribeImport, Runs::kAnywhere},
    {"DescribeLimits", DescribeLimits, Runs::kAnywhere},
    {"DescribeStream", DescribeStream, Runs::kAnywhere, Api::kStreams},
    {"DescribeTable", DescribeTable, Runs::kAnywhere},
    {"DescribeTimeToLive", DescribeTimeToLive, Runs::kAnywhere},
    {"DescribeVerification", DescribeVerification, Runs::kAnywhere, Api::kKeyfold},
    {"ExecuteStatement", ExecuteStatement, Runs::kAnywhere},
    {"ExecuteTransaction", ExecuteTransaction, Runs::kAnywhere},
    {"ExportTableToPointInTime", ExportTableToPointInTime, Runs::kOnWorker},
    {"GetItem", GetItem, Runs::kAnywhere},
    {"GetRecords", GetRecords, Runs::kAnywhere, Api::kStreams},
    {"GetShardIterator", GetShardIterator, Runs::kAnywhere, Api::kStreams},
    {"ImportExports", ImportExports, Runs::kOnWorker, Api::kKeyfold},
    {"ImportTable", ImportTable, Runs::kOnWorker},
    {"ListBackups", ListBackups, Runs::kAnywhere},
    {"ListExports", ListExports, Runs::kAnywhere},
    {"ListImports", ListImports, Runs::kAnywhere},
    {"ListJobs", ListJobs, Runs::kAnywhere, Api::kKeyfold},
    {"ListStreams", ListStreams, Runs::kAnywhere, Api::kStreams},
    {"ListTables", ListTables, Runs::kAnywhere},
    {"ListTagsOfResource", ListTagsOfResource, Runs::kAnywhere},
    {"PutItem", PutItem, Runs::kAnywhere},
    {"Query", Query, Runs::kAnywhere},
    {"RestoreTableFromBackup", RestoreTableFromBackup, Runs::kOnWorker},
    {"RestoreTableToPointInTime", RestoreTableToPointInTime, Runs::kOnWorker},
    {"Scan", Scan, Runs::kAnywhere},
    {"StartVerification", StartVerification, Runs::kAnywhere, Api::kKeyfold},
    {"TagResource", TagResource, Runs::kOnWorker},
    {"TransactGetItems", TransactGetItems, Runs::kAnywhere},
    {"TransactWriteItems", TransactWriteItems, Runs::kAnywhere},
    {"UntagResource", UntagResource, Runs::kOnWorker},
    {"UpdateContinuousBackups", UpdateContinuousBackups, Runs::kOnWorker},
    {"UpdateItem", UpdateItem, Runs::kAnywhere},
    {"UpdateTable", UpdateTable, Runs::kOnWorker},
    {"UpdateTimeToLive", UpdateTimeToLive, Runs::kOnWorker},
};

}  // namespace

std::span<const Operation> Operations() { return kOperations; }

const Operation* FindOperation(std::string_view name) {
  const auto by_name = [](const Operation& o, std::string_view n) { return o.name < n; };
  const auto it = std::lower_bound(std::begin(kOperations), std::end(kOperations), name, by_name);
  return it != std::end(kOperations) && it->name == name ? it : nullptr;
}

}  // namespace keyfold::ops
