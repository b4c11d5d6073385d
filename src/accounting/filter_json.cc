#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "accounting/filter.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

template <int places>
Json json(Amount<places> amount) {
  return amount.str();
}

template <int places>
Json json(const std::vector<Amount<places>>& amounts) {
  Json list = Json::array();
  for (const Amount<places> amount : amounts) list.push_back(amount.str());
  return list;
}

Json json(const std::vector<Rational>& numbers) {
  Json list = Json::array();
  for (const Rational& number : numbers) list.push_back(number.str());
  return list;
}

template <int places>
void read(const Json& from, Amount<places>& amount) {
  amount = Amount<places>::parse(from.get<std::string>());
}

template <int places>
void read(const Json& from, std::vector<Amount<places>>& amounts) {
  for (const Json& item : from) amounts.push_back(Amount<places>::parse(item.get<std::string>()));
}

void read(const Json& from, std::vector<Rational>& numbers) {
  for (const Json& item : from) numbers.push_back(Rational::parse(item.get<std::string>()));
}

// The members of every kind of object, by name and in order; `visit` is a writer or a reader of one member.
template <typename Visit>
void members(PureRule& r, Visit visit) {
  visit("epsilon", r.epsilon);
}
template <typename Visit>
void members(BasicRule& r, Visit visit) {
  visit("epsilon", r.epsilon), visit("delta", r.delta);
}
template <typename Visit>
void members(AdvancedRule& r, Visit visit) {
  visit("epsilon", r.epsilon), visit("slack", r.slack), visit("delta", r.delta);
}
template <typename Visit>
void members(ZcdpRule& r, Visit visit) {
  visit("rho", r.rho), visit("delta", r.delta);
}
template <typename Visit>
void members(RenyiAllRule& r, Visit visit) {
  visit("orders", r.orders), visit("limits", r.limits), visit("delta", r.delta);
}
template <typename Visit>
void members(RenyiAnyRule& r, Visit visit) {
  visit("orders", r.orders), visit("limits", r.limits), visit("delta", r.delta);
}
template <typename Visit>
void members(GdpRule& r, Visit visit) {
  visit("mu_squared", r.mu_squared);
}
template <typename Visit>
void members(PureCharge& c, Visit visit) {
  visit("epsilon", c.epsilon);
}
template <typename Visit>
void members(ApproximateCharge& c, Visit visit) {
  visit("epsilon", c.epsilon), visit("delta", c.delta);
}
template <typename Visit>
void members(ZcdpCharge& c, Visit visit) {
  visit("rho", c.rho), visit("delta", c.delta);
}
template <typename Visit>
void members(RenyiCharge& c, Visit visit) {
  visit("divergences", c.divergences), visit("delta", c.delta);
}
template <typename Visit>
void members(GdpCharge& c, Visit visit) {
  visit("mu_squared", c.mu_squared);
}
template <typename Visit>
void members(Spent& s, Visit visit) {
  visit("losses", s.losses), visit("squares", s.squares), visit("delta", s.delta);
}

template <typename Object>
Json write(const char* kind_key, std::string_view kind, Object object) {
  Json out;
  if (kind_key != nullptr) out[kind_key] = kind;
  members(object, [&](const char* key, const auto& member) { out[key] = json(member); });
  return out;
}

template <typename Object>
Object read_object(const Json& from) {
  Object object;
  members(object, [&](const char* key, auto& member) { read(from.at(key), member); });
  return object;
}

constexpr std::array<std::string_view, 5> kChargeKinds{"pure", "approximate", "zcdp", "renyi", "gdp"};

FilterRule read_rule(const Json& from) {
  const auto kind = from.at("rule").get<std::string>();
  const auto is = [&](const FilterRule& rule) { return kind == rule_name(rule); };
  if (is(PureRule{})) return read_object<PureRule>(from);
  if (is(BasicRule{})) return read_object<BasicRule>(from);
  if (is(AdvancedRule{})) return read_object<AdvancedRule>(from);
  if (is(ZcdpRule{})) return read_object<ZcdpRule>(from);
  if (is(RenyiAllRule{})) return read_object<RenyiAllRule>(from);
  if (is(RenyiAnyRule{})) return read_object<RenyiAnyRule>(from);
  if (is(GdpRule{})) return read_object<GdpRule>(from);
  throw Error{Code::bad_syntax, fmt::format("there is no filter rule \"{}\"", kind), "restore the stored text"};
}

Charge read_charge(const Json& from) {
  const auto kind = from.at("charge").get<std::string>();
  if (kind == kChargeKinds[0]) return read_object<PureCharge>(from);
  if (kind == kChargeKinds[1]) return read_object<ApproximateCharge>(from);
  if (kind == kChargeKinds[2]) return read_object<ZcdpCharge>(from);
  if (kind == kChargeKinds[3]) return read_object<RenyiCharge>(from);
  if (kind == kChargeKinds[4]) return read_object<GdpCharge>(from);
  throw Error{Code::bad_syntax, fmt::format("there is no charge \"{}\"", kind), "restore the stored text"};
}

// Reads what `parse` makes of the text, provided that writing it gives the same text again. That one comparison refuses
// duplicate and unknown keys, other versions, spaces and numbers written in another way.
template <typename Parse>
auto read_canonical(std::string_view text, const char* what, Parse parse) {
  try {
    auto value = parse(Json::parse(text));
    if (canonical_json(value) == text) return value;
  } catch (const Json::exception&) {  // not JSON, a key missing or of another type: the same answer as below
  }
  throw Error{Code::bad_syntax, fmt::format("the text of a {} is not in its canonical form", what),
              "restore the text as it was written"};
}

Json write_rule(const FilterRule& rule) {
  return std::visit([&](const auto& r) { return write("rule", rule_name(rule), r); }, rule);
}

}  // namespace

std::string canonical_json(const FilterRule& rule) { return write_rule(rule).dump(); }

FilterRule rule_from_json(std::string_view text) {
  FilterRule rule = read_canonical(text, "filter rule", read_rule);
  require_valid(rule);
  return rule;
}

std::string canonical_json(const Spent& spent) { return write(nullptr, "", spent).dump(); }

Spent spent_from_json(std::string_view text) { return read_canonical(text, "sum of charges", read_object<Spent>); }

std::string canonical_json(const FilterState& state) {
  Json out;
  out["version"] = kVersion;
  out["filter"] = write_rule(state.rule());
  out["spent"] = write(nullptr, "", state.spent());
  return out.dump();
}

FilterState filter_from_json(std::string_view text) {
  return read_canonical(text, "filter", [](const Json& json) {
    return FilterState(read_rule(json.at("filter")), read_object<Spent>(json.at("spent")));
  });
}

std::string canonical_json(const Charge& charge) {
  return std::visit([&](const auto& c) { return write("charge", kChargeKinds[charge.index()], c); }, charge).dump();
}

Charge charge_from_json(std::string_view text) { return read_canonical(text, "charge", read_charge); }

}  // namespace dither::accounting
