#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <new>

#include "sql/detail/large_stack.h"

namespace dither::sql {
namespace {

struct Work {
  const std::function<void()>& run;
  std::exception_ptr thrown;
  bool done = false;
};

// Whether this is the parser thread.
thread_local bool is_parser = false;

// Gives back what is below the caller's frame, but for the first MiB, so that ordinary statements touch no new pages. Nothing
// there is in use: the thread is between two works.
[[gnu::noinline]] void give_back_stack(char* bottom) {
  constexpr std::ptrdiff_t kKept = std::ptrdiff_t{1} << 20;
  constexpr std::ptrdiff_t kPage = 4096;
  const std::ptrdiff_t unused = static_cast<char*>(__builtin_frame_address(0)) - bottom - kKept;
  if (unused > 0) madvise(bottom, static_cast<std::size_t>(unused / kPage * kPage), MADV_DONTNEED);
}

// Where the stack of this thread ends, or nothing where the system does not say.
char* bottom_of_this_stack() {
  pthread_attr_t attributes;
  void* bottom = nullptr;
  std::size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  pthread_attr_getstack(&attributes, &bottom, &bytes);
  pthread_attr_destroy(&attributes);
  return static_cast<char*>(bottom);
}

// Starts a detached thread that runs f(given), and that takes no signals: they are for threads that know what to do with them.
// Signals of its own faults cannot be blocked.
bool start(void* (*f)(void*), void* given) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  sigset_t all, before;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const bool started = pthread_attr_setstacksize(&attributes, kStackBytes) == 0 &&
                       pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0 &&
                       pthread_create(&thread, &attributes, f, given) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return started;
}

// Never destroyed: its thread waits in it until the process ends.
class Parser {
 public:
  static Parser& of_this_process();

  void run(Work& work) {
    std::unique_lock lock(mutex_);
    if (!started_ && !(started_ = start(serve, this))) throw std::bad_alloc{};
    waiting_.push_back(&work);
    wanted_.notify_one();
    done_.wait(lock, [&] { return work.done; });
  }

 private:
  static void* serve(void* parser) {
    is_parser = true;
    static_cast<Parser*>(parser)->serve();
    return nullptr;
  }

  [[noreturn]] void serve() {
    char* const bottom = bottom_of_this_stack();
    for (std::unique_lock lock(mutex_);;) {
      wanted_.wait(lock, [&] { return !waiting_.empty(); });
      Work& work = *waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      try {
        work.run();
      } catch (...) {
        work.thrown = std::current_exception();
      }
      if (bottom != nullptr) give_back_stack(bottom);
      lock.lock();
      work.done = true;
      done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wanted_, done_;
  std::deque<Work*> waiting_;
  bool started_ = false;
};

std::atomic<Parser*> parser_of_this_process = nullptr;

// A child of fork has no parser thread, and another thread may have held the lock: it begins with a parser of its own.
[[maybe_unused]] const int forget_in_children =
    pthread_atfork(nullptr, nullptr, [] { parser_of_this_process.store(nullptr); });

Parser& Parser::of_this_process() {
  Parser* parser = parser_of_this_process.load();
  if (parser != nullptr) return *parser;
  auto* mine = new Parser;  // has no thread before it has work
  if (parser_of_this_process.compare_exchange_strong(parser, mine)) return *mine;
  delete mine;
  return *parser;
}

}  // namespace

void on_large_stack(const std::function<void()>& work) {
  if (is_parser) return work();
  Work shared{work, nullptr};
  Parser::of_this_process().run(shared);
  if (shared.thrown) std::rethrow_exception(shared.thrown);
}

}  // namespace dither::sql
