// Somebody else's mechanism, as a program: batches of JSON lines.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "audit/command_process.h"
#include "audit/foreign.h"

namespace dither::audit {

// A pair of neighbouring inputs, each a JSON value on one line, as the program will read it.
struct CommandInputs {
  std::string first, second;
};

// The pairs of a file: on every line a JSON list of two inputs, whatever these are.
// Refuses    a file that cannot be read (cannot-read); lines that are no such list (bad-syntax); none, or more than 10000
//            (bad-count).
std::vector<CommandInputs> read_input_pairs(const std::string& path);

struct CommandLimits {
  bool alone = false;                                                  // runs are asked for one at a time
  std::chrono::milliseconds batch = std::chrono::seconds(10);          // until a batch counts as hung
  int timeouts = 3;                                                    // so many, and it is given up
  std::optional<std::chrono::steady_clock::time_point> deadline = {};  // draws stop then, with what there is
  CancelToken cancel = {};
};

// Among several runs that were asked for at once one ended the program, or did not end: which of them it was, and what
// those before it said, may be lost in a buffer of the program.
class RunsLost : public std::exception {
 public:
  const char* what() const noexcept override { return "a run failed among several that were asked for at once"; }
};

// The program. We write {"input": INPUT, "runs": N} on a line of its standard input; it answers with N lines, each a JSON
// value: a number, a word, or a list of these; it then waits for the next line. Or it ends with status 0 after every
// answer and is started again; a program that has answered twice is not of that kind, and its end is a failure.
//
// Status     a run that ends the program, prints what is no JSON, or does not end in time is an output too, with that for
//            a status (T-48): the program is started again for the runs that are left.
// Batches    as BatchSize says, or of one run each. Only then it is known which run failed: counted otherwise, failures
//            would hide the runs beside them, and seem up to as many times as likely as a batch has runs.
// Refuses    a command that cannot be started (cannot-read); a program that does not answer in time for the third time, or
//            that prints more than it was asked for (bad-source). Throws Cancelled; RunsLost.
// Safe to call from several threads, which then wait for each other.
class CommandMechanism {
 public:
  CommandMechanism(std::string command, CommandLimits limits);

  // Fewer when the deadline comes.
  std::vector<RunValue> draw(const std::string& input, std::int64_t runs);
  const std::string& command() const { return command_; }
  const CommandLimits& limits() const { return limits_; }

  Tally tally();

  // Ends the program tidily. Refuses (bad-source) if it has more to say than it was asked.
  void finish();

 private:
  void draw_batch(const std::string& input, std::int64_t runs, std::vector<RunValue>& values);
  void note_failure(CommandProcess::End end, std::vector<RunValue>& values);
  void end_tidily();
  std::string how_it_ended(CommandProcess& process);

  std::string command_;
  CommandLimits limits_;
  std::mutex one_at_a_time_;
  std::unique_ptr<CommandProcess> process_;
  BatchSize batch_;
  int timeouts_ = 0;
  int answers_ = 0;         // of this process
  bool stays_ = false;      // for another answer: was seen to
  bool ends_each_ = false;  // ends after every answer
  bool goes_on_ = false;    // when its output is closed
  Tally tally_;
};

// A target on these pairs, named by its command; see learn_target.
//
// Refuses    a program that fails in each of ten runs of both inputs of the first pair (bad-source); as CommandMechanism.
LearntTarget command_target(const std::shared_ptr<CommandMechanism>& mechanism, const std::vector<CommandInputs>& pairs,
                            const Promise& promise);

// The same with pairs of vectors, around which testers may search for others that the rules allow.
LearntTarget command_target(const std::shared_ptr<CommandMechanism>& mechanism, const std::vector<InputPair>& starts,
                            const InputRules& rules, const Promise& promise);

// test_foreign on a program; `make` says on which inputs. Begins again when runs are lost, with one run at a time and
// half of the time, and says so in every report. Of the false alarm an eighth is kept for that: a first try that goes
// to its end had the rest. The effort has a deadline.
std::vector<Report> test_command(const std::string& command, const CommandLimits& limits,
                                 const std::function<LearntTarget(const std::shared_ptr<CommandMechanism>&)>& make,
                                 const std::vector<std::string>& testers, const Effort& effort);

}  // namespace dither::audit
