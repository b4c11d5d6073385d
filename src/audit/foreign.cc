#include "audit/foreign.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>

#include "audit/dp_finder.h"
#include "audit/likelihood.h"
#include "audit/pace.h"
#include "audit/tester.h"

namespace dither::audit {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kLargestBatch = 10'000;
constexpr auto kShortBatch = std::chrono::milliseconds(250);
constexpr auto kLongBatch = std::chrono::seconds(1);
constexpr std::int64_t kLeastFirstRuns = 10;  // of each input, to learn the columns; fails in all: refused
constexpr std::int64_t kSomeMore = 40;        // while there is time
constexpr int kOftenMore = 11;                // so many times of the first pair, in half of that time
constexpr std::size_t kFirstPairs = 20;       // that are tried for it
constexpr double kFirstShare = 0.1;           // of the time
constexpr std::int64_t kMostSearch = 1'000'000;

bool is_ok(const RunValue& run) { return run.status == "ok"; }

// Some runs of some pairs: of the first pair always, of others while a part of the time lasts.
std::vector<RunValue> first_runs_of(const std::vector<ForeignPair>& pairs,
                                    const std::optional<Clock::time_point>& deadline,
                                    const std::function<void(const std::string& status)>& refuse) {
  const auto start = Clock::now();
  const auto in_time = [&](double longer) {
    return !deadline || longer * (Clock::now() - start) < kFirstShare * (*deadline - start);
  };
  std::vector<RunValue> all;
  const auto add = [&](const ForeignPair& pair, std::int64_t runs) {
    for (const ForeignInput* input : {&pair.first, &pair.second}) {
      std::vector<RunValue> more = input->draw(runs);
      std::move(more.begin(), more.end(), std::back_inserter(all));
    }
  };
  add(pairs.front(), kLeastFirstRuns);
  if (!all.empty() && std::none_of(all.begin(), all.end(), is_ok)) refuse(all.front().status);
  for (std::size_t i = 0; i < std::min(pairs.size(), kFirstPairs); ++i) {
    if (i > 0 && in_time(1)) add(pairs[i], kLeastFirstRuns);
    if (in_time(1)) add(pairs[i], kSomeMore);
    for (int more = 0; i == 0 && more < kOftenMore && in_time(2); ++more) add(pairs[i], kSomeMore);
  }
  return all;
}

// With the same time as each of those that are left.
Effort part_of_time(Effort effort, std::size_t left) {
  const auto now = Clock::now();
  effort.deadline = now + (*effort.deadline - now) / static_cast<std::int64_t>(left);
  return effort;
}

Report tested(const LearntTarget& learnt, const std::string& tester_name, const Effort& effort) {
  const Effort fitting = paced(learnt.target, effort);
  const auto test = [&] {
    if (tester_name == "likelihood") return likelihood(learnt.target, learnt.names, fitting);
    if (tester_name != "dp-finder" || !learnt.search) return tester(tester_name).test(learnt.target, fitting);
    return dp_finder(learnt.search->mechanism, learnt.search->starts, learnt.search->rules, fitting);
  };
  Report report = timed(test);
  const bool cut = fitting.certify < effort.certify || Clock::now() >= *effort.deadline;
  if (cut && report.verdict == Verdict::none_found && report.runs < effort.certify) {
    report.notes.push_back(fmt::format("time cut the test short: {} of {} runs of each input; more seconds give more",
                                       report.runs, effort.certify));
  }
  return report;
}

}  // namespace

void Tally::see(const std::vector<RunValue>& values) {
  for (const RunValue& run : values) {
    if (!is_ok(run) && failed++ == 0) first_failure = run.status;
  }
  runs += std::ssize(values);
}

void BatchSize::took(Clock::duration time) {
  if (time < kShortBatch) runs_ = std::min(2 * runs_, kLargestBatch);
  if (time > kLongBatch) runs_ = std::max<std::int64_t>(1, runs_ / 2);
}

LearntTarget learn_target(const std::string& name, const std::vector<ForeignPair>& pairs, const Promise& promise,
                          const std::optional<Clock::time_point>& deadline,
                          const std::function<void(const std::string& status)>& refuse) {
  // The columns, and the codes of words, which go on growing.
  struct Columns {
    RunTable table;
    std::mutex mutex;
  };
  const auto columns = std::make_shared<Columns>();
  const std::vector<RunValue> first_runs = first_runs_of(pairs, deadline, refuse);
  for (const RunValue& run : first_runs) columns->table.see(run);
  columns->table.rows(first_runs);  // gives words their codes
  const RunTable& table = columns->table;
  LearntTarget result{{name, promise, table.shape(), {}, table.words(), table.parts()}, table.column_names(), {}};
  result.draw_of = [columns](const ForeignInput& input) -> Draw {
    return [columns, draw = input.draw](Outputs& out, std::int64_t runs, random::Source&) {
      const std::vector<RunValue> values = draw(runs);
      const std::lock_guard lock(columns->mutex);
      out.append(columns->table.rows(values));
    };
  };
  for (const auto& [first, second] : pairs) {
    result.target.pairs.push_back({first.words, second.words, result.draw_of(first), result.draw_of(second)});
  }
  return result;
}

Effort foreign_effort(std::int64_t runs, std::chrono::milliseconds time) {
  Effort effort;
  effort.certify = runs;
  effort.search = std::max<std::int64_t>(100, std::min(runs / 4, kMostSearch));
  effort.deadline = Clock::now() + time;
  return effort;
}

std::vector<std::string> testers_named(const std::string& name) {
  if (name == "likelihood") return {name};
  if (name != "all") return {std::string(tester(name).name)};
  std::vector<std::string> names = {"likelihood"};
  for (const Tester& one : all_testers()) names.emplace_back(one.name);
  return names;
}

std::vector<Report> test_foreign(const LearntTarget& learnt, const std::vector<std::string>& testers,
                                 const Effort& effort) {
  std::vector<Report> reports;
  for (std::size_t i = 0; i < testers.size(); ++i) {
    reports.push_back(tested(learnt, testers[i], part_of_time(effort, testers.size() - i)));
    reports.back().target = learnt.target.name;
  }
  return reports;
}

void note_failures(const Tally& tally, std::vector<Report>& reports) {
  if (tally.failed == 0) return;
  for (Report& report : reports) {
    report.notes.push_back(fmt::format("{} of {} runs failed, searches included, the first of them: {}", tally.failed,
                                       tally.runs, tally.first_failure));
  }
}

}  // namespace dither::audit
