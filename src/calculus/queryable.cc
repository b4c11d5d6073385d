#include "calculus/queryable.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/error.h"
#include "calculus/detail/access.h"
#include "calculus/detail/fit.h"
#include "calculus/detail/losses.h"
#include "calculus/detail/tree.h"

namespace dither::calculus {

using accounting::FilterRule;
using accounting::FilterState;
using detail::Budget;
using detail::Group;
using detail::Holder;
using detail::Lazy;
using detail::Meter;
using detail::Node;
using detail::OdometerState;
using detail::Spent;
using detail::Tree;

namespace {

constexpr std::uint64_t kMostSteps = 16;  // that the parts of a partition share

std::shared_ptr<Node> make_root(const Private& data, const Place& place, const FilterRule& counted, Budget budget) {
  require_domain(place.domain);
  require_distance(place.metric, place.protect);
  return std::make_shared<Node>(Node{
      .trees = {std::make_shared<Tree>()},
      .meter = std::make_shared<const Meter>(counted),
      .relation = detail::relation_of(place.metric),
      .who = "",
      .domain = place.domain,
      .metric = place.metric,
      .levels = {place.protect},
      .data = std::make_shared<Lazy>([data] { return data; }),
      .kind = Holder{nullptr, std::move(budget)},
  });
}

// A view with everything as at the parent but what is set afterwards.
Node below(const std::shared_ptr<Node>& parent) {
  Node node = {parent->trees,  parent->meter, parent->relation,       parent->who, parent->domain, parent->metric,
               parent->levels, parent->data,  detail::Derived{parent}};
  return node;
}

// Every tree hears of the request, and of the charges to its own holders.
void append(const Node& node, AuditRecord record, const std::vector<detail::Charged>& charges = {}) {
  for (const std::shared_ptr<Tree>& tree : node.trees) {
    record.charges.clear();
    for (const auto& [holder, charge] : charges) {
      const auto& trees = holder->trees;
      if (std::find(trees.begin(), trees.end(), tree) != trees.end()) record.charges.push_back({holder->who, charge});
    }
    tree->log.push_back(record);
  }
}

// Prices, decides and logs a request; `then` is done under the same lock when it was admitted.
void request(
    Node& node, std::string what, const std::function<std::vector<Spent>()>& price,
    const std::function<void()>& then = [] {}) {
  AuditRecord record{node.who, std::move(what), {}, "admitted"};
  try {
    const std::vector<Spent> prices = price();
    const auto locks = detail::lock(node);
    const std::vector<detail::Charged> charges = detail::charge(node, prices);
    then();
    append(node, record, charges);
  } catch (const Error& error) {
    const auto locks = detail::lock(node);
    record.verdict = code_name(error.code());
    append(node, record);
    throw;
  }
}

// What a question adds at each level of the node.
std::vector<Spent> prices(const Node& node, const AnyMeasurement& question) {
  detail::require_plain(question);
  detail::require_fit({"the queryable", node.metric, node.domain},
                      {question.recipe().name, question.from(), question.input()});
  std::vector<Spent> all;
  for (const Distance& d : node.levels) {
    const std::vector<accounting::Event> events = question.events(d);
    if (events.empty() && question.loss(d) != question.measure().zero()) {
      throw Error{Code::no_theorem, fmt::format("{} does not say by events what it costs", question.recipe().name),
                  "state the events of the measurement"};
    }
    all.push_back(node.meter->price(events, node.relation));
  }
  return all;
}

}  // namespace

Queryable Queryable::with_filter(const Private& data, const Place& place, const FilterRule& rule,
                                 Interleaving interleaving) {
  if (interleaving == Interleaving::concurrent) accounting::require_concurrent(rule);
  return Queryable(make_root(data, place, rule, {FilterState(rule), true, interleaving}));
}

Queryable Queryable::with_odometer(const Private& data, const Place& place, const accounting::PureOdometer& start) {
  const FilterRule counted = accounting::PureRule{};
  return Queryable(make_root(data, place, counted,
                             {OdometerState{start, Meter(counted).nothing(), 1}, true, Interleaving::sequential}));
}

Queryable Queryable::with_odometer(const Private& data, const Place& place, const accounting::Odometer& start,
                                   const Measure& counted) {
  FilterRule rule = accounting::ZcdpRule{};
  if (counted == Measure::approximate()) {
    rule = accounting::AdvancedRule{{}, accounting::DeltaAmount::up(Rational(1, 2)), {}};  // counts squares of epsilon
  } else if (counted == Measure::gaussian()) {
    rule = accounting::GdpRule{};
  } else if (counted != Measure::concentrated()) {
    throw Error{Code::unknown_measure, fmt::format("this odometer does not count {}", counted.name()),
                "count approximate, concentrated or gaussian, or start a PureOdometer"};
  }
  const Rational rho_of_one = counted == Measure::concentrated() ? Rational(1) : Rational(1, 2);
  return Queryable(make_root(
      data, place, rule, {OdometerState{start, Meter(rule).nothing(), rho_of_one}, true, Interleaving::sequential}));
}

Release<Data> Queryable::ask(const AnyMeasurement& question, random::Source& source) const {
  request(*node_, canonical_json(question.recipe()), [&] { return prices(*node_, question); });
  return question.release(node_->data->get(), source);
}

Queryable Queryable::derive(const AnyTransformation& step) const {
  detail::require_fit({"the queryable", node_->metric, node_->domain}, {step.recipe().name, step.from(), step.input()});
  Node node = below(node_);
  node.domain = step.output();
  node.metric = step.to();
  for (Distance& d : node.levels) d = step.map(d);
  node.data = std::make_shared<Lazy>([data = node_->data, step] { return step(data->get()); });
  return Queryable(std::make_shared<Node>(std::move(node)));
}

namespace {

// The steps that parts share, level by level.
std::vector<std::uint64_t> shared_steps(const std::vector<Distance>& levels, const AnyTransformation& step) {
  std::vector<std::uint64_t> totals;
  for (const Distance& d : levels) {
    const auto steps = detail::whole_steps(step.map(d));
    if (!steps || *steps > kMostSteps) {
      throw Error{Code::no_theorem,
                  fmt::format("parts that are {} steps apart together; at most {} are shared out", str(step.map(d)),
                              kMostSteps),
                  "bound what a unit contributes before the partition, or derive each part by itself"};
    }
    totals.push_back(*steps);
  }
  return totals;
}

const TablesDomain& parts_domain(const AnyTransformation& step) {
  const auto* tables = std::get_if<TablesDomain>(&step.output());
  if (tables != nullptr && step.to().kind == MetricKind::sum && neighbours_of({step.to().inner})) return *tables;
  throw Error{Code::mixed_metrics,
              fmt::format("{} gives {} in {}: no parts of a partition", step.recipe().name, describe(step.output()),
                          metric_name(step.to())),
              "split by a step into several tables, in the sum of a metric between tables"};
}

Private part_of(const Private& tables, std::size_t index) {
  return Private(as<Tables>(CombinatorAccess::look(tables)).at(index));
}

}  // namespace

std::vector<Queryable> Queryable::split(const AnyTransformation& into_parts) const {
  const TablesDomain& tables = parts_domain(into_parts);
  const Queryable all = derive(into_parts);  // checks that the step fits, and holds the tables
  const std::vector<std::uint64_t> totals = shared_steps(node_->levels, into_parts);
  const std::uint64_t most = totals.empty() ? 0 : *std::max_element(totals.begin(), totals.end());
  const auto group = std::make_shared<Group>(
      Group{node_, totals, {tables.tables.size(), std::vector<Spent>(most, node_->meter->nothing())}});
  std::vector<Queryable> parts;
  for (std::size_t i = 0; i < tables.tables.size(); ++i) {
    Node node = below(node_);
    node.domain = tables.tables[i];
    node.metric = {into_parts.to().inner};
    node.levels.clear();
    for (std::uint64_t steps = 1; steps <= most; ++steps) {
      node.levels.emplace_back(Rational(static_cast<Int128>(steps)));
    }
    node.data = std::make_shared<Lazy>([data = all.node_->data, i] { return part_of(data->get(), i); });
    node.kind = detail::Part{group, i};
    parts.push_back(Queryable(std::make_shared<Node>(std::move(node))));
  }
  return parts;
}

namespace {

using Nodes = std::vector<std::shared_ptr<Node>>;

[[noreturn]] void no_join(const std::string& why) {
  throw Error{Code::no_theorem, "views cannot be joined: " + why,
              "join views of different data whose budgets are alike, or transform their common data in one step"};
}

// The trees of all parents, ascending; two views of one tree move together, which only pure losses allow.
std::vector<std::shared_ptr<Tree>> trees_of(const Nodes& parents) {
  std::vector<std::shared_ptr<Tree>> trees;
  for (const auto& parent : parents) trees.insert(trees.end(), parent->trees.begin(), parent->trees.end());
  std::sort(trees.begin(), trees.end());
  const auto last = std::unique(trees.begin(), trees.end());
  if (last != trees.end() && !std::holds_alternative<accounting::PureRule>(parents[0]->meter->rule())) {
    no_join("two are of the same data, and only pure losses of moving one after the other add");
  }
  trees.erase(last, trees.end());
  return trees;
}

void require_joinable(const Nodes& parents, const AnyTransformation& step) {
  if (parents.size() < 2) throw Error{Code::bad_count, "a join takes two views or more", "use derive for one"};
  TablesDomain tables;
  for (const auto& parent : parents) {
    const auto* table = std::get_if<TableDomain>(&parent->domain);
    if (table == nullptr) no_join("one is not a table");
    tables.tables.push_back(*table);
    if (!accounting::same_measure(parent->meter->rule(), parents[0]->meter->rule()) ||
        parent->relation != parents[0]->relation) {
      no_join("their budgets are in different measures or for different neighbours");
    }
    const bool side_by_side = step.from().kind == MetricKind::sum || step.from().kind == MetricKind::largest;
    if ((side_by_side ? Metric{step.from().inner} : step.from()) != parent->metric) {
      throw Error{
          Code::mixed_metrics,
          fmt::format("a view in {} meets a step from {}", metric_name(parent->metric), metric_name(step.from())),
          "join by a step from the sum of the views' metric"};
    }
  }
  const Domain domain = tables;
  detail::require_fit({"the views side by side", step.from(), domain}, {step.recipe().name, step.from(), step.input()});
}

Private side_by_side(const std::vector<std::shared_ptr<Lazy>>& data) {
  Tables tables;
  for (const auto& one : data) tables.push_back(as<Table>(CombinatorAccess::look(one->get())));
  return Private(std::move(tables));
}

}  // namespace

Queryable Queryable::join(std::span<const Queryable> parents, const AnyTransformation& step) {
  Nodes nodes;
  for (const Queryable& parent : parents) nodes.push_back(parent.node_);
  require_joinable(nodes, step);
  Node node = below(nodes[0]);
  node.trees = trees_of(nodes);
  node.domain = step.output();
  node.metric = step.to();
  node.levels.clear();
  std::vector<std::shared_ptr<Lazy>> data;
  for (const auto& parent : nodes) {
    for (const Distance& d : parent->levels) node.levels.push_back(step.map(d));
    data.push_back(parent->data);
  }
  node.data = std::make_shared<Lazy>([data, step] { return step(side_by_side(data)); });
  node.kind = detail::Joined{nodes};
  return Queryable(std::make_shared<Node>(std::move(node)));
}

namespace {

std::string path(const Node& parent, const std::string& name) {
  if (name.empty() || name.find_first_of("/ ") != std::string::npos) {
    throw Error{Code::bad_argument, fmt::format("\"{}\" is no name for a budget", name), "give one word without \"/\""};
  }
  return parent.who.empty() ? name : parent.who + "/" + name;
}

std::string words(std::string_view act, const std::string& name, const FilterRule& rule) {
  return fmt::format("{} {} {}", act, name, accounting::canonical_json(FilterState(rule)));
}

}  // namespace

Queryable Queryable::limited(const std::string& name, const FilterRule& rule) const {
  if (!accounting::same_measure(node_->meter->rule(), rule)) {
    throw Error{Code::no_theorem,
                fmt::format("a {} limit under a {} budget: their sums are different", accounting::rule_name(rule),
                            accounting::rule_name(node_->meter->rule())),
                "limit by the same rule, at the same orders"};
  }
  Node node = below(node_);
  node.who = path(*node_, name);
  node.kind = Holder{node_, {FilterState(rule), false, Interleaving::sequential}};
  const auto locks = detail::lock(*node_);
  append(*node_, {node_->who, words("grant", name, rule), {}, "admitted"});
  return Queryable(std::make_shared<Node>(std::move(node)));
}

Queryable Queryable::open(const std::string& name, const FilterRule& rule, Interleaving interleaving) const {
  if (interleaving == Interleaving::concurrent) accounting::require_concurrent(rule);
  Node node = below(node_);
  node.who = path(*node_, name);
  node.meter = std::make_shared<const Meter>(rule);
  node.kind = Holder{node_, {FilterState(rule), true, interleaving}};
  const auto opened = std::make_shared<Node>(std::move(node));
  request(
      *node_, words("open", name, rule),
      [&] {
        const Spent price = node_->meter->price({detail::promise(rule)}, node_->relation);
        return std::vector<Spent>(node_->levels.size(), price);
      },
      [&] {
        for (Node* payer : detail::payers(*node_)) {
          Budget& budget = std::get<Holder>(payer->kind).budget;
          if (budget.interleaving == Interleaving::sequential) budget.opened.push_back(opened);
        }
      });
  return Queryable(opened);
}

void Queryable::freeze() const {
  const auto locks = detail::lock(*node_);
  detail::close(*node_);
  const bool budget = std::holds_alternative<Holder>(node_->kind);
  append(*node_, {node_->who, budget ? "freeze" : "freeze view", {}, "admitted"});
}

const Domain& Queryable::domain() const { return node_->domain; }
const Metric& Queryable::metric() const { return node_->metric; }

namespace {

[[noreturn]] void other_budget(std::string_view has, std::string_view hint) {
  throw Error{Code::no_theorem, fmt::format("the budget here is {}", has), std::string(hint)};
}

struct Read {
  accounting::OdometerReading operator()(const auto& odometer) const { return reading(odometer); }
};

}  // namespace

accounting::Spent Queryable::spent() const {
  const auto locks = detail::lock(*node_);
  const auto& state = detail::holder_of(*node_).budget.state;
  if (const auto* filter = std::get_if<FilterState>(&state)) return filter->spent();
  return std::get<OdometerState>(state).spent;
}

accounting::Charge Queryable::remaining() const {
  const auto locks = detail::lock(*node_);
  const auto* filter = std::get_if<FilterState>(&detail::holder_of(*node_).budget.state);
  if (filter == nullptr) other_budget("an odometer, which has no end", "ask for its reading");
  return accounting::remaining(*filter);
}

accounting::OdometerReading Queryable::reading() const {
  const auto locks = detail::lock(*node_);
  const auto* odometer = std::get_if<OdometerState>(&detail::holder_of(*node_).budget.state);
  if (odometer == nullptr) other_budget("a filter", "ask what was spent and what remains");
  return std::visit(Read{}, odometer->odometer);
}

std::vector<AuditRecord> Queryable::log() const {
  const auto locks = detail::lock(*node_);
  return node_->trees.front()->log;
}

}  // namespace dither::calculus
