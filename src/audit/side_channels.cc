#include "audit/side_channels.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/error.h"
#include "ledger/signing_key.h"
#include "session/answer.h"
#include "session/session.h"
#include "sql/query.h"

namespace dither::audit {

namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr int kSwaps = 9999;
constexpr int kPeople = 2000;
constexpr int kSearches = 100;

// The text of a heavy user, and only that, is searched so often, by what is found nowhere in it and begins everywhere.
std::string statement() {
  std::string searches;
  for (int i = 0; i < kSearches; ++i) {
    const std::string sought(static_cast<std::size_t>(i) + 1, 'a');
    searches += fmt::format("{}STRPOS(note, '{}b')", i == 0 ? "" : " + ", sought);
  }
  return fmt::format(
      "SELECT SUM(CLAMP(CASE WHEN note IS NULL THEN cost ELSE {} END, 0, 100)) FROM visits WHERE cost > 10", searches);
}

double nanoseconds(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return static_cast<double>((Clock::now() - start).count());
}

// A folder that nobody else may read, and that goes with this object.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "dither-verify-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw Error{Code::cannot_write, fmt::format("no folder can be made: {}", std::strerror(errno)),
                  "set TMPDIR to a folder that you can write to"};
    }
    path_ = name;
  }
  ~Folder() {
    std::error_code nothing_to_do;
    fs::remove_all(path_, nothing_to_do);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// A project over some visits, opened.
class Clinic {
 public:
  Clinic(const HeavyUser& heavy, std::chrono::milliseconds deadline) : hardened_(deadline.count() > 0) {
    std::ofstream project(folder_.file("dither.yaml"));
    project << "version: 1\ndata_version: \"1\"\nprivacy: {unit: person, neighbours: add-remove}\n";
    if (hardened_) project << fmt::format("deadline: {}\n", static_cast<double>(deadline.count()) / 1000);
    project << R"(tables:
  visits:
    source: visits.csv
    unit: person
    bounds: {rows_per_unit: 3}
    columns:
      person: {type: integer}
      cost: {type: integer, bounds: [0, 100], outside: clamp}
      note: {type: text}
budgets:
  main: {epsilon: 1000000000}
)";
    project.close();
    std::ofstream rows(folder_.file("visits.csv"));
    rows << "person,cost,note\n";
    for (int person = 0; person < kPeople; ++person) rows << person << ',' << person % 100 << ",\n";
    const std::string note(static_cast<std::size_t>(heavy.characters), 'a');
    for (int row = 0; row < heavy.rows; ++row) rows << kPeople << ",100," << note << '\n';
    rows.close();
    session_ = std::make_unique<session::Session>(session::Session::open(folder_.file("dither.yaml")));
    session_->use_key(ledger::SigningKey::make());
  }

  void ask() {
    sql::Wanted wanted;
    wanted.epsilon = Rational(1);
    session::Ask ask;
    ask.by = "verify";
    ask.again = true;
    ask.hardened = hardened_;
    try {
      sql::query(*session_, statement(), wanted, ask);
    } catch (const Error& error) {
      if (!hardened_ || error.code() != Code::run_failed) throw;
      ++failures_;
    }
  }
  int failures() const { return failures_; }

 private:
  Folder folder_;
  bool hardened_;
  int failures_ = 0;
  std::unique_ptr<session::Session> session_;
};

}  // namespace

PairedMeasurement measure_pairs(const std::function<void()>& first, const std::function<void()>& second, int pairs,
                                std::uint64_t seed, const CancelToken& cancel) {
  std::mt19937_64 coins(seed);
  PairedMeasurement times;
  first();  // what is slow only once
  second();
  for (int i = 0; i < pairs; ++i) {
    cancel.check();
    const bool second_comes_first = coins() >> 63 != 0;
    const double before = nanoseconds(second_comes_first ? second : first);
    const double after = nanoseconds(second_comes_first ? first : second);
    times.first.push_back(second_comes_first ? after : before);
    times.second.push_back(second_comes_first ? before : after);
  }
  return times;
}

Correlation draw_times(const std::function<double()>& draw, int draws, double false_alarm, const CancelToken& cancel) {
  std::vector<double> times, sizes;
  for (int i = 0; i < draws; ++i) {
    if (i % 4096 == 0) cancel.check();
    double drawn = 0;
    times.push_back(nanoseconds([&] { drawn = draw(); }));
    sizes.push_back(std::abs(drawn));
  }
  return correlation(times, sizes, false_alarm);
}

AnswerTimes answer_times(std::chrono::milliseconds deadline, int pairs, std::uint64_t seed, const CancelToken& cancel,
                         const HeavyUser& heavy) {
  Clinic first({0, 0}, deadline);
  Clinic second(heavy, deadline);
  AnswerTimes result;
  result.times = measure_pairs([&] { first.ask(); }, [&] { second.ask(); }, pairs, seed, cancel);
  result.failures = first.failures() + second.failures();
  result.test = paired_times(result.times.first, result.times.second, kSwaps, ~seed);  // not the order's coins
  return result;
}

}  // namespace dither::audit
