#include "ledger/detail/json.h"

#include <fmt/format.h>

#include "accounting/filter.h"
#include "base/error.h"

namespace dither::ledger::detail {
namespace {

using accounting::FilterRule;
using accounting::Spent;

template <class E, std::size_t n>
E from_name(const Json& json, std::string_view (*name)(E), const std::array<E, n>& all) {
  const auto text = json.get<std::string>();
  for (const E value : all) {
    if (name(value) == text) return value;
  }
  throw_damaged("a word of a table entry is not known");
}

constexpr std::array kKinds = {BudgetKind::dataset, BudgetKind::project, BudgetKind::analyst, BudgetKind::purpose};
constexpr std::array kStandings = {Standing::active, Standing::frozen, Standing::revoked};
constexpr std::array kStates = {State::reserved, State::opened, State::committed, State::voided, State::lost};

std::optional<Time> optional_time(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) return std::nullopt;
  return time_from_text(found->get<std::string>());
}

std::optional<Spent> optional_spent(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) return std::nullopt;
  return spent_from(*found);
}

// A line of JSON, member by member. A part that has a text of its own is taken as it is: to read it only to write it
// again would be most of the work.
class Line {
 public:
  template <class T>
  Line& add(const char* key, const T& value) {
    return add_text(key, Json(value).dump());
  }
  Line& add_text(const char* key, std::string_view text) {
    line_ += fmt::format("{}\"{}\":{}", line_.empty() ? '{' : ',', key, text);
    return *this;
  }
  std::string str() const { return line_ + '}'; }

 private:
  std::string line_;
};

std::string events_text(const std::vector<accounting::Event>& events) {
  std::string list = "[";
  for (const accounting::Event& event : events) {
    if (list.size() > 1) list += ',';
    list += canonical_json(event);
  }
  return list + ']';
}

void add(Line& line, const BudgetTerms& terms) {
  line.add_text("rule", canonical_json(terms.rule));
  if (terms.reserve) line.add_text("reserve", canonical_json(*terms.reserve));
  if (terms.renews != Period::none) line.add("renews", period_name(terms.renews));
  if (terms.expires) line.add("expires", time_text(*terms.expires));
  if (terms.review) line.add("review", time_text(*terms.review));
  if (!terms.purpose.empty()) line.add("purpose", terms.purpose);
  if (!terms.allows.empty()) line.add("allows", terms.allows);
}

void add(Line& line, const Price& price) {
  line.add_text("events", events_text(price.events));
  if (price.cells.empty()) return;
  std::string cells;
  for (const auto& events : price.cells) cells += (cells.empty() ? "[" : ",") + events_text(events);
  line.add_text("cells", cells + ']');
}

std::vector<accounting::Event> events_from(const Json& json) {
  std::vector<accounting::Event> events;
  for (const Json& event : json) events.push_back(accounting::event_from_json(event.dump()));
  return events;
}

Json version_json(const Version& version) {
  Json json = {{"label", version.label},
               {"source", version.source},
               {"since", time_text(version.since)},
               {"fresh", version.fresh}};
  if (version.closed) json["closed"] = spent_json(*version.closed);
  if (version.noted) json["noted"] = true;
  return json;
}

Version version_from(const Json& json) {
  return {json.at("label").get<std::string>(),
          json.at("source").get<std::string>(),
          time_from_text(json.at("since").get<std::string>()),
          json.at("fresh").get<bool>(),
          optional_spent(json, "closed"),
          json.value("noted", false)};
}

}  // namespace

void throw_damaged(std::string_view what) {
  throw Error{Code::ledger_damaged, fmt::format("the ledger was changed outside Dither: {}", what),
              "nothing was changed now; `dither budget verify` names the record"};
}

bool is_too_deep(std::string_view text) {
  constexpr int kDeepest = 100;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') ++i;
    if (quoted) continue;
    depth += (c == '[' || c == '{' ? 1 : 0) - (c == ']' || c == '}' ? 1 : 0);
    if (depth > kDeepest) return true;
  }
  return false;
}

Json parse(std::string_view text) {
  if (is_too_deep(text)) throw_damaged("a record or table entry is not what was written");
  return reading([&] { return Json::parse(text); });
}

Json rule_json(const FilterRule& rule) { return Json::parse(canonical_json(rule)); }
FilterRule rule_from(const Json& json) { return accounting::rule_from_json(json.dump()); }
Json spent_json(const Spent& spent) { return Json::parse(canonical_json(spent)); }
Spent spent_from(const Json& json) { return accounting::spent_from_json(json.dump()); }

void add_terms(Json& json, const BudgetTerms& terms) {
  Line line;
  add(line, terms);
  json.update(Json::parse(line.str()));
}

BudgetTerms terms_from(const Json& json) {
  BudgetTerms terms;
  terms.rule = rule_from(json.at("rule"));
  if (json.contains("reserve")) terms.reserve = rule_from(json.at("reserve"));
  terms.renews = period_from(value_or<std::string>(json, "renews", "none"));
  terms.expires = optional_time(json, "expires");
  terms.review = optional_time(json, "review");
  terms.purpose = value_or<std::string>(json, "purpose", "");
  terms.allows = value_or<std::vector<std::string>>(json, "allows", {});
  return terms;
}

void add_price(Json& json, const Price& price) {
  Line line;
  add(line, price);
  json.update(Json::parse(line.str()));
}

Price price_from(const Json& json) {
  Price price{events_from(json.at("events")), {}};
  if (!json.contains("cells")) return price;
  for (const Json& events : json.at("cells")) price.cells.push_back(events_from(events));
  return price;
}

Json owner_json(const Owner& owner) { return Json::parse(owner_text(owner)); }
Owner owner_from(const Json& json) { return owner_from_text(json.dump()); }

std::string to_text(const Budget& budget) {
  Line line;
  line.add("path", budget.path).add("kind", budget_kind_name(budget.kind));
  add(line, budget.terms);
  line.add("standing", standing_name(budget.standing));
  if (!budget.standing_why.empty()) line.add("standing_why", budget.standing_why);
  line.add_text("spent", canonical_json(budget.spent));
  line.add_text("corrected", canonical_json(budget.corrected));
  line.add_text("lifetime", canonical_json(budget.lifetime));
  line.add("period", budget.period).add("periods", budget.periods);
  line.add("epoch", budget.epoch).add("charges", budget.charges);
  return line.str();
}

Budget budget_from(std::string_view text) {
  return reading([&] {
    const Json json = parse(text);
    Budget budget;
    budget.path = json.at("path").get<std::string>();
    budget.kind = from_name(json.at("kind"), budget_kind_name, kKinds);
    budget.terms = terms_from(json);
    budget.standing = from_name(json.at("standing"), standing_name, kStandings);
    budget.standing_why = value_or<std::string>(json, "standing_why", "");
    budget.spent = spent_from(json.at("spent"));
    budget.corrected = spent_from(json.at("corrected"));
    budget.lifetime = spent_from(json.at("lifetime"));
    budget.period = json.at("period").get<std::string>();
    budget.periods = json.at("periods").get<std::uint64_t>();
    budget.epoch = json.at("epoch").get<std::uint64_t>();
    budget.charges = json.at("charges").get<std::uint64_t>();
    return budget;
  });
}

std::string to_text(const Dataset& dataset) {
  Json json = {{"name", dataset.name},
               {"unit", dataset.unit.name},
               {"unit_has_period", dataset.unit_has_period},
               {"neighbours", neighbours_name(dataset.neighbours)},
               {"needs_purpose", dataset.needs_purpose},
               {"versions", Json::array()}};
  for (const Version& version : dataset.versions) json["versions"].push_back(version_json(version));
  if (dataset.changed_source) json["changed_source"] = *dataset.changed_source;
  return json.dump();
}

Dataset dataset_from(std::string_view text) {
  return reading([&] {
    const Json json = parse(text);
    Dataset dataset;
    dataset.name = json.at("name").get<std::string>();
    dataset.unit.name = json.at("unit").get<std::string>();
    dataset.unit_has_period = json.at("unit_has_period").get<bool>();
    dataset.neighbours = accounting::neighbours_from(json.at("neighbours").get<std::string>());
    dataset.needs_purpose = json.at("needs_purpose").get<bool>();
    for (const Json& version : json.at("versions")) dataset.versions.push_back(version_from(version));
    if (const auto found = json.find("changed_source"); found != json.end()) {
      dataset.changed_source = found->get<std::string>();
    }
    if (dataset.versions.empty()) throw_damaged("a data set has no version");
    return dataset;
  });
}

std::string to_text(const Release& release) {
  Line line;
  line.add("id", release.id).add("state", state_name(release.state));
  line.add("budget", release.budget).add("dataset", release.dataset).add("version", release.version);
  line.add("key", release.key.hex()).add("draw", release.draw);
  line.add("statistic", release.statistic).add("title", release.title).add("by", release.by);
  add(line, release.price);
  line.add_text("cost", canonical_json(release.cost));
  if (release.cost_before) line.add_text("cost_before", canonical_json(*release.cost_before));
  line.add("pricing", release.pricing);
  Json payers = Json::array();
  for (const Payer& payer : release.payers) {
    payers.push_back({{"budget", payer.budget}, {"epoch", payer.epoch}, {"period", payer.period}});
    if (payer.correction) payers.back()["correction"] = true;
  }
  line.add("payers", payers);
  if (release.correction) {
    line.add("correction", Json{{"release", release.correction->release}, {"defect", release.correction->defect}});
  }
  line.add_text("owner", owner_text(release.owner));
  line.add("reserved", time_text(release.reserved));
  if (release.opened) line.add("opened", time_text(*release.opened));
  if (release.ended) line.add("ended", time_text(*release.ended));
  if (!release.ended_why.empty()) line.add("ended_why", release.ended_why);
  if (release.answer) line.add("answer", release.answer->hex());
  if (release.answer_in_file) line.add("answer_in_file", true);
  return line.str();
}

Release release_from(std::string_view text) {
  return reading([&] {
    const Json json = parse(text);
    Release release;
    release.id = json.at("id").get<std::string>();
    release.state = from_name(json.at("state"), state_name, kStates);
    release.budget = json.at("budget").get<std::string>();
    release.dataset = json.at("dataset").get<std::string>();
    release.version = json.at("version").get<std::string>();
    release.key = Digest::from_hex(json.at("key").get<std::string>());
    release.draw = json.at("draw").get<std::uint64_t>();
    release.statistic = json.at("statistic").get<std::string>();
    release.title = json.at("title").get<std::string>();
    release.by = json.at("by").get<std::string>();
    release.price = price_from(json);
    release.cost = spent_from(json.at("cost"));
    release.cost_before = optional_spent(json, "cost_before");
    release.pricing = json.at("pricing").get<std::string>();
    for (const Json& payer : json.at("payers")) {
      release.payers.push_back({payer.at("budget").get<std::string>(), payer.at("epoch").get<std::uint64_t>(),
                                payer.at("period").get<std::uint64_t>(), value_or(payer, "correction", false)});
    }
    if (const auto found = json.find("correction"); found != json.end()) {
      release.correction = {found->at("release").get<std::string>(), found->at("defect").get<std::string>()};
    }
    release.owner = owner_from(json.at("owner"));
    release.reserved = time_from_text(json.at("reserved").get<std::string>());
    release.opened = optional_time(json, "opened");
    release.ended = optional_time(json, "ended");
    release.ended_why = value_or<std::string>(json, "ended_why", "");
    if (const auto found = json.find("answer"); found != json.end()) {
      release.answer = Digest::from_hex(found->get<std::string>());
    }
    release.answer_in_file = value_or(json, "answer_in_file", false);
    return release;
  });
}

}  // namespace dither::ledger::detail
