// BackupDescription and its parts, as in the responses of CreateBackup, DescribeBackup, DeleteBackup and ListBackups.
#pragma once

#include "engine/catalog/backup.h"
#include "json/writer.h"
#include "ops/operation.h"

namespace keyfold::ops {

// "BackupDetails": {…}
void WriteBackupDetails(json::Writer& out, const Call& call, const engine::Backup& backup);
// "BackupDescription": {…}
void WriteBackupDescription(json::Writer& out, const Call& call, const engine::Backup& backup);
// An element of "BackupSummaries".
void WriteBackupSummary(json::Writer& out, const Call& call, const engine::Backup& backup);

// Returns an error if the server has no folder for backups.
Result<engine::BackupJobs*> BackupsOf(const Call& call);
// Finds a backup by its ARN.
Result<engine::BackupPtr> FindBackup(const Call& call, std::string_view arn);

}  // namespace keyfold::ops
