// Long work that needs the interpreter now and then.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <future>
#include <mutex>

#include "base/progress.h"
#include "unlocked.h"

namespace dither::python {

// What a working thread wants done by the thread that called, where callers expect their functions to run: with their
// thread's own state, under the interpreter's lock, and reached by Ctrl-C.
class Errands {
 public:
  // On the working thread: waits until it was done, and throws what it threw. One at a time; others wait.
  void run(const std::function<void()>& errand);

  // On the thread that called, without the interpreter's lock: waits for an errand, for the end of the work, or for a
  // moment, so that signals are looked for.
  enum class Next { errand, end, signals };
  Next wait();
  // With the lock: does the errand that wait() announced, or throws `instead` to who sent it.
  void do_it(const std::exception_ptr& instead);
  // On the working thread, at its end.
  void end();

 private:
  std::mutex one_at_a_time_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* errand_ = nullptr;  // sent, not done yet
  std::exception_ptr thrown_;
  bool ended_ = false;
};

// Runs work(errands, token) on a thread of its own. An exception of Python that leaves an errand, such as
// KeyboardInterrupt, and one that a signal's handler raises, cancel the token, as the end of the interpreter does; the
// work is waited for, and the exception is raised here. What work() throws passes through.
template <class Work>
auto with_errands(const Work& work) {
  const CancelToken token;
  const Busy busy(token);
  Errands errands;
  std::exception_ptr raised;  // by Python; let go of here, where the lock is held
  const auto stop = [&](std::exception_ptr by) {
    raised = std::move(by);
    token.cancel();
  };
  auto running = std::async(std::launch::async, [&] {
    const struct End {
      Errands& errands;
      ~End() { errands.end(); }
    } end{errands};
    return work(errands, token);
  });
  for (;;) {
    Errands::Next next;
    {
      const Unlocked unlocked;
      next = errands.wait();
    }
    if (next == Errands::Next::end) break;
    if (!raised && PyErr_CheckSignals() != 0) stop(std::make_exception_ptr(nanobind::python_error()));
    if (next != Errands::Next::errand) continue;
    try {
      errands.do_it(raised ? std::make_exception_ptr(Cancelled()) : nullptr);
    } catch (const nanobind::python_error&) {
      stop(std::current_exception());
    }
  }
  if (!raised) return running.get();
  running.wait();
  std::rethrow_exception(raised);
}

}  // namespace dither::python
