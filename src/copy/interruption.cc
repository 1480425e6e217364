#include "copy/interruption.h"

#include <ctime>

namespace keyfold::copy {
namespace {

constexpr timespec kStopLookPeriod{.tv_sec = 0, .tv_nsec = 20'000'000};

// A blocked signal is delivered to sigtimedwait even if the process ignores it.
bool IsIgnored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Interruption::Interruption(StopRequest& stop) : stop_(stop) {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!IsIgnored(signal)) sigaddset(&signals_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  watcher_ = std::thread([this] { Watch(); });
}

Interruption::~Interruption() {
  ending_ = true;
  watcher_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Interruption::Watch() {
  while (!ending_) {
    if (sigtimedwait(&signals_, nullptr, &kStopLookPeriod) <= 0) continue;
    came_ = true;
    stop_.Raise();
    // The next signal is delivered to this thread and ends the process.
    pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
    return;
  }
}

}  // namespace keyfold::copy
