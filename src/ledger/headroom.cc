#include "ledger/headroom.h"

#include <algorithm>

#include "accounting/filter.h"

namespace dither::ledger {

using accounting::FilterRule;
using accounting::Spent;

namespace {

// The smallest of what each headroom admits; none as soon as one admits no such statement at all.
template <class Largest>
std::optional<FilterValue> smallest(std::span<const Headroom> rooms, const Largest& largest) {
  std::optional<FilterValue> found;
  for (const Headroom& room : rooms) {
    const std::optional<FilterValue> value = largest(room);
    if (!value) return {};
    if (!found || value->epsilon < found->epsilon) found = value;
  }
  return found;
}

}  // namespace

bool review_is_overdue(const Budget& budget, Time now) { return budget.terms.review && now > *budget.terms.review; }

Budget as_of(Budget budget, Time now) {
  const std::string label = period_label(budget.terms.renews, now);
  if (label <= budget.period || review_is_overdue(budget, now)) return budget;
  budget.spent = budget.corrected = accounting::nothing_spent(budget.terms.rule);
  budget.period = label;
  ++budget.periods;
  return budget;
}

std::vector<Headroom> headrooms(std::span<const Budget> line) {
  std::vector<Headroom> rooms;
  for (const Budget& budget : line) {
    rooms.push_back({budget.terms.rule, budget.spent});
    if (!budget.terms.reserve) continue;
    rooms.push_back({accounting::minus_limits(budget.terms.rule, *budget.terms.reserve),
                     accounting::minus(budget.spent, budget.corrected)});
  }
  return rooms;
}

std::optional<FilterValue> largest_laplace(std::span<const Headroom> rooms) {
  return smallest(rooms, [](const Headroom& room) { return largest_laplace(room.rule, room.sums); });
}

std::optional<FilterValue> largest_gaussian(std::span<const Headroom> rooms, accounting::DeltaAmount delta) {
  return smallest(rooms, [&](const Headroom& room) { return largest_gaussian(room.rule, room.sums, delta); });
}

std::uint64_t how_many_fit(std::span<const Headroom> rooms, const Spent& price) {
  std::uint64_t most = kUnlimited;
  for (const Headroom& room : rooms) most = std::min(most, how_many_fit(room.rule, room.sums, price));
  return most;
}

// Steps of a day miss no period: none is shorter.
std::uint64_t periods_between(Period period, Time from, Time to) {
  constexpr Time kDay = 86'400;
  if (to <= from) return 0;
  std::string label = period_label(period, from);
  std::uint64_t count = 1;
  for (Time time = from; time < to - 1;) {
    time = std::min(time + kDay, to - 1);
    std::string next = period_label(period, time);
    if (next == label) continue;
    label = std::move(next);
    ++count;
  }
  return count;
}

std::optional<FilterRule> accumulated(const FilterRule& rule, std::uint64_t periods) {
  const bool adds_up = !std::holds_alternative<accounting::AdvancedRule>(rule) &&
                       !std::holds_alternative<accounting::RenyiAnyRule>(rule);
  if (!adds_up || periods == 0) return {};
  std::optional<FilterRule> total;
  FilterRule power = rule;  // the limits of 1, 2, 4 ... periods
  for (std::uint64_t rest = periods;; power = accounting::plus_limits(power, power)) {
    if (rest % 2 == 1) total = total ? accounting::plus_limits(*total, power) : power;
    rest /= 2;
    if (rest == 0) return total;
  }
}

}  // namespace dither::ledger
