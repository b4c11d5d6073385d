// Nothing private is read without a record: all statements of tests/sql, asked of an engine that counts.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "ledger/ledger.h"
#include "sql/query_check.h"

namespace dither::sql {
namespace {

namespace fs = std::filesystem;

std::string text_in(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

fs::path scripts() { return fs::path(DITHER_SOURCE_DIR) / "tests/sql"; }

// Every statement that a script prices, refuses, compares or answers, but for those that it builds by repetition.
std::set<std::string> all_statements() {
  static const std::regex line(R"((?:priced|answers|same\s+\S+|refused\s+\S+)\s+(?:\w+=\S+\s+)*(\S.*))");
  std::set<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(scripts())) {
    if (entry.path().extension() != ".test") continue;
    std::ifstream file(entry.path());
    std::smatch match;
    for (std::string text; std::getline(file, text);) {
      if (std::regex_match(text, match, line) && text.find("*SELECT") == std::string::npos) found.insert(match[1]);
    }
  }
  return found;
}

// A project of the scripts with a budget for all of them, its tables empty.
class Counted {
 public:
  explicit Counted(const std::string& file) : session_(session::Session::of(project_of(file))) {
    testing::PlanDatabase empty;
    for (const plan::TableDeclaration& table : session_.project().tables) empty[table.name];
    engine_ = std::make_shared<testing::ReferenceEngine>(session_.project(), empty);
    engine_->at_run = [this](const engine::Watch&) { opened_at_runs_ += in_state(ledger::State::opened); };
    session_.use_engine(engine_);
  }

  // Whether it was answered.
  bool ask(const std::string& text, const Wanted& wanted) {
    try {
      query(session_, text, wanted, check::by_ada());
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  // Reads what a statement reads, and leaves no record.
  void planted_read(const std::string& text) {
    engine_->run(privatize(session_.project(), sql::bind(session_.project(), text), check::epsilon("1")).exact, {});
  }

  // Whether each run so far had its release, opened when it began and committed when it ended.
  bool all_recorded() const { return runs() == in_state(ledger::State::committed) && runs() == opened_at_runs_; }
  int runs() const { return engine_->runs; }

 private:
  int in_state(ledger::State state) const {
    int count = 0;
    const auto ledger = session_.ledger_to_read();
    if (!ledger) return 0;
    ledger->releases("", [&](const ledger::Release& release) {
      count += release.state == state ? 1 : 0;
      return true;
    });
    return count;
  }

  static plan::Project project_of(const std::string& file) {
    const std::string text = text_in(scripts() / file);
    return plan::parse_project(text.substr(0, text.find("\nbudgets:")) +
                                   "\nbudgets: {main: {epsilon: 1000000000, delta: 1e-2}}\nledger: \":memory:\"\n",
                               file);
  }

  session::Session session_;
  std::shared_ptr<testing::ReferenceEngine> engine_;
  int opened_at_runs_ = 0;
};

// Nor is there a release without a run.
TEST(Records, NothingIsReadWithoutOne) {
  const std::set<std::string> texts = all_statements();
  ASSERT_GT(texts.size(), 180u);
  int answered = 0, runs = 0;
  for (const char* file : {"visits.yaml", "visits_replace.yaml"}) {
    Counted counted(file);
    for (const std::string& text : texts) {
      const int before = counted.runs();
      const bool done = counted.ask(text, check::epsilon("0.5", "1e-9")) || counted.ask(text, {});
      answered += done ? 1 : 0;
      ASSERT_LE(counted.runs() - before, 1) << text;
      ASSERT_TRUE(counted.all_recorded()) << file << ": " << text;
    }
    runs += counted.runs();
  }
  EXPECT_GT(answered, 250) << answered;
  EXPECT_GT(runs, 200) << runs;
}

TEST(Records, PlantedReadWithoutOneIsCaught) {
  Counted counted("visits.yaml");
  ASSERT_TRUE(counted.ask("SELECT COUNT(*) FROM visits", check::epsilon("1")));
  EXPECT_TRUE(counted.all_recorded());
  counted.planted_read("SELECT COUNT(*) FROM visits");
  EXPECT_FALSE(counted.all_recorded());
}

}  // namespace
}  // namespace dither::sql
