// What the steward decides.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "accounting/filter.h"
#include "base/error.h"
#include "base/text.h"
#include "ledger/detail/core.h"

namespace dither::ledger {

using accounting::FilterRule;
using detail::Json;

namespace {

[[noreturn]] void throw_taken(std::string_view what, std::string_view name) {
  throw Error{Code::duplicate_key, fmt::format("there is a {} \"{}\" already", what, echo(name)),
              "choose another name"};
}

// Whoever has opened a release may still read the data, and paid for it from the budgets that are to end.
void require_none_opened(detail::Core& core, const std::string& dataset) {
  core.recover(false);
  for (const Release& release : core.book.held()) {
    if (release.dataset != dataset || release.state != State::opened) continue;
    throw Error{
        Code::wrong_state,
        fmt::format("release {} is opened and may still read: it would be about data it did not pay for", release.id),
        "declare the version when it has ended; `dither budget recover` ends what was left behind"};
  }
}

// A budget that nothing fits into is a mistake.
void require_room(const FilterRule& rule) {
  accounting::require_valid(rule);
  const accounting::Charge all = accounting::remaining(accounting::FilterState(rule));
  const accounting::Spent sums = accounting::price(rule, all);
  const bool some = sums.squares > accounting::SquareAmount() ||
                    std::any_of(sums.losses.begin(), sums.losses.end(),
                                [](accounting::LossAmount loss) { return loss > accounting::LossAmount(); });
  if (some) return;
  throw Error{Code::out_of_range, "a budget of nothing", "give a limit above 0"};
}

// Times are written with four digits for the year.
void require_time(std::string_view what, Time time) {
  if (time >= time_from_text("0001-01-01") && time <= time_from_text("9999-12-31T23:59:59Z")) return;
  throw Error{Code::out_of_range, fmt::format("{} lies outside the years 1 to 9999", what), "give a nearer time"};
}

void require_terms(const BudgetTerms& terms) {
  if (terms.expires) require_time("the end", *terms.expires);
  if (terms.review) require_time("the review", *terms.review);
  require_room(terms.rule);
  if (terms.reserve) accounting::minus_limits(terms.rule, *terms.reserve);  // refuses what is not a part
  require_text("the purpose", terms.purpose);
  for (const std::string& statistic : terms.allows) require_name("a statistic", statistic);
}

Json terms_json(const std::string& path, BudgetKind kind, const BudgetTerms& terms) {
  Json json = {{"path", path}, {"of", budget_kind_name(kind)}};
  detail::add_terms(json, terms);
  return json;
}

}  // namespace

std::uint64_t Ledger::create_dataset(const DatasetTerms& terms, const Decision& decision) {
  require_name("the data set", terms.name);
  require_name("the unit", terms.unit.name);
  require_name("the version", terms.version);
  require_text("the source", terms.source);
  require_terms(terms.budget);
  return core_->decide("dataset", decision, [&] {
    if (core_->book.dataset(terms.name)) throw_taken("data set", terms.name);
    Json json = {{"name", terms.name},
                 {"unit", terms.unit.name},
                 {"unit_has_period", terms.unit_has_period},
                 {"neighbours", neighbours_name(terms.neighbours)},
                 {"needs_purpose", terms.needs_purpose},
                 {"version", terms.version},
                 {"source", terms.source}};
    json.update(terms_json(terms.name, BudgetKind::dataset, terms.budget));
    return json;
  });
}

std::uint64_t Ledger::create_budget(const std::string& path, BudgetKind kind, const BudgetTerms& terms,
                                    const Decision& decision) {
  const std::string parent = parent_path(path);
  if (parent.empty() || kind == BudgetKind::dataset) {
    throw Error{Code::bad_name, fmt::format("\"{}\" is not below a data set", echo(path)),
                "write its path from the data set on, such as visits/study"};
  }
  require_name("the budget", path.substr(parent.size() + 1));
  require_terms(terms);
  if (kind == BudgetKind::purpose && terms.purpose.empty()) {
    throw Error{Code::missing_reason, fmt::format("the purpose \"{}\" is not said in words", echo(path)),
                "describe what is released and for what"};
  }
  return core_->decide("budget", decision, [&] {
    const Budget above = core_->book.need_budget(parent);
    if (core_->book.budget(path)) throw_taken("budget", path);
    if (!accounting::same_measure(above.terms.rule, terms.rule)) {
      throw Error{Code::no_theorem,
                  fmt::format("a {} budget below a {} one", rule_name(terms.rule), rule_name(above.terms.rule)),
                  "give limits of the same rule, with the same orders or slack, as the budget above"};
    }
    return terms_json(path, kind, terms);
  });
}

namespace {

void require_not_revoked(const Budget& budget, std::string_view step) {
  if (budget.standing != Standing::revoked) return;
  throw Error{Code::wrong_state, fmt::format("cannot {} \"{}\": it is revoked", step, echo(budget.path)),
              "what was revoked stays so; create another budget"};
}

}  // namespace

std::uint64_t Ledger::grant(const std::string& path, const FilterRule& more, const Decision& decision) {
  return core_->decide("grant", decision, [&] {
    const Budget budget = core_->book.need_budget(path);
    require_not_revoked(budget, "grant to");
    const FilterRule after = accounting::plus_limits(budget.terms.rule, more);
    require_room(after);
    if (after == budget.terms.rule) {
      throw Error{Code::out_of_range, "a grant of nothing", "give a limit above 0"};
    }
    return Json{{"path", path}, {"more", detail::rule_json(more)}};
  });
}

namespace {

// Refuses a change of standing that is none; a revoked budget stays so.
void require_standing(const Budget& budget, Standing before, std::string_view step) {
  if (budget.standing == before || (step == "revoke" && budget.standing != Standing::revoked)) return;
  throw Error{Code::wrong_state,
              fmt::format("cannot {} \"{}\": it is {}", step, echo(budget.path), standing_name(budget.standing)),
              budget.standing == Standing::revoked ? "what was revoked stays so; create another budget"
                                                   : "look with `dither budget show`"};
}

}  // namespace

std::uint64_t Ledger::freeze(const std::string& path, const Decision& decision) {
  return core_->decide("freeze", decision, [&] {
    require_standing(core_->book.need_budget(path), Standing::active, "freeze");
    return Json{{"path", path}};
  });
}

std::uint64_t Ledger::thaw(const std::string& path, const Decision& decision) {
  return core_->decide("thaw", decision, [&] {
    require_standing(core_->book.need_budget(path), Standing::frozen, "thaw");
    return Json{{"path", path}};
  });
}

std::uint64_t Ledger::revoke(const std::string& path, const Decision& decision) {
  return core_->decide("revoke", decision, [&] {
    require_standing(core_->book.need_budget(path), Standing::active, "revoke");
    return Json{{"path", path}};
  });
}

std::uint64_t Ledger::review(const std::string& path, Time until, const Decision& decision) {
  require_time("the review", until);
  return core_->decide("review", decision, [&] {
    core_->book.need_budget(path);
    return Json{{"path", path}, {"until", time_text(until)}};
  });
}

namespace {

// Whether every version that shares the present budgets has had a fingerprint from its beginning, so that a change of its data was noticed.
bool is_held_fixed(const Dataset& dataset) {
  for (auto version = dataset.versions.rbegin(); version != dataset.versions.rend(); ++version) {
    if (version->source.empty() || version->noted) return false;
    if (version->fresh) return true;
  }
  return true;
}

}  // namespace

std::uint64_t Ledger::declare_version(const std::string& dataset, const std::string& label, const std::string& source,
                                      bool fresh, const Decision& decision) {
  require_name("the version", label);
  require_text("the source", source);
  return core_->decide("version", decision, [&] {
    const Dataset there = core_->book.need_dataset(dataset);
    for (const Version& version : there.versions) {
      if (version.label == label) throw_taken("version", label);
    }
    if (fresh && there.neighbours != accounting::Neighbours::add_remove) {
      throw Error{Code::no_theorem,
                  fmt::format("a fresh budget for a version under {}: a unit may leave one version and enter another",
                              neighbours_name(there.neighbours)),
                  "continue the budget, or declare the data set under add-remove"};
    }
    const bool pure = std::holds_alternative<accounting::PureRule>(core_->book.need_budget(dataset).terms.rule);
    if (fresh && !pure && (source.empty() || !is_held_fixed(there))) {
      throw Error{Code::no_theorem, "a fresh budget for a version whose data may change: proven for pure budgets only",
                  "give the fingerprint of the source with every version, or continue the budget"};
    }
    if (fresh) require_none_opened(*core_, dataset);
    return Json{{"dataset", dataset}, {"label", label}, {"source", source}, {"fresh", fresh}};
  });
}

std::uint64_t Ledger::set_anchor(const std::string& path, const Decision& decision) {
  const std::string place = path.empty() ? path : std::filesystem::absolute(path).string();  // from every folder
  require_text("the anchor", place);
  if (const auto noted = read_head_file(place)) core_->reading([&] { core_->require_agreement({place, noted}); });
  const SignedHead head = this->head();
  write_head_file(place, head, true);  // refuses a place that cannot be written
  const std::uint64_t number = core_->decide("anchored", decision, [&] { return Json{{"path", place}}; });
  core_->take_anchor(place);
  core_->note_head();
  return number;
}

}  // namespace dither::ledger
