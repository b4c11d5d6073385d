#include "audit/command_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "audit/detail/start_program.h"
#include "base/error.h"
#include "base/text.h"

namespace dither::audit {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kTick = std::chrono::milliseconds(50);

bool needs_shell(const std::string& command) {
  return command.find_first_of("\"'`$|&;<>()*?[]{}~#!\\\n=") != std::string::npos;
}

std::vector<std::string> words_of(const std::string& command) {
  if (needs_shell(command)) return {"/bin/sh", "-c", command};
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = command.find_first_not_of(" \t", at)) != std::string::npos;) {
    const std::size_t end = std::min(command.find_first_of(" \t", at), command.size());
    words.push_back(command.substr(at, end - at));
    at = end;
  }
  return words;
}

[[noreturn]] void refuse(const std::string& command, int error) {
  throw Error{Code::cannot_read,
              fmt::format("--command \"{}\" cannot be started: {}", echo(command), std::strerror(error)),
              "name a program that can be run from here, such as \"./mechanism\" or \"python3 mechanism.py\""};
}

// A pipe whose ends the program does not inherit; ours does not block. Neither is one of the first three, which are put in
// place of each other.
struct Pipe {
  int read = -1, write = -1;
};
Pipe make_pipe(const std::string& command) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) refuse(command, errno);
  for (int& end : ends) {
    if (end > 2) continue;
    const int low = std::exchange(end, fcntl(end, F_DUPFD_CLOEXEC, 3));
    close(low);
    if (end < 0) refuse(command, errno);
  }
  return {ends[0], ends[1]};
}

// While it lives, writing to a program that is gone is an error of write in this thread, and no signal.
class QuietPipe {
 public:
  QuietPipe() { pthread_sigmask(SIG_BLOCK, &pipe_, &before_); }
  ~QuietPipe() {
    const int error = errno;
    const timespec at_once = {};
    while (sigtimedwait(&pipe_, nullptr, &at_once) == SIGPIPE) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  QuietPipe(const QuietPipe&) = delete;
  QuietPipe& operator=(const QuietPipe&) = delete;

 private:
  sigset_t pipe_{}, before_{};
};

void never_block(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

}  // namespace

CommandProcess::CommandProcess(const std::string& command) {
  const std::vector<std::string> words = words_of(command);
  if (words.empty()) refuse(command, ENOENT);
  const Pipe in = make_pipe(command);
  const Pipe out = make_pipe(command);
  const int error = detail::start_program(words, in.read, out.write, process_);
  close(in.read);
  close(out.write);
  to_ = in.write;
  from_ = out.read;
  never_block(to_);
  never_block(from_);
  if (error == 0) return;
  close(to_);
  close(from_);
  refuse(command, error);
}

CommandProcess::~CommandProcess() { end(); }

void CommandProcess::end() {
  if (to_ >= 0) close(to_);
  if (from_ >= 0) close(from_);
  to_ = from_ = -1;
  kill(-process_, SIGKILL);  // those that it started too; the number is nobody else's before it is reaped
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

CommandProcess::Ready CommandProcess::wait(bool writing, std::chrono::milliseconds at_most) const {
  std::array<pollfd, 2> ends = {pollfd{from_, POLLIN, 0}, pollfd{writing ? to_ : -1, POLLOUT, 0}};
  poll(ends.data(), ends.size(), static_cast<int>(at_most.count()));
  return {ends[0].revents != 0, ends[1].revents != 0};
}

bool CommandProcess::read_some() {
  std::array<char, 1 << 16> block;
  const ssize_t got = read(from_, block.data(), block.size());
  if (got > 0) unread_.append(block.data(), static_cast<std::size_t>(got));
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) ended_ = true;
  return !ended_;
}

void CommandProcess::write_some(std::string_view& rest) {
  const QuietPipe quiet;
  const ssize_t done = write(to_, rest.data(), rest.size());
  if (done > 0) rest.remove_prefix(static_cast<std::size_t>(done));
  if (done < 0 && errno != EAGAIN && errno != EINTR) rest = {};  // it reads no more; what it says still counts
}

// Moves whole lines over; whether all are there.
bool CommandProcess::take_lines(Answer& answer, std::int64_t wanted) {
  std::size_t begin = 0;
  while (static_cast<std::int64_t>(answer.lines.size()) < wanted) {
    const std::size_t end = unread_.find('\n', std::max(begin, searched_));
    if (end == std::string::npos) break;
    answer.lines.push_back(unread_.substr(begin, end - begin));
    in_all_ += end - begin;
    begin = end + 1;
  }
  unread_.erase(0, begin);
  const bool all = static_cast<std::int64_t>(answer.lines.size()) == wanted;
  searched_ = all ? 0 : unread_.size();
  return all;
}

CommandProcess::Answer CommandProcess::ask(const std::string& line, std::int64_t lines, Clock::time_point deadline,
                                           const CancelToken& cancel) {
  Answer answer{{}, End::complete};
  if (!ended_ && wait(false, {}).to_read) read_some();
  if (!unread_.empty()) return {{}, End::too_long};  // said before it was asked
  in_all_ = 0;
  const std::string sent = line + '\n';
  std::string_view rest = sent;
  while (!take_lines(answer, lines)) {
    if (unread_.size() > kMostBytes || in_all_ > kMostInAll) answer.end = End::too_long;
    if (ended_) answer.end = End::closed;
    if (Clock::now() >= deadline) answer.end = End::late;
    if (answer.end != End::complete) return answer;
    cancel.check();
    const Ready ready = wait(!rest.empty(), kTick);
    if (ready.to_write) write_some(rest);
    if (ready.to_read) read_some();
  }
  if (!unread_.empty()) answer.end = End::too_long;
  return answer;
}

std::string CommandProcess::how_it_ended(std::chrono::milliseconds at_most) {
  // Its output is closed; a moment later it has ended, or it goes on without one. It is not reaped yet: see end().
  const auto deadline = Clock::now() + at_most;
  siginfo_t info = {};
  while (waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT), info.si_pid == 0) {
    if (Clock::now() >= deadline) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (info.si_pid == 0) return "output closed";
  return fmt::format("{} {}", info.si_code == CLD_EXITED ? "exit status" : "signal", info.si_status);
}

bool CommandProcess::has_more(Clock::time_point deadline) {
  if (to_ >= 0) close(to_);
  to_ = -1;
  while (!ended_ && unread_.empty() && Clock::now() < deadline) {
    if (wait(false, kTick).to_read) read_some();
  }
  return !unread_.empty();
}

}  // namespace dither::audit
