#include "store/store.h"

#include <future>

namespace keyfold::store {

void Store::WaitUntilDurable(CommitNumber number) {
  if (number <= Durable()) return;
  // Shared, because the thread that sets it may still be using it when this one continues.
  const auto durable = std::make_shared<std::promise<void>>();
  WhenDurable(number, [durable] { durable->set_value(); });
  SyncSoon();
  durable->get_future().wait();
}

}  // namespace keyfold::store
