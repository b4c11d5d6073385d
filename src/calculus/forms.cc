#include "calculus/forms.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "calculus/detail/cells.h"

namespace dither::calculus {

namespace {

using K = ParameterKind;

const Parameter kColumn{"column", K::text, "the column, by name"};
const Parameter kLow{"low", K::number, "the lower bound"};
const Parameter kHigh{"high", K::number, "the upper bound"};
const Parameter kStep{"step", K::number, "the step of the grid, such as 0.01"};
const Parameter kTo{"to", K::text, "the metric of the result: l1, l2, linf or cells"};
const Parameter kRows{"rows", K::count, "of each unit at most so many rows count"};
const Parameter kRowsInAll{"rows_in_all", K::count, "and at most so many over all its keys", true};
const Parameter kFiner{"finer", K::count,
                       "a unit with more rows is scaled, on a grid 2^finer times finer (up to 16); otherwise clamped",
                       true};
const Parameter kPublicKeys{"keys", K::cells, "the public keys; none: the keys are private", true};
const Parameter kOf{"of", K::text, "count only rows in which this column is not missing", true};
const Parameter kCentred{"centred", K::truth, "sum distances from the middle of the bounds, in half steps"};

void add_rows(std::vector<Form>& all) {
  const auto row = [&](const char* name, std::vector<Parameter> parameters) {
    all.push_back({name, Takes::table, "symmetric", std::move(parameters)});
  };
  row("filter", {kColumn,
                 {"comparison", K::text, "equal, not-equal, less, at-most, greater or at-least"},
                 {"constant", K::cell, "what the cell is compared with"}});
  row("select-columns", {{"columns", K::texts, "the columns that stay, in this order"}});
  row("clamp", {kColumn, kLow, kHigh, {"nan", K::text, "what becomes of NaN: null, low or high"}});
  row("impute", {kColumn, {"constant", K::cell, "what stands in for a missing cell"}});
  row("cast", {kColumn, {"type", K::text, "boolean, integer, real or text"}});
  row("bucket", {kColumn, {"edges", K::numbers, "ascending edges; a cell becomes the number of those not above it"}});
  row("scale-shift", {kColumn, {"factor", K::number, "times this"}, {"shift", K::number, "plus this"}});
  row("category-codes", {kColumn, {"categories", K::cells, "the public list; the place in it is the code"}});
  row("drop-missing", {{"columns", K::texts, "rows in which one of these is missing are dropped"}});
}

void add_multisets(std::vector<Form>& all) {
  all.push_back({"distinct", Takes::table, "symmetric", {}});
  all.push_back({"explode",
                 Takes::table,
                 "symmetric",
                 {kColumn, {"separator", K::bytes, "where the text is cut"}, {"most", K::count, "pieces of a cell"}}});
  all.push_back({"group-by",
                 Takes::table,
                 "symmetric",
                 {{"key", K::text, "the column whose cells make the groups"},
                  {"value", K::text, "the column of which each group gives the least and the greatest"}}});
  all.push_back({"sort", Takes::table, "symmetric", {kColumn}});
  all.push_back({"resize",
                 Takes::table,
                 "symmetric",
                 {{"rows", K::count, "exactly so many"}, {"padding", K::cells, "a row, for what is missing"}}});
  for (const char* name : {"concat", "intersect", "except"}) {
    all.push_back({name, Takes::tables, "sum of symmetric", {}});
  }
  all.push_back({"join-unique", Takes::tables, "sum of symmetric", {{"key", K::text, "the column that both share"}}});
}

void add_parts_and_counts(std::vector<Form>& all) {
  const Parameter other{"other", K::truth, "whether everything else gets a place of its own, the last"};
  all.push_back({"partition-by-key",
                 Takes::table,
                 "symmetric",
                 {kColumn, {"keys", K::cells, "the public keys, a part for each"}, other}});
  all.push_back({"part-counts", Takes::tables, "sum of symmetric", {}});
  all.push_back({"reduce-by-partition",
                 Takes::vector,
                 "l1",
                 {{"groups", K::counts, "where each coordinate goes, from 0"}, {"count", K::count, "places in all"}}});
  all.push_back({"count", Takes::table, "symmetric", {}});
  all.push_back({"sum", Takes::table, "symmetric", {kColumn, kStep}});
  all.push_back({"mean", Takes::table, "change-one", {kColumn, kStep}});
  all.push_back({"histogram",
                 Takes::table,
                 "symmetric",
                 {kColumn, {"categories", K::cells, "the public values, a count for each"}, other}});
  all.push_back({"count-by", Takes::table, "symmetric", {kColumn}});
}

void add_vectors(std::vector<Form>& all) {
  all.push_back({"clamp-vector", Takes::vector, "l1", {kLow, kHigh}, true});
  all.push_back({"linear-map",
                 Takes::vector,
                 "l1",
                 {{"rows", K::count, "of the matrix"}, {"entries", K::numbers, "of the matrix, row by row"}, kTo}});
  all.push_back({"prefix-sums", Takes::vector, "l1", {kTo}});
  all.push_back({"tree-sums", Takes::vector, "l1", {{"branching", K::count, "children of a node"}, kTo}});
  all.push_back({"scale", Takes::vector, "l1", {{"factor", K::number, "a whole number"}}});
  all.push_back({"select-coordinates",
                 Takes::vector,
                 "l1",
                 {{"coordinates", K::counts, "their numbers, from 0, in this order"}}});
  all.push_back({"pad", Takes::vector, "l1", {{"constants", K::numbers, "whole numbers of steps to put behind"}}});
  all.push_back({"total", Takes::vector, "l1", {}});
  all.push_back({"clamp-reals", Takes::reals, "l1", {kLow, kHigh}, true});
  all.push_back({"reals-to-grid", Takes::reals, "l1", {kStep}, true});
  all.push_back({"keyed-to-vector", Takes::keyed, "cells", {{"keys", K::names, "the public keys, in this order"}}});
}

void add_conversions(std::vector<Form>& all) {
  all.push_back({"change-one-to-symmetric", Takes::table, "change-one", {}});
  all.push_back({"symmetric-to-change-one", Takes::table, "symmetric", {}});
  all.push_back({"hamming-to-change-one", Takes::table, "hamming", {}});
  all.push_back({"insert-delete-to-symmetric", Takes::table, "insert-delete", {}});
  for (const char* name : {"units-to-symmetric", "units-to-units-added"}) {
    all.push_back({name, Takes::table, "units-added", {}});
  }
  all.push_back({"units-replaced-to-units-changed", Takes::table, "units-replaced", {}});
  for (const char* name : {"cells-to-l1", "cells-to-l2", "cells-to-linf"}) {
    all.push_back({name, Takes::vector, "cells", {}});
  }
  for (const char* name : {"l1-to-l2", "l1-to-linf"}) all.push_back({name, Takes::vector, "l1", {}});
  for (const char* name : {"l2-to-l1", "l2-to-linf"}) all.push_back({name, Takes::vector, "l2", {}});
  for (const char* name : {"linf-to-l1", "linf-to-l2"}) all.push_back({name, Takes::vector, "linf", {}});
}

void add_units(std::vector<Form>& all) {
  all.push_back({"keep-keys", Takes::table, "units-added", {{"keys", K::count, "of each unit at most so many"}}});
  all.push_back({"keep-rows", Takes::table, "units-added", {kRows}});
  all.push_back({"truncate",
                 Takes::table,
                 "symmetric",
                 {{"column", K::text, "whose cells say which rows belong together"},
                  {"rows", K::count, "more than so many of them are too many"},
                  {"excess", K::text, "what becomes of them: keep-by-hash or drop-all"}}});
  all.push_back({"count-by-key", Takes::table, "units-added", {kPublicKeys, kRows, kRowsInAll, kTo, kOf}});
  all.push_back({"cut-units-by-key", Takes::table, "units-added", {kPublicKeys, kRows, kRowsInAll, kTo, kOf}});
  all.push_back({"units-by-key", Takes::table, "units-added", {kPublicKeys, kRows, kTo}});
  all.push_back({"sum-by-key",
                 Takes::table,
                 "units-added",
                 {kPublicKeys, kColumn, kLow, kHigh, kStep, kCentred, kRows, kTo, kFiner, kRowsInAll}});
  all.push_back({"total-count", Takes::table, "units-added", {kRows, kTo, kOf}});
  all.push_back({"total-units", Takes::table, "units-added", {kRows, kTo}});
  all.push_back({"total-cut-units", Takes::table, "units-added", {kRows, kTo, kOf}});
  all.push_back(
      {"total-sum", Takes::table, "units-added", {kColumn, kLow, kHigh, kStep, kCentred, kRows, kTo, kFiner}});
  all.push_back({"norm-sum-by-key",
                 Takes::table,
                 "units-added",
                 {{"keys", K::cells, "the public keys"},
                  kColumn,
                  kLow,
                  kHigh,
                  kStep,
                  {"norm", K::text, "l1, l2 or linf"},
                  {"bound", K::number, "radius of the ball that a unit's totals are held in, in steps"}}});
  all.push_back({"select-table", Takes::tables, "units-added", {{"position", K::count, "of the table, from 0"}}});
  all.push_back({"join-by-unit", Takes::tables, "units-added", {{"second", K::text, "a name for the second table"}}});
  all.push_back({"unit-windows",
                 Takes::table,
                 "units-added",
                 {{"column", K::text, "a day or a month, say"}, {"windows", K::count, "of a unit, at most"}}});
}

void add_combinators(std::vector<Form>& all) {
  const auto of_parts = [&](const char* name, std::vector<Parameter> parameters) {
    all.push_back({name, Takes::same_as_parts, "", std::move(parameters)});
  };
  of_parts("compose", {});
  of_parts("group", {{"k", K::count, "steps that are counted as one"}});
  of_parts("cast-measure", {{"to", K::text, "the measure: approximate, concentrated, renyi or tradeoff"}});
  of_parts("fix-delta", {{"delta", K::number, "strictly between 0 and 1"}});
  of_parts("change-relation", {{"from", K::text, "the metric that the measurement was made for"}});
  of_parts("partition", {});
}

}  // namespace

std::string_view kind_name(ParameterKind kind) {
  constexpr std::array names = {"number", "count", "width", "square", "text",  "truth", "numbers",
                                "counts", "texts", "cell",  "cells",  "bytes", "keys",  "names"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string_view takes_name(Takes takes) {
  constexpr std::array names = {"table", "tables", "vector", "reals", "keyed", "same as parts"};
  return names.at(static_cast<std::size_t>(takes));
}

std::span<const Form> forms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> made;
    add_rows(made);
    add_multisets(made);
    add_parts_and_counts(made);
    add_vectors(made);
    add_conversions(made);
    add_units(made);
    add_combinators(made);
    return made;
  }();
  return all;
}

Recipe::Value spelled(ParameterKind kind, const std::vector<Cell>& cells) {
  if (kind == K::cells) return detail::spelled(cells);
  if ((kind == K::cell || kind == K::bytes) && cells.size() == 1) return detail::spelled(cells[0]);
  if (kind != K::keys && kind != K::names) {
    throw Error{Code::wrong_type, fmt::format("a {} is not spelled as cells", kind_name(kind)),
                "give the value itself"};
  }
  std::vector<std::string> all;
  for (const Cell& cell : cells) {
    const std::string text = detail::spelled(Cell(canonical(cell)));  // "t", then the bytes in hexadecimal
    all.push_back(kind == K::names ? text : text.substr(1));
  }
  return all;
}

}  // namespace dither::calculus
