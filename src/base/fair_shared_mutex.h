// FairSharedMutex: a shared mutex whose writers are not starved by readers. std::shared_mutex lets readers overtake a
// waiting writer, so a few threads that read continuously could block it forever.
#pragma once

#include <pthread.h>

#include "base/check.h"
#include "base/thread_annotations.h"

namespace keyfold {

// Thread-safe. Used with MutexLock and SharedLock (base/mutex.h). Not recursive.
class CAPABILITY("mutex") FairSharedMutex {
 public:
  FairSharedMutex() {
    pthread_rwlockattr_t attributes;
    CHECK(pthread_rwlockattr_init(&attributes) == 0);
    CHECK(pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) == 0);
    CHECK(pthread_rwlock_init(&lock_, &attributes) == 0);
    pthread_rwlockattr_destroy(&attributes);
  }
  ~FairSharedMutex() { pthread_rwlock_destroy(&lock_); }
  FairSharedMutex(const FairSharedMutex&) = delete;

  void lock() ACQUIRE() { CHECK(pthread_rwlock_wrlock(&lock_) == 0); }
  void unlock() RELEASE() { CHECK(pthread_rwlock_unlock(&lock_) == 0); }
  void lock_shared() ACQUIRE_SHARED() { CHECK(pthread_rwlock_rdlock(&lock_) == 0); }
  void unlock_shared() RELEASE_SHARED() { CHECK(pthread_rwlock_unlock(&lock_) == 0); }

 private:
  pthread_rwlock_t lock_;
};

}  // namespace keyfold
