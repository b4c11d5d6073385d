#include "cli/stop.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <deque>

namespace dither::cli {

namespace {

// A handler can reach nothing but statics.
std::atomic<const CancelToken*> wanted = nullptr;
volatile std::sig_atomic_t arrived = SIGTERM;

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

void stop(int signal) {
  arrived = signal;
  wanted.load()->cancel();
}

}  // namespace

CancelToken cancel_on_signals() {
  static std::deque<CancelToken> given;  // a handler may still be at work on the one before
  const CancelToken& token = given.emplace_back();
  wanted = &token;
  struct sigaction action = {};
  action.sa_handler = stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // and no SA_RESTART: a blocked write is to return
  for (const int signal : kSignals) {
    struct sigaction old = {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup stays nohup
  }
  return token;
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
