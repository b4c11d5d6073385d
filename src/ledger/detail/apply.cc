// How each kind of record changes the tables.
#include <algorithm>

#include "accounting/filter.h"
#include "base/error.h"
#include "ledger/detail/book.h"

namespace dither::ledger::detail {
namespace {

using accounting::Spent;

std::string text(const Json& body, const char* key) { return body.at(key).get<std::string>(); }

// The sums with which a rule is used up.
Spent all_of(const accounting::FilterRule& rule) {
  Spent all = accounting::price(rule, accounting::remaining(accounting::FilterState(rule)));
  // The largest single charge squared is a little less than the most squares.
  if (const auto* advanced = std::get_if<accounting::AdvancedRule>(&rule)) all.squares = most_squares(*advanced);
  return all;
}

void next_period(Budget& budget, const std::string& label) {
  budget.spent = budget.corrected = accounting::nothing_spent(budget.terms.rule);
  budget.period = label;
  ++budget.periods;
}

// Sums stay at the end of their range, from where nothing could be taken back exactly.
void require_exact(const Spent& sums, const Spent& more) {
  if (minus(plus(sums, more), more) == sums) return;
  throw Error{Code::out_of_range, "a price takes a sum beyond its range", "price the releases within it"};
}

// What a version had cost in all grows too, after it was closed.
void add_to_closed(Dataset& dataset, std::uint64_t epoch, const Spent& more) {
  for (Version& version : dataset.versions) {
    if (!version.closed || --epoch > 0) continue;
    version.closed = plus(*version.closed, more);
    return;
  }
}

// Books what is left in this period as spent.
void spend_all(Budget& budget) {
  const Spent after = larger(budget.spent, all_of(budget.terms.rule));
  budget.lifetime = plus(budget.lifetime, minus(after, budget.spent));
  budget.spent = after;
}

}  // namespace

void Book::apply(const Record& record) {
  reading([&] {
    const Json body = parse(record.body);
    const std::string kind = text(body, "kind");
    const std::string at_text = text(body, "at");
    const Time at = time_from_text(at_text);
    if (at < last_time()) throw_damaged("a record is older than the one before it");
    if (kind == "ledger")
      begin_ledger(body);
    else if (kind == "dataset")
      make_dataset(body, at);
    else if (kind == "budget")
      make_budget(body, at);
    else if (kind == "grant")
      grant(body);
    else if (kind == "freeze")
      set_standing(body, Standing::frozen);
    else if (kind == "thaw")
      set_standing(body, Standing::active);
    else if (kind == "revoke")
      set_standing(body, Standing::revoked);
    else if (kind == "review")
      review(body);
    else if (kind == "version")
      declare_version(body, at);
    else if (kind == "source")
      note_source(body);
    else if (kind == "period")
      begin_period(body);
    else if (kind == "reserved")
      reserve(body, at);
    else if (kind == "opened")
      open(body, at);
    else if (kind == "committed")
      commit(body, at);
    else if (kind == "voided")
      give_back(body, at);
    else if (kind == "lost")
      lose(body, at);
    else if (kind == "shared")
      share(body);
    else if (kind == "repriced")
      reprice(body);
    else if (kind == "restored")
      restore(body, at);
    else if (kind == "anchored")
      anchor(body);
    else if (kind != "refused")
      throw_damaged("a record is of a kind that is not known");
    store_.put(Table::facts, "time", at_text);
  });
}

void Book::begin_ledger(const Json& body) {
  if (store_.get(Table::facts, "ledger")) throw_damaged("it begins twice");
  const Json identity = {{"id", text(body, "id")}, {"public_key", text(body, "public_key")}};
  store_.put(Table::facts, "ledger", identity.dump());
}

void Book::anchor(const Json& body) {
  const Identity before = identity();
  const Json after = {{"id", before.id}, {"public_key", before.public_key}, {"anchor", text(body, "path")}};
  store_.put(Table::facts, "ledger", after.dump());
}

void Book::make_dataset(const Json& body, Time at) {
  Dataset dataset;
  dataset.name = text(body, "name");
  if (this->dataset(dataset.name)) throw_damaged("a data set is made twice");
  dataset.unit.name = text(body, "unit");
  dataset.unit_has_period = body.at("unit_has_period").get<bool>();
  dataset.neighbours = accounting::neighbours_from(text(body, "neighbours"));
  dataset.needs_purpose = body.at("needs_purpose").get<bool>();
  dataset.versions.push_back({text(body, "version"), text(body, "source"), at, true, std::nullopt});
  put(dataset);
  make_budget(body, at);
}

void Book::make_budget(const Json& body, Time at) {
  Budget budget;
  budget.path = text(body, "path");
  if (this->budget(budget.path)) throw_damaged("a budget is made twice");
  budget.kind = budget_kind_from(text(body, "of"));
  budget.terms = terms_from(body);
  budget.spent = budget.corrected = budget.lifetime = accounting::nothing_spent(budget.terms.rule);
  budget.period = period_label(budget.terms.renews, at);
  put(budget);
}

void Book::grant(const Json& body) {
  Budget budget = need_budget(text(body, "path"));
  budget.terms.rule = accounting::plus_limits(budget.terms.rule, rule_from(body.at("more")));
  put(budget);
}

void Book::set_standing(const Json& body, Standing standing) {
  Budget budget = need_budget(text(body, "path"));
  if (budget.standing == Standing::revoked) throw_damaged("a revoked budget changes");
  budget.standing = standing;
  budget.standing_why = standing == Standing::active ? "" : text(body, "why");
  put(budget);
}

void Book::review(const Json& body) {
  Budget budget = need_budget(text(body, "path"));
  budget.terms.review = time_from_text(text(body, "until"));
  put(budget);
}

void Book::declare_version(const Json& body, Time at) {
  Dataset dataset = need_dataset(text(body, "dataset"));
  const bool fresh = body.at("fresh").get<bool>();
  if (fresh) {
    for (Budget budget : budgets(dataset.name)) {
      if (budget.path == dataset.name) dataset.versions.back().closed = budget.lifetime;
      budget.spent = budget.corrected = budget.lifetime = accounting::nothing_spent(budget.terms.rule);
      budget.period = period_label(budget.terms.renews, at);
      budget.periods = 1;
      ++budget.epoch;
      put(budget);
    }
  }
  dataset.versions.push_back({text(body, "label"), text(body, "source"), at, fresh, std::nullopt});
  dataset.changed_source.reset();
  put(dataset);
}

void Book::note_source(const Json& body) {
  Dataset dataset = need_dataset(text(body, "dataset"));
  if (Version& now = dataset.versions.back(); now.source.empty()) {
    now.source = text(body, "seen");
    now.noted = true;
  } else {
    dataset.changed_source = text(body, "seen");
  }
  put(dataset);
}

void Book::begin_period(const Json& body) {
  Budget budget = need_budget(text(body, "path"));
  const std::string label = text(body, "label");
  if (label <= budget.period) throw_damaged("a period begins twice");
  next_period(budget, label);
  put(budget);
}

Payer Book::charge(const std::string& path, const Spent& cost, bool correction) {
  Budget budget = need_budget(path);
  budget.spent = plus(budget.spent, cost);
  budget.lifetime = plus(budget.lifetime, cost);
  if (correction) budget.corrected = plus(budget.corrected, cost);
  ++budget.charges;
  put(budget);
  return {path, budget.epoch, budget.periods, correction};
}

void Book::take_back(const Payer& payer, const Spent& cost) {
  Budget budget = need_budget(payer.budget);
  --budget.charges;
  if (budget.epoch == payer.epoch) {  // otherwise its sums were closed with their version
    if (budget.periods == payer.period) {
      budget.spent = minus(budget.spent, cost);
      if (payer.correction) budget.corrected = minus(budget.corrected, cost);
    }
    budget.lifetime = minus(budget.lifetime, cost);
  }
  put(budget);
}

void Book::reserve(const Json& body, Time at) {
  Release release;
  release.id = text(body, "release");
  if (this->release(release.id)) throw_damaged("a release is made twice");
  release.budget = text(body, "budget");
  release.dataset = dataset_of(release.budget);
  release.version = text(body, "version");
  release.key = Digest::from_hex(text(body, "key"));
  release.draw = body.at("draw").get<std::uint64_t>();
  if (const auto last = last_draw(release.key); (last ? last->draw : 0) + 1 != release.draw) {
    throw_damaged("a draw does not follow the one before");
  }
  release.statistic = text(body, "statistic");
  release.title = text(body, "title");
  release.by = text(body, "by");
  release.price = price_from(body);
  release.cost = spent_from(body.at("cost"));
  release.pricing = text(body, "pricing");
  if (const auto found = body.find("correction"); found != body.end()) {
    release.correction = {text(*found, "release"), text(*found, "defect")};
  }
  release.owner = owner_from(body.at("owner"));
  release.reserved = at;
  for (const std::string& path : lineage(release.budget)) {
    release.payers.push_back(charge(path, release.cost, release.correction.has_value()));
  }
  put(release);
}

Release Book::step(const Json& body, State from, State to) {
  Release release = need_release(text(body, "release"));
  if (release.state != from) throw_damaged("a release takes a step that its state does not allow");
  release.state = to;
  return release;
}

void Book::open(const Json& body, Time at) {
  Release release = step(body, State::reserved, State::opened);
  release.opened = at;
  put(release);
}

void Book::commit(const Json& body, Time at) {
  Release release = step(body, State::opened, State::committed);
  release.ended = at;
  release.answer = Digest::from_hex(text(body, "answer"));
  release.answer_in_file = body.at("in_file").get<bool>();
  put(release);
}

void Book::give_back(const Json& body, Time at) {
  Release release = step(body, State::reserved, State::voided);
  release.ended = at;
  release.ended_why = text(body, "why");
  for (const Payer& payer : release.payers) take_back(payer, release.cost);
  put(release);
}

void Book::lose(const Json& body, Time at) {
  Release release = step(body, State::opened, State::lost);
  release.ended = at;
  release.ended_why = text(body, "why");
  put(release);
}

void Book::share(const Json& body) {
  Release release = need_release(text(body, "release"));
  if (release.state != State::committed) throw_damaged("an answer is shared that there is not");
  const bool correction = value_or(body, "correction", false);
  for (const Json& path : body.at("payers")) {
    release.payers.push_back(charge(path.get<std::string>(), release.cost, correction));
  }
  put(release);
}

void Book::reprice(const Json& body) {
  for (const Json& item : body.at("releases")) {
    Release release = need_release(text(item, "release"));
    const Spent before = release.cost;
    release.cost = larger(before, spent_from(item.at("cost")));  // nothing is given back
    if (!release.cost_before) release.cost_before = before;
    release.pricing = text(body, "pricing");
    const Spent more = minus(release.cost, before);
    for (const Payer& payer : release.payers) {
      Budget budget = need_budget(payer.budget);
      if (budget.epoch != payer.epoch) {
        if (payer.budget == release.dataset) {
          Dataset dataset = need_dataset(release.dataset);
          add_to_closed(dataset, payer.epoch, more);
          put(dataset);
        }
        continue;
      }
      require_exact(budget.lifetime, more);
      if (budget.periods == payer.period) {
        budget.spent = plus(budget.spent, more);
        if (payer.correction) budget.corrected = plus(budget.corrected, more);
      }
      budget.lifetime = plus(budget.lifetime, more);
      put(budget);
    }
    put(release);
  }
}

// What happened in the gap is not known: everything may be spent, in every period since the last record of the copy.
void Book::restore(const Json& body, Time at) {
  if (!body.at("gap").get<bool>()) return;
  constexpr Time kDay = 86400;  // no period is shorter
  const Time since = body.contains("since") ? time_from_text(text(body, "since")) : last_time();
  for (Budget budget : budgets()) {
    spend_all(budget);
    for (Time time = since;; time = std::min(time + kDay, at)) {
      if (const std::string label = period_label(budget.terms.renews, time); label > budget.period) {
        next_period(budget, label);
        spend_all(budget);
      }
      if (time >= at) break;
    }
    put(budget);
  }
}

}  // namespace dither::ledger::detail
