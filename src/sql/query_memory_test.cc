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
  std::string budgets = check::kBudgets;

  plan::Project project(const std::string& ledger, const std::string& more = "") const {
    std::string tables = check::kTables;
    for (const std::string file : {"visits.csv", "logs.csv"})
      tables.replace(tables.find(file), file.size(), "{kind: memory}");
    return plan::parse_project("version: 1\ndata_version: \"1\"\nprivacy: {unit: person, neighbours: add-remove}\n" +
                                   tables + budgets + "ledger: \"" + ledger + "\"\n" + more,
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
  Session open(const std::string& ledger = plan::kLedgerInMemory, const std::string& version = "1") const {
    plan::Project declared = project(ledger);
    declared.data_version = version;
    return open(std::move(declared), tables());
  }
  Session open(plan::Project declared, engine::MemoryTables given) const {
    Session session = Session::of(std::move(declared), std::move(given));
    session.use_key(key);
    return session;
  }
  void declare(const std::string& ledger, const std::string& version, const std::string& source = "",
               bool fresh = false) const {
    ledger::Ledger::open(ledger, key)
        .declare_version("main", version, source, fresh, {"Ada", "other rows: no person recurs", "protocol 7"});
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
    return program.open(std::move(project), std::move(tables));
  };
  Session fewer = open();
  EXPECT_TRUE(query(fewer, "SELECT SUM(score) FROM visits", epsilon("0.5"), by_ada()).charged);
  program.database["visits"][0][2] = Cell{std::int64_t{5}};
  Session other = open();
  EXPECT_EQ(refusal([&] { query(other, kByCity, epsilon("0.5"), by_ada()); }), Code::bad_source);
  EXPECT_EQ(spent(whole), "1");
}

// However many they are: each is noted on its own.
TEST(QueryInMemory, FewerOfManyTablesAreTheSameContent) {
  const Program program;
  plan::Project project = program.project(program.folder.file("visits.ledger"));
  engine::MemoryTables tables = program.tables();
  const plan::TableDeclaration logs = project.table("logs");
  for (int i = 0; i < 12; ++i) {
    project.tables.push_back(logs);
    project.tables.back().name = "logs_" + std::to_string(i);
    tables[project.tables.back().name] = tables["logs"];
  }
  Session whole = program.open(project, tables);
  query(whole, kByCity, epsilon("0.5"), by_ada());
  Session fewer = program.open(project.ledger);
  EXPECT_TRUE(query(fewer, kByCity, epsilon("0.5"), by_ada()).stored);
  tables["logs_11"] = tables["visits"];
  project.tables.back() = project.table("visits");
  project.tables.back().name = "logs_11";
  Session other = program.open(project, tables);
  EXPECT_EQ(refusal([&] { query(other, kByCity, epsilon("0.5"), by_ada()); }), Code::bad_source);
}

// Its digests of the same content are others: who asks is told so, and a version is declared once.
TEST(QueryInMemory, WhatAnEarlierBuildNotedIsNotComparedAndSaidToBeSo) {
  const std::string digest(64, 'a');
  for (const std::string& noted :
       {"logs in memory, HMAC-SHA-256 " + digest + "; visits in memory, HMAC-SHA-256 " + digest,
        "0 files, SHA-256 of paths, sizes and times of change " + digest}) {
    const Program program;
    const std::string path = program.folder.file("visits.ledger");
    Session first = program.open(path);
    query(first, kByCity, epsilon("0.5"), by_ada());
    program.declare(path, "2", noted);
    Session session = program.open(path, "2");
    try {
      query(session, kByCity, epsilon("0.5"), by_ada());
      FAIL() << "nobody knows whether the content is the same";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::bad_source);
      EXPECT_EQ(std::string(error.what()).find("an earlier build noted"), 0U) << error.what();
      EXPECT_NE(error.hint().find("`dither budget version --ledger " + path + " main --label NEW"), std::string::npos)
          << error.hint();
    }
    EXPECT_EQ(spent(session), "0.5");
    program.declare(path, "3");
    Session now = program.open(path, "3");
    EXPECT_TRUE(query(now, kByCity, epsilon("0.5"), by_ada()).charged);
  }
}

// A session that was open when a version was declared holds the rows of the earlier one.
TEST(QueryInMemory, ASessionOfAnEarlierVersionAsksNoMore) {
  for (const bool fresh : {false, true}) {
    Program program;
    program.budgets = "budgets: {main: {epsilon: 100}}\n";  // pure: the others may not begin afresh without a source
    const std::string path = program.folder.file("visits.ledger");
    Session old = program.open(path);
    query(old, kByCity, epsilon("0.5"), by_ada());
    program.declare(path, "2", "", fresh);
    for (const char* sql : {kByCity, "SELECT SUM(score) FROM visits"}) {
      EXPECT_EQ(refusal([&] { query(old, sql, epsilon("0.5"), by_ada()); }), Code::budget_differs) << sql;
    }
    EXPECT_EQ(spent(old), fresh ? "0" : "0.5");
    EXPECT_EQ(old.ledger_to_read()->dataset("main").version().source, "") << "bound to the rows of the earlier one";
    program.database["visits"][0][2] = Cell{std::int64_t{5}};
    Session next = program.open(path, "2");
    EXPECT_TRUE(query(next, kByCity, epsilon("0.5"), by_ada()).charged);
    EXPECT_EQ(spent(next), fresh ? "0.5" : "1");
  }
}

// One that was declared by its label alone.
TEST(QueryInMemory, AVersionWithoutASourceGetsThatOfTheFirstRows) {
  Program program;
  const std::string path = program.folder.file("visits.ledger");
  Session first = program.open(path);
  query(first, kByCity, epsilon("0.5"), by_ada());
  program.declare(path, "2");
  program.database["visits"][0][2] = Cell{std::int64_t{5}};
  Session second = program.open(path, "2");
  EXPECT_TRUE(query(second, kByCity, epsilon("0.5"), by_ada()).charged);
  program.database["visits"][0][2] = Cell{std::int64_t{6}};
  Session third = program.open(path, "2");
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
