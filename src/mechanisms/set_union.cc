#include "mechanisms/set_union.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <set>
#include <string>

#include "base/bounding_hash.h"
#include "mechanisms/partition_selection.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

void require_votes(const TableDomain& domain, const Metric& from, std::uint64_t cutoff) {
  if (domain.columns.size() < 2) {
    throw Error{Code::missing_key, "votes need a column for the unit and one for the key",
                "put the unit first and the key second"};
  }
  const auto counts = {MetricKind::units_added, MetricKind::units_replaced, MetricKind::units_changed};
  if (std::none_of(counts.begin(), counts.end(), [&](MetricKind kind) { return from == Metric{kind}; })) {
    throw Error{Code::mixed_neighbours,
                fmt::format("votes are one for each unit, but distances are {}", metric_name(from)),
                "count distances in units-added, units-replaced or units-changed"};
  }
  if (cutoff < 1 || cutoff > std::uint64_t{1} << 40) {
    throw Error{Code::bad_limit, fmt::format("the cutoff is {} votes, but lies in 1..2^40", cutoff),
                "give the number of votes that shows a key for sure"};
  }
}

bool is_nobody(const Cell& unit) {
  const auto* real = std::get_if<double>(&unit);
  return std::holds_alternative<std::monostate>(unit) || (real != nullptr && std::isnan(*real));
}

struct Digested {
  std::uint64_t digest;
  std::string bytes;
  auto operator<=>(const Digested&) const = default;
};

// The units in their order, with the keys they hold.
std::map<Digested, std::set<Digested>> units_of(const Table& table) {
  std::map<Digested, std::set<Digested>> units;
  for (const Row& row : table) {
    if (row.size() < 2 || is_nobody(row[0])) continue;
    const Digested unit{unit_digest(row[0]), canonical(row[0])};
    std::string key = canonical(row[1]);
    const std::uint64_t order = bounding_hash(unit.digest, bytes_digest(key));
    units[unit].insert({order, std::move(key)});
  }
  return units;
}

Keyed votes_of(const Table& table, Int128 cutoff) {
  std::map<std::string, Int128> votes;
  for (const auto& [unit, keys] : units_of(table)) {
    const auto open = [&](const Digested& key) {
      const auto found = votes.find(key.bytes);
      return found == votes.end() || found->second < cutoff;
    };
    const auto first = std::find_if(keys.begin(), keys.end(), open);
    if (first != keys.end()) ++votes[first->bytes];
  }
  Keyed result;
  for (const auto& [key, number] : votes) {
    result.keys.push_back(key);
    result.values.push_back(number);
  }
  return result;
}

}  // namespace

AnyTransformation make_greedy_votes(const TableDomain& domain, const Metric& from, std::uint64_t cutoff) {
  require_votes(domain, from, cutoff);
  const bool replaced = from.kind != MetricKind::units_added;
  const auto most = static_cast<Int128>(cutoff);
  return AnyTransformation({
      .recipe = {"greedy-votes", {{"cutoff", Rational(most)}}},
      .input = domain,
      .output = KeyedDomain{},
      .from = from,
      .to = {MetricKind::cells},
      .map = [replaced](const Distance& distance) -> Distance {
        const Rational d = number(distance);
        const Rational sides = replaced ? 2 : 1;  // votes taken away, and votes given
        return CellsDistance{sides * d, sides * d, sides * d * d, d};
      },
      .function = [most](const Data& data) -> Data { return votes_of(as<Table>(data), most); },
  });
}

AnyMeasurement make_set_union(const TableDomain& domain, const Metric& from, const Rational& epsilon,
                              const Rational& delta) {
  const std::uint64_t cutoff = selection_probabilities(epsilon, delta).size() - 1;
  return chain(make_greedy_votes(domain, from, cutoff),
               make_partition_selection(KeyedDomain{}, epsilon, delta, 1).any());
}

}  // namespace dither::mechanisms
