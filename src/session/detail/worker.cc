#include "session/detail/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <limits>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "session/no_dumps.h"

namespace dither::session::detail {
namespace {

using Number = std::uint32_t;  // of a job

// What comes before the texts of a reply.
struct Head {
  static constexpr std::uint32_t kDone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t code = kDone;  // or that of the error
  std::uint64_t first = 0;     // bytes: of what the job gave, or of the error's message
  std::uint64_t second = 0;    // of its hint
};

constexpr int kSocket = 3;  // in the child, after standard input, output and error

// Both are called in the child, which cannot report a failure: it ends.
void read_all(void* to, std::size_t bytes) {
  for (auto* at = static_cast<char*>(to); bytes > 0;) {
    const ssize_t got = read(kSocket, at, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) _exit(0);  // the parent wants nothing more
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
}
void send_all(const void* from, std::size_t bytes) {
  for (const auto* at = static_cast<const char*>(from); bytes > 0;) {
    const ssize_t sent = send(kSocket, at, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) _exit(0);
    at += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
}

void send_reply(std::uint32_t code, const std::string& first, const std::string& second) {
  const Head head{code, first.size(), second.size()};
  send_all(&head, sizeof head);
  send_all(first.data(), first.size());
  send_all(second.data(), second.size());
}

// Nothing of the parent goes on in the child: not its files, its terminal, its handlers of signals. Ctrl-C is for the
// parent to understand; whoever ends the parent ends the child.
void leave_parent_behind(pid_t parent, int socket) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  for (int signal = 1; signal < NSIG; ++signal) std::signal(signal, SIG_DFL);
  for (const int signal : {SIGINT, SIGHUP, SIGQUIT}) std::signal(signal, SIG_IGN);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) _exit(1);
  const int kept = fcntl(socket, F_DUPFD_CLOEXEC, kSocket + 1);  // it may be one of those that are replaced
  for (int fd = 0; fd < kSocket; ++fd) dup2(nowhere, fd);
  dup2(kept, kSocket);
  close_range(kSocket + 1, std::numeric_limits<unsigned>::max(), 0);
  forbid_dumps();
}

[[noreturn]] void serve(const std::vector<Worker::Job>& jobs) {
  for (;;) {
    Number job = 0;
    read_all(&job, sizeof job);
    try {
      send_reply(Head::kDone, jobs.at(job)(), "");
    } catch (const Error& error) {
      send_reply(static_cast<std::uint32_t>(error.code()), error.what(), error.hint());
    } catch (...) {  // whatever it says may hold values of rows
      _exit(1);
    }
  }
}

Error cannot_start(int error) {
  return {Code::no_engine, fmt::format("no process can be started to read the data: {}", std::strerror(error)),
          "look whether the machine has memory left, and whether more processes are allowed"};
}

}  // namespace

Worker::Worker(const std::vector<Job>& jobs) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw cannot_start(errno);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) {
    leave_parent_behind(parent, ends[1]);
    serve(jobs);
  }
  const int error = errno;
  close(ends[1]);
  socket_ = ends[0];
  if (process_ > 0) return;
  close(socket_);
  throw cannot_start(error);
}

std::optional<std::string> Worker::ask(std::size_t job, Clock::time_point until, const CancelToken& token) {
  const auto number = static_cast<Number>(job);
  std::optional<std::string> given;
  if (process_ > 0 && send(socket_, &number, sizeof number, MSG_NOSIGNAL) == sizeof number) {
    given = reply(until, token);
  }
  if (!given) kill();
  return given;
}

std::optional<std::string> Worker::reply(Clock::time_point until, const CancelToken& token) {
  Head head;
  if (!receive(reinterpret_cast<char*>(&head), sizeof head, until, token)) return std::nullopt;
  std::optional<std::string> first = receive_text(head.first, until, token);
  if (!first) return std::nullopt;
  const std::optional<std::string> second = receive_text(head.second, until, token);
  if (!second) return std::nullopt;
  if (head.code == Head::kDone) return first;
  throw Error{static_cast<Code>(head.code), *first, *second};
}

std::optional<std::string> Worker::receive_text(std::size_t bytes, Clock::time_point until,
                                                const CancelToken& token) const {
  std::string text(bytes, '\0');
  if (!receive(text.data(), bytes, until, token)) return std::nullopt;
  return text;
}

bool Worker::receive(char* to, std::size_t bytes, Clock::time_point until, const CancelToken& token) const {
  constexpr std::chrono::nanoseconds kLook = std::chrono::milliseconds(10);  // so often for a wish to stop
  while (bytes > 0) {
    const std::chrono::nanoseconds left = until - Clock::now();
    if (left.count() <= 0 || token.cancelled()) return false;
    const timespec wait{0, static_cast<long>(std::min(left, kLook).count())};
    pollfd ready{socket_, POLLIN, 0};
    if (ppoll(&ready, 1, &wait, nullptr) <= 0) continue;
    const ssize_t got = recv(socket_, to, bytes, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

void Worker::kill() noexcept {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  close(socket_);
  try {
    std::thread([process = process_] { waitpid(process, nullptr, 0); }).detach();
  } catch (const std::system_error&) {  // it stays a zombie until this process ends
  }
  process_ = -1;
}

}  // namespace dither::session::detail
