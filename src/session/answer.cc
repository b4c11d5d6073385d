#include "session/answer.h"

#include <algorithm>
#include <functional>
#include <thread>

#include "base/error.h"
#include "engine/memory_fingerprint.h"
#include "plan/row_cost.h"
#include "session/basis.h"
#include "session/detail/declared.h"
#include "session/detail/settle.h"
#include "session/detail/work.h"
#include "session/question.h"

namespace dither::session {
namespace {

using Clock = std::chrono::steady_clock;
using detail::Outcome;
using detail::Pending;

// A plan that is asked, once for all that ask the same.
struct Asked {
  const PricedPlan* plan;
  ledger::Request request;
  bool reads = true;  // else its answer is known beforehand

  bool operator==(const Asked& other) const {
    return reads == other.reads && request.question == other.request.question && request.price == other.request.price;
  }
};

bool reads(const PricedPlan& plan) { return !known_beforehand(plan); }

// The time of hardened questions, by the declared deadline; nothing where answers leave when they are ready.
std::optional<detail::Shares> shares_for(const plan::Project& project, std::span<const Ask> asks) {
  if (asks.empty() || !asks.front().hardened || !project.deadline) return std::nullopt;
  const std::chrono::duration<double> seconds(project.deadline->to_double_up());
  return detail::Shares{Clock::now(), std::chrono::duration_cast<Clock::duration>(seconds)};
}

// All or none; waits while somebody else is at one of them.
std::vector<ledger::Held> reserved(ledger::Ledger& ledger, const std::vector<ledger::Request>& requests,
                                   const engine::Watch& watch, Clock::time_point until) {
  std::chrono::milliseconds pause{2};
  for (;;) {
    auto result = ledger.reserve(requests);
    if (auto* held = std::get_if<std::vector<ledger::Held>>(&result)) return std::move(*held);
    if (watch.token.cancelled()) {
      throw Error{Code::cancelled, "stopped while somebody else answered the same question; nothing was charged",
                  "ask again when you like"};
    }
    if (Clock::now() >= until) {
      throw Error{Code::ledger_busy, "somebody else is still answering the same question",
                  "ask again later: the answer will then be there"};
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds{100});
  }
}

void require_open(const std::vector<BudgetState>& line) {
  for (const BudgetState& state : line) {
    if (state.closed.empty()) continue;
    throw Error{Code::frozen, "the budget \"" + state.path + "\" answers nothing now: " + state.closed,
                "ask its steward"};
  }
}

std::vector<std::string> notes_of(const PricedPlan& plan, const Above& above, const Estimated& aggregate) {
  std::vector<std::string> notes = plan.notes;
  if (aggregate.too_few > 0) {
    notes.emplace_back(
        "a mean or variance is NULL where the group may have no row with a value: where the 95% interval of its "
        "released "
        "count begins below 1 (of a sample variance below 2)");
  }
  if (above.chooses_by_noise()) {
    notes.emplace_back("noisy values decided which rows are shown: each interval is that of its row before the choice");
  }
  return notes;
}

Answer answer_of(const PricedPlan& plan, const Outcome& outcome,
                 const std::function<engine::ReleasedDatabase&()>& database) {
  const Above above(plan);
  auto basis = std::make_shared<Basis>(Basis{plan, released_from(plan, outcome.bytes), {}});
  const Estimated aggregate = estimated(plan, basis->released);
  basis->shown = above.of(aggregate, database);
  Answer answer;
  answer.names = plan.names;
  for (const plan::Facts& facts : plan.answer->columns()) answer.types.push_back(facts.type);
  answer.errors = above.errors(aggregate, basis->shown);
  answer.cut_by = above.cut_by(plan.cut_by);
  answer.rows = basis->shown.rows;
  answer.price = plan.price;
  answer.stored = outcome.stored;
  answer.charged = outcome.release && !plan.events.empty() && (!outcome.stored || outcome.shared);
  if (outcome.release) {
    answer.cost = outcome.release->cost;
    answer.release = outcome.release->id;
  }
  answer.notes = notes_of(plan, above, aggregate);
  answer.basis = std::move(basis);
  return answer;
}

}  // namespace

// One call of answer(), step by step.
class Session::Answering {
 public:
  Answering(Session& session, std::span<const PricedPlan> plans, std::span<const Ask> asks)
      : session_(session), plans_(plans), asks_(asks), shares_(shares_for(session.project_, asks)) {
    if (shares_) leave_ = shares_->beginning(asks.size());
  }

  // Nothing that comes of it leaves before its time.
  std::vector<Answer> answers() {
    find_budgets();
    try {
      std::vector<Answer> result = paid_answers();
      wait();
      return result;
    } catch (...) {
      wait();
      throw;
    }
  }

 private:
  void wait() const {
    if (leave_) std::this_thread::sleep_until(*leave_);
  }

  // Whose budgets, before anything is made.
  void find_budgets() {
    const std::optional<Held> now = session_.held();
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      lines_.push_back(session_.budgets(asks_[i].analyst, now));
      if (!reads(plans_[i])) require_open(lines_.back());
    }
  }

  std::vector<Answer> paid_answers() {
    find_different();
    reserve();
    const std::vector<Outcome> outcomes = settled();
    const std::optional<Held> now = session_.held();
    const auto database = [&]() -> engine::ReleasedDatabase& { return session_.released(); };
    std::vector<Answer> answers;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      Answer& answer = answers.emplace_back(answer_of(plans_[i], outcomes[which_[i]], database));
      answer.payers = session_.budgets(asks_[i].analyst, now);
      if (answer.release.empty()) answer.cost = accounting::nothing_spent(answer.payers.back().rule);
    }
    return answers;
  }

  void find_different() {
    bool any_reads = false;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      Asked one{&plans_[i], {}, reads(plans_[i])};
      any_reads = any_reads || one.reads;
      if (one.reads) {
        require_row(plans_[i].exact.rows, session_.work_->memory());  // public: refused before anything is reserved
        const std::vector<BudgetState>& line = lines_[i];
        one.request = request_for(session_.project_, plans_[i], asks_[i], line.front().path, line.back().rule);
      } else {
        one.request.question = question_of(session_.project_, plans_[i]);
      }
      const auto same = std::find(asked_.begin(), asked_.end(), one);
      which_.push_back(static_cast<std::size_t>(same - asked_.begin()));
      if (same == asked_.end()) asked_.push_back(std::move(one));
    }
    if (!any_reads) return;
    look_at_memory();
    ledger_ = session_.charging_ledger(asks_.front().by);
  }

  // What does not fit the declarations is said before the ledger notes what tables in memory hold: put right, they would
  // be other ones to it.
  void look_at_memory() {
    if (!session_.holds_source()) return;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      if (!asked_[i].reads) continue;
      if (shares_) {
        detail::prepare_in_time(worker(), i, *shares_, asks_.front().watch.token);
      } else {
        session_.engine()->prepare(asked_[i].plan->exact);
      }
    }
  }

  // Made when it is needed first: a question whose answer is stored needs none.
  detail::Worker& worker() {
    if (worker_) return *worker_;
    std::vector<const PricedPlan*> plans;
    for (const Asked& one : asked_) plans.push_back(one.plan);
    return worker_.emplace(detail::jobs_for(plans, session_.engine_maker()));
  }

  void reserve() {
    const std::optional<std::string> source = ledger_ ? source_now() : std::nullopt;
    std::vector<ledger::Request> requests;
    for (Asked& one : asked_) {
      one.request.source = source;
      one.request.holds_source = session_.holds_source();
      if (one.reads) requests.push_back(one.request);
    }
    std::vector<ledger::Held> held;
    const Clock::time_point patience = Clock::now() + asks_.front().patience;
    try {
      if (ledger_) {
        held = reserved(*ledger_, requests, asks_.front().watch, leave_ ? std::min(patience, *leave_) : patience);
      }
    } catch (const Error& error) {
      if (error.code() != Code::bad_source || !session_.holds_source()) throw;
      throw detail::other_content(session_.project_, ledger_->dataset(dataset_name()));
    }
    std::size_t next = 0;
    for (const Asked& one : asked_) {
      pending_.push_back({one.plan, one.reads ? std::optional(std::move(held[next++])) : std::nullopt});
    }
  }

  const std::string& dataset_name() const { return session_.project_.budgets.front().name; }

  // The fingerprint of the private sources, where a version of the data was declared with one or has to have one. Fewer tables
  // in memory than the version was first used with are its content too.
  std::optional<std::string> source_now() {
    const ledger::Dataset dataset = ledger_->dataset(dataset_name());
    const std::string& held = dataset.version().source;
    if (!session_.holds_source()) return held.empty() ? std::nullopt : std::optional(session_.source_now());
    if (engine::noted_by_earlier_build(held)) throw detail::content_of_earlier_build(session_.project_, dataset);
    const std::vector<std::string> tables = session_.private_tables(true);
    const bool all_held = std::all_of(tables.begin(), tables.end(), [&](const std::string& table) {
      return engine::is_noted(session_.engine()->fingerprint({table}), held);
    });
    return all_held ? held : session_.source_now();
  }

  std::vector<Outcome> settled() {
    const bool runs = std::any_of(pending_.begin(), pending_.end(), detail::has_to_run);
    if (runs && shares_) worker();  // before anything else is loaded
    std::shared_ptr<engine::Engine> engine = runs && !shares_ ? session_.engine() : nullptr;
    for (const Pending& one : pending_) {
      // missed before anything is paid for
      if (detail::has_to_run(one) && Above(*one.plan).needs_database()) session_.released();
    }
    engine::Watch watch = asks_.front().watch;
    if (asks_.front().hardened) watch.progress = nullptr;
    if (!runs || !shares_) return detail::settle(pending_, engine.get(), watch);
    return detail::settle_in_time(pending_, worker(), *shares_, watch.token);
  }

  Session& session_;
  std::span<const PricedPlan> plans_;
  std::span<const Ask> asks_;
  std::optional<detail::Shares> shares_;  // of the time that was declared
  std::optional<Clock::time_point> leave_;
  std::optional<detail::Worker> worker_;
  std::vector<std::vector<BudgetState>> lines_;  // of budgets, by plan
  std::shared_ptr<ledger::Ledger> ledger_;
  std::vector<Asked> asked_;        // each once
  std::vector<std::size_t> which_;  // of them answers each plan
  std::vector<Pending> pending_;
};

Answer Session::answer(const PricedPlan& plan, const Ask& ask) {
  return std::move(answer(std::span(&plan, 1), std::span(&ask, 1)).front());
}

std::vector<Answer> Session::answer(std::span<const PricedPlan> plans, std::span<const Ask> asks) {
  if (plans.empty()) return {};
  return Answering(*this, plans, asks).answers();
}

}  // namespace dither::session
