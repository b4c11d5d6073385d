#include "sql/detail/cut_units.h"

#include "base/error.h"

namespace dither::sql::detail {
namespace {

using plan::Relation;

// Other columns keep their places: the new one comes after them in every step. What is not an answer is refused later.
Relation with_last_column(const Relation& relation) {
  const plan::Node::Step& step = relation->step();
  if (const auto* aggregate = std::get_if<plan::Aggregate>(&step)) {
    std::vector<plan::AggregateCall> calls = aggregate->calls;
    calls.push_back({plan::AggregateKind::count_cut_units, 0, {}, {}});
    return plan::aggregate(aggregate->input, aggregate->keys, calls);
  }
  if (relation->owner().kind != plan::Ownership::Kind::released) return relation;
  if (const auto* filtered = std::get_if<plan::Filter>(&step)) {
    return plan::filter(with_last_column(filtered->input), filtered->keep);
  }
  if (const auto* sorted = std::get_if<plan::Sort>(&step)) {
    return plan::sort(with_last_column(sorted->input), sorted->by);
  }
  if (const auto* cut = std::get_if<plan::Limit>(&step)) {
    return plan::limit(with_last_column(cut->input), cut->rows, cut->skip);
  }
  if (const auto* projected = std::get_if<plan::Projection>(&step)) {
    const Relation input = with_last_column(projected->input);
    std::vector<plan::Expression> columns = projected->columns;
    columns.push_back(plan::column(input->columns().size() - 1, plan::Type::integer));
    return plan::project(input, std::move(columns));
  }
  if (std::holds_alternative<plan::Distinct>(step)) {
    throw Error{Code::not_supported, "DISTINCT above the aggregate, beside the number of cut units",
                "leave DISTINCT or --cut-units out"};
  }
  return relation;
}

}  // namespace

Statement with_cut_units(const Statement& statement) {
  Statement result = statement;
  result.relation = with_last_column(statement.relation);
  result.names.emplace_back("cut_units");
  return result;
}

}  // namespace dither::sql::detail
