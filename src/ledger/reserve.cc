// Reservations: who may have what, and what is there already.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <thread>

#include "accounting/filter.h"
#include "base/error.h"
#include "base/text.h"
#include "ledger/detail/core.h"
#include "ledger/outlook.h"

namespace dither::ledger {

using accounting::Spent;
using detail::Json;

namespace {

using detail::Core;

// A request with what can be known before the ledger is locked.
struct Priced {
  const Request* request;
  Spent cost;
};

// A refusal on its way out of a transaction that must not change anything.
struct Refusal {
  Error error;
  std::optional<std::string> seen_source = {};  // where it is not the declared one
};

[[noreturn]] void refuse(Code code, const std::string& message, const std::string& hint) {
  throw Refusal{Error{code, message, hint}};
}

// Mechanisms of the verifier's zoo, of which half are broken on purpose, release nothing: however their name is written.
void require_no_zoo(std::string_view what, std::string_view text) {
  constexpr std::string_view kNames = "zoo.";
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n\"'"), text.size());
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  const std::string_view start = text.substr(begin, kNames.size());
  if (!std::equal(start.begin(), start.end(), kNames.begin(), kNames.end(), same)) return;
  throw Error{Code::bad_name, fmt::format("{} is \"{}\", a mechanism of the zoo", what, echo(text)),
              "the zoo is for testing verifiers and may be broken: use a mechanism that `dither verify` lists"};
}

void require_request(const Request& request) {
  for (const auto& [what, text] :
       {std::pair("the statistic", request.statistic), std::pair("the title", request.title),
        std::pair("who asks", request.by), std::pair("the plan", request.question.plan),
        std::pair("the declarations", request.question.declarations),
        std::pair("the mechanism", request.question.mechanism), std::pair("the source", request.source.value_or(""))}) {
    require_text(what, text);
  }
  require_no_zoo("the statistic", request.statistic);
  require_no_zoo("the title", request.title);
  require_no_zoo("the plan", request.question.plan);
  require_no_zoo("the mechanism", request.question.mechanism);
  if (!request.correction) return;
  require_decision({request.by, request.correction->defect, ""});
}

void require_not_revoked(const Budget& budget) {
  if (budget.standing != Standing::revoked) return;
  refuse(Code::revoked, fmt::format("the budget \"{}\" was revoked", echo(budget.path)), "ask its steward for another");
}

void require_standing(const Budget& budget, Time now) {
  require_not_revoked(budget);
  if (budget.standing == Standing::frozen) {
    refuse(Code::frozen, fmt::format("the budget \"{}\" is frozen", echo(budget.path)), "ask its steward");
  }
  if (budget.terms.expires && now >= *budget.terms.expires) {
    refuse(Code::expired,
           fmt::format("the budget \"{}\" ended on {}", echo(budget.path), time_text(*budget.terms.expires)),
           "ask its steward for another");
  }
}

void require_purpose(const Request& request, const Dataset& dataset, const std::vector<Budget>& line) {
  bool has_purpose = false;
  for (const Budget& budget : line) {
    has_purpose = has_purpose || budget.kind == BudgetKind::purpose;
    const auto& allows = budget.terms.allows;
    if (allows.empty() || std::find(allows.begin(), allows.end(), request.statistic) != allows.end()) continue;
    refuse(Code::not_allowed,
           fmt::format("the budget \"{}\" does not allow the statistic \"{}\"", echo(budget.path),
                       echo(request.statistic)),
           fmt::format("it allows {}", fmt::join(allows, ", ")));
  }
  if (!dataset.needs_purpose || has_purpose) return;
  refuse(Code::missing_purpose, fmt::format("the data set \"{}\" answers for a purpose only", echo(dataset.name)),
         "charge a budget that is a purpose, or below one");
}

// Begins the periods that are due. Whether one is due that waits for a review.
bool renew(Core& core, Budget& budget, Time now) {
  const std::string label = period_label(budget.terms.renews, now);
  if (label <= budget.period) return false;
  if (budget.terms.review && now > *budget.terms.review) return true;
  core.append("period", {{"path", budget.path}, {"label", label}});
  budget = core.book.need_budget(budget.path);
  return false;
}

// Sums stay at the end of their range, and what was added to them there could not be taken back exactly.
bool adds_exactly(const Spent& sums, const Spent& cost) { return minus(plus(sums, cost), cost) == sums; }

// The limits without the part that is set aside.
accounting::FilterRule rest_of(const Budget& budget) {
  return accounting::minus_limits(budget.terms.rule, budget.terms.reserve.value());
}

bool fits(const Budget& budget, const Spent& cost, bool correction) {
  if (!adds_exactly(budget.spent, cost) || !adds_exactly(budget.lifetime, cost)) return false;
  const Spent sums = plus(budget.spent, cost);
  if (!accounting::keeps(budget.terms.rule, sums)) return false;
  if (!budget.terms.reserve || correction) return true;
  return accounting::keeps(rest_of(budget), minus(sums, budget.corrected));
}

void require_room(const Budget& budget, const Spent& cost, bool correction, bool overdue) {
  if (fits(budget, cost, correction)) return;
  if (overdue) {
    refuse(Code::review_overdue, fmt::format("the renewal of \"{}\" waits for a review", echo(budget.path)),
           "ask its steward to review it: `dither budget review`");
  }
  const Shown left = fits(budget, cost, true) ? shown_left(rest_of(budget), minus(budget.spent, budget.corrected))
                                              : shown_left(budget.terms.rule, budget.spent);
  refuse(Code::over_budget,
         fmt::format("the charge of {} does not fit into what is left of \"{}\": {}",
                     in_words(shown(budget.terms.rule, cost)), echo(budget.path), in_words(left)),
         "ask for less, or ask its steward for a grant");
}

// The budgets that are to pay, from the one that asks upward.
std::vector<Budget> payers_of(Core& core, const Request& request, const Dataset& dataset,
                              std::vector<std::string> paths, const Spent& cost, bool correction) {
  const Time now = core.now();
  std::vector<Budget> line;
  for (const std::string& path : lineage(request.budget)) {
    line.push_back(core.book.need_budget(path));
    require_standing(line.back(), now);
  }
  require_purpose(request, dataset, line);
  std::vector<Budget> payers;
  for (Budget& budget : line) {
    if (std::find(paths.begin(), paths.end(), budget.path) == paths.end()) continue;
    const bool overdue = renew(core, budget, now);
    require_room(budget, cost, correction, overdue);
    payers.push_back(budget);
  }
  return payers;
}

// The budget and the source of a version are for its own data alone, and whoever began before it was declared has others.
void require_version(const Request& request, const Dataset& dataset) {
  const std::string& label = dataset.version().label;
  if (!request.version || *request.version == label) return;
  refuse(
      Code::budget_differs,
      fmt::format("\"{}\" is at version \"{}\" now, but the question is about the data of version \"{}\"; nothing was "
                  "charged",
                  echo(dataset.name), echo(label), echo(*request.version)),
      "ask in a new session, with the data of the present version and its label as data_version");
}

// Refuses a request about other data than its version has, and no other request: who asks about the right data goes on.
void require_source(const Request& request, const Dataset& dataset) {
  const Version& version = dataset.version();
  if (!request.source || version.source.empty() || version.source == *request.source) return;
  throw Refusal{Error{Code::bad_source,
                      fmt::format("the data are not those of version \"{}\" of \"{}\"; nothing was charged",
                                  echo(version.label), echo(dataset.name)),
                      "ask about the data of that version; its steward declares a version of its own for new data"},
                request.source};
}

// Before any answer is looked for: the version of this data set has the request's fingerprint, now at the latest.
void hold_source(Core& core, const Request& request, Dataset& dataset) {
  if (!request.holds_source || !request.source || request.source->empty()) return;
  if (dataset.version().source.empty()) {
    core.append("source", {{"dataset", dataset.name}, {"seen", *request.source}});
    dataset = core.book.need_dataset(dataset.name);
  }
  require_source(request, dataset);
}

// Those above and including the asking budget that have not paid for this release, up to the first that has.
std::vector<std::string> unpaid(const Release& release, const std::string& budget) {
  std::vector<std::string> paths;
  for (const std::string& path : lineage(budget)) {
    const auto paid = [&](const Payer& payer) { return payer.budget == path; };
    if (std::any_of(release.payers.begin(), release.payers.end(), paid)) break;
    paths.push_back(path);
  }
  return paths;
}

// What is corrected must have been seen, and be about the same data: the reserve is for nothing else.
void require_correction(Core& core, const Correction& correction, const Dataset& dataset) {
  const Release wrong = core.book.need_release(correction.release);
  if (wrong.dataset != dataset.name) {
    throw Error{Code::unknown_release,
                fmt::format("release {} is not about the data set \"{}\"", wrong.id, echo(dataset.name)),
                "name the release that was wrong"};
  }
  if (wrong.state == State::committed) return;
  throw Error{Code::wrong_state,
              fmt::format("release {} cannot be corrected: it is {}", wrong.id, state_name(wrong.state)),
              "only an answer that was given can be wrong"};
}

Release share(Core& core, const Request& request, const Dataset& dataset, const Release& release) {
  const std::vector<std::string> paths = unpaid(release, request.budget);
  if (paths.empty()) {
    std::vector<Budget> line;
    for (const std::string& path : lineage(request.budget)) {
      line.push_back(core.book.need_budget(path));
      require_not_revoked(line.back());
    }
    require_purpose(request, dataset, line);
    return release;
  }
  if (request.correction) require_correction(core, *request.correction, dataset);
  const bool correction = request.correction.has_value();  // whatever the release was for whoever drew it
  payers_of(core, request, dataset, paths, release.cost, correction);
  Json body = {{"release", release.id}, {"budget", request.budget}, {"by", request.by}, {"payers", paths}};
  if (correction) body["correction"] = true;
  core.append("shared", body);
  return core.book.need_release(release.id);
}

std::string draw(Core& core, const Priced& priced, const Dataset& dataset, const Digest& key, std::uint64_t number) {
  const Request& request = *priced.request;
  require_source(request, dataset);
  if (request.correction) require_correction(core, *request.correction, dataset);
  payers_of(core, request, dataset, lineage(request.budget), priced.cost, request.correction.has_value());
  std::string id = release_id(core.store->head().number + 1);
  Json body = {{"release", id},          {"budget", request.budget}, {"version", dataset.version().label},
               {"key", key.hex()},       {"draw", number},           {"statistic", request.statistic},
               {"title", request.title}, {"by", request.by}};
  detail::add_price(body, request.price);
  body["cost"] = detail::spent_json(priced.cost);
  body["pricing"] = kPricing;
  if (request.correction) {
    body["correction"] = {{"release", request.correction->release}, {"defect", request.correction->defect}};
  }
  body["owner"] = detail::owner_json(core.owner);
  core.append("reserved", body);
  return id;
}

// What becomes of one request: the id of a new reservation, an answer that is there, or who is at it.
using Outcome = std::variant<std::string, StoredAnswer, InProgress>;

Outcome decide(Core& core, const Priced& priced, std::set<Digest>& keys) {
  const Request& request = *priced.request;
  core.book.need_budget(request.budget);
  Dataset dataset = core.book.need_dataset(dataset_of(request.budget));
  require_version(request, dataset);
  hold_source(core, request, dataset);
  const Digest key = key_of(dataset.name, request.question, request.price, dataset.version().label);
  if (!keys.insert(key).second) {
    throw Error{Code::duplicate_key, "two requests of a batch ask the same", "ask it once"};
  }
  std::optional<Release> last = core.book.last_draw(key);
  const bool is_held = last && (last->state == State::reserved || last->state == State::opened);
  if (is_held && core.end_if_dead(*last, false)) last = core.book.last_draw(key);
  const bool corrects = request.correction && last && last->correction != request.correction;
  if (!last || request.again || corrects) return draw(core, priced, dataset, key, last ? last->draw + 1 : 1);
  switch (last->state) {
    case State::committed: {
      const bool pays = !unpaid(*last, request.budget).empty();
      StoredAnswer there = core.stored(share(core, request, dataset, *last));
      there.shared = pays;
      return there;
    }
    case State::lost:
      refuse(Code::answer_lost,
             fmt::format("release {} was paid for, and its answer was lost before it was stored", last->id),
             "ask again with --again: a new draw, paid for anew");
    default:
      return InProgress{last->id, last->owner};
  }
}

// For the steward, once for each change of what is seen; unless it was declared meanwhile.
void note_other_source(Core& core, const std::string& name, const std::string& seen) {
  const Dataset dataset = core.book.need_dataset(name);
  const std::string& declared = dataset.version().source;
  if (declared.empty() || declared == seen || dataset.changed_source == seen) return;
  core.append("source", {{"dataset", name}, {"seen", seen}});
}

// Keeps the refusal, and nothing else of the transaction that it ended.
void record_refusal(Core& core, const Request& request, const Refusal& refusal) {
  core.writing([&] {
    core.require_writable();
    core.recover(false);
    if (refusal.seen_source) note_other_source(core, dataset_of(request.budget), *refusal.seen_source);
    Json body = {{"budget", request.budget},
                 {"code", code_name(refusal.error.code())},
                 {"reason", refusal.error.what()},
                 {"title", request.title},
                 {"by", request.by}};
    detail::add_price(body, request.price);
    core.append("refused", body);
  });
  core.note_head();
}

}  // namespace

std::variant<std::vector<Held>, InProgress> Ledger::reserve(std::span<const Request> requests) {
  std::vector<Priced> priced;
  for (const Request& request : requests) {
    require_request(request);
    priced.push_back({&request, cost(request.budget, request.price)});
  }
  std::vector<Outcome> outcomes;
  std::size_t at = 0;
  try {
    core_->writing([&] {
      core_->require_writable();
      std::set<Digest> keys;
      for (at = 0; at < priced.size(); ++at) outcomes.push_back(decide(*core_, priced[at], keys));
      const auto busy = [](const Outcome& outcome) { return std::holds_alternative<InProgress>(outcome); };
      const auto found = std::find_if(outcomes.begin(), outcomes.end(), busy);
      if (found != outcomes.end()) throw std::get<InProgress>(*found);
    });
  } catch (const Refusal& refusal) {
    record_refusal(*core_, requests[at], refusal);
    throw refusal.error;
  } catch (const InProgress& busy) {
    return busy;
  }
  std::vector<Held> held;
  for (Outcome& outcome : outcomes) {
    if (auto* id = std::get_if<std::string>(&outcome)) {
      held.emplace_back(Ticket(core_, std::move(*id)));
    } else {
      held.emplace_back(std::get<StoredAnswer>(std::move(outcome)));
    }
  }
  core_->note_head();
  return held;
}

std::variant<Ticket, StoredAnswer, InProgress> Ledger::reserve(const Request& request) {
  auto result = reserve(std::span(&request, 1));
  if (auto* busy = std::get_if<InProgress>(&result)) return *busy;
  Held& held = std::get<std::vector<Held>>(result).front();
  if (auto* ticket = std::get_if<Ticket>(&held)) return std::move(*ticket);
  return std::get<StoredAnswer>(std::move(held));
}

Held Ledger::reserve_or_wait(const Request& request, std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  std::chrono::milliseconds pause{2};
  for (;;) {
    auto result = reserve(request);
    if (auto* ticket = std::get_if<Ticket>(&result)) return std::move(*ticket);
    if (auto* stored = std::get_if<StoredAnswer>(&result)) return std::move(*stored);
    if (std::chrono::steady_clock::now() >= until) {
      throw Error{Code::ledger_busy,
                  fmt::format("release {} is being worked on by another process", std::get<InProgress>(result).release),
                  "ask again later: its answer will then be there"};
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds{100});
  }
}

}  // namespace dither::ledger
