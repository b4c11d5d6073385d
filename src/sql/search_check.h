// For tests: one statement asked of two neighbours as people ask it, and what must not tell them apart.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "engine/engine.h"
#include "ledger/ledger.h"
#include "ledger/signing_key.h"
#include "session/answer.h"
#include "session/session.h"
#include "sql/neighbours_check.h"
#include "sql/query.h"
#include "sql/search_statements_check.h"
#include "sql/search_tables_check.h"

namespace dither::sql::search {

// What a careless engine, reader or session would do.
struct Planted {
  std::function<void(World&)> world = [](World&) {};
  std::function<void(plan::BoundedAggregate&)> aggregate = [](plan::BoundedAggregate&) {};
  std::function<void(ExactNumbers&)> numbers = [](ExactNumbers&) {};
  std::function<void(const std::string& folder)> run = [](const std::string&) {};  // where its files are
  bool reads_before_it_charges = false;
};

// The embedded engine, which notes what it was asked and what it found.
class Observed : public engine::Engine {
 public:
  Observed(std::unique_ptr<engine::Engine> engine, std::string folder, const Planted& planted)
      : engine_(std::move(engine)), folder_(std::move(folder)), planted_(planted) {}

  void prepare(const plan::BoundedAggregate& aggregate) override {
    engine_->prepare(aggregate);
    if (planted_.reads_before_it_charges) run(aggregate, {});
  }
  engine::ExactNumbers run(const plan::BoundedAggregate& aggregate, const engine::Watch& watch) override {
    ++runs;
    planted_.run(folder_);
    plan::BoundedAggregate spoiled = aggregate;
    planted_.aggregate(spoiled);
    engine::ExactNumbers found = engine_->run(spoiled, watch);
    numbers = engine::by_key(found);
    planted_.numbers(numbers);
    return found;
  }
  std::string fingerprint(const std::vector<std::string>& tables) override { return engine_->fingerprint(tables); }

  int runs = 0;
  ExactNumbers numbers;

 private:
  std::unique_ptr<engine::Engine> engine_;
  std::string folder_;
  const Planted& planted_;
};

// What one question did.
struct Outcome {
  std::string refused = {};  // the error, as people see it; "" for an answer
  std::optional<Code> code = {};
  std::size_t rows = 0;
  std::string said = {};  // what the answer says beside its numbers
  int runs = 0;
  std::size_t records = 0;
  ExactNumbers numbers = {};
};

// A statement, and what is wanted beside it.
struct Question {
  std::string text;
  Wanted wanted = usual();

  static Wanted usual() {
    Wanted wanted;
    wanted.epsilon = 1;
    wanted.delta = Rational::parse("1e-6");
    return wanted;
  }
};
inline Question random_question(const plan::Project& project, Choices& choices) {
  Question question{Statements(project, choices).next()};
  if (question.text.starts_with(kPriceInText)) question.wanted = {};
  question.wanted.cut_units = choices.below(6) == 5;
  return question;
}

// One of two neighbours: its files, and a session over them whose ledger is in memory.
class Neighbour {
 public:
  Neighbour(const World& world, bool second, const engine::Limits& limits, const Planted& planted)
      : project_(plan::parse_project(world.project, folder_.file("dither.yaml"))) {
    engine::MemoryTables in_memory = write_sources(folder_, project_, world, second);
    engine_ = std::make_shared<Observed>(
        engine::open_duckdb(project_, limits, in_memory, [] { return std::string(32, 'k'); }), folder_.file(""),
        planted);
    session_.emplace(session::Session::of(project_, std::move(in_memory)));
    session_->use_key(ledger::SigningKey::make());
    session_->use_engine(engine_);
  }

  const plan::Project& project() const { return project_; }

  Outcome ask(const Question& question) {
    Outcome outcome;
    const std::size_t before = records();
    engine_->runs = 0;
    engine_->numbers.clear();
    session::Ask ask;
    ask.by = "search";
    ask.again = true;
    try {
      const session::Answer answer = query(*session_, question.text, question.wanted, ask);
      outcome.rows = answer.rows.size();
      outcome.said = "cost " + canonical_json(answer.cost);
      for (const plan::Type type : answer.types) outcome.said += fmt::format(" {}", plan::type_name(type));
    } catch (const Error& error) {
      outcome.code = error.code();
      outcome.refused = error.str();
      const std::string folder = folder_.file("");
      for (std::size_t at; (at = outcome.refused.find(folder)) != std::string::npos;)
        outcome.refused.erase(at, folder.size());
    }
    outcome.runs = engine_->runs;
    outcome.records = records() - before;
    outcome.numbers = engine_->numbers;
    return outcome;
  }

 private:
  std::size_t records() const {
    std::size_t count = 0;
    const auto ledger = session_->ledger_to_read();
    if (ledger) ledger->releases("", [&](const ledger::Release&) { return ++count > 0; });
    return count;
  }

  engine::TestFolder folder_;
  plan::Project project_;
  std::shared_ptr<Observed> engine_;
  std::optional<session::Session> session_;
};

// Whether a statement shows as many rows on all databases: its keys are public and nothing chooses among them.
inline bool shows_all_rows(const session::PricedPlan& plan, const std::string& statement) {
  return !plan.keys && statement.find(" HAVING ") == std::string::npos;
}

inline std::string of_distance(const calculus::CellsDistance& d) {
  return fmt::format("cells {}, l1 {}, l2^2 {}, largest {}", d.cells.str(), d.l1.str(), d.l2_squared.str(),
                     d.largest.str());
}

// Which number moves further than the plan says; "" if none does.
inline std::string moved_too_far(const session::PricedPlan& plan, const ExactNumbers& x, const ExactNumbers& y) {
  Verdict verdict;
  judge(plan, x, y, verdict);
  if (verdict.holds) return "";
  for (const session::Part& part : plan.parts) {
    const calculus::CellsDistance real = apart(x, y, part.measure);
    if (within(real, part.distance)) continue;
    return fmt::format("distance: {} move by {}, and the plan says {}",
                       plan::measure_kind_name(plan.exact.measures[part.measure].kind), of_distance(real),
                       of_distance(part.distance));
  }
  return "distance: the numbers of units that choose keys move too far";
}

// Two neighbours, and all that may be asked of both.
class Neighbours {
 public:
  Neighbours(const World& world, const engine::Limits& limits = kLimits, const Planted& planted = {})
      : planted_(planted),
        world_(spoiled(world, planted)),
        x_(world_, false, limits, planted_),
        y_(world_, true, limits, planted_) {}

  const plan::Project& project() const { return x_.project(); }

  // What tells them apart, or breaks a promise on one of them, after one word for its kind; "" if nothing does. `answered`:
  // whether both answered.
  std::string complaint(const Question& question, bool& answered) {
    const auto& [statement, wanted] = question;
    const Outcome x = x_.ask(question), y = y_.ask(question);
    answered = !x.code && !y.code;
    for (const Outcome* one : {&x, &y}) {
      if (one->code == Code::run_failed) return "failure: " + x.refused + "\nbeside: " + y.refused;
      if (one->runs > 0 && one->records == 0) return "unrecorded: the sources were read";
      if (one->records > 1 || one->runs > 1) return fmt::format("counts: {} runs, {} records", one->runs, one->records);
    }
    if (x.refused != y.refused) return fmt::format("refusal: {}\nbeside: {}", x.refused, y.refused);
    if (x.records != y.records || x.runs != y.runs) return "counts: only one of them was read or recorded";
    if (!answered) return "";
    if (x.said != y.said) return fmt::format("words: {}\nbeside: {}", x.said, y.said);
    const session::PricedPlan plan = privatize(project(), sql::bind(project(), statement), wanted);
    if (shows_all_rows(plan, statement) && x.rows != y.rows) return fmt::format("rows: {} beside {}", x.rows, y.rows);
    if (world_.structural || x.runs == 0) return "";
    return moved_too_far(plan, x.numbers, y.numbers);
  }

  static inline const engine::Limits kLimits{.memory = std::uint64_t{256} << 20, .threads = 1, .spill = {}};

 private:
  static World spoiled(World world, const Planted& planted) {
    planted.world(world);
    return world;
  }

  Planted planted_;
  World world_;
  Neighbour x_, y_;
};

}  // namespace dither::sql::search
