#include "cli/stop.h"

#include <csignal>
#include <cstdlib>

namespace dither::cli {

namespace {

// A handler can reach nothing but statics.
const CancelToken* wanted = nullptr;
volatile std::sig_atomic_t arrived = SIGTERM;

void stop(int signal) {
  arrived = signal;
  wanted->cancel();
}

}  // namespace

CancelToken cancel_on_signals() {
  static const CancelToken token;
  wanted = &token;
  struct sigaction action = {};
  action.sa_handler = stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // and no SA_RESTART: a blocked write is to return
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old = {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup stays nohup
  }
  return token;
}

void die_of_signal() {
  std::signal(arrived, SIG_DFL);
  std::raise(arrived);
  std::_Exit(128 + arrived);
}

}  // namespace dither::cli
