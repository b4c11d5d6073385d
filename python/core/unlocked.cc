#include "unlocked.h"

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace dither::python {

struct Busy::Calls {
  const pid_t process = getpid();
  std::mutex mutex;          // guards what follows; never held while the interpreter's lock is asked for
  std::thread::id ended_by;  // nobody yet
  std::list<std::optional<CancelToken>> running;
  std::condition_variable fewer;
};

// Never freed: threads may outlive all else. A process that was forked begins with none: other threads stayed behind.
Busy::Calls& Busy::calls() {
  static std::atomic<Calls*> all = new Calls;
  if (all.load()->process != getpid()) all = new Calls;
  return *all;
}

namespace {

thread_local int depth = 0;  // what is waited for may begin more

}  // namespace

Busy::Busy(std::optional<CancelToken> token) : all_(calls()) {
  std::unique_lock lock(all_.mutex);
  const bool ending = all_.ended_by != std::thread::id() && all_.ended_by != std::this_thread::get_id();
  if (ending && depth == 0) {
    lock.unlock();
    PyEval_SaveThread();
    for (;;) pause();
  }
  if (ending && token) token->cancel();
  place_ = all_.running.insert(all_.running.end(), std::move(token));
  ++depth;
}

Busy::~Busy() {
  const std::lock_guard lock(all_.mutex);
  --depth;
  all_.running.erase(place_);
  all_.fewer.notify_all();
}

void end_calls() {
  Busy::Calls& all = Busy::calls();
  PyThreadState* const state = PyEval_SaveThread();
  {
    std::unique_lock lock(all.mutex);
    all.ended_by = std::this_thread::get_id();
    for (const auto& token : all.running) {
      if (token) token->cancel();
    }
    all.fewer.wait(lock, [&] { return all.running.empty(); });
  }
  PyEval_RestoreThread(state);
}

}  // namespace dither::python
