#include "session/answer.h"

#include <algorithm>
#include <functional>
#include <thread>

#include "base/error.h"
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
  bool costs = true;

  bool operator==(const Asked& other) const {
    return costs == other.costs && request.question == other.request.question && request.price == other.request.price;
  }
};

// When the answers of a hardened question may leave; nothing where they need not wait.
std::optional<Clock::time_point> leaving(const plan::Project& project, std::span<const Ask> asks) {
  if (asks.empty() || !asks.front().hardened || !project.deadline) return std::nullopt;
  const double seconds = project.deadline->to_double_up() * static_cast<double>(asks.size());
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
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

std::vector<std::string> notes_of(const PricedPlan& plan, const Above& above) {
  std::vector<std::string> notes = plan.notes;
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
  answer.rows = basis->shown.rows;
  answer.price = plan.price;
  answer.stored = outcome.stored;
  answer.charged = outcome.release && (!outcome.stored || outcome.shared);
  if (outcome.release) {
    answer.cost = outcome.release->cost;
    answer.release = outcome.release->id;
  }
  answer.notes = notes_of(plan, above);
  answer.basis = std::move(basis);
  return answer;
}

}  // namespace

// One call of answer(), step by step.
class Session::Answering {
 public:
  Answering(Session& session, std::span<const PricedPlan> plans, std::span<const Ask> asks)
      : session_(session), plans_(plans), asks_(asks), leave_(leaving(session.project_, asks)) {}

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
      if (plans_[i].events.empty()) require_open(lines_.back());
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
    const auto is_paid = [](const PricedPlan& plan) { return !plan.events.empty(); };
    if (std::any_of(plans_.begin(), plans_.end(), is_paid)) {
      look_at_memory();
      ledger_ = session_.charging_ledger(asks_.front().by);
    }
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      Asked one{&plans_[i], {}, is_paid(plans_[i])};
      if (one.costs) {
        const std::vector<BudgetState>& line = lines_[i];
        one.request = request_for(session_.project_, plans_[i], asks_[i], line.front().path, line.back().rule);
      } else {
        one.request.question = question_of(session_.project_, plans_[i]);
      }
      const auto same = std::find(asked_.begin(), asked_.end(), one);
      which_.push_back(static_cast<std::size_t>(same - asked_.begin()));
      if (same == asked_.end()) asked_.push_back(std::move(one));
    }
  }

  // What does not fit the declarations is said before the ledger notes what tables in memory hold: put right, they would
  // be other ones to it.
  void look_at_memory() {
    if (!session_.holds_source()) return;
    for (const PricedPlan& plan : plans_) session_.engine()->prepare(plan.exact);
  }

  void reserve() {
    const std::optional<std::string> source = ledger_ ? source_now() : std::nullopt;
    std::vector<ledger::Request> requests;
    for (Asked& one : asked_) {
      one.request.source = source;
      one.request.holds_source = session_.holds_source();
      if (one.costs) requests.push_back(one.request);
    }
    std::vector<ledger::Held> held;
    const Clock::time_point patience = Clock::now() + asks_.front().patience;
    try {
      if (ledger_) {
        held = reserved(*ledger_, requests, asks_.front().watch, leave_ ? std::min(patience, *leave_) : patience);
      }
    } catch (const Error& error) {
      if (error.code() == Code::frozen && session_.holds_source()) {
        detail::require_same_source(session_.project_, ledger_->dataset(dataset_name()), source.value());
      }
      throw;
    }
    std::size_t next = 0;
    for (const Asked& one : asked_) {
      pending_->push_back({one.plan, one.costs ? std::optional(std::move(held[next++])) : std::nullopt});
    }
  }

  const std::string& dataset_name() const { return session_.project_.budgets.front().name; }

  // The fingerprint of the private sources, where a version of the data was declared with one or has to have one.
  std::optional<std::string> source_now() {
    if (!session_.holds_source() && ledger_->dataset(dataset_name()).version().source.empty()) return std::nullopt;
    return session_.source_now();
  }

  std::vector<Outcome> settled() {
    std::shared_ptr<engine::Engine> engine;
    for (const Pending& one : *pending_) {
      if (!detail::has_to_run(one)) continue;
      engine = session_.engine();
      if (Above(*one.plan).needs_database()) session_.released();  // missed before anything is paid for
    }
    engine::Watch watch = asks_.front().watch;
    if (asks_.front().hardened) watch.progress = nullptr;
    if (!leave_) return detail::settle(*pending_, engine.get(), watch, [] {});
    // What is given up outlives this call, so it has its own plans.
    const auto plans = std::make_shared<std::vector<PricedPlan>>();
    for (const Pending& one : *pending_) plans->push_back(*one.plan);
    for (std::size_t i = 0; i < plans->size(); ++i) (*pending_)[i].plan = &(*plans)[i];
    const auto work = [pending = pending_, plans, engine](const engine::Watch& own, const detail::Begin& begin) {
      return detail::settle(*pending, engine.get(), own, begin);
    };
    return detail::settle_until(*leave_, work, watch,
                                [&](std::future<void> running) { session_.work_->give_up(std::move(running)); });
  }

  Session& session_;
  std::span<const PricedPlan> plans_;
  std::span<const Ask> asks_;
  std::optional<Clock::time_point> leave_;
  std::vector<std::vector<BudgetState>> lines_;  // of budgets, by plan
  std::shared_ptr<ledger::Ledger> ledger_;
  std::vector<Asked> asked_;        // each once
  std::vector<std::size_t> which_;  // of them answers each plan
  std::shared_ptr<std::vector<Pending>> pending_ = std::make_shared<std::vector<Pending>>();
};

Answer Session::answer(const PricedPlan& plan, const Ask& ask) {
  return std::move(answer(std::span(&plan, 1), std::span(&ask, 1)).front());
}

std::vector<Answer> Session::answer(std::span<const PricedPlan> plans, std::span<const Ask> asks) {
  if (plans.empty()) return {};
  return Answering(*this, plans, asks).answers();
}

}  // namespace dither::session
