#include "plan/row_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "plan/detail/spell_or.h"

namespace dither::plan {
namespace {

using Bytes = Int128;
using Needed = std::vector<bool>;  // by column

constexpr Bytes kMost = Bytes{1} << 62;  // stands for all that is more
constexpr Bytes kScalar = 8, kTextHead = 16;

Bytes capped(Bytes bytes) { return std::min(bytes, kMost); }

Bytes size_of(const Facts& facts) {
  return facts.type == Type::text ? kTextHead + static_cast<Bytes>(facts.longest) : kScalar;
}

Bytes row_size(const std::vector<Facts>& columns, const Needed& needed) {
  Bytes sum = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) sum += needed[i] ? size_of(columns[i]) : 0;
  return sum;
}

// How often a form writes the argument: "$1 $* $[ AND ]" writes the first one three times.
Bytes times_written(std::string_view form, std::size_t argument) {
  Bytes times = form.empty() ? 1 : 0;
  for (std::size_t at = form.find('$'); at < form.size() - 1; at = form.find('$', at + 1)) {
    const char which = form[at + 1];
    const bool all = which == '*' || which == '[';
    if (all || (which >= '1' && which <= '9' && static_cast<std::size_t>(which - '1') == argument)) ++times;
  }
  return times;
}

// One expression: what it is, what is made on the way, and what is touched.
struct Made {
  Facts facts;
  Bytes bytes = 0, touched = 0;
};

// How often an argument counts.
using Times = Bytes (*)(const Function& function, std::size_t argument);
Bytes as_spelled(const Function& function, std::size_t argument) {
  return times_written(function.spelling.duckdb, argument);
}
Bytes once(const Function&, std::size_t) { return 1; }

class Expressions {
 public:
  Expressions(std::span<const Facts> columns, Times times) : columns_(columns), times_(times) {}

  Made of(const Expression& expression) const {
    if (const auto* column = std::get_if<Expression::Column>(&expression.content())) {
      return {columns_[column->position]};
    }
    if (const auto* constant = std::get_if<Constant>(&expression.content())) return {facts_of(*constant)};
    if (static_cast<Bytes>(expression.nodes()) * kEachCall > kMostWork) return {Facts{}, 0, kMost};
    return of_call(std::get<Expression::Call>(expression.content()), expression.type());
  }

 private:
  Made of_call(const Expression::Call& call, Type type) const {
    const Function& function = *call.function;
    std::vector<Facts> known;
    Made made;
    Bytes again = 0;                    // what the spelling reads once more
    std::set<std::string_view> listed;  // x = 1 OR x = 2 ... is one question of a list
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const Made argument = of(call.arguments[i]);
      known.push_back(argument.facts);
      if (function.name == "or") {
        const Expression* subject = detail::listed_subject(call.arguments[i]);
        if (subject != nullptr && !listed.insert(subject->text()).second) continue;
      }
      const Bytes times = times_(function, i);
      again += std::max<Bytes>(times - 1, 0) * size_of(argument.facts);
      made.bytes = capped(made.bytes + times * argument.bytes);
      made.touched = capped(made.touched + times * argument.touched);
    }
    made.facts.type = type;
    if (function.longest != nullptr) made.facts.longest = function.longest(known);
    made.bytes = capped(made.bytes + size_of(made.facts));
    made.touched = capped(made.touched + again + call_work(function, known));
    return made;
  }

  std::span<const Facts> columns_;
  Times times_;
};

// What the steps up to a relation cost.
struct Cost {
  Bytes passing = 0;  // of the series of steps that ends here
  Bytes widest = 0;   // of all that ended before
  Bytes work = 0;
  Bytes rows = 1;  // that one row may have become
};

void add_work(Cost& cost, Bytes each) { cost.work = capped(cost.work + cost.rows * each); }
// The row is kept: what follows begins with it.
void keep(Cost& cost, Bytes row) {
  cost.widest = std::max(cost.widest, capped(cost.passing + row));
  cost.passing = row;
}

class Steps {
 public:
  static Cost of(const Relation& relation, const Needed& needed) {
    return std::visit([&](const auto& step) { return of(relation, step, needed); }, relation->step());
  }

 private:
  static Cost of(const Relation& relation, const Scan&, const Needed& needed) {
    const Bytes row = row_size(relation->columns(), needed);
    Cost cost;
    cost.passing = 2 * row;  // as read, and as enforced
    add_work(cost, 2 * row);
    return cost;
  }

  static Cost of(const Relation&, const Filter& step, Needed needed) {
    for (const std::size_t column : step.keep.reads()) needed[column] = true;
    Cost cost = of(step.input, needed);
    add(cost, step.input, step.keep);
    return cost;
  }

  static Cost of(const Relation&, const Projection& step, const Needed& needed) {
    Needed below(step.input->columns().size(), false);
    for (std::size_t i = 0; i < step.columns.size(); ++i) {
      if (!needed[i]) continue;
      for (const std::size_t column : step.columns[i].reads()) below[column] = true;
    }
    Cost cost = of(step.input, below);
    for (std::size_t i = 0; i < step.columns.size() && cost.work <= Bytes{kMostWork}; ++i) {
      if (needed[i]) add(cost, step.input, step.columns[i]);
    }
    return cost;
  }

  static void add(Cost& cost, const Relation& input, const Expression& expression) {
    const Made made = Expressions(input->columns(), as_spelled).of(expression);
    cost.passing = capped(cost.passing + made.bytes);
    add_work(cost, made.touched);
  }

  static Cost of(const Relation&, const Join& step, const Needed& needed) {
    const std::size_t shift = step.left->columns().size();
    Needed left(needed.begin(), needed.begin() + static_cast<std::ptrdiff_t>(shift));
    Needed right(needed.begin() + static_cast<std::ptrdiff_t>(shift), needed.end());
    for (const auto& [l, r] : step.equal) left[l] = right[r] = true;
    const Bytes left_row = row_size(step.left->columns(), left), right_row = row_size(step.right->columns(), right);
    Cost cost = of(step.left, left);
    add_work(cost, left_row);
    cost.passing = capped(cost.passing + left_row + right_row);
    if (step.right->is_private()) {
      Cost other = of(step.right, right);
      keep(other, right_row);
      cost.widest = std::max(cost.widest, other.widest);
      cost.work = capped(cost.work + other.work);
      cost.rows = capped(cost.rows + other.rows);
    } else {
      cost.rows = capped(cost.rows * static_cast<Bytes>(most_matches(step).value_or(1)));
    }
    add_work(cost, right_row);
    return cost;
  }

  static Cost of(const Relation&, const Union& step, const Needed& needed) {
    Cost cost;
    cost.rows = 0;
    for (const Relation& input : step.inputs) {
      const Cost side = of(input, needed);
      cost.passing = std::max(cost.passing, side.passing);
      cost.widest = std::max(cost.widest, side.widest);
      cost.work = capped(cost.work + side.work);
      cost.rows = capped(cost.rows + side.rows);
    }
    return cost;
  }

  static Cost of(const Relation& relation, const Distinct& step, const Needed&) {
    const Needed all(relation->columns().size(), true);
    Cost cost = of(step.input, all);
    const Bytes row = row_size(relation->columns(), all);
    add_work(cost, 2 * row);
    keep(cost, row);
    return cost;
  }

  // Of public rows alone.
  static Cost of(const Relation&, const Sort& step, const Needed& needed) { return of(step.input, needed); }
  static Cost of(const Relation&, const Limit& step, const Needed& needed) { return of(step.input, needed); }
  // What was released is public.
  static Cost of(const Relation&, const Aggregate&, const Needed&) { return {}; }
};

std::string in_size(Bytes bytes) {
  constexpr Bytes kKibi = 1024;
  if (bytes >= kMost) return "more than a tebibyte";
  if (bytes >= kKibi * kKibi) return fmt::format("{} MiB", to_string((bytes + kKibi * kKibi - 1) / (kKibi * kKibi)));
  return fmt::format("{} KiB", to_string((bytes + kKibi - 1) / kKibi));
}

}  // namespace

RowCost row_cost(const Relation& rows) {
  const Needed all(rows->columns().size(), true);
  Cost cost = Steps::of(rows, all);
  const Bytes row = row_size(rows->columns(), all);
  add_work(cost, row);
  keep(cost, row);
  return {cost.widest, cost.work};
}

Int128 evaluation_work(const Expression& expression, std::span<const Facts> columns) {
  return Expressions(columns, once).of(expression).touched;
}

Int128 call_work(const Function& function, std::span<const Facts> arguments) {
  Facts result;
  result.type = function.gives;
  if (function.gives == Type::text) result.longest = function.longest(arguments);
  Bytes sum = kEachCall + size_of(result);
  // Texts are compared as far as the shorter one goes.
  const bool compares = arguments.size() == 2 && function.group == "comparison";
  const Bytes first = compares ? std::min(size_of(arguments[0]), size_of(arguments[1])) : 0;
  for (const Facts& argument : arguments) sum += compares ? first : size_of(argument);
  return function.touches == nullptr ? sum : std::max(sum, static_cast<Bytes>(function.touches(arguments)));
}

void require_row(const Relation& rows, std::uint64_t memory) {
  const RowCost cost = row_cost(rows);
  const Bytes most = std::max(memory, kLeastForBatch) / kBatchRows;
  if (cost.width > most) {
    throw Error{Code::needs_memory,
                fmt::format("a row of this statement may take {}, but {} is the most with {} of memory",
                            in_size(cost.width), in_size(most), in_size(std::max(memory, kLeastForBatch))),
                "declare `max_length:` of the texts in the project file, select fewer columns, or allow more memory"};
  }
  if (cost.work <= Bytes{kMostWork}) return;
  throw Error{Code::too_long,
              fmt::format("for one row this statement may go over {} of text, and {} is the most", in_size(cost.work),
                          in_size(kMostWork)),
              "declare `max_length:` of the texts in the project file, or call fewer functions of long texts"};
}

}  // namespace dither::plan
