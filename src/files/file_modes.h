// Modes of the files that this process creates. A database's files are private to its owner. The buckets that exports
// are written to use the umask that the process was started with.
#pragma once

#include <sys/types.h>

namespace keyfold::files {

// From now on, files that the process creates are accessible to its own user only (umask 077). Call it before the first
// thread starts.
void KeepFilesPrivate();

// Returns `mode` restricted by the umask that the process was started with, if KeepFilesPrivate has narrowed the umask
// since. Else returns 0: then the system applied that umask when it created the file.
mode_t SharedMode(mode_t mode);

}  // namespace keyfold::files
