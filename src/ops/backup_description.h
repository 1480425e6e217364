// BackupDescription and its parts, as CreateBackup, DescribeBackup, DeleteBackup and ListBackups answer them.
#pragma once

#include "engine/catalog/backup.h"
#include "json/writer.h"
#include "ops/operation.h"

namespace keyfold {

// "BackupDetails": {…}
void WriteBackupDetails(json::Writer& out, const Call& call, const Backup& backup);
// "BackupDescription": {…}
void WriteBackupDescription(json::Writer& out, const Call& call, const Backup& backup);
// An element of "BackupSummaries".
void WriteBackupSummary(json::Writer& out, const Call& call, const Backup& backup);

// An error where the server has no folder for them.
Result<BackupJobs*> BackupsOf(const Call& call);
// By its ARN.
Result<BackupPtr> FindBackup(const Call& call, std::string_view arn);

}  // namespace keyfold
