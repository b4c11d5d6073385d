// time_query PROJECT TIMES MEMORY SQL: asks the statement so often through one session, each time a fresh draw that is paid for,
// and prints the seconds each took, those of all cores too, and the most memory the process held. MEMORY is the engine's limit in bytes, 0 its own.
#include <fmt/format.h>
#include <time.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "sql/query.h"

namespace dither::testing {

namespace {

// In KiB, from /proc/self/status.
std::string most_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:" && status >> word) return word;
  }
  return "null";
}

double seconds_on(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

int time_query(const std::string& project, int times, std::uint64_t memory, const std::string& text) {
  session::Session session = session::Session::open(project);
  engine::Limits limits;
  if (memory != 0) limits.memory = memory;
  session.use_limits(limits);
  sql::Wanted wanted;
  wanted.epsilon = 1;
  session::Ask ask;
  ask.by = "bench";
  ask.title = text;
  ask.again = true;
  std::vector<double> seconds, core_seconds;
  std::size_t rows = 0;
  for (int i = 0; i < times; ++i) {
    const double start = seconds_on(CLOCK_MONOTONIC);
    const double core_start = seconds_on(CLOCK_PROCESS_CPUTIME_ID);
    rows = sql::query(session, text, wanted, ask).rows.size();
    core_seconds.push_back(seconds_on(CLOCK_PROCESS_CPUTIME_ID) - core_start);
    seconds.push_back(seconds_on(CLOCK_MONOTONIC) - start);
  }
  fmt::print("{{\"seconds\": [{}], \"core_seconds\": [{}], \"peak_kib\": {}, \"rows\": {}}}\n",
             fmt::join(seconds, ", "), fmt::join(core_seconds, ", "), most_memory(), rows);
  return 0;
}

}  // namespace

}  // namespace dither::testing

int main(int count, char** arguments) {
  if (count != 5) {
    std::fputs("usage: time_query PROJECT TIMES MEMORY SQL\n", stderr);
    return 2;
  }
  try {
    return dither::testing::time_query(arguments[1], std::stoi(arguments[2]), std::stoull(arguments[3]), arguments[4]);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
