// What questions add to the sums of a filter: numbers that add, compare and subtract one by one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "accounting/charge.h"

namespace dither::calculus::detail {

using accounting::Spent;

// Prices releases in the sums of one rule, whatever its limits.
class Meter {
 public:
  explicit Meter(accounting::FilterRule rule);

  // What these releases add; no-theorem where accounting refuses them under this rule.
  Spent price(const std::vector<accounting::Event>& events, accounting::Neighbours neighbours) const;
  Spent nothing() const { return accounting::nothing_spent(rule_); }

  const accounting::FilterRule& rule() const { return rule_; }

 private:
  accounting::FilterRule rule_;
};

// cells[i][k - 1] is what cell i spent for neighbours k steps apart. The worst way to share `steps` steps among the cells,
// number by number.
Spent worst_share(std::span<const std::vector<Spent>> cells, std::uint64_t steps, const Spent& nothing);

// The state with this added, or over-budget.
accounting::FilterState with(const accounting::FilterState& state, const Spent& more);

// A rule bought as a whole: what its promise is as one release. no-theorem for renyi-any, which promises no curve.
accounting::Event promise(const accounting::FilterRule& rule);

// "0.3", "rho 0.02, delta 1e-6 ..." for logs: the numbers of the sums in their exact spelling.
std::string spelled(const Spent& spent);

}  // namespace dither::calculus::detail
