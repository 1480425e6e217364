#include "store/store.h"

#include "base/mutex.h"

namespace keyfold::store {

void Store::WaitUntilDurable(CommitNumber number) {
  Mutex mutex;
  CondVar changed;
  bool reached = false;
  WhenDurable(number, [&] {
    // Notifies under the mutex: once it is released, the waiting thread may destroy all three.
    MutexLock lock(mutex);
    reached = true;
    changed.NotifyOne();
  });
  SyncSoon();
  MutexLock lock(mutex);
  while (!reached) changed.Wait(mutex);
}

}  // namespace keyfold::store
