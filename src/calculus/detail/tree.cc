#include "calculus/detail/tree.h"

#include <algorithm>
#include <atomic>
#include <span>

#include "base/error.h"

// Proof. Fix neighbours x, y at the root, `protect` apart, and an analyst. The promise of a rule holds when, along every
// path of answers, the losses of the questions for this pair, each given the past, keep the sums of the rule within
// its limits (filter_rule.cc: the proofs look at one pair, whose divergences, squares and deltas are known before the answer).
// So it is enough that every number that the root was charged is at least what the pair's questions cost in sum.
//
// Derived.   T(x) and T(y) are map(d) apart, and that is where the question was priced.
// Parts.     x and y are D apart in the sum of the parts: part i moves by some d_i, sum d_i <= D, which the pair fixes
//            once for all questions. Questions to part i cost the pair at most what they were priced at d_i, so that
//            all together cost at most the sum over i of spent[i][d_i], number by number, whatever the order in which
//            parts were asked. The group charges its parent the largest such sum over all ways to share D, as a
//            running maximum that only ever grows. At D = 1 this is the maximum; at D = 2, a row that was replaced,
//            the two largest at 1 or the largest at 2. It holds for sums of squares and deltas as for epsilons, because each
//            is a sum over the pair's questions. The sums are numbers of the pair at the level asked for, so a parent that is
//            itself a part gets one price for each of its own levels.
// Joined.    When only one root's data moves, only the views below it move; each is priced at its own distance.
//            When one budget stands behind several views, they move one after the other: pure losses add (triangle), others
//            do not, and are refused.
// Holders.   A limit is one more filter on the way. A holder that pays was bought as a whole by its promise, which is an
//            interactive mechanism: concurrent where that is proven (accounting::require_concurrent), otherwise closed by
//            whatever the same budget pays for next.

namespace dither::calculus::detail {

namespace {

// New values of everything that a request would change.
struct Plan {
  std::map<Group*, std::vector<std::vector<Spent>>> groups;
  std::map<Node*, std::variant<accounting::FilterState, OdometerState>> states;
  std::vector<Charged> charged;
};

accounting::FilterState added(const accounting::FilterState& state, const Spent& more) { return with(state, more); }
OdometerState added(const OdometerState& state, const Spent& more) {
  OdometerState after{state.odometer, plus(state.spent, more), state.rho_of_one};
  if (const auto* pure = std::get_if<accounting::PureOdometer>(&state.odometer)) {
    after.odometer = charged(*pure, accounting::PureCharge{more.losses[0]});
    return after;
  }
  const Rational one = more.losses.empty() ? more.squares.value() : more.losses[0].value();
  const auto rho = accounting::LossAmount::up(one * state.rho_of_one);
  after.odometer = charged(std::get<accounting::Odometer>(state.odometer), accounting::ZcdpCharge{rho, more.delta});
  return after;
}

void add(Node& node, const std::vector<Spent>& prices, Plan& plan);

void add(Node&, const Derived& derived, const std::vector<Spent>& prices, Plan& plan) {
  add(*derived.parent, prices, plan);
}

void add(Node&, const Joined& joined, const std::vector<Spent>& prices, Plan& plan) {
  auto from = prices.begin();
  for (const std::shared_ptr<Node>& parent : joined.parents) {
    const auto to = from + static_cast<std::ptrdiff_t>(parent->levels.size());
    add(*parent, {from, to}, plan);
    from = to;
  }
}

void add(Node& node, const Part& part, const std::vector<Spent>& prices, Plan& plan) {
  Group& group = *part.group;
  auto& spent = plan.groups.try_emplace(&group, group.spent).first->second;
  const Spent nothing = node.meter->nothing();
  std::vector<Spent> before;
  for (const std::uint64_t total : group.totals) before.push_back(worst_share(spent, total, nothing));
  for (std::size_t i = 0; i < prices.size(); ++i) spent[part.index][i] = plus(spent[part.index][i], prices[i]);
  std::vector<Spent> increases;
  for (std::size_t level = 0; level < group.totals.size(); ++level) {
    increases.push_back(minus(worst_share(spent, group.totals[level], nothing), before[level]));
  }
  add(*group.parent, increases, plan);
}

// What a question costs the neighbours at the root, from its prices at the levels of the node: the largest of them, and
// the sum where several views of one budget move one after the other.
Spent cost_at(const Node& node, std::span<const Spent> prices) {
  if (const auto* joined = std::get_if<Joined>(&node.kind)) {
    std::size_t trees = 0;
    for (const std::shared_ptr<Node>& parent : joined->parents) trees += parent->trees.size();
    Spent all = node.meter->nothing();
    for (const std::shared_ptr<Node>& parent : joined->parents) {
      const Spent one = cost_at(*parent, prices.first(parent->levels.size()));
      all = trees > node.trees.size() ? plus(all, one) : larger(all, one);
      prices = prices.subspan(parent->levels.size());
    }
    return all;
  }
  if (const auto* derived = std::get_if<Derived>(&node.kind)) return cost_at(*derived->parent, prices);
  const auto* holder = std::get_if<Holder>(&node.kind);
  if (holder != nullptr && !holder->budget.pays) return cost_at(*holder->parent, prices);
  Spent largest = node.meter->nothing();
  for (const Spent& price : prices) largest = larger(largest, price);
  return largest;
}

void add(Node& node, const Holder& holder, const std::vector<Spent>& prices, Plan& plan) {
  const Spent largest = cost_at(node, prices);
  auto& state = plan.states.try_emplace(&node, holder.budget.state).first->second;
  state = std::visit([&](const auto& now) { return decltype(holder.budget.state)(added(now, largest)); }, state);
  plan.charged.push_back({&node, largest});
  if (!holder.budget.pays) add(*holder.parent, prices, plan);
}

void add(Node& node, const std::vector<Spent>& prices, Plan& plan) {
  std::visit([&](const auto& kind) { add(node, kind, prices, plan); }, node.kind);
}

void carry_out(Plan& plan) {
  for (auto& [group, spent] : plan.groups) group->spent = std::move(spent);
  for (auto& [node, state] : plan.states) {
    Budget& budget = std::get<Holder>(node->kind).budget;
    budget.state = std::move(state);
    if (!budget.pays || budget.interleaving == Interleaving::concurrent) continue;
    for (const std::weak_ptr<Node>& older : budget.opened) {
      if (const std::shared_ptr<Node> open = older.lock()) close(*open);
    }
    budget.opened.clear();
  }
}

}  // namespace

void close(Node& node) { std::atomic_ref(node.frozen).store(true); }

std::vector<std::shared_ptr<Node>> parents(const Node& node) {
  if (const auto* derived = std::get_if<Derived>(&node.kind)) return {derived->parent};
  if (const auto* part = std::get_if<Part>(&node.kind)) return {part->group->parent};
  if (const auto* joined = std::get_if<Joined>(&node.kind)) return joined->parents;
  const auto& holder = std::get<Holder>(node.kind);
  return holder.parent ? std::vector{holder.parent} : std::vector<std::shared_ptr<Node>>{};
}

Holder& holder_of(Node& node) {
  if (auto* holder = std::get_if<Holder>(&node.kind)) return *holder;
  return holder_of(*parents(node).front());
}

std::vector<Node*> payers(Node& node) {
  if (const auto* holder = std::get_if<Holder>(&node.kind); holder != nullptr && holder->budget.pays) return {&node};
  std::vector<Node*> all;
  for (const std::shared_ptr<Node>& parent : parents(node)) {
    for (Node* payer : payers(*parent)) all.push_back(payer);
  }
  return all;
}

std::vector<std::unique_lock<std::mutex>> lock(const Node& node) {
  std::vector<std::unique_lock<std::mutex>> locks;
  for (const std::shared_ptr<Tree>& tree : node.trees) locks.emplace_back(tree->mutex);
  return locks;
}

namespace {

// A view is closed when anything above it is, also above the budget that pays for it.
void require_live(Node& node) {
  if (std::atomic_ref(node.frozen).load()) {
    throw Error{Code::frozen, "this view was closed: by its owner, or because another one was opened after it",
                "ask a view that is still open, or use a concurrent budget where one is proven"};
  }
  for (const std::shared_ptr<Node>& parent : parents(node)) require_live(*parent);
}

}  // namespace

std::vector<Charged> charge(Node& node, const std::vector<Spent>& prices) {
  require_live(node);
  Plan plan;
  add(node, prices, plan);
  carry_out(plan);
  return plan.charged;
}

}  // namespace dither::calculus::detail
