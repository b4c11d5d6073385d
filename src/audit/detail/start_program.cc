#include "audit/detail/start_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace dither::audit::detail {

namespace {

// What the new process does before it becomes the program: nothing but system calls, since other threads of ours may have
// held any lock when it was made. It ends with the thread that started it.
[[noreturn]] void become(char* const* words, pid_t parent, int input, int output, int failure) {
  sigset_t none;
  sigemptyset(&none);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);                              // it was gone before the line above
  for (const int ours : {SIGPIPE, SIGXFSZ}) signal(ours, SIG_DFL);  // ignored by us, not by others
  close(2);
  const int nowhere = open("/dev/null", O_WRONLY);  // 2, or a lower one that is free and replaced below
  if (nowhere >= 0 && dup2(nowhere, 2) >= 0 && dup2(input, 0) >= 0 && dup2(output, 1) >= 0) {
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execvp(words[0], words);
  }
  const int error = errno;
  const ssize_t told = write(failure, &error, sizeof error);
  _exit(told > 0 ? 126 : 127);
}

// Starts it from this thread. 0, or why it could not be.
int start(const std::vector<std::string>& words, int input, int output, pid_t& process) {
  std::vector<char*> list;
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  std::array<int, 2> failure{};
  if (pipe2(failure.data(), O_CLOEXEC) != 0) return errno;
  const int told = fcntl(failure[1], F_DUPFD_CLOEXEC, 3);  // not one that is replaced
  close(failure[1]);
  const pid_t parent = getpid();
  process = told < 0 ? -1 : fork();
  if (process == 0) become(list.data(), parent, input, output, told);
  int error = process < 0 ? errno : 0;
  if (told >= 0) close(told);
  // Nothing comes when it has become the program: that end of the pipe is closed then.
  while (process > 0 && read(failure[0], &error, sizeof error) < 0 && errno == EINTR) {
  }
  close(failure[0]);
  if (process > 0 && error != 0) waitpid(process, nullptr, 0);
  return error;
}

// A thread that lives as long as we do. "Parent" above means the thread that called fork, and those that draw come and go.
class Starter {
 public:
  static Starter& only() {
    static Starter* const starter = new Starter;  // never taken down: its thread waits until the end
    return *starter;
  }
  int run(const std::function<int()>& work) {
    std::packaged_task<int()> task(work);
    std::future<int> result = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
    return result.get();
  }

 private:
  Starter() {
    std::thread([this] { work(); }).detach();
  }
  [[noreturn]] void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return !tasks_.empty(); });
      std::packaged_task<int()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::packaged_task<int()>> tasks_;
};

}  // namespace

int start_program(const std::vector<std::string>& words, int input, int output, pid_t& process) {
  return Starter::only().run([&] { return start(words, input, output, process); });
}

}  // namespace dither::audit::detail
