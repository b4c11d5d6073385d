// Long work that Ctrl-C can stop.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <future>

#include "base/progress.h"
#include "unlocked.h"

namespace dither::python {

// Runs work(token) on a thread of its own, without the interpreter's lock, while this one looks for signals. Once Python
// has one, the token is cancelled, the work is waited for, and what the signal's handler raised (KeyboardInterrupt) is
// raised; if the work was done by then, its result is kept nowhere. The end of the interpreter cancels it too. What
// work() throws passes through.
template <class Work>
auto interruptible(const Work& work) {
  const CancelToken token;
  bool interrupted = false;
  auto result = [&] {
    const Unlocked unlocked(token);
    auto running = std::async(std::launch::async, [&] { return work(token); });
    while (running.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      const nanobind::gil_scoped_acquire locked;
      if (PyErr_CheckSignals() == 0) continue;
      interrupted = true;
      token.cancel();
      break;
    }
    running.wait();
    return running;
  }();
  if (!interrupted) return result.get();
  throw nanobind::python_error();
}

}  // namespace dither::python
