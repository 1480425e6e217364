// Mutex, MutexLock and CondVar: the standard library's, annotated so that clang checks who holds what
// (base/thread_annotations.h).
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/thread_annotations.h"

namespace keyfold {

// Thread-safe. Not recursive.
class CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }
  bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

// Holds a mutex (Mutex, AdaptiveMutex, or FairSharedMutex exclusively) from its construction to its end. It can be
// released and taken again in between. Used by one thread.
template <typename M>
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(M& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() RELEASE() {
    if (held_) mutex_.unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void Unlock() RELEASE() {
    held_ = false;
    mutex_.unlock();
  }
  void Lock() ACQUIRE() {
    mutex_.lock();
    held_ = true;
  }

 private:
  M& mutex_;
  bool held_ = true;
};

// Holds a shared mutex together with other readers.
template <typename M>
class SCOPED_CAPABILITY SharedLock {
 public:
  explicit SharedLock(M& mutex) ACQUIRE_SHARED(mutex) : mutex_(mutex) { mutex_.lock_shared(); }
  ~SharedLock() RELEASE_GENERIC() { mutex_.unlock_shared(); }
  SharedLock(const SharedLock&) = delete;
  SharedLock& operator=(const SharedLock&) = delete;

 private:
  M& mutex_;
};

// Thread-safe. Waits may end without a notification, so the caller tests its condition in a loop:
//   MutexLock lock(mutex_);
//   while (queue_.empty()) filled_.Wait(mutex_);
class CondVar {
 public:
  void Wait(Mutex& mutex) REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  // Returns false if the time has passed.
  template <typename Time>
  bool WaitUntil(Mutex& mutex, Time time) REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    const bool in_time = condition_.wait_until(lock, time) == std::cv_status::no_timeout;
    lock.release();
    return in_time;
  }
  template <typename Duration>
  bool WaitFor(Mutex& mutex, Duration duration) REQUIRES(mutex) {
    return WaitUntil(mutex, std::chrono::steady_clock::now() + duration);
  }
  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace keyfold
