// The rules about tables and backups that several folders check.
#pragma once

#include "base/error.h"

namespace keyfold::engine {

inline constexpr Rule<"Requested resource not found"> kResourceNotFound{"resource-not-found", Kind::kResourceNotFound};
inline constexpr Rule<"Requested resource not found: Table: {} not found"> kNoSuchTable{"no-such-table",
                                                                                        Kind::kResourceNotFound};
inline constexpr Rule<"Requested resource not found: ResourcArn: {} not found"> kNoSuchResource{
    "no-such-resource", Kind::kResourceNotFound};
inline constexpr Rule<"Table not found: {}"> kTableNotFound{"table-not-found", Kind::kTableNotFound};
inline constexpr Rule<"Backup not found: {}"> kNoSuchBackup{"no-such-backup", Kind::kBackupNotFound};
inline constexpr Rule<"Point in time recovery is not enabled for table '{}'"> kRecoveryOff{
    "recovery-off", Kind::kPointInTimeRecoveryUnavailable};

// CreateTable and the restores report this as different exceptions.
using TableAlreadyExists = Rule<"Table already exists: {}">;

}  // namespace keyfold::engine
