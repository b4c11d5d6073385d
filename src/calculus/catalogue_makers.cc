#include <fmt/format.h>

#include "base/error.h"
#include "calculus/catalogue.h"
#include "calculus/detail/cells.h"
#include "calculus/detail/steps.h"

namespace dither::calculus {

namespace {

using detail::cell_from;
using detail::cells_from;
using detail::keyed_domain;
using detail::reals_domain;
using detail::table_domain;
using detail::tables_domain;
using detail::vector_domain;

std::uint64_t whole(const Rational& number, const Recipe& recipe) {
  if (number.is_integer() && number.sign() >= 0 && number < Rational::power_of_two(64)) {
    return static_cast<std::uint64_t>(number.floor());
  }
  throw Error{Code::bad_count, fmt::format("{} in the recipe of {} is not a whole number", number.str(), recipe.name),
              "write a whole number of 64 bits that is not negative"};
}
std::uint64_t count(const Recipe& recipe, std::string_view key) { return whole(recipe.number(key), recipe); }
std::vector<std::uint64_t> counts(const Recipe& recipe, std::string_view key) {
  std::vector<std::uint64_t> all;
  for (const Rational& number : recipe.numbers(key)) all.push_back(whole(number, recipe));
  return all;
}
MetricKind to_kind(const Recipe& recipe) { return metric_from(recipe.text("to")).kind; }
Bounds bounds_of(const Recipe& recipe) { return bounds(recipe.number("low"), recipe.number("high")); }

CellType type_from(const std::string& name) {
  for (const CellType type : {CellType::boolean, CellType::integer, CellType::real, CellType::text}) {
    if (cell_type_name(type) == name) return type;
  }
  throw Error{Code::wrong_type, fmt::format("there is no type \"{}\"", name), "write boolean, integer, real or text"};
}

std::string text_from(const std::string& spelling) {
  const Cell cell = cell_from(spelling);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  throw Error{Code::wrong_type, fmt::format("\"{}\" does not spell text", spelling),
              "write \"t\" and hexadecimal digits"};
}

Integers integers(const std::vector<Rational>& numbers) {
  Integers all;
  for (const Rational& number : numbers) {
    if (!number.is_integer()) {
      throw Error{Code::bad_number, fmt::format("the constant {} is not a whole number of steps", number.str()),
                  "write whole numbers"};
    }
    all.push_back(number.floor());
  }
  return all;
}

std::vector<std::string> keys_from(const std::vector<std::string>& spellings) {
  std::vector<std::string> keys;
  for (const std::string& spelling : spellings) keys.push_back(text_from(spelling));
  return keys;
}

std::vector<std::vector<Rational>> matrix_from(const Recipe& recipe) {
  const std::vector<Rational>& entries = recipe.numbers("entries");
  const std::uint64_t rows = count(recipe, "rows");
  if (rows == 0 || entries.size() % rows != 0) {
    throw Error{Code::bad_count, fmt::format("{} entries do not make {} rows", entries.size(), rows),
                "give as many entries in each row"};
  }
  const auto width = static_cast<std::ptrdiff_t>(entries.size() / rows);
  std::vector<std::vector<Rational>> matrix;
  for (auto at = entries.begin(); at != entries.end(); at += width) matrix.emplace_back(at, at + width);
  return matrix;
}

// A conversion starts from one metric; a recipe that stands behind another is refused as in a chain.
AnyTransformation only_from(const Metric& from, AnyTransformation step) {
  if (step.from() == from) return step;
  detail::no_theorem(from, step.recipe().name,
                     "put it behind a step that gives distances in " + metric_name(step.from()));
}

using R = Recipe;
using D = Domain;
using M = Metric;

template <AnyTransformation (*make)(const TableDomain&)>
AnyTransformation convert_table(const R&, const D& in, const M& from, const Makers&) {
  return only_from(from, make(table_domain(in)));
}
template <AnyTransformation (*make)(const Domain&)>
AnyTransformation convert_any(const R&, const D& in, const M& from, const Makers&) {
  return only_from(from, make(in));
}

void add_rows(Makers& makers) {
  auto& all = makers.transformations;
  all["filter"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_filter(table_domain(in), from, r.text("column"), comparison_from(r.text("comparison")),
                       cell_from(r.text("constant")));
  };
  all["select-columns"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_select_columns(table_domain(in), from, r.texts("columns"));
  };
  all["clamp"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_clamp(table_domain(in), from, r.text("column"), bounds_of(r), nan_policy_from(r.text("nan")));
  };
  all["impute"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_impute(table_domain(in), from, r.text("column"), cell_from(r.text("constant")));
  };
  all["cast"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_cast(table_domain(in), from, r.text("column"), type_from(r.text("type")));
  };
  all["bucket"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_bucket(table_domain(in), from, r.text("column"), r.numbers("edges"));
  };
  all["scale-shift"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_scale_shift(table_domain(in), from, r.text("column"), r.number("factor"), r.number("shift"));
  };
  all["category-codes"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_category_codes(table_domain(in), from, r.text("column"), cells_from(r.texts("categories")));
  };
  all["drop-missing"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_drop_missing(table_domain(in), from, r.texts("columns"));
  };
}

void add_multisets(Makers& makers) {
  auto& all = makers.transformations;
  all["distinct"] = [](const R&, const D& in, const M& from, const Makers&) {
    return make_distinct(table_domain(in), from);
  };
  all["explode"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_explode(table_domain(in), from, r.text("column"), text_from(r.text("separator")), count(r, "most"));
  };
  all["group-by"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_group_by(table_domain(in), from, r.text("key"), r.text("value"));
  };
  all["sort"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_sort(table_domain(in), from, r.text("column"));
  };
  all["resize"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_resize(table_domain(in), from, count(r, "rows"), cells_from(r.texts("padding")));
  };
  all["concat"] = [](const R&, const D& in, const M& from, const Makers&) {
    return make_concat(tables_domain(in), from);
  };
  all["intersect"] = [](const R&, const D& in, const M& from, const Makers&) {
    return make_intersect(tables_domain(in), from);
  };
  all["except"] = [](const R&, const D& in, const M& from, const Makers&) {
    return make_except(tables_domain(in), from);
  };
  all["join-unique"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_join_unique(tables_domain(in), from, r.text("key"));
  };
}

void add_partition_and_counting(Makers& makers) {
  auto& all = makers.transformations;
  all["partition-by-key"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_partition_by_key(table_domain(in), from, r.text("column"), cells_from(r.texts("keys")),
                                 r.truth("other"));
  };
  all["part-counts"] = [](const R&, const D& in, const M& from, const Makers&) {
    return make_part_counts(tables_domain(in), from);
  };
  all["reduce-by-partition"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_reduce_by_partition(vector_domain(in), from, counts(r, "groups"), count(r, "count"));
  };
  all["count"] = [](const R&, const D& in, const M& from, const Makers&) { return make_count(table_domain(in), from); };
  all["sum"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_sum(table_domain(in), from, r.text("column"), r.number("step"));
  };
  all["mean"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_mean(table_domain(in), from, r.text("column"), r.number("step"));
  };
  all["histogram"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_histogram(table_domain(in), from, r.text("column"), cells_from(r.texts("categories")),
                          r.truth("other"));
  };
  all["count-by"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_count_by(table_domain(in), from, r.text("column"));
  };
}

void add_vectors(Makers& makers) {
  auto& all = makers.transformations;
  all["clamp-vector"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_clamp_vector(vector_domain(in), from, bounds_of(r));
  };
  all["linear-map"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_linear_map(vector_domain(in), from, matrix_from(r), to_kind(r));
  };
  all["prefix-sums"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_prefix_sums(vector_domain(in), from, to_kind(r));
  };
  all["tree-sums"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_tree_sums(vector_domain(in), from, count(r, "branching"), to_kind(r));
  };
  all["scale"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_scale(vector_domain(in), from, r.number("factor"));
  };
  all["select-coordinates"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_select_coordinates(vector_domain(in), from, counts(r, "coordinates"));
  };
  all["pad"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_pad(vector_domain(in), from, integers(r.numbers("constants")));
  };
  all["total"] = [](const R&, const D& in, const M& from, const Makers&) {
    return make_total(vector_domain(in), from);
  };
  all["clamp-reals"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_clamp_reals(reals_domain(in), from, bounds_of(r));
  };
  all["reals-to-grid"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_reals_to_grid(reals_domain(in), from, r.number("step"));
  };
  all["keyed-to-vector"] = [](const R& r, const D& in, const M& from, const Makers&) {
    return make_keyed_to_vector(keyed_domain(in), from, keys_from(r.texts("keys")));
  };
}

void add_conversions(Makers& makers) {
  auto& all = makers.transformations;
  all["change-one-to-symmetric"] = convert_table<make_change_one_to_symmetric>;
  all["symmetric-to-change-one"] = convert_table<make_symmetric_to_change_one>;
  all["hamming-to-change-one"] = convert_table<make_hamming_to_change_one>;
  all["insert-delete-to-symmetric"] = convert_table<make_insert_delete_to_symmetric>;
  all["units-to-symmetric"] = [](const R&, const D& in, const M& from, const Makers&) {
    return make_units_to_symmetric(in, from);
  };
  all["units-to-units-added"] = [](const R&, const D& in, const M& from, const Makers&) {
    return make_units_to_units_added(in, from);
  };
  all["units-replaced-to-units-changed"] = convert_any<make_units_replaced_to_units_changed>;
  all["cells-to-l1"] = convert_any<make_cells_to_l1>;
  all["cells-to-l2"] = convert_any<make_cells_to_l2>;
  all["cells-to-linf"] = convert_any<make_cells_to_linf>;
  all["l1-to-l2"] = convert_any<make_l1_to_l2>;
  all["l1-to-linf"] = convert_any<make_l1_to_linf>;
  all["l2-to-l1"] = convert_any<make_l2_to_l1>;
  all["l2-to-linf"] = convert_any<make_l2_to_linf>;
  all["linf-to-l1"] = convert_any<make_linf_to_l1>;
  all["linf-to-l2"] = convert_any<make_linf_to_l2>;
}

}  // namespace

void add_catalogue_makers(Makers& makers) {
  add_rows(makers);
  add_multisets(makers);
  add_partition_and_counting(makers);
  add_vectors(makers);
  add_conversions(makers);
}

}  // namespace dither::calculus
