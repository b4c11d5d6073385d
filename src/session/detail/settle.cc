#include "session/detail/settle.h"

#include <condition_variable>
#include <exception>
#include <mutex>

#include "base/error.h"
#include "session/draw.h"

namespace dither::session::detail {
namespace {

[[noreturn]] void stopped(bool charged) {
  throw Error{Code::cancelled, charged ? "stopped; what it cost stays charged" : "stopped; nothing was charged",
              charged ? "ask again with --again, which is paid for anew" : "ask again when you like"};
}

// From the first read on nothing of what happens is told apart but the wish to stop.
template <class Run>
auto reading(bool charged, const Run& run) {
  try {
    return run();
  } catch (const Cancelled&) {
    stopped(charged);
  } catch (...) {
    engine::run_failed();
  }
}

[[noreturn]] void too_late() {
  throw Error{Code::run_failed, "the time for an answer ended before the run began",
              "nothing was charged; ask again when less is going on, or have a longer `deadline:` declared"};
}

Outcome settle_one(Pending& pending, engine::Engine* engine, const engine::Watch& watch, const Begin& begin) {
  const PricedPlan& plan = *pending.plan;
  const auto drawn = [&] { return stored_text(plan, draw(plan, engine->run(plan.exact, watch))); };
  if (!pending.held) {
    begin();
    return {reading(false, drawn), {}};
  }
  if (auto* stored = std::get_if<ledger::StoredAnswer>(&*pending.held)) {
    return {std::move(stored->bytes), std::move(stored->release), true, stored->shared};
  }
  auto& ticket = std::get<ledger::Ticket>(*pending.held);
  begin();
  ticket.open();
  return reading(true, [&]() -> Outcome {
    ledger::StoredAnswer stored = ticket.commit(drawn());
    return {std::move(stored.bytes), std::move(stored.release)};
  });
}

}  // namespace

std::vector<Outcome> settle(std::vector<Pending>& all, engine::Engine* engine, const engine::Watch& watch,
                            const Begin& begin) {
  std::vector<Pending> mine = std::move(all);  // what is not begun is given back here, not when the caller likes
  for (const Pending& pending : mine) {
    if (has_to_run(pending)) engine->prepare(pending.plan->exact);
  }
  std::vector<Outcome> outcomes;
  for (Pending& pending : mine) {
    if (has_to_run(pending) && watch.token.cancelled()) stopped(false);
    outcomes.push_back(settle_one(pending, engine, watch, begin));
  }
  return outcomes;
}

std::vector<Outcome> settle_until(std::chrono::steady_clock::time_point until, const Settling& work,
                                  const engine::Watch& watch, const std::function<void(std::future<void>)>& give_up) {
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false, begun = false, given_up = false;
    std::vector<Outcome> outcomes;
    std::exception_ptr failure;
  };
  const auto shared = std::make_shared<Shared>();
  const engine::Watch own;  // stopped by the deadline too, which the asker's is not
  std::future<void> running = std::async(std::launch::async, [shared, work, own] {
    std::vector<Outcome> outcomes;
    std::exception_ptr failure;
    try {
      outcomes = work(own, [&shared] {
        const std::lock_guard lock(shared->mutex);
        if (shared->given_up) too_late();
        shared->begun = true;
      });
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(shared->mutex);
    shared->outcomes = std::move(outcomes);
    shared->failure = failure;
    shared->done = true;
    shared->changed.notify_all();
  });
  std::unique_lock lock(shared->mutex);
  while (!shared->done && std::chrono::steady_clock::now() < until) {
    if (watch.token.cancelled()) own.token.cancel();
    const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
    shared->changed.wait_until(lock, std::min(soon, until));
  }
  if (!shared->done) {
    own.token.cancel();
    shared->given_up = true;
    give_up(std::move(running));
    if (!shared->begun) too_late();
    engine::run_failed();
  }
  if (shared->failure) std::rethrow_exception(shared->failure);
  return std::move(shared->outcomes);
}

}  // namespace dither::session::detail
