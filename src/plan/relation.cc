#include "plan/relation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "plan/functions.h"

namespace dither::plan {
namespace {

using Kind = Ownership::Kind;

std::vector<std::string> both_tables(const Relation& a, const Relation& b) {
  std::vector<std::string> tables = a->tables();
  tables.insert(tables.end(), b->tables().begin(), b->tables().end());
  std::sort(tables.begin(), tables.end());
  tables.erase(std::unique(tables.begin(), tables.end()), tables.end());
  return tables;
}

Node::Parts behind(const Relation& input, Node::Step step) {
  return {std::move(step), input->columns(), input->owner(), input->tables(), input->most_rows(), input->drops_rows()};
}

Relation made(Node::Parts parts) { return std::make_shared<const Node>(std::move(parts)); }

// What is also NULL where nothing was found.
void allow_null(Facts& facts) {
  if (facts.nullable) return;
  facts.nullable = true;
  if (!facts.values) return;
  facts.values->emplace_back();
  std::sort(facts.values->begin(), facts.values->end(),
            [](const Cell& a, const Cell& b) { return canonical(a) < canonical(b); });
}

// Of a column that is nothing but NULL all is left as it is: no row passes.
void forbid_null(Facts& facts) {
  if (facts.values == std::vector<Cell>{Cell{}}) return;
  facts.nullable = false;
  if (facts.values) std::erase(*facts.values, Cell{});
}

// What a row that passes the condition has: no NULL in columns of which it says so, alone or joined to others by AND.
void narrow(const Expression& keep, std::vector<Facts>& columns) {
  const auto* call = std::get_if<Expression::Call>(&keep.content());
  if (call == nullptr) return;
  if (call->function->sql == "and") {
    for (const Expression& part : call->arguments) narrow(part, columns);
  }
  if (call->function->sql != "not") return;
  const auto* test = std::get_if<Expression::Call>(&call->arguments[0].content());
  if (test == nullptr || test->function->sql != "is null") return;
  if (const auto* column = std::get_if<Expression::Column>(&test->arguments[0].content())) {
    forbid_null(columns[column->position]);
  }
}

void forget_units(std::vector<Facts>& columns) {
  for (Facts& facts : columns) facts.of_unit = false;
}

}  // namespace

Relation filter(const Relation& input, const Expression& keep) {
  if (keep.type() != Type::boolean) {
    throw Error{Code::wrong_type, fmt::format("a condition is {}, not true or false", type_name(keep.type())),
                "compare it with something"};
  }
  Node::Parts parts = behind(input, Filter{input, keep});
  narrow(keep, parts.columns);
  parts.drops_rows = true;
  return made(std::move(parts));
}

namespace {

// Where each column of the input stands behind a projection, if it does.
std::optional<std::size_t> place_of(std::size_t column, const std::vector<Expression>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto* bare = std::get_if<Expression::Column>(&columns[i].content());
    if (bare != nullptr && bare->position == column) return i;
  }
  return std::nullopt;
}

std::vector<MostRows> moved(const std::vector<MostRows>& known, const std::vector<Expression>& columns) {
  std::vector<MostRows> result;
  for (const MostRows& most : known) {
    MostRows there{{}, most.rows};
    for (const std::size_t column : most.columns) {
      const auto place = place_of(column, columns);
      if (place) there.columns.push_back(*place);
    }
    if (there.columns.size() == most.columns.size()) result.push_back(std::move(there));
  }
  return result;
}

}  // namespace

Relation project(const Relation& input, std::vector<Expression> columns) {
  Node::Parts parts = behind(input, Filter{input, constant({Type::boolean, true})});
  if (input->is_private()) {
    const std::size_t unit = input->owner().unit;
    auto place = place_of(unit, columns);
    if (!place) {
      place = columns.size();
      columns.push_back(column(unit, input->columns()[unit].type));
    }
    parts.owner.unit = *place;
  }
  parts.columns.clear();
  for (const Expression& expression : columns) parts.columns.push_back(facts(expression, input->columns()));
  parts.most_rows = moved(input->most_rows(), columns);
  parts.step = Projection{input, std::move(columns)};
  return made(std::move(parts));
}

std::optional<std::uint64_t> most_matches(const Join& join) {
  std::optional<std::uint64_t> least;
  for (const MostRows& most : join.right->most_rows()) {
    const bool all_equal = std::all_of(most.columns.begin(), most.columns.end(), [&](std::size_t column) {
      return std::any_of(join.equal.begin(), join.equal.end(), [&](const auto& pair) { return pair.second == column; });
    });
    if (all_equal && (!least || most.rows < *least)) least = most.rows;
  }
  return least;
}

namespace {

[[noreturn]] void no_join(const std::string& why, const std::string& hint) {
  throw Error{Code::private_join, "this join would mix the rows of several units: " + why, hint};
}

void require_by_unit(const Join& join) {
  const Ownership& left = join.left->owner();
  const Ownership& right = join.right->owner();
  if (left.row_is_unit || right.row_is_unit) {
    no_join("the rows of one side are units of their own", "join tables that declare the column of their unit");
  }
  const std::pair units{left.unit, right.unit};
  if (std::find(join.equal.begin(), join.equal.end(), units) == join.equal.end()) {
    no_join("it does not join on the unit of both sides", "add the equality of the two unit columns to ON");
  }
}

void require_joinable(const Join& join) {
  const Kind left = join.left->owner().kind;
  const Kind right = join.right->owner().kind;
  if (left == Kind::released || right == Kind::released) {
    throw Error{Code::not_supported, "joins with a table of aggregates are not answered",
                "ask for the aggregates in one SELECT over the joined rows"};
  }
  if (left == Kind::nobody && right == Kind::nobody) {
    throw Error{Code::not_supported, "joins of two public tables are not answered",
                "join each of them to the private table"};
  }
  if (left == Kind::nobody) no_join("the left side is public", "put the private table on the left");
  if (right == Kind::units) return require_by_unit(join);
  if (!most_matches(join)) {
    no_join("the columns of the public side are not declared unique",
            "declare `unique:` or `multiplicity:` of these columns in the project file");
  }
}

void require_same_types(const Join& join) {
  for (const auto& [l, r] : join.equal) {
    const Type left = join.left->columns()[l].type;
    const Type right = join.right->columns()[r].type;
    if (left == right) continue;
    throw Error{Code::wrong_type, fmt::format("a join compares {} with {}", type_name(left), type_name(right)),
                "declare both columns with the same type"};
  }
}

}  // namespace

Relation join(const Relation& left, const Relation& right, JoinKind kind,
              std::vector<std::pair<std::size_t, std::size_t>> equal) {
  std::sort(equal.begin(), equal.end());
  equal.erase(std::unique(equal.begin(), equal.end()), equal.end());
  Join step{left, right, kind, std::move(equal)};
  require_joinable(step);
  require_same_types(step);
  Node::Parts parts = behind(left, Filter{left, constant({Type::boolean, true})});
  const bool by_unit = right->is_private();
  // Of a left join on more than the unit some rows of a unit find a row and others do not.
  const bool matches_all = kind == JoinKind::inner || step.equal.size() == 1;
  // A public row that is found by what a unit has in all its rows is the same for all of them.
  const bool one_public_row =
      most_matches(step) == 1 && std::all_of(step.equal.begin(), step.equal.end(),
                                             [&](const auto& pair) { return left->columns()[pair.first].of_unit; });
  for (Facts facts : right->columns()) {
    if (kind == JoinKind::left) allow_null(facts);
    facts.of_unit = by_unit ? facts.of_unit && matches_all : one_public_row;
    parts.columns.push_back(std::move(facts));
  }
  parts.tables = both_tables(left, right);
  parts.drops_rows = left->drops_rows() || kind == JoinKind::inner;
  parts.most_rows.clear();
  parts.step = std::move(step);
  return made(std::move(parts));
}

Relation union_all(std::vector<Relation> inputs) {
  if (inputs.size() < 2) throw Error{Code::bad_count, "a union takes two tables or more", "leave UNION ALL out"};
  Node::Parts parts = behind(inputs[0], Filter{inputs[0], constant({Type::boolean, true})});
  for (const Relation& input : inputs) {
    if (!input->is_private() || input->owner().row_is_unit || input->owner().unit != parts.owner.unit) {
      throw Error{Code::not_supported,
                  "UNION ALL is answered for private tables that have the same unit column in the same place",
                  "select the unit column in the same place on both sides"};
    }
    if (input->columns().size() != parts.columns.size()) {
      throw Error{Code::wrong_type, "the sides of UNION ALL have different numbers of columns",
                  "select as many on both sides"};
    }
    for (std::size_t i = 0; i < parts.columns.size(); ++i) {
      if (input->columns()[i].type != parts.columns[i].type) {
        throw Error{Code::wrong_type,
                    fmt::format("column {} of UNION ALL is {} on one side and {} on another", i + 1,
                                type_name(parts.columns[i].type), type_name(input->columns()[i].type)),
                    "cast one of them"};
      }
      // A function of the unit on each side need not be the same function.
      const bool of_unit = i == parts.owner.unit;
      parts.columns[i] = either(parts.columns[i], input->columns()[i]);
      parts.columns[i].of_unit = of_unit;
    }
    parts.drops_rows = parts.drops_rows || input->drops_rows();
    parts.tables.insert(parts.tables.end(), input->tables().begin(), input->tables().end());
  }
  std::sort(parts.tables.begin(), parts.tables.end());
  parts.tables.erase(std::unique(parts.tables.begin(), parts.tables.end()), parts.tables.end());
  parts.most_rows.clear();
  parts.step = Union{std::move(inputs)};
  return made(std::move(parts));
}

Relation distinct(const Relation& input) {
  Node::Parts parts = behind(input, Distinct{input});
  parts.drops_rows = true;
  return made(std::move(parts));
}

Relation aggregate(const Relation& input, std::size_t keys, const std::vector<AggregateCall>& calls) {
  if (input->owner().kind == Kind::released) {
    throw Error{Code::nested_aggregate, "an aggregate of aggregates is not answered",
                "ask for one of them, or compute the other from the answer"};
  }
  if (!input->is_private()) {
    throw Error{Code::not_supported, "aggregates of public tables alone are not answered here",
                "they need no privacy: ask the database itself"};
  }
  Node::Parts parts = behind(input, Aggregate{input, keys, calls});
  parts.columns.resize(keys);
  forget_units(parts.columns);
  for (const AggregateCall& call : calls) parts.columns.push_back(facts_of(call));
  parts.owner = {Kind::released, 0, false};
  return made(std::move(parts));
}

namespace {

void require_not_private(const Relation& input, std::string_view what) {
  if (!input->is_private()) return;
  throw Error{Code::private_rows, fmt::format("{} of private rows depends on single rows", what),
              "aggregate first, and order the aggregates"};
}

}  // namespace

Relation sort(const Relation& input, std::vector<Sort::By> by) {
  require_not_private(input, "ORDER BY");
  return made(behind(input, Sort{input, std::move(by)}));
}

Relation limit(const Relation& input, std::uint64_t rows, std::uint64_t skip) {
  require_not_private(input, "LIMIT");
  return made(behind(input, Limit{input, rows, skip}));
}

}  // namespace dither::plan
