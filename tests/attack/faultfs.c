// A library for LD_PRELOAD that makes chosen calls on chosen files fail, and moves the system clock. For tests only.
//
//   FAULT_ROOT    only files below this folder
//   FAULT_PATH    only files whose name begins or ends with this (".log", "MARK", "MANIFEST-"); empty: all
//   FAULT_CALL    open, read, write, sync, rename, truncate, link, unlink or mkdir
//   FAULT_NTH     the first call that fails, counted from 1 over the calls that match; 0: none, they are only counted
//   FAULT_TIMES   how many calls fail from there on; 0: all
//   FAULT_MODE    eio, enospc, emfile, short (half of it is done), flip (one byte differs), lie (success without doing it)
//   FAULT_REPORT  file that gets a line for each call that failed
//   FAULT_TRACE   file that gets a line "CALL PATH" for every call below the root
//   FAULT_ARM     if given, nothing fails or is counted before this file exists
//   FAULT_CLOCK   file of a signed 64-bit number of seconds, by which CLOCK_REALTIME is ahead; it may change at any time
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum Mode { kNone, kEio, kEnospc, kEmfile, kShort, kFlip, kLie };

static const char *root, *wanted_path, *wanted_call, *report, *trace, *arm;
static long nth, times;
static enum Mode mode;
static atomic_long count;
static atomic_int armed;
static const volatile int64_t* clock_ahead;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static enum Mode ModeNamed(const char* name) {
  static const char* const kNames[] = {"", "eio", "enospc", "emfile", "short", "flip", "lie"};
  for (int i = 1; name && i < 7; ++i) {
    if (!strcmp(name, kNames[i])) return (enum Mode)i;
  }
  return kNone;
}

static void ReadVariables(void) {
  root = getenv("FAULT_ROOT");
  wanted_path = getenv("FAULT_PATH");
  wanted_call = getenv("FAULT_CALL");
  report = getenv("FAULT_REPORT");
  trace = getenv("FAULT_TRACE");
  arm = getenv("FAULT_ARM");
  nth = getenv("FAULT_NTH") ? atol(getenv("FAULT_NTH")) : 0;
  times = getenv("FAULT_TIMES") ? atol(getenv("FAULT_TIMES")) : 1;
  mode = ModeNamed(getenv("FAULT_MODE"));
  const char* clock_file = getenv("FAULT_CLOCK");
  if (!clock_file) return;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, clock_file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  void* map = mmap(NULL, sizeof *clock_ahead, PROT_READ, MAP_SHARED, fd, 0);
  if (map != MAP_FAILED) clock_ahead = map;
  syscall(SYS_close, fd);
}

// Written with plain system calls, which are not caught here.
static void Append(const char* file, const char* call, const char* path) {
  char line[PATH_MAX + 32];
  const int length = snprintf(line, sizeof line, "%s %s\n", call, path);
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return;
  syscall(SYS_write, fd, line, (size_t)length);
  syscall(SYS_close, fd);
}

static int IsArmed(void) {
  if (!arm || atomic_load(&armed)) return 1;
  if (syscall(SYS_faccessat, AT_FDCWD, arm, F_OK) != 0) return 0;
  atomic_store(&armed, 1);
  return 1;
}

// Whether the file's name begins, or ends, with the wanted text.
static int PathMatches(const char* path) {
  if (!wanted_path || !*wanted_path) return 1;
  const char* slash = strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  const size_t size = strlen(name), length = strlen(wanted_path);
  return size >= length && (!strncmp(name, wanted_path, length) || !strcmp(name + size - length, wanted_path));
}

// The fault that this call on `path` has; kNone for most.
static enum Mode FaultOf(const char* call, const char* path) {
  pthread_once(&once, ReadVariables);
  if (!root || strncmp(path, root, strlen(root)) != 0) return kNone;
  if (trace) Append(trace, call, path);
  if (mode == kNone || !wanted_call || strcmp(call, wanted_call) != 0 || !PathMatches(path) || !IsArmed()) return kNone;
  const long number = atomic_fetch_add(&count, 1) + 1;
  if (nth == 0 || number < nth || (times > 0 && number >= nth + times)) return kNone;
  if (report) Append(report, call, path);
  return mode;
}

static enum Mode FaultOfFd(const char* call, int fd) {
  pthread_once(&once, ReadVariables);
  if (!root) return kNone;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length <= 0) return kNone;
  path[length] = 0;
  return FaultOf(call, path);
}

static int Fails(enum Mode m) {
  if (m == kEio) errno = EIO;
  if (m == kEnospc) errno = ENOSPC;
  if (m == kEmfile) errno = EMFILE;
  return m == kEio || m == kEnospc || m == kEmfile;
}

static void FlipOne(void* data, ssize_t size) {
  if (size > 0) ((unsigned char*)data)[(size_t)size * 2 / 3] ^= 0x20;
}

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// --- reading
#define READ_CALL(name, parameters, arguments, fd, buffer, size) \
  ssize_t name parameters { \
    NEXT(name); \
    const enum Mode m = FaultOfFd("read", fd); \
    if (Fails(m)) return -1; \
    if (m == kShort) size = size / 2; \
    const ssize_t got = next arguments; \
    if (m == kFlip) FlipOne(buffer, got); \
    return got; \
  }
READ_CALL(read, (int fd, void* buffer, size_t size), (fd, buffer, size), fd, buffer, size)
READ_CALL(pread, (int fd, void* buffer, size_t size, off_t at), (fd, buffer, size, at), fd, buffer, size)
READ_CALL(pread64, (int fd, void* buffer, size_t size, off64_t at), (fd, buffer, size, at), fd, buffer, size)

// A stream's error flag cannot be set from here; ferror below reports it instead, until the stream is read from again.
static atomic_uintptr_t failed_stream;
static int IsFailed(FILE* stream) { return atomic_load(&failed_stream) == (uintptr_t)stream; }
#define STREAM_CALL(name) \
  size_t name(void* buffer, size_t size, size_t members, FILE* stream) { \
    NEXT(name); \
    const enum Mode m = FaultOfFd("read", fileno(stream)); \
    if (Fails(m)) { \
      atomic_store(&failed_stream, (uintptr_t)stream); \
      return 0; \
    } \
    if (IsFailed(stream)) atomic_store(&failed_stream, 0); \
    const size_t got = next(buffer, size, m == kShort ? members / 2 : members, stream); \
    if (m == kFlip) FlipOne(buffer, (ssize_t)(got * size)); \
    return got; \
  }
#undef fread_unlocked
STREAM_CALL(fread)
STREAM_CALL(fread_unlocked)

#undef ferror
#undef ferror_unlocked
int ferror(FILE* stream) {
  NEXT(ferror);
  if (IsFailed(stream)) {
    errno = EIO;
    return 1;
  }
  return next(stream);
}
int ferror_unlocked(FILE* stream) { return ferror(stream); }

// --- writing
#define WRITE_CALL(name, parameters, arguments, flipped, fd, buffer, size) \
  ssize_t name parameters { \
    NEXT(name); \
    const enum Mode m = FaultOfFd("write", fd); \
    if (Fails(m)) return -1; \
    if (m == kLie) return (ssize_t)size; \
    if (m == kShort && size > 1) size = size / 2; \
    if (m == kFlip && size > 0) { \
      char* copy = malloc(size); \
      memcpy(copy, buffer, size); \
      FlipOne(copy, (ssize_t)size); \
      const ssize_t put = next flipped; \
      free(copy); \
      return put; \
    } \
    return next arguments; \
  }
WRITE_CALL(write, (int fd, const void* buffer, size_t size), (fd, buffer, size), (fd, copy, size), fd, buffer, size)
WRITE_CALL(pwrite, (int fd, const void* buffer, size_t size, off_t at), (fd, buffer, size, at), (fd, copy, size, at), fd, buffer, size)
WRITE_CALL(pwrite64, (int fd, const void* buffer, size_t size, off64_t at), (fd, buffer, size, at), (fd, copy, size, at), fd, buffer, size)

ssize_t writev(int fd, const struct iovec* parts, int number) {
  NEXT(writev);
  const enum Mode m = FaultOfFd("write", fd);
  if (Fails(m)) return -1;
  return next(fd, parts, m == kShort && number > 1 ? number / 2 : number);
}

// --- the rest
#define SYNC_CALL(name) \
  int name(int fd) { \
    NEXT(name); \
    const enum Mode m = FaultOfFd("sync", fd); \
    if (Fails(m)) return -1; \
    return m == kLie ? 0 : next(fd); \
  }
SYNC_CALL(fsync)
SYNC_CALL(fdatasync)

#define OPEN_CALL(name) \
  int name(const char* path, int flags, ...) { \
    NEXT(name); \
    va_list list; \
    va_start(list, flags); \
    const mode_t bits = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    return Fails(FaultOf("open", path)) ? -1 : next(path, flags, bits); \
  }
OPEN_CALL(open)
OPEN_CALL(open64)

#define OPENAT_CALL(name) \
  int name(int folder, const char* path, int flags, ...) { \
    NEXT(name); \
    va_list list; \
    va_start(list, flags); \
    const mode_t bits = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    const enum Mode m = path[0] == '/' ? FaultOf("open", path) : FaultOfFd("open", folder); \
    return Fails(m) ? -1 : next(folder, path, flags, bits); \
  }
OPENAT_CALL(openat)
OPENAT_CALL(openat64)

#define FOPEN_CALL(name) \
  FILE* name(const char* path, const char* how) { \
    NEXT(name); \
    return Fails(FaultOf("open", path)) ? NULL : next(path, how); \
  }
FOPEN_CALL(fopen)
FOPEN_CALL(fopen64)

int rename(const char* from, const char* to) {
  NEXT(rename);
  const enum Mode m = FaultOf("rename", to);
  if (Fails(m)) return -1;
  return m == kLie ? 0 : next(from, to);
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  NEXT(renameat);
  return Fails(to[0] == '/' ? FaultOf("rename", to) : FaultOfFd("rename", to_folder)) ? -1 : next(from_folder, from, to_folder, to);
}
int ftruncate(int fd, off_t size) {
  NEXT(ftruncate);
  return Fails(FaultOfFd("truncate", fd)) ? -1 : next(fd, size);
}
int ftruncate64(int fd, off64_t size) {
  NEXT(ftruncate64);
  return Fails(FaultOfFd("truncate", fd)) ? -1 : next(fd, size);
}
int unlink(const char* path) {
  NEXT(unlink);
  return Fails(FaultOf("unlink", path)) ? -1 : next(path);
}
int link(const char* from, const char* to) {
  NEXT(link);
  return Fails(FaultOf("link", to)) ? -1 : next(from, to);
}
int mkdir(const char* path, mode_t bits) {
  NEXT(mkdir);
  return Fails(FaultOf("mkdir", path)) ? -1 : next(path, bits);
}

// --- time
int clock_gettime(clockid_t which, struct timespec* now) {
  NEXT(clock_gettime);
  const int status = next(which, now);
  if (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE) {
    pthread_once(&once, ReadVariables);
    if (clock_ahead) now->tv_sec += *clock_ahead;
  }
  return status;
}
int gettimeofday(struct timeval* now, void* zone) {
  struct timespec exact;
  const int status = clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  (void)zone;
  return status;
}
time_t time(time_t* into) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (into) *into = exact.tv_sec;
  return exact.tv_sec;
}
