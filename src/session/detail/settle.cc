#include "session/detail/settle.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "session/draw.h"

namespace dither::session::detail {
namespace {

using Clock = Worker::Clock;

[[noreturn]] void stopped(bool charged) {
  throw Error{Code::cancelled, charged ? "stopped; what it cost stays charged" : "stopped; nothing was charged",
              charged ? "ask again with --again, which is paid for anew" : "ask again when you like"};
}

// The time was over, or somebody stopped it, before anything was opened.
[[noreturn]] void not_begun(const CancelToken& token) {
  if (token.cancelled()) stopped(false);
  throw Error{Code::run_failed, "the time for an answer ended before the run began",
              "nothing was charged; ask again when less is going on, or have a longer `deadline:` declared"};
}

std::string drawn(const PricedPlan& plan, engine::Engine& engine, const engine::Watch& watch) {
  return stored_text(plan, draw(plan, engine.run(plan.exact, watch)));
}

// From the first read on nothing of what happens is told apart but the wish to stop.
template <class Run>
auto reading(const Run& run) {
  try {
    return run();
  } catch (const Cancelled&) {
    stopped(true);
  } catch (...) {
    engine::run_failed();
  }
}

// What `run` gives for one question, paid for and recorded.
template <class Run>
Outcome settle_one(Pending& pending, const Run& run) {
  auto& ticket = std::get<ledger::Ticket>(*pending.held);
  ticket.open();
  return reading([&]() -> Outcome {
    ledger::StoredAnswer stored = ticket.commit(run());
    return {std::move(stored.bytes), std::move(stored.release)};
  });
}

// What is stored, or known beforehand.
Outcome given(Pending& pending) {
  if (!pending.held) return {stored_text(*pending.plan, known_beforehand(*pending.plan).value()), {}};
  auto& stored = std::get<ledger::StoredAnswer>(*pending.held);
  return {std::move(stored.bytes), std::move(stored.release), true, stored.shared};
}

void wait_until(Clock::time_point time, const CancelToken& token) {
  constexpr auto kLook = std::chrono::milliseconds(10);  // so often for a wish to stop
  while (!token.cancelled() && Clock::now() < time) std::this_thread::sleep_until(std::min(time, Clock::now() + kLook));
}

// Noisy numbers, at the end of the run's time and not before. Throws Cancelled also where they were ready already: when
// they were ready must not show.
std::string drawn_in_time(Worker& worker, std::size_t plan, Clock::time_point end, const CancelToken& token) {
  std::optional<std::string> bytes;
  try {
    bytes = worker.ask(run_job(plan), end, token);
  } catch (const Error&) {  // told below, when it is time
  }
  std::this_thread::sleep_until(end);
  token.check();
  if (!bytes) engine::run_failed();
  return *std::move(bytes);
}

}  // namespace

std::vector<Outcome> settle(std::vector<Pending>& all, engine::Engine* engine, const engine::Watch& watch) {
  std::vector<Pending> mine = std::move(all);  // what is not begun is given back here, not when the caller likes
  for (const Pending& pending : mine) {
    if (has_to_run(pending)) engine->prepare(pending.plan->exact);
  }
  std::vector<Outcome> outcomes;
  for (Pending& pending : mine) {
    if (!has_to_run(pending)) {
      outcomes.push_back(given(pending));
      continue;
    }
    if (watch.token.cancelled()) stopped(false);
    outcomes.push_back(settle_one(pending, [&] { return drawn(*pending.plan, *engine, watch); }));
  }
  return outcomes;
}

std::vector<Worker::Job> jobs_for(const std::vector<const PricedPlan*>& plans, MakeEngine make) {
  struct Later {
    MakeEngine make;
    std::shared_ptr<engine::Engine> made;
    engine::Engine& get() {
      if (!made) made = make();
      return *made;
    }
  };
  const auto engine = std::make_shared<Later>(Later{std::move(make), nullptr});
  std::vector<Worker::Job> jobs;
  for (const PricedPlan* plan : plans) {
    jobs.push_back([engine, plan] {
      engine->get().prepare(plan->exact);
      return std::string();
    });
    jobs.push_back([engine, plan] { return drawn(*plan, engine->get(), {}); });
  }
  return jobs;
}

Clock::time_point Shares::end_of_run(std::size_t share) const {
  constexpr Clock::duration kMost = std::chrono::seconds(1);
  return beginning(share + 1) - std::min(each / 10, kMost);
}

void prepare_in_time(Worker& worker, std::size_t plan, const Shares& shares, const CancelToken& token) {
  if (!worker.ask(prepare_job(plan), shares.end_of_run(0), token)) not_begun(token);
}

std::vector<Outcome> settle_in_time(std::vector<Pending>& all, Worker& worker, const Shares& shares,
                                    const CancelToken& token) {
  std::vector<Pending> mine = std::move(all);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (has_to_run(mine[i])) prepare_in_time(worker, i, shares, token);
  }
  std::vector<Outcome> outcomes;
  std::size_t share = 0;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (!has_to_run(mine[i])) {
      outcomes.push_back(given(mine[i]));
      continue;
    }
    wait_until(shares.beginning(share), token);
    const Clock::time_point end = shares.end_of_run(share++);
    if (token.cancelled() || Clock::now() >= end) not_begun(token);
    outcomes.push_back(settle_one(mine[i], [&] { return drawn_in_time(worker, i, end, token); }));
  }
  return outcomes;
}

}  // namespace dither::session::detail
