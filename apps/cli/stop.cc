#include "cli/stop.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <deque>

namespace dither::cli {

namespace {

// A handler can reach nothing but statics.
std::atomic<const CancelToken*> wanted = nullptr;
std::atomic<const char*> unfinished = nullptr;  // a file
volatile std::sig_atomic_t arrived = SIGTERM;

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

void stop(int signal) {
  const int error = errno;
  arrived = signal;
  const CancelToken& token = *wanted.load();
  if (token.cancelled()) {  // nobody is to wait any longer for what unwinds
    if (const char* file = unfinished.load()) unlink(file);
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // once this handler has returned
  }
  token.cancel();
  errno = error;
}

}  // namespace

CancelToken cancel_on_signals() {
  static std::deque<CancelToken> given;  // a handler may still be at work on the one before
  const CancelToken& token = given.emplace_back();
  wanted = &token;
  struct sigaction action = {};
  action.sa_handler = stop;
  action.sa_flags = 0;  // no SA_RESTART: a blocked write is to return
  for (const int signal : kSignals) {
    struct sigaction old = {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup stays nohup
  }
  return token;
}

RemovedBySignals::RemovedBySignals(const char* path) {
  const char* none = nullptr;
  mine_ = unfinished.compare_exchange_strong(none, path);
}

RemovedBySignals::~RemovedBySignals() {
  if (mine_) unfinished = nullptr;
}

CancelledBySignals::CancelledBySignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], nullptr, &before_[i]);
  token_ = cancel_on_signals();
}

CancelledBySignals::~CancelledBySignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

void die_of_signal() {
  std::signal(arrived, SIG_DFL);
  std::raise(arrived);
  std::_Exit(128 + arrived);
}

}  // namespace dither::cli
