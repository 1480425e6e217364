// The handlers of all operations; each is in the file named after the operation or the group it belongs to.
#pragma once

#include "ops/operation.h"

namespace keyfold::ops {

Status BatchExecuteStatement(Call& call, json::Value request, json::Writer& answer);
Status BatchGetItem(Call& call, json::Value request, json::Writer& answer);
Status BatchWriteItem(Call& call, json::Value request, json::Writer& answer);
Status CreateBackup(Call& call, json::Value request, json::Writer& answer);
Status CreateTable(Call& call, json::Value request, json::Writer& answer);
Status DeleteBackup(Call& call, json::Value request, json::Writer& answer);
Status DeleteItem(Call& call, json::Value request, json::Writer& answer);
Status DeleteTable(Call& call, json::Value request, json::Writer& answer);
Status DescribeBackup(Call& call, json::Value request, json::Writer& answer);
Status DescribeContinuousBackups(Call& call, json::Value request, json::Writer& answer);
Status DescribeEndpoints(Call& call, json::Value request, json::Writer& answer);
Status DescribeExport(Call& call, json::Value request, json::Writer& answer);
Status DescribeImport(Call& call, json::Value request, json::Writer& answer);
Status DescribeLimits(Call& call, json::Value request, json::Writer& answer);
Status DescribeStream(Call& call, json::Value request, json::Writer& answer);
Status DescribeTable(Call& call, json::Value request, json::Writer& answer);
Status DescribeTimeToLive(Call& call, json::Value request, json::Writer& answer);
Status DescribeVerification(Call& call, json::Value request, json::Writer& answer);
Status ExecuteStatement(Call& call, json::Value request, json::Writer& answer);
Status ExecuteTransaction(Call& call, json::Value request, json::Writer& answer);
Status ExportTableToPointInTime(Call& call, json::Value request, json::Writer& answer);
Status GetItem(Call& call, json::Value request, json::Writer& answer);
Status GetRecords(Call& call, json::Value request, json::Writer& answer);
Status GetShardIterator(Call& call, json::Value request, json::Writer& answer);
Status ImportExports(Call& call, json::Value request, json::Writer& answer);
Status ImportTable(Call& call, json::Value request, json::Writer& answer);
Status ListBackups(Call& call, json::Value request, json::Writer& answer);
Status ListExports(Call& call, json::Value request, json::Writer& answer);
Status ListImports(Call& call, json::Value request, json::Writer& answer);
Status ListJobs(Call& call, json::Value request, json::Writer& answer);
Status ListStreams(Call& call, json::Value request, json::Writer& answer);
Status ListTables(Call& call, json::Value request, json::Writer& answer);
Status ListTagsOfResource(Call& call, json::Value request, json::Writer& answer);
Status PutItem(Call& call, json::Value request, json::Writer& answer);
Status Query(Call& call, json::Value request, json::Writer& answer);
Status RestoreTableFromBackup(Call& call, json::Value request, json::Writer& answer);
Status RestoreTableToPointInTime(Call& call, json::Value request, json::Writer& answer);
Status Scan(Call& call, json::Value request, json::Writer& answer);
Status StartVerification(Call& call, json::Value request, json::Writer& answer);
Status TagResource(Call& call, json::Value request, json::Writer& answer);
Status TransactGetItems(Call& call, json::Value request, json::Writer& answer);
Status TransactWriteItems(Call& call, json::Value request, json::Writer& answer);
Status UntagResource(Call& call, json::Value request, json::Writer& answer);
Status UpdateContinuousBackups(Call& call, json::Value request, json::Writer& answer);
Status UpdateItem(Call& call, json::Value request, json::Writer& answer);
Status UpdateTable(Call& call, json::Value request, json::Writer& answer);
Status UpdateTimeToLive(Call& call, json::Value request, json::Writer& answer);

}  // namespace keyfold::ops
