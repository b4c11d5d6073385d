#include "audit/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/text.h"

namespace dither::audit {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kLargestBatch = 10'000;
constexpr auto kShortBatch = std::chrono::milliseconds(250);
constexpr std::int64_t kFirstRuns = 50;   // of each input, to learn the columns
constexpr std::size_t kFirstInputs = 40;  // that are tried for it
constexpr std::size_t kMostPairs = 10'000;

// NaN and the infinities are no JSON; most programs print them all the same.
constexpr std::array kNotJson = {"-Infinity", "Infinity", "NaN"};

std::optional<double> not_json(const std::string& word) {
  if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (word == "Infinity") return HUGE_VAL;
  if (word == "-Infinity") return -HUGE_VAL;
  return std::nullopt;
}

// The line with quotes around those words where they stand outside of quotes.
std::string as_json(const std::string& line) {
  std::string result;
  bool quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '"' && (at == 0 || line[at - 1] != '\\')) quoted = !quoted;
    const auto found = std::find_if(kNotJson.begin(), kNotJson.end(), [&](std::string_view word) {
      return !quoted && line.compare(at, word.size(), word) == 0;
    });
    if (found == kNotJson.end()) {
      result += line[at];
    } else {
      result += fmt::format("\"{}\"", *found);
      at += std::string_view(*found).size() - 1;
    }
  }
  return result;
}

RunCell cell_of(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return value.dump(-1, ' ', false, json::error_handler_t::replace);
  const std::string word = value.get<std::string>();
  if (const auto number = not_json(word)) return *number;
  return word;
}

RunValue value_of(const std::string& line) {
  json value = json::parse(line, nullptr, false);
  if (value.is_discarded()) value = json::parse(as_json(line), nullptr, false);
  if (value.is_discarded()) return {.status = "not JSON"};
  RunValue run;
  if (value.is_array()) {
    for (const json& part : value) run.cells.push_back(cell_of(part));
  } else {
    run.cells.push_back(cell_of(value));
  }
  return run;
}

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
    const json both = json::parse(line, nullptr, false);
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

// The run that was under way when it failed has this for its status; those after it are asked for again.
void CommandMechanism::note_failure(CommandProcess::End end, std::vector<RunValue>& values) {
  const std::unique_ptr<CommandProcess> failed = std::move(process_);
  if (end == CommandProcess::End::too_long) {
    refuse(command_, "printed more than it was asked for, or a line of more than a million bytes",
           "print one line of JSON for each run, and nothing else");
  }
  if (end == CommandProcess::End::closed) {
    values.push_back({.status = failed->how_it_ended()});
    return;
  }
  if (++timeouts_ >= limits_.timeouts) {
    refuse(command_, fmt::format("did not answer within {} s, {} times", limits_.batch.count() / 1000.0, timeouts_),
           "flush standard output after each batch, read line by line, or give it more time with --patience");
  }
  values.push_back({.status = "no answer in time"});
}

void CommandMechanism::draw_batch(const std::string& input, std::int64_t runs, std::vector<RunValue>& values) {
  const bool fresh = process_ == nullptr;
  if (fresh) process_ = std::make_unique<CommandProcess>(command_);
  const auto start = Clock::now();
  const std::string question = fmt::format(R"({{"input": {}, "runs": {}}})", input, runs);
  const CommandProcess::Answer answer = process_->ask(question, runs, start + limits_.batch, limits_.cancel);
  for (const std::string& line : answer.lines) values.push_back(value_of(line));
  if (answer.end == CommandProcess::End::complete) {
    if (Clock::now() - start < kShortBatch) batch_ = std::min(2 * batch_, kLargestBatch);
    return;
  }
  // A program that ends well between two batches does one batch at a time: that is no failure.
  const bool between = answer.end == CommandProcess::End::closed && answer.lines.empty() && !fresh;
  if (between && process_->how_it_ended() == "exit status 0") return process_.reset();
  note_failure(answer.end, values);
}

std::vector<RunValue> CommandMechanism::draw(const std::string& input, std::int64_t runs) {
  const std::lock_guard lock(one_at_a_time_);
  std::vector<RunValue> values;
  while (static_cast<std::int64_t>(values.size()) < runs) {
    limits_.cancel.check();
    if (limits_.deadline && Clock::now() >= *limits_.deadline) break;
    draw_batch(input, std::min(batch_, runs - static_cast<std::int64_t>(values.size())), values);
  }
  return values;
}

void CommandMechanism::finish() {
  const std::lock_guard lock(one_at_a_time_);
  if (process_ == nullptr) return;
  const bool more = process_->has_more(Clock::now() + std::chrono::seconds(1));
  process_.reset();
  if (more) {
    refuse(command_, "printed more lines than it was asked for",
           "print one line of JSON for each run, and nothing else");
  }
}

CommandTarget command_target(std::shared_ptr<CommandMechanism> mechanism, const std::vector<CommandInputs>& pairs,
                             const Promise& promise) {
  // The columns, and the codes of words, which go on growing.
  struct Columns {
    RunTable table;
    std::mutex mutex;
  };
  const auto columns = std::make_shared<Columns>();
  std::map<std::string, int> failures;
  std::vector<RunValue> first_runs;
  for (std::size_t i = 0; i < std::min(pairs.size(), kFirstInputs / 2); ++i) {
    for (const std::string& input : {pairs[i].first, pairs[i].second}) {
      for (RunValue& run : mechanism->draw(input, kFirstRuns)) {
        if (run.status != "ok") ++failures[run.status];
        columns->table.see(run);
        first_runs.push_back(std::move(run));
      }
    }
    const bool none_well =
        std::none_of(first_runs.begin(), first_runs.end(), [](const RunValue& run) { return run.status == "ok"; });
    if (none_well && !first_runs.empty()) {
      refuse(mechanism->command(), fmt::format("failed in every run: {}", failures.begin()->first),
             fmt::format(R"(see what it says to one line: echo '{{"input": {}, "runs": 3}}' | {})",
                         echo(pairs[i].first), echo(mechanism->command())));
    }
  }
  columns->table.rows(first_runs);  // gives words their codes
  CommandTarget result{{"command", promise, columns->table.shape(), {}, columns->table.words()}, {}};
  for (std::size_t i = 0; i < result.target.shape.size(); ++i) result.names.push_back(columns->table.column_name(i));
  const auto draw_of = [&](const std::string& input) -> Draw {
    return [mechanism, columns, input](Outputs& out, std::int64_t runs, random::Source&) {
      const std::vector<RunValue> values = mechanism->draw(input, runs);
      const std::lock_guard lock(columns->mutex);
      out.append(columns->table.rows(values));
    };
  };
  for (const CommandInputs& pair : pairs) {
    result.target.pairs.push_back({pair.first, pair.second, draw_of(pair.first), draw_of(pair.second)});
  }
  return result;
}

}  // namespace dither::audit
