// A process that reads data for this one, and that can be killed at any moment.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"

namespace dither::session::detail {

// A child that does jobs one at a time, each when it is asked for, and sends back what they give. It is a copy of this
// process as it was: a job captures what it needs, and what it changes is lost with the child.
//
// Promise    ask() returns when its time is over, whatever the job does: the child is killed, and its end is not waited
//            for, since giving back much memory takes long. The child dies with the thread that made it, keeps no file
//            of this process open, prints nothing, leaves no core file, and runs no destructor or exit handler.
// Holds if   a job takes no lock that another thread may hold while the child is made, and uses no database that was
//            opened before: the child has no other threads. A child that waits for one for ever is killed when its time is over.
// Refuses    no-engine where the system makes no process.
class Worker {
 public:
  using Clock = std::chrono::steady_clock;
  using Job = std::function<std::string()>;

  explicit Worker(const std::vector<Job>& jobs);
  ~Worker() { kill(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // What this job gives. Nothing where it is not there in time, where the token is cancelled, and where the child has
  // died or threw anything but an Error: then the child is killed, and gives nothing from now on. Throws the job's Error.
  std::optional<std::string> ask(std::size_t job, Clock::time_point until, const CancelToken& token);

 private:
  void kill() noexcept;
  bool receive(char* to, std::size_t bytes, Clock::time_point until, const CancelToken& token) const;
  std::optional<std::string> receive_text(std::size_t bytes, Clock::time_point until, const CancelToken& token) const;
  std::optional<std::string> reply(Clock::time_point until, const CancelToken& token);

  pid_t process_ = -1;
  int socket_ = -1;
};

}  // namespace dither::session::detail
