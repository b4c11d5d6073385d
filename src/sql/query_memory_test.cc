// Sessions without a project file: tables in memory, and ledgers that are files or are kept nowhere.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <thread>

#include "base/error.h"
#include "engine/arrow_cells_check.h"
#include "sql/query_check.h"
#include "testing/refusal.h"

namespace dither::sql {
namespace {

using check::by_ada;
using check::epsilon;
using check::text_of;
using session::Answer;
using session::Session;
using testing::refusal;

constexpr const char* kByCity = "SELECT city, COUNT(*) AS n, SUM(score) AS s FROM visits GROUP BY city";

// A folder to look at, a key, and a project whose tables are in memory.
struct Program {
  ledger::check::Folder folder;
  ledger::SigningKey key = ledger::SigningKey::make();
  testing::PlanDatabase database = check::people();

  plan::Project project(const std::string& ledger, const std::string& more = "") const {
    std::string tables = check::kTables;
    for (const std::string file : {"visits.csv", "logs.csv"})
      tables.replace(tables.find(file), file.size(), "{kind: memory}");
    return plan::parse_project("version: 1\ndata_version: \"1\"\nprivacy: {unit: person, neighbours: add-remove}\n" +
                                   tables + check::kBudgets + "ledger: \"" + ledger + "\"\n" + more,
                               folder.file("session"));
  }
  engine::MemoryTables tables() const {
    engine::MemoryTables all;
    const plan::Project declared = project(plan::kLedgerInMemory);
    for (const plan::TableDeclaration& table : declared.tables) {
      all[table.name] = engine::table_of_cells(table, database.at(table.name), 11);
    }
    return all;
  }
  Session open(const std::string& ledger = plan::kLedgerInMemory) const {
    Session session = Session::of(project(ledger), tables());
    session.use_key(key);
    return session;
  }
};

std::size_t releases(const Session& session) {
  std::size_t count = 0;
  const auto ledger = session.ledger_to_read();
  if (ledger) ledger->releases("", [&](const ledger::Release&) { return ++count > 0; });
  return count;
}

std::string spent(const Session& session) { return session.budgets("").front().spent.losses.at(0).str(); }

// Spec: D-62, W-20
TEST(QueryInMemory, IsChargedOnceAndWrittenNowhere) {
  const Program program;
  Session session = program.open();
  EXPECT_FALSE(session.has_ledger());
  EXPECT_EQ(session.ledger_to_read(), nullptr);
  EXPECT_FALSE(session.budgets("alice").front().in_ledger);
  const Answer first = query(session, kByCity, epsilon("0.5"), by_ada());
  EXPECT_TRUE(first.charged);
  EXPECT_EQ(first.rows.size(), 5U);
  EXPECT_TRUE(session.has_ledger());
  EXPECT_EQ(spent(session), "0.5");
  EXPECT_EQ(first.payers.at(0).spent.losses.at(0).str(), "0.5");
  const Answer again = query(session, kByCity, epsilon("0.5"), by_ada());
  EXPECT_TRUE(again.stored);
  EXPECT_FALSE(again.charged);
  EXPECT_EQ(text_of(again), text_of(first));
  EXPECT_EQ(again.release, first.release);
  EXPECT_EQ(spent(session), "0.5");
  EXPECT_EQ(releases(session), 1U);
  EXPECT_EQ(session.ledger_to_read()->release(first.release).title, kByCity);
  EXPECT_EQ(program.folder.names(), std::set<std::string>{});
}

// Spec: W-20
TEST(QueryInMemory, BudgetsHold) {
  const Program program;
  Session session = program.open();
  session::Ask poor = by_ada();
  poor.analyst = "poor";
  query(session, kByCity, epsilon("0.75"), poor);
  poor.again = true;
  EXPECT_EQ(refusal([&] { query(session, kByCity, epsilon("0.75"), poor); }), Code::over_budget);
  EXPECT_EQ(session.budgets("poor").front().spent.losses.at(0).str(), "0.75");
  query(session, kByCity, epsilon("0.25"), poor);
  EXPECT_EQ(session.budgets("poor").front().spent.losses.at(0).str(), "1");
}

// The exact numbers are those of the rows: at this price there is noise with probability below 1e-100.
TEST(QueryInMemory, AnswersAreOfTheRows) {
  const Program program;
  Session session = program.open();
  EXPECT_EQ(text_of(query(session, "SELECT COUNT(*), SUM(size) FROM logs", epsilon("1000"), by_ada())), "10, 20.0\n");
}

TEST(QueryInMemory, SeveralThreadsAskAtOnce) {
  const Program program;
  Session session = program.open();
  std::vector<std::thread> threads;
  std::vector<std::string> answers(6);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    threads.emplace_back([&, i] {
      const std::string sql =
          "SELECT COUNT(*) + " + std::to_string(i / 2) + " FROM visits WHERE score > " + std::to_string(i / 2);
      answers[i] = text_of(query(session, sql, epsilon("0.5"), by_ada()));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < answers.size(); i += 2) EXPECT_EQ(answers[i], answers[i + 1]);
  EXPECT_EQ(releases(session), 3U);
  EXPECT_EQ(spent(session), "1.5");
}

TEST(QueryInMemory, OtherRowsUnderTheSameVersionAreRefusedAlone) {
  Program program;
  const std::string path = program.folder.file("visits.ledger");
  {
    Session session = program.open(path);
    query(session, kByCity, epsilon("0.5"), by_ada());
    const ledger::Dataset dataset = session.ledger_to_read()->dataset("main");
    EXPECT_NE(dataset.version().source.find("visits in memory, HMAC-SHA-256 "), std::string::npos)
        << dataset.version().source;
  }
  {
    Session session = program.open(path);  // the same rows
    EXPECT_EQ(releases(session), 1U);
    EXPECT_TRUE(query(session, kByCity, epsilon("0.5"), by_ada()).stored);
    EXPECT_TRUE(query(session, "SELECT COUNT(*) FROM visits", epsilon("0.5"), by_ada()).charged);
  }
  Session right = program.open(path);
  program.database["visits"][0][2] = Cell{std::int64_t{5}};
  Session session = program.open(path);
  for (const char* sql : {kByCity, "SELECT SUM(score) FROM visits"}) {  // stored or not
    try {
      query(session, sql, epsilon("0.5"), by_ada());
      FAIL() << "the rows are others";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::bad_source);
      EXPECT_STREQ(
          error.what(),
          "the tables in memory are not those that data_version \"1\" was first used with: other rows, columns or "
          "tables; nothing was charged");
      EXPECT_NE(error.hint().find("`dither budget version --ledger " + path + " main --label NEW"), std::string::npos)
          << error.hint();
    }
  }
  EXPECT_EQ(spent(session), "1");
  EXPECT_TRUE(query(right, kByCity, epsilon("0.5"), by_ada()).stored);
  EXPECT_TRUE(query(right, "SELECT SUM(score) FROM visits", epsilon("0.5"), by_ada()).charged);
}

// Whoever declares fewer tables has the same content, and is not charged for another.
TEST(QueryInMemory, FewerTablesAreTheSameContent) {
  Program program;
  const std::string path = program.folder.file("visits.ledger");
  Session whole = program.open(path);
  query(whole, kByCity, epsilon("0.5"), by_ada());
  const auto open = [&] {
    plan::Project project = program.project(path);
    std::erase_if(project.tables, [](const plan::TableDeclaration& table) { return table.name != "visits"; });
    engine::MemoryTables tables = program.tables();
    tables.erase("logs");
    Session session = Session::of(std::move(project), std::move(tables));
    session.use_key(program.key);
    return session;
  };
  Session fewer = open();
  EXPECT_TRUE(query(fewer, "SELECT SUM(score) FROM visits", epsilon("0.5"), by_ada()).charged);
  program.database["visits"][0][2] = Cell{std::int64_t{5}};
  Session other = open();
  EXPECT_EQ(refusal([&] { query(other, kByCity, epsilon("0.5"), by_ada()); }), Code::bad_source);
  EXPECT_EQ(spent(whole), "1");
}

// One that was declared by its label alone.
TEST(QueryInMemory, AVersionWithoutASourceGetsThatOfTheFirstRows) {
  Program program;
  const std::string path = program.folder.file("visits.ledger");
  Session first = program.open(path);
  query(first, kByCity, epsilon("0.5"), by_ada());
  ledger::Ledger::open(path, program.key).declare_version("main", "2", "", false, {"Ada", "new rows", ""});
  const auto open = [&] {
    plan::Project project = program.project(path);
    project.data_version = "2";
    Session session = Session::of(std::move(project), program.tables());
    session.use_key(program.key);
    return session;
  };
  program.database["visits"][0][2] = Cell{std::int64_t{5}};
  Session second = open();
  EXPECT_TRUE(query(second, kByCity, epsilon("0.5"), by_ada()).charged);
  program.database["visits"][0][2] = Cell{std::int64_t{6}};
  Session third = open();
  EXPECT_EQ(refusal([&] { query(third, kByCity, epsilon("0.5"), by_ada()); }), Code::bad_source);
  EXPECT_EQ(spent(third), "1");
}

// Spec: W-30
TEST(QueryInMemory, WrongTypesAreRefusedBeforeAnythingIsCharged) {
  const Program program;
  engine::MemoryTables tables = program.tables();
  tables["logs"] = engine::table_of({{{"size", "+l", 1, 0, 0, {}}}});
  EXPECT_EQ(refusal([&] { Session::of(program.project(plan::kLedgerInMemory), tables); }), Code::bad_source);
  Session without = Session::of(program.project(plan::kLedgerInMemory));
  EXPECT_EQ(refusal([&] { query(without, "SELECT COUNT(*) FROM logs", epsilon("1"), by_ada()); }), Code::bad_source);
  EXPECT_EQ(spent(without), "0");
}

TEST(QueryInMemory, TablesMustBeDeclaredSo) {
  const Program program;
  engine::MemoryTables tables = program.tables();
  tables["other"] = tables["logs"];
  EXPECT_EQ(refusal([&] { Session::of(program.project(plan::kLedgerInMemory), tables); }), Code::unknown_table);
  const check::Place files;
  EXPECT_EQ(refusal([&] { Session::of(plan::read_project(files.path()), program.tables()); }), Code::bad_source);
}

// In a child the budget would be spent once more, and no thread answers.
TEST(QueryInMemory, ASessionBelongsToItsProcess) {
  const Program program;
  auto session = std::make_unique<Session>(program.open());
  query(*session, kByCity, epsilon("0.5"), by_ada());
  const pid_t child = fork();
  if (child == 0) {
    const bool refused = refusal([&] { query(*session, kByCity, epsilon("0.5"), by_ada()); }) == Code::wrong_state &&
                         refusal([&] { session->budgets(""); }) == Code::wrong_state &&
                         refusal([&] { session->ledger_to_read(); }) == Code::wrong_state;
    session.reset();  // and waits for nobody
    _exit(refused ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(query(*session, kByCity, epsilon("0.5"), by_ada()).stored);
}

}  // namespace
}  // namespace dither::sql
