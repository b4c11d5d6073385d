// The tree behind queryables: who is charged what.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "calculus/detail/spending.h"
#include "calculus/queryable.h"

namespace dither::calculus::detail {

// Data that is made when it is first needed, once.
class Lazy {
 public:
  explicit Lazy(std::function<Private()> make) : make_(std::move(make)) {}
  const Private& get() {
    std::call_once(once_, [this] { data_.emplace(make_()); });
    return *data_;
  }

 private:
  std::once_flag once_;
  std::function<Private()> make_;
  std::optional<Private> data_;
};

// What all nodes under one root share.
struct Tree {
  std::mutex mutex;  // over every budget, group and flag of the tree, and the log
  std::vector<AuditRecord> log;
};

// The sums of an odometer. What it adds up besides pure epsilons is rho: half of a square of epsilon or mu.
struct OdometerState {
  std::variant<accounting::PureOdometer, accounting::Odometer> odometer;
  Spent spent;
  Rational rho_of_one;
};

struct Node;

// Sums that are charged. A holder that pays ends the way; one that does not is a limit on the way to the one who pays.
struct Budget {
  std::variant<accounting::FilterState, OdometerState> state;
  bool pays;
  Interleaving interleaving;
  std::vector<std::weak_ptr<Node>> opened = {};  // bought from it and still open; kept alive by who asks
};

// The parts of a partition, by part and by number of steps: what each has spent.
struct Group {
  std::shared_ptr<Node> parent;
  std::vector<std::uint64_t> totals;      // steps that the parts share, for each level of the parent
  std::vector<std::vector<Spent>> spent;  // [part][steps - 1]
};

struct Derived {
  std::shared_ptr<Node> parent;
};
struct Part {
  std::shared_ptr<Group> group;
  std::size_t index;
};
struct Joined {
  std::vector<std::shared_ptr<Node>> parents;
};
struct Holder {
  std::shared_ptr<Node> parent;  // null at the root
  Budget budget;
};

struct Node {
  std::vector<std::shared_ptr<Tree>> trees;  // ascending: the order in which they are locked
  std::shared_ptr<const Meter> meter;        // of the budget that pays
  accounting::Neighbours relation;           // that events are priced for: the root's
  std::string who;
  Domain domain;
  Metric metric;
  std::vector<Distance> levels;  // the distances here at which a question must be priced, for those above to charge
  std::shared_ptr<Lazy> data;
  std::variant<Derived, Part, Joined, Holder> kind;
  bool frozen = false;  // set by close()
};

// Nothing at or below the node is answered any more. Views of several trees are closed under the lock of any one of them.
void close(Node& node);

std::vector<std::shared_ptr<Node>> parents(const Node& node);

// The nearest holder at or above the node; for joined views the first one's.
Holder& holder_of(Node& node);
// Those who pay for what is asked here.
std::vector<Node*> payers(Node& node);

// Locks the trees of a node.
std::vector<std::unique_lock<std::mutex>> lock(const Node& node);

// Decides one request with prices for each level of the node; the trees are locked. Charges all budgets and groups on all
// ways up and says which, or changes nothing and refuses (frozen, over-budget).
struct Charged {
  Node* holder;
  Spent charge;
};
std::vector<Charged> charge(Node& node, const std::vector<Spent>& prices);

}  // namespace dither::calculus::detail
