#include "audit/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "audit/run_line.h"
#include "base/error.h"
#include "base/text.h"

namespace dither::audit {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostPairs = 10'000;
constexpr std::chrono::milliseconds kTimeToEnd(5000), kMomentToEnd(200);
constexpr double kSecondTry = 0.125;  // of the false alarm

[[noreturn]] void refuse(const std::string& command, const std::string& what, const std::string& hint) {
  throw Error{Code::bad_source, fmt::format("--command \"{}\" {}", echo(command), what), hint};
}

}  // namespace

std::vector<CommandInputs> read_input_pairs(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw Error{Code::cannot_read, fmt::format("--inputs {}: cannot be read", echo(path)),
                "name a file with two neighbouring inputs on each line, such as [[1, 2, 3], [1, 2]]"};
  }
  std::vector<CommandInputs> pairs;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line) && pairs.size() <= kMostPairs; ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const json both = is_nested_too_deep(line) ? json() : json::parse(line, nullptr, false);
    if (!both.is_array() || both.size() != 2) {
      throw Error{Code::bad_syntax, fmt::format("{}:{}: not a JSON list of two inputs", echo(path), number),
                  "write both inputs of a pair on one line, such as [[1, 2, 3], [1, 2]]"};
    }
    pairs.push_back({both[0].dump(), both[1].dump()});
  }
  if (pairs.empty() || pairs.size() > kMostPairs) {
    throw Error{Code::bad_count,
                fmt::format("--inputs {}: {} pairs, but must be 1 to {}", echo(path), pairs.empty() ? "no" : "more",
                            kMostPairs),
                "write both inputs of a pair on one line, such as [[1, 2, 3], [1, 2]]"};
  }
  return pairs;
}

CommandMechanism::CommandMechanism(std::string command, CommandLimits limits)
    : command_(std::move(command)), limits_(std::move(limits)) {}

// A busy machine takes its time to end a program. One that goes on without its output will do so again, so that it is
// waited for once.
std::string CommandMechanism::how_it_ended(CommandProcess& process) {
  auto patience = goes_on_ ? kMomentToEnd : kTimeToEnd;
  if (limits_.deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*limits_.deadline - Clock::now());
    patience = std::clamp(left, kMomentToEnd, patience);
  }
  std::string end = process.how_it_ended(patience);
  goes_on_ = goes_on_ || end == "output closed";
  return end;
}

// The run that was under way when it failed has this for its status; those after it are asked for again.
void CommandMechanism::note_failure(CommandProcess::End end, std::vector<RunValue>& values) {
  const std::unique_ptr<CommandProcess> failed = std::move(process_);
  if (end == CommandProcess::End::too_long) {
    refuse(command_, "printed more than it was asked for, or a line of more than a million bytes",
           "print one line of JSON for each run, and nothing else");
  }
  if (end == CommandProcess::End::closed) {
    values.push_back({.status = how_it_ended(*failed)});
    return;
  }
  if (++timeouts_ >= limits_.timeouts) {
    refuse(command_, fmt::format("did not answer within {} s, {} times", limits_.batch.count() / 1000.0, timeouts_),
           "flush standard output after each batch, read line by line, or give it more time with --patience");
  }
  values.push_back({.status = "no answer in time"});
}

// Closes its input. It has nothing more to say.
void CommandMechanism::end_tidily() {
  const bool more = process_->has_more(Clock::now() + std::chrono::seconds(1));
  process_.reset();
  if (more) {
    refuse(command_, "printed more lines than it was asked for",
           "print one line of JSON for each run, and nothing else");
  }
}

void CommandMechanism::draw_batch(const std::string& input, std::int64_t runs, std::vector<RunValue>& values) {
  if (process_ == nullptr) {
    process_ = std::make_unique<CommandProcess>(command_);
    answers_ = 0;
  }
  const auto start = Clock::now();
  const std::string question = fmt::format(R"({{"input": {}, "runs": {}}})", input, runs);
  const CommandProcess::Answer answer = process_->ask(question, runs, start + limits_.batch, limits_.cancel);
  if (answer.end == CommandProcess::End::complete) {
    for (const std::string& line : answer.lines) values.push_back(run_of_line(line));
    batch_.took(Clock::now() - start);
    stays_ = stays_ || ++answers_ > 1;
    if (ends_each_) end_tidily();
    return;
  }
  // The first time that it ends after an answer tells its kind.
  const bool after_one = answer.end == CommandProcess::End::closed && answer.lines.empty() && answers_ == 1 && !stays_;
  if (after_one && how_it_ended(*process_) == "exit status 0") {
    ends_each_ = true;
    return process_.reset();
  }
  if (runs > 1 && answer.end != CommandProcess::End::too_long) throw RunsLost();
  note_failure(answer.end, values);
}

std::vector<RunValue> CommandMechanism::draw(const std::string& input, std::int64_t runs) {
  const std::lock_guard lock(one_at_a_time_);
  std::vector<RunValue> values;
  while (static_cast<std::int64_t>(values.size()) < runs) {
    limits_.cancel.check();
    if (limits_.deadline && Clock::now() >= *limits_.deadline) break;
    const std::int64_t left = runs - static_cast<std::int64_t>(values.size());
    draw_batch(input, limits_.alone ? 1 : std::min(batch_.runs(), left), values);
  }
  tally_.see(values);
  return values;
}

Tally CommandMechanism::tally() {
  const std::lock_guard lock(one_at_a_time_);
  return tally_;
}

void CommandMechanism::finish() {
  const std::lock_guard lock(one_at_a_time_);
  if (process_ != nullptr) end_tidily();
}

LearntTarget command_target(const std::shared_ptr<CommandMechanism>& mechanism, const std::vector<CommandInputs>& pairs,
                            const Promise& promise) {
  const auto input = [&](const std::string& json) -> ForeignInput {
    return {json, [mechanism, json](std::int64_t runs) { return mechanism->draw(json, runs); }};
  };
  std::vector<ForeignPair> foreign;
  for (const CommandInputs& pair : pairs) foreign.push_back({input(pair.first), input(pair.second)});
  const auto fails = [&](const std::string& status) {
    refuse(mechanism->command(), fmt::format("failed in every run: {}", status),
           fmt::format(R"(see what it says to one line: echo '{{"input": {}, "runs": 3}}' | {})",
                       echo(pairs.front().first), echo(mechanism->command())));
  };
  return learn_target(mechanism->command(), foreign, promise, mechanism->limits().deadline, fails);
}

LearntTarget command_target(const std::shared_ptr<CommandMechanism>& mechanism, const std::vector<InputPair>& starts,
                            const InputRules& rules, const Promise& promise) {
  std::vector<CommandInputs> pairs;
  for (const InputPair& start : starts) pairs.push_back({vector_text(start.first), vector_text(start.second)});
  LearntTarget learnt = command_target(mechanism, pairs, promise);
  const Target& target = learnt.target;
  const auto draw = [mechanism, draw_of = learnt.draw_of](std::span<const double> vector, Outputs& out,
                                                          std::int64_t runs, random::Source& source) {
    const std::string json = vector_text(vector);
    draw_of({json, [&](std::int64_t more) { return mechanism->draw(json, more); }})(out, runs, source);
  };
  learnt.search = InputSearch{{target.name, promise, target.shape, draw, target.words}, starts, rules};
  return learnt;
}

std::vector<Report> test_command(const std::string& command, const CommandLimits& limits,
                                 const std::function<LearntTarget(const std::shared_ptr<CommandMechanism>&)>& make,
                                 const std::vector<std::string>& testers, const Effort& effort) {
  const auto start = Clock::now();
  const auto time = *effort.deadline - start;
  const auto attempt = [&](bool alone) {
    CommandLimits mine = limits;
    Effort part = effort;
    mine.alone = alone;
    if (alone) mine.deadline = part.deadline = std::max(start + time, Clock::now() + time / 2);
    part.false_alarm *= alone ? kSecondTry : 1 - kSecondTry;
    const auto mechanism = std::make_shared<CommandMechanism>(command, mine);
    std::vector<Report> reports = test_foreign(make(mechanism), testers, part);
    mechanism->finish();
    note_failures(mechanism->tally(), reports);
    for (Report& report : reports) report.false_alarm = effort.false_alarm;
    return reports;
  };
  try {
    return attempt(false);
  } catch (const RunsLost&) {  // nothing of it is used
  }
  std::vector<Report> reports = attempt(true);
  for (Report& report : reports) {
    report.notes.emplace_back(
        "a run failed, or was late, among several that were asked for at once: the test began again, with one at a "
        "time");
  }
  return reports;
}

}  // namespace dither::audit
