// Another program, spoken to in lines.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"

namespace dither::audit {

// A program with our lines on its standard input and its lines on ours. Its standard error goes nowhere.
//
// Started    without a shell when the command is words with spaces between; by `/bin/sh -c` when it has characters that
//            mean something to one (quotes, $, |, ;, &, <, > ...). In a process group of its own.
// Promise    the whole group is killed and reaped when this object goes, whatever happened. When this process is killed, the
//            program is killed too (PR_SET_PDEATHSIG); what it started itself then goes on. No call takes longer than its
//            deadline; a full pipe or a silent program blocks nobody.
// Refuses    a command that cannot be started (cannot-read).
class CommandProcess {
 public:
  explicit CommandProcess(const std::string& command);
  ~CommandProcess();
  CommandProcess(const CommandProcess&) = delete;
  CommandProcess& operator=(const CommandProcess&) = delete;

  enum class End { complete, closed, late, too_long };
  struct Answer {
    std::vector<std::string> lines;
    End end;
  };
  // Sends one line, reads so many. `closed`: the program ended, or closed its output, before; `late`: the deadline came;
  // `too_long`: a line of more than kMostBytes, more lines than asked for, or kMostInAll bytes. What came before is
  // there. Throws Cancelled.
  Answer ask(const std::string& line, std::int64_t lines, std::chrono::steady_clock::time_point deadline,
             const CancelToken& cancel);

  // After `closed`: how it ended, "exit status 3" or "signal 11", as soon as it has; "output closed" when it goes on
  // without one for so long.
  std::string how_it_ended(std::chrono::milliseconds at_most);
  // Closes its input, and says whether it then printed more than it was asked for; waits until `deadline` at most.
  bool has_more(std::chrono::steady_clock::time_point deadline);

  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // in a line
  static constexpr std::size_t kMostInAll = std::size_t{1} << 26;  // in the lines of one answer

 private:
  void end();
  bool take_lines(Answer& answer, std::int64_t wanted);
  struct Ready {
    bool to_read, to_write;
  };
  Ready wait(bool writing, std::chrono::milliseconds at_most) const;
  bool read_some();  // false at the end of its output
  void write_some(std::string_view& rest);

  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
  bool ended_ = false;  // its output
  std::string unread_;
  std::size_t in_all_ = 0;    // bytes of lines of this answer
  std::size_t searched_ = 0;  // of unread_, without a line's end
};

}  // namespace dither::audit
