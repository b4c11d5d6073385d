// dither demo: a small project, and a walk through it.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/demo_data.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace dither::cli {

namespace {

namespace fs = std::filesystem;

const std::array kOptions = {Option{"help", "", "this text"}};

std::string help() {
  return R"(Make a small project with made-up data, about 200,000 rows, and walk through it: check, explain, query, a chart, a
refusal and its fix, a stored answer, the budget. Reads the data it made, spends the budget it made.
Usage:  dither demo [FOLDER]
        FOLDER must not be there yet (dither-demo, or dither-demo-2 and so on)
)" + options_help(kOptions) +
         R"(Example:  dither demo
Exit:     0 done   2 mistake in the request   4 failed
)";
}

constexpr const char* kByRegion =
    "SELECT region, COUNT(*) AS visits, AVG(cost) AS mean_cost FROM visits GROUP BY region";
constexpr const char* kTopThree =
    "SELECT region, COUNT(*) AS visits, AVG(cost) AS mean_cost FROM visits GROUP BY region "
    "ORDER BY mean_cost DESC LIMIT 3";
constexpr const char* kByMonth =
    "SELECT EXTRACT(MONTH FROM day) AS month, COUNT(*) AS visits FROM visits GROUP BY month ORDER BY month LIMIT 12";
constexpr const char* kByClass =
    "SELECT class, COUNT(*) AS visits, SUM(cost) AS cost FROM visits JOIN drugs ON visits.drug = drugs.code "
    "GROUP BY class ORDER BY cost DESC";

struct Step {
  const char* says;
  Words words;
  bool refused = false;  // it is meant to be
};

std::vector<Step> steps() {
  return {
      {"dither.yaml says whom the data is about, what one person may count for, and what may be spent. Its steward\n"
       "checks it against the data.",
       {"check"}},
      {"An analyst asks what a statement would cost and how exact it would be. Nothing is read, nothing is spent.",
       {"explain", "--epsilon", "1", "--as", "alice", kByRegion}},
      {"Then asks it: the price is charged first, noise is drawn once, every number comes with its 95% interval.",
       {"query", "--epsilon", "1", "--as", "alice", kByRegion}},
      {"The same question again, sorted otherwise: the answer is in the ledger, so it is the same and costs nothing.",
       {"query", "--epsilon", "1", "--as", "alice", kTopThree}},
      {"A chart with its intervals.",
       {"query", "--epsilon", "0.5", "--as", "alice", "--format", "svg", "--out", "months.svg", kByMonth}},
      {"Tables about nobody can be joined.", {"query", "--epsilon", "1", "--as", "alice", kByClass}},
      {"What cannot be answered safely is refused, with a way out: how long a visit lasts has no bounds.",
       {"query", "--epsilon", "0.25", "--as", "alice", "SELECT AVG(minutes) AS minutes FROM visits"},
       true},
      {"So state them. What lies beyond counts as the bound.",
       {"query", "--epsilon", "0.25", "--as", "alice", "SELECT AVG(CLAMP(minutes, 0, 60)) AS minutes FROM visits"}},
      {"A budget is a promise: what does not fit is refused.",
       {"query", "--epsilon", "1", "--as", "press", "SELECT COUNT(*) FROM visits"},
       true},
      {"What was promised, what was spent and what is left.", {"budget", "--ledger", "dither.ledger"}},
      {"The same for an ethics board, on one page, with every release and every decision.",
       {"budget", "statement", "--ledger", "dither.ledger", "main", "--markdown", "--out", "statement.md"}},
  };
}

constexpr const char* kNext = R"(
Go on in this folder:
  cd {0}
  dither query --as alice                 ask one statement after the other; \help helps, tab completes
  dither tables visits                    what can be asked of a table
  dither explain --error 500 "SELECT COUNT(*) FROM people WHERE sex = 'f'"      from a wanted error to its price
  dither init --help                      begin a project of your own, in another folder
  dither --help                           everything else
The chart is {0}/months.svg, for a browser; the page is {0}/statement.md.
)";

// As a shell takes it.
std::string typed(const Words& words) {
  std::string text = "$ dither";
  for (const std::string& word : words) {
    text += word.find(' ') == std::string::npos ? " " + word : fmt::format(" \"{}\"", word);
  }
  return text;
}

void say(const std::string& text) { write_answer("", text); }

void show(const Step& step) {
  say(fmt::format("\n{}\n\n{}\n", step.says, typed(step.words)));
  try {
    run(step.words);
  } catch (const Error& error) {
    if (!step.refused) throw;
    say(error.str() + "\n");
  }
}

std::string free_folder() {
  for (int number = 1;; ++number) {
    std::string name = number == 1 ? "dither-demo" : fmt::format("dither-demo-{}", number);
    if (!fs::exists(name)) return name;
  }
}

[[noreturn]] void cannot_make(const std::string& folder, const std::string& why) {
  throw Error{Code::cannot_write, fmt::format("the folder {} cannot be made: {}", echo(folder), why),
              "name another one: dither demo FOLDER"};
}

void make_project(const std::string& folder) {
  std::error_code error;
  if (!fs::create_directory(folder, error)) {
    cannot_make(folder, error ? error.message() : "it is there already");
  }
  write_demo_data(folder);
  write_answer(folder + "/dither.yaml", demo_project(), "the file");
  if (chdir(folder.c_str()) != 0) cannot_make(folder, std::strerror(errno));
}

}  // namespace

void demo(const Words& words) {
  const Given given = read_options("demo", kOptions, words, "FOLDER");
  if (given.contains("help")) return write_answer("", help());
  const std::string folder = given.contains("FOLDER") ? given.at("FOLDER") : free_folder();
  make_project(folder);
  say(fmt::format(
      "Dither answers questions about people without giving any one of them away. This is a small project in {}:\n"
      "a year of visits to doctors, 60,000 people, all made up.\n\n$ cd {}\n",
      printable(folder), printable(folder)));
  for (const Step& step : steps()) show(step);
  say(fmt::format(kNext, printable(folder)));
}

}  // namespace dither::cli
