// From a reservation to a stored answer: open, run, draw once, commit.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "ledger/ledger.h"
#include "session/priced_plan.h"

namespace dither::session::detail {

// A question with what the ledger said to it. Nothing is held of one that costs nothing.
struct Pending {
  const PricedPlan* plan;
  std::optional<ledger::Held> held;
};

inline bool has_to_run(const Pending& pending) {
  return !pending.held || std::holds_alternative<ledger::Ticket>(*pending.held);
}

// What came of it: the noisy numbers as they are stored, and their release.
struct Outcome {
  std::string bytes;
  std::optional<ledger::Release> release;
  bool stored = false;
  bool shared = false;  // stored, and charged now: this budget had not paid for it
};

// Called before each opening. Throws where it is too late for one.
using Begin = std::function<void()>;

// The outcomes, in order. All that have to run are prepared before the first of them is opened; nobody needs an engine
// where none has to.
// Refuses    what the engine's prepare() and opening refuse: nothing is charged for what was not opened. Then
//            run-failed or cancelled, whatever happened: the charge stays, and what was not begun is given back.
std::vector<Outcome> settle(std::vector<Pending>& all, engine::Engine* engine, const engine::Watch& watch,
                            const Begin& begin);

// Does `work` on a thread of its own until then, passing on the wish to stop. What is not done by then is asked to stop
// and given up: its thread is put where it can be waited for, and run-failed is thrown. Where nothing was opened by then,
// nothing will be, and the text says so.
using Settling = std::function<std::vector<Outcome>(const engine::Watch&, const Begin&)>;
std::vector<Outcome> settle_until(std::chrono::steady_clock::time_point until, const Settling& work,
                                  const engine::Watch& watch, const std::function<void(std::future<void>)>& give_up);

}  // namespace dither::session::detail
