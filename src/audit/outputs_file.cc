#include "audit/outputs_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>

#include "audit/likelihood.h"
#include "audit/read_csv.h"
#include "audit/settle.h"
#include "audit/tester.h"
#include "base/error.h"
#include "base/text.h"

namespace dither::audit {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr std::int64_t kMostSearched = 1'000'000;  // rows of each file
constexpr std::size_t kFewWords = 200;             // of a column, which are compared whole

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::vector<char> block(1 << 20);
  while (text.size() <= kMostBytes &&
         file.read(block.data(), static_cast<std::streamsize>(block.size())).gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad()) {  // bad: a folder
    throw Error{Code::cannot_read, fmt::format("--outputs {}: cannot be read", echo(path)),
                "name two files of outputs, each of one of two neighbouring inputs"};
  }
  return text;
}

RunCell cell_of(std::string&& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = text.find_last_not_of(" \t") + 1;
  const char* from = text.data() + begin;
  const char* to = text.data() + std::max(begin, end);
  if (to - from > 1 && *from == '+' && from[1] != '-') ++from;
  double number = 0;
  const auto [stop, error] = std::from_chars(from, to, number);
  if (from == to || stop != to || error == std::errc::invalid_argument) return std::move(text);
  if (error == std::errc::result_out_of_range) return std::strtod(std::string(from, to).c_str(), nullptr);
  return number;
}

bool is_header(const RunValue& first, const RunValue& second) {
  const auto is_word = [](const RunCell& cell) { return std::holds_alternative<std::string>(cell); };
  return first.cells == second.cells && std::all_of(first.cells.begin(), first.cells.end(), is_word);
}

void require_enough(const std::vector<RunValue>& runs, const std::string& path) {
  if (runs.size() >= kLeastRuns) return;
  throw Error{Code::bad_count,
              fmt::format("--outputs {}: {} runs, but a test needs {}", echo(path), runs.size(), kLeastRuns),
              "record more runs, one a row; 100000 of each input show a good deal"};
}

using Order = std::vector<std::int64_t>;

Order random_order(std::size_t runs, std::mt19937_64& choices) {
  Order order(runs);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), choices);
  return order;
}

Outputs in_order(const Outputs& runs, const Order& order) {
  Outputs result(runs.width());
  const std::span<double> cells = result.add(runs.runs());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::span<const double> row = runs.row(order[i]);
    std::copy(row.begin(), row.end(), cells.begin() + static_cast<std::ptrdiff_t>(i * runs.width()));
  }
  return result;
}

Outputs part(const Outputs& runs, std::int64_t from, std::int64_t to) {
  Outputs result(runs.width());
  const std::span<double> cells = result.add(to - from);
  for (std::int64_t i = from; i < to; ++i) {
    const std::span<const double> row = runs.row(i);
    std::copy(row.begin(), row.end(), cells.begin() + (i - from) * static_cast<std::int64_t>(runs.width()));
  }
  return result;
}

// Rows that are handed out once each, whichever threads ask; none when there are no more.
class Rows {
 public:
  explicit Rows(Outputs runs) : runs_(std::move(runs)) {}

  void hand_out(Outputs& out, std::int64_t wanted) {
    const std::lock_guard lock(mutex_);
    const std::int64_t end = std::min(runs_.runs(), next_ + wanted);
    out.append(part(runs_, next_, end));
    next_ = end;
  }
  void before_event() {
    if (!test_) test_ = next_;
    next_ = *test_;
  }

 private:
  Outputs runs_;
  std::mutex mutex_;
  std::int64_t next_ = 0;
  std::optional<std::int64_t> test_ = {};  // where the test begins
};

// Both files as rows of numbers, in random order. Columns are learnt from the first rows, which are searched.
struct Table {
  RunTable columns;
  Outputs first{0}, second{0};
  std::vector<std::string> names = {};
};
Table table_of(const RecordedRuns& runs, std::int64_t searched, std::uint64_t seed) {
  Table table{.columns = RunTable(kFewWords)};
  std::mt19937_64 choices(seed);
  const Order first = random_order(runs.first.size(), choices), second = random_order(runs.second.size(), choices);
  for (std::size_t i = 0; i < static_cast<std::size_t>(searched); ++i) {
    table.columns.see(runs.first[static_cast<std::size_t>(first[i])]);
    table.columns.see(runs.second[static_cast<std::size_t>(second[i])]);
  }
  table.first = in_order(table.columns.rows(runs.first), first);
  table.second = in_order(table.columns.rows(runs.second), second);
  table.names = table.columns.column_names();
  return table;
}

// These rows of both as a pair to be tested.
void add_rows(Target& target, Outputs first, Outputs second, const RecordedRuns& runs) {
  const auto one = std::make_shared<Rows>(std::move(first)), other = std::make_shared<Rows>(std::move(second));
  const auto draw = [](const std::shared_ptr<Rows>& rows) -> Draw {
    return [rows](Outputs& out, std::int64_t wanted, random::Source&) { rows->hand_out(out, wanted); };
  };
  target.pairs.push_back({runs.first_name, runs.second_name, draw(one), draw(other)});
  target.before_event = [one, other] {
    one->before_event();
    other->before_event();
  };
}

// The rows that are not kept for the test are searched, in the longer file more of them.
Report likelihood_on(const Table& table, Target target, const RecordedRuns& runs, const Effort& effort) {
  const std::int64_t first = table.first.runs() - effort.certify, second = table.second.runs() - effort.certify;
  std::vector<TrainingRuns> training;
  const std::int64_t searched_first = std::min(first, kMostSearched), searched_second = std::min(second, kMostSearched);
  training.push_back({part(table.first, 0, searched_first), part(table.second, 0, searched_second)});
  const std::vector<Bet> bets = likelihood_bets(target, table.names, training, effort);
  add_rows(target, part(table.first, first, table.first.runs()), part(table.second, second, table.second.runs()), runs);
  Report report = settle(target, "likelihood", bets, effort);
  report.rarest = rarest_found(report, std::min(searched_first, searched_second));
  if (never_varied(training)) report.notes.emplace_back("the output never varied");
  return report;
}

}  // namespace

std::vector<RunValue> csv_runs(std::string_view text, const std::string& name) {
  if (text.size() > kMostBytes) {
    throw Error{Code::too_long, fmt::format("--outputs {}: more than {} bytes", echo(name), kMostBytes),
                "a million runs are plenty: give fewer rows, or only the columns that are released"};
  }
  std::vector<RunValue> runs;
  read_csv(text, name, [&](std::vector<std::string>&& cells) {
    RunValue& run = runs.emplace_back();
    for (std::string& cell : cells) run.cells.push_back(cell_of(std::move(cell)));
    require_places(run);
  });
  return runs;
}

RecordedRuns read_outputs(const std::string& first, const std::string& second) {
  const auto read = [](const std::string& path) { return csv_runs(bytes_of(path), path); };
  RecordedRuns runs{read(first), read(second), first, second};
  if (!runs.first.empty() && !runs.second.empty() && is_header(runs.first.front(), runs.second.front())) {
    runs.first.erase(runs.first.begin());
    runs.second.erase(runs.second.begin());
  }
  require_enough(runs.first, first);
  require_enough(runs.second, second);
  return runs;
}

Report test_outputs(const RecordedRuns& runs, const Promise& promise, const std::string& tester_name, Effort effort) {
  const auto shorter = static_cast<std::int64_t>(std::min(runs.first.size(), runs.second.size()));
  effort.looks = 1;  // the rows are there: nothing is saved by stopping early
  effort.certify = shorter / 2;
  effort.search = shorter - effort.certify;
  const Table table = table_of(runs, effort.search, effort.seed);
  Target target{"outputs", promise, table.columns.shape(), {}, table.columns.words(), table.columns.parts()};
  if (tester_name == "likelihood") return timed([&] { return likelihood_on(table, target, runs, effort); });
  add_rows(target, table.first, table.second, runs);
  Report report = timed([&] { return tester(tester_name).test(target, effort); });
  report.notes.push_back("no row of the files was both searched and tested");
  return report;
}

}  // namespace dither::audit
