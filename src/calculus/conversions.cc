#include "calculus/conversions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "calculus/detail/steps.h"

namespace dither::calculus {

namespace {

Rational whole(std::uint64_t number) { return Rational(static_cast<Int128>(number)); }

AnyTransformation convert(std::string name, const Domain& input, const Metric& from, const Metric& to,
                          AnyTransformation::Map map) {
  return AnyTransformation({
      .recipe = {std::move(name)},
      .input = input,
      .output = input,
      .from = from,
      .to = to,
      .map = std::move(map),
      .function = [](const Data& data) { return data; },
  });
}

[[noreturn]] void missing_fact(std::string_view step, std::string_view fact, std::string_view hint) {
  throw Error{Code::mixed_domains, fmt::format("{} needs {}", step, fact), std::string(hint)};
}

// The limit of rows per unit, over all tables.
Rational rows_per_unit(const Domain& input, std::string_view step) {
  const auto limit = [&](const TableDomain& table) {
    if (!table.rows_per_unit) missing_fact(step, "a limit of rows per unit", "put keep-rows before it");
    return whole(*table.rows_per_unit);
  };
  if (const auto* one = std::get_if<TableDomain>(&input)) return limit(*one);
  Rational all = 0;
  for (const TableDomain& table : detail::tables_domain(input).tables) all += limit(table);
  return all;
}

Metric rows_changed(const Domain& input) {
  if (std::holds_alternative<TableDomain>(input)) return {MetricKind::symmetric};
  return {MetricKind::sum, MetricKind::symmetric};
}

// The declared dimension of what lies on a grid, if any.
std::optional<Rational> dimension(const Domain& input, std::string_view step) {
  if (const auto* keyed = std::get_if<KeyedDomain>(&input)) {
    if (!keyed->keys) return std::nullopt;
    return whole(keyed->keys->size());
  }
  if (const auto* vector = std::get_if<VectorDomain>(&input)) {
    if (!vector->dimension) return std::nullopt;
    return whole(*vector->dimension);
  }
  missing_fact(step, "whole numbers on a grid", "put the numbers on a grid first: reals-to-grid");
}

Rational declared(const std::optional<Rational>& dimension, std::string_view step) {
  if (!dimension) missing_fact(step, "a declared dimension", "declare how many coordinates there are");
  return *dimension;
}

// The largest whole number whose square is not above the value; of any size.
Rational floor_sqrt(const Rational& value) {
  mpz_t root;
  mpz_init(root);
  mpz_fdiv_q(root, mpq_numref(value.get()), mpq_denref(value.get()));
  mpz_sqrt(root, root);
  Rational result;
  mpq_set_z(result.get(), root);
  mpz_clear(root);
  return result;
}

void require_units(const Metric& from, std::string_view step) {
  if (!detail::counts_units(from)) detail::no_theorem(from, step, "use it where units are counted");
}

void require_tables(const Domain& input) {
  if (!std::holds_alternative<TableDomain>(input)) detail::tables_domain(input);  // refuses what has no units
}

// Numbers by private keys are refused: a key may come with the number 0, which no norm sees.
void require_public_cells(const Domain& input, std::string_view step) {
  const bool keyed = std::holds_alternative<KeyedDomain>(input);
  if (!dimension(input, step) && keyed) missing_fact(step, "public keys", "choose them first: keyed-to-vector");
}

constexpr MetricKind kL1 = MetricKind::l1, kL2 = MetricKind::l2, kLinf = MetricKind::linf, kCells = MetricKind::cells;

}  // namespace

AnyTransformation make_change_one_to_symmetric(const TableDomain& input) {
  return convert("change-one-to-symmetric", input, {MetricKind::change_one}, {MetricKind::symmetric}, detail::times(2));
}

AnyTransformation make_symmetric_to_change_one(const TableDomain& input) {
  if (!input.rows) missing_fact("symmetric-to-change-one", "a declared number of rows", "declare `rows`, or resize");
  return convert("symmetric-to-change-one", input, {MetricKind::symmetric}, {MetricKind::change_one},
                 [](const Distance& d) -> Distance { return Rational((number(d) / 2).ceil()); });
}

AnyTransformation make_hamming_to_change_one(const TableDomain& input) {
  return convert("hamming-to-change-one", input, {MetricKind::hamming}, {MetricKind::change_one}, detail::times(1));
}

AnyTransformation make_insert_delete_to_symmetric(const TableDomain& input) {
  return convert("insert-delete-to-symmetric", input, {MetricKind::insert_delete}, {MetricKind::symmetric},
                 detail::times(1));
}

AnyTransformation make_units_to_symmetric(const Domain& input, const Metric& from) {
  require_units(from, "units-to-symmetric");
  const Rational rows = rows_per_unit(input, "units-to-symmetric");
  return convert("units-to-symmetric", input, from, rows_changed(input),
                 detail::times(from.kind == MetricKind::units_added ? rows : 2 * rows));
}

AnyTransformation make_units_to_units_added(const Domain& input, const Metric& from) {
  require_units(from, "units-to-units-added");
  require_tables(input);
  return convert("units-to-units-added", input, from, {MetricKind::units_added},
                 detail::times(from.kind == MetricKind::units_added ? 1 : 2));
}

AnyTransformation make_units_replaced_to_units_changed(const Domain& input) {
  require_tables(input);
  return convert("units-replaced-to-units-changed", input, {MetricKind::units_replaced}, {MetricKind::units_changed},
                 detail::times(1));
}

AnyTransformation make_cells_to_l1(const Domain& input) {
  require_public_cells(input, "cells-to-l1");
  return convert("cells-to-l1", input, {kCells}, {kL1}, [](const Distance& d) -> Distance {
    const CellsDistance& four = cells_of(d);
    return std::min(four.l1, Rational(four.cells * four.largest));
  });
}

AnyTransformation make_cells_to_l2(const Domain& input) {
  require_public_cells(input, "cells-to-l2");
  return convert("cells-to-l2", input, {kCells}, {kL2}, [](const Distance& d) -> Distance {
    const CellsDistance& four = cells_of(d);
    return std::min(
        {four.l2_squared, Rational(four.l1 * four.largest), Rational(four.cells * four.largest * four.largest)});
  });
}

AnyTransformation make_cells_to_linf(const Domain& input) {
  require_public_cells(input, "cells-to-linf");
  return convert("cells-to-linf", input, {kCells}, {kLinf}, [](const Distance& d) -> Distance {
    const CellsDistance& four = cells_of(d);
    return std::min(four.largest, four.l1);
  });
}

AnyTransformation make_l1_to_l2(const Domain& input) {
  dimension(input, "l1-to-l2");
  return convert("l1-to-l2", input, {kL1}, {kL2}, [](const Distance& d) -> Distance { return number(d) * number(d); });
}

AnyTransformation make_l1_to_linf(const Domain& input) {
  dimension(input, "l1-to-linf");
  return convert("l1-to-linf", input, {kL1}, {kLinf}, detail::times(1));
}

AnyTransformation make_l2_to_l1(const Domain& input) {
  const std::optional<Rational> n = dimension(input, "l2-to-l1");
  return convert("l2-to-l1", input, {kL2}, {kL1}, [n](const Distance& d) -> Distance {
    return n ? std::min(number(d), floor_sqrt(*n * number(d))) : number(d);
  });
}

AnyTransformation make_l2_to_linf(const Domain& input) {
  dimension(input, "l2-to-linf");
  return convert("l2-to-linf", input, {kL2}, {kLinf},
                 [](const Distance& d) -> Distance { return floor_sqrt(number(d)); });
}

AnyTransformation make_linf_to_l1(const Domain& input) {
  return convert("linf-to-l1", input, {kLinf}, {kL1},
                 detail::times(declared(dimension(input, "linf-to-l1"), "linf-to-l1")));
}

AnyTransformation make_linf_to_l2(const Domain& input) {
  const Rational n = declared(dimension(input, "linf-to-l2"), "linf-to-l2");
  return convert("linf-to-l2", input, {kLinf}, {kL2},
                 [n](const Distance& d) -> Distance { return n * number(d) * number(d); });
}

}  // namespace dither::calculus
