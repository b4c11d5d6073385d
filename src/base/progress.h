// How long work says how far it is, and how it is asked to stop. Passed down by reference; no global state, no output.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

namespace dither {

// Thrown out of work that was asked to stop, by Progress::update and CancelToken::check and by nothing else. Not an
// Error: nobody made a mistake.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

// A wish to stop, shared by all copies of a token. Any thread may cancel at any time, also a signal handler: it is one
// lock-free atomic store. There is no way back.
class CancelToken {
 public:
  CancelToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}

  void cancel() const noexcept { flag_->store(true, std::memory_order_relaxed); }
  bool cancelled() const noexcept { return flag_->load(std::memory_order_relaxed); }
  void check() const;  // throws Cancelled once cancelled

 private:
  static_assert(std::atomic<bool>::is_always_lock_free);
  std::shared_ptr<std::atomic<bool>> flag_;
};

struct ProgressReport {
  std::uint64_t done;
  std::uint64_t total;  // 0 when unknown
  std::chrono::nanoseconds elapsed;
};

// What work calls now and then (once a block or a millisecond, say; a call costs about as much as reading the clock).
//
// Promise    reports never go back, come at most once in `interval` apart from the last (done == total), which always
//            comes and comes once; they are made one at a time, whichever threads call. An exception of the callback
//            passes through update.
// Cancelling update throws Cancelled in every thread once the token is cancelled.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  using Callback = std::function<void(const ProgressReport&)>;

  // Reports to nobody and is never cancelled.
  Progress() : Progress(nullptr, CancelToken{}) {}
  // `now` tells the time; tests give their own.
  Progress(Callback callback, CancelToken token, std::chrono::nanoseconds interval = std::chrono::milliseconds(100),
           std::function<Clock::time_point()> now = Clock::now);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::uint64_t done, std::uint64_t total);

 private:
  void report(std::uint64_t done, std::uint64_t total);

  Callback callback_;
  CancelToken token_;
  std::chrono::nanoseconds interval_;
  std::function<Clock::time_point()> now_;
  Clock::time_point start_;
  std::atomic<std::int64_t> due_;  // nanoseconds after start_ from which on a report is wanted
  std::mutex one_at_a_time_;       // guards what follows, and the callback
  std::uint64_t reported_ = 0;
  bool finished_ = false;
};

}  // namespace dither
