#include <algorithm>

#include "plan/functions.h"
#include "plan/relation.h"

namespace dither::plan {
namespace {

std::vector<Expression> all_columns(const Relation& relation) {
  std::vector<Expression> columns;
  for (std::size_t i = 0; i < relation->columns().size(); ++i)
    columns.push_back(column(i, relation->columns()[i].type));
  return columns;
}

Flat as_base(Relation relation) {
  std::vector<Expression> columns = all_columns(relation);
  return {std::move(relation), std::nullopt, std::move(columns)};
}

std::optional<Expression> both(const std::optional<Expression>& a, const std::optional<Expression>& b) {
  if (!a) return b;
  return b ? resolve("and", {*a, *b}) : *a;
}

// The same expression when `shift` columns stand before those it reads.
Expression shifted(const Expression& expression, std::size_t shift, const std::vector<Facts>& read) {
  std::vector<Expression> columns;
  for (std::size_t i = 0; i < read.size(); ++i) columns.push_back(column(i + shift, read[i].type));
  return substitute(expression, columns);
}

std::optional<std::size_t> bare(const Expression& expression) {
  const auto* found = std::get_if<Expression::Column>(&expression.content());
  return found == nullptr ? std::nullopt : std::optional(found->position);
}

// A side of a join, with projection and filter pulled out where the join does not see them.
struct Side {
  Flat flat;
  bool pulled = false;
};

Side side_of(const Relation& relation, bool keeps_all_rows, const std::vector<std::size_t>& joined) {
  Flat inner = flat(relation);
  const bool movable =
      (keeps_all_rows || !inner.keep) &&
      std::all_of(joined.begin(), joined.end(), [&](std::size_t at) { return bare(inner.columns[at]).has_value(); });
  if (movable) return {std::move(inner), true};
  return {as_base(rebuilt(inner)), false};
}

Flat flat_join(const Join& step) {
  std::vector<std::size_t> left_columns;
  std::vector<std::size_t> right_columns;
  for (const auto& [l, r] : step.equal) {
    left_columns.push_back(l);
    right_columns.push_back(r);
  }
  const Side left = side_of(step.left, true, left_columns);
  const Side right = side_of(step.right, step.kind == JoinKind::inner, right_columns);
  // An expression over the right side is NULL where nothing was found only if it is a bare column.
  const bool bare_right = std::all_of(right.flat.columns.begin(), right.flat.columns.end(),
                                      [](const Expression& e) { return bare(e).has_value(); });
  const Flat r = step.kind == JoinKind::left && !bare_right ? as_base(rebuilt(flat(step.right))) : right.flat;
  const std::size_t shift = left.flat.base->columns().size();
  std::vector<std::pair<std::size_t, std::size_t>> equal;
  for (const auto& [a, b] : step.equal) equal.emplace_back(*bare(left.flat.columns[a]), *bare(r.columns[b]));
  Flat result{join(left.flat.base, r.base, step.kind, std::move(equal)), left.flat.keep, left.flat.columns};
  if (r.keep) result.keep = both(result.keep, shifted(*r.keep, shift, r.base->columns()));
  for (const Expression& e : r.columns) result.columns.push_back(shifted(e, shift, r.base->columns()));
  return result;
}

}  // namespace

Flat flat(const Relation& relation) {
  const Node::Step& step = relation->step();
  if (const auto* filtered = std::get_if<Filter>(&step)) {
    Flat result = flat(filtered->input);
    result.keep = both(result.keep, substitute(filtered->keep, result.columns));
    return result;
  }
  if (const auto* projected = std::get_if<Projection>(&step)) {
    Flat result = flat(projected->input);
    std::vector<Expression> columns;
    for (const Expression& e : projected->columns) columns.push_back(substitute(e, result.columns));
    result.columns = std::move(columns);
    return result;
  }
  if (const auto* joined = std::get_if<Join>(&step)) return flat_join(*joined);
  if (const auto* all = std::get_if<Union>(&step)) {
    std::vector<Relation> inputs;
    for (const Relation& input : all->inputs) inputs.push_back(normal_form(input));
    return as_base(union_all(std::move(inputs)));
  }
  if (const auto* once = std::get_if<Distinct>(&step)) return as_base(distinct(normal_form(once->input)));
  if (const auto* grouped = std::get_if<Aggregate>(&step)) {
    return as_base(aggregate(normal_form(grouped->input), grouped->keys, grouped->calls));
  }
  if (const auto* sorted = std::get_if<Sort>(&step)) return as_base(sort(normal_form(sorted->input), sorted->by));
  if (const auto* cut = std::get_if<Limit>(&step)) return as_base(limit(normal_form(cut->input), cut->rows, cut->skip));
  return as_base(relation);
}

Relation rebuilt(const Flat& flat) {
  Relation relation = flat.keep ? filter(flat.base, *flat.keep) : flat.base;
  const std::vector<Expression> all = all_columns(flat.base);
  return flat.columns == all ? relation : project(relation, flat.columns);
}

Relation normal_form(const Relation& relation) { return rebuilt(flat(relation)); }

}  // namespace dither::plan
