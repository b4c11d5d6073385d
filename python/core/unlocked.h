// Work beside the interpreter, and what the interpreter waits for before it ends.
#pragma once

#include <nanobind/nanobind.h>

#include <list>
#include <optional>

#include "base/progress.h"

namespace dither::python {

// C++ on this thread that will go back to the interpreter, or ask for its lock.
//
// An interpreter that ends also ends every other thread that wants its lock, on the spot, in the midst of whatever C++
// it runs, and the process aborts. So the end of the interpreter waits for all of these (end_calls), and a thread that
// begins one later stays where it is until the process is gone.
class Busy {
 public:
  Busy() : Busy(std::optional<CancelToken>()) {}
  // The work is cancelled when the interpreter ends.
  explicit Busy(const CancelToken& token) : Busy(std::optional(token)) {}
  ~Busy();
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  struct Calls;
  explicit Busy(std::optional<CancelToken> token);
  static Calls& calls();
  friend void end_calls();

  Calls& all_;
  std::list<std::optional<CancelToken>>::iterator place_;
};

// While it lives, this thread does without the interpreter's lock.
class Unlocked {
 public:
  Unlocked() = default;
  explicit Unlocked(const CancelToken& token) : busy_(token) {}
  ~Unlocked() { PyEval_RestoreThread(state_); }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  Busy busy_;
  PyThreadState* state_ = PyEval_SaveThread();
};

// To be called once, with the lock, when the interpreter begins to end: cancels what can be cancelled and waits for all.
void end_calls();

}  // namespace dither::python
