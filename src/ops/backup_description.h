// BackupDescription and its parts, as in the responses of CreateBackup, DescribeBackup, DeleteBackup and ListBackups.
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

// Returns an error if the server has no folder for backups.
Result<BackupJobs*> BackupsOf(const Call& call);
// Finds a backup by its ARN.
Result<BackupPtr> FindBackup(const Call& call, std::string_view arn);

}  // namespace keyfold
