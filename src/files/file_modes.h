// Who may read the files that this process creates. A database's files are its owner's alone; the buckets that exports
// are written to keep the umask that the process was started with.
#pragma once

#include <sys/types.h>

namespace keyfold {

// From here on, what the process creates is for its own user only (umask 077). Before the first thread is started.
void KeepFilesPrivate();

// What `mode` comes to under the umask that the process was started with, where KeepFilesPrivate has narrowed it since;
// else 0: creating has applied it already.
mode_t SharedMode(mode_t mode);

}  // namespace keyfold
