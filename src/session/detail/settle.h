// From a reservation to a stored answer: open, run, draw once, commit.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "ledger/ledger.h"
#include "session/detail/worker.h"
#include "session/priced_plan.h"

namespace dither::session::detail {

// A question with what the ledger said to it; nothing is held of one whose answer is known beforehand (session/released.h).
struct Pending {
  const PricedPlan* plan;
  std::optional<ledger::Held> held;
};

inline bool has_to_run(const Pending& pending) {
  return pending.held && std::holds_alternative<ledger::Ticket>(*pending.held);
}

// What came of it: the noisy numbers as they are stored, and their release.
struct Outcome {
  std::string bytes;
  std::optional<ledger::Release> release;
  bool stored = false;
  bool shared = false;  // stored, and charged now: this budget had not paid for it
};

// The outcomes, in order. All that have to run are prepared before the first of them is opened; nobody needs an engine
// where none has to.
// Refuses    what the engine's prepare() and opening refuse: nothing is charged for what was not opened. Then
//            run-failed or cancelled, whatever happened: the charge stays, and what was not begun is given back.
std::vector<Outcome> settle(std::vector<Pending>& all, engine::Engine* engine, const engine::Watch& watch);

// What a worker does for questions: jobs in their order, two for each plan. The exact numbers stay in the worker: what
// leaves it has its noise. The engine is made there, when the first job needs it.
using MakeEngine = std::function<std::shared_ptr<engine::Engine>()>;
std::vector<Worker::Job> jobs_for(const std::vector<const PricedPlan*>& plans, MakeEngine make);
constexpr std::size_t prepare_job(std::size_t plan) { return 2 * plan; }
constexpr std::size_t run_job(std::size_t plan) { return 2 * plan + 1; }

// The time that was declared: a share of it for each question that has to run, one after the other.
struct Shares {
  Worker::Clock::time_point begin;
  Worker::Clock::duration each;

  Worker::Clock::time_point beginning(std::size_t share) const { return begin + static_cast<long>(share) * each; }
  // When a run in this share has to be done: nine tenths of it, but for a second at most. The rest is for storing what
  // came of it.
  Worker::Clock::time_point end_of_run(std::size_t share) const;
};

// Prepares one plan; nothing is opened yet.
// Refuses    what the engine's prepare() refuses; run-failed or cancelled where its share is over: nothing was charged.
void prepare_in_time(Worker& worker, std::size_t plan, const Shares& shares, const CancelToken& token);

// settle() by a worker whose plans are those of `all`, so that no run takes longer than its share. Nothing is written to
// the ledger between the opening and the end of the run's time, however early the run is done: what is stored, and when,
// tells of a run only whether its time was enough. One that is not done by then is killed, and its charge stays.
// Refuses    the same; what could not be opened in its share is given back (run-failed, and the text says so).
std::vector<Outcome> settle_in_time(std::vector<Pending>& all, Worker& worker, const Shares& shares,
                                    const CancelToken& token);

}  // namespace dither::session::detail
