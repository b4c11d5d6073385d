// How Ctrl-C and kill end the work tidily.
#pragma once

#include <signal.h>

#include <array>

#include "base/progress.h"

namespace dither::cli {

// A fresh token that SIGINT, SIGTERM and SIGHUP cancel from now on; a second signal, of whichever of them, ends the
// process at once. Work then throws Cancelled, so that unfinished files are removed on the way out. Tokens given before
// are cancelled no longer.
CancelToken cancel_on_signals();

// While it lives, a second signal removes this file before it ends the process. One file at a time: of several the one
// that was named first. The path must stay where it is.
class RemovedBySignals {
 public:
  explicit RemovedBySignals(const char* path);
  ~RemovedBySignals();
  RemovedBySignals(const RemovedBySignals&) = delete;
  RemovedBySignals& operator=(const RemovedBySignals&) = delete;

 private:
  bool mine_;
};

// The same while it lives; afterwards signals do what they did before.
class CancelledBySignals {
 public:
  CancelledBySignals();
  ~CancelledBySignals();
  CancelledBySignals(const CancelledBySignals&) = delete;
  CancelledBySignals& operator=(const CancelledBySignals&) = delete;

  const CancelToken& token() const { return token_; }

 private:
  std::array<struct sigaction, 3> before_{};
  CancelToken token_;
};

// Ends the process as the signal that arrived would have, so that shells see it.
[[noreturn]] void die_of_signal();

}  // namespace dither::cli
