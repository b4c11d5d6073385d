#include "calculus/vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "calculus/detail/cells.h"
#include "calculus/detail/nearest_step.h"
#include "calculus/detail/steps.h"
#include "calculus/detail/wide_sum.h"

namespace dither::calculus {

namespace {

Rational whole(std::uint64_t number) { return Rational(static_cast<Int128>(number)); }

bool is_norm(const Metric& metric) {
  return metric.kind == MetricKind::l1 || metric.kind == MetricKind::l2 || metric.kind == MetricKind::linf ||
         metric.kind == MetricKind::cells;
}

// The largest whole number that is at most a + sqrt(b), for a, b >= 0.
Rational square_plus_root(const Rational& a, const Rational& b) {
  Rational root(b.ceil());
  mpz_sqrt(mpq_numref(root.get()), mpq_numref(root.get()));  // whole: rounded down
  Rational result((a + root + 1).floor());
  while (result > a && (result - a) * (result - a) > b) result -= 1;
  return result;
}

// For steps under which no coordinate, nor any set of them, moves further than before.
AnyTransformation::Map as_before(const Metric& from, std::string_view step) {
  if (!is_norm(from)) detail::no_theorem(from, step, "make it for l1, l2, linf or cells");
  return [](const Distance& d) { return d; };
}

std::uint64_t dimension_of(const std::optional<std::uint64_t>& dimension, std::string_view step) {
  if (dimension && *dimension > 0) return *dimension;
  throw Error{Code::mixed_domains, fmt::format("{} needs a declared dimension of 1 or more", step),
              "declare the dimension of the vector"};
}

[[noreturn]] void no_pair(const Metric& from, MetricKind to, std::string_view step) {
  detail::no_theorem(from, fmt::format("{} into {}", step, metric_name({to})), "see its header for the pairs it knows");
}

AnyTransformation coordinatewise(Recipe recipe, const VectorDomain& input, VectorDomain output, const Metric& from,
                                 AnyTransformation::Map map, std::function<Int128(Int128)> change) {
  return AnyTransformation({
      .recipe = std::move(recipe),
      .input = input,
      .output = std::move(output),
      .from = from,
      .to = from,
      .map = std::move(map),
      .function = [change = std::move(change)](const Data& data) -> Data {
        Integers x = as<Integers>(data);
        for (Int128& one : x) one = change(one);
        return x;
      },
  });
}

// Level by level, root first: how many nodes each has.
std::vector<std::uint64_t> level_sizes(std::uint64_t leaves, std::uint64_t branching) {
  std::vector<std::uint64_t> sizes = {leaves};
  while (sizes.back() > 1) sizes.push_back(sizes.back() / branching + (sizes.back() % branching != 0 ? 1 : 0));
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

Integers tree_sums(const Integers& leaves, const std::vector<std::uint64_t>& sizes, std::uint64_t branching) {
  std::vector<std::vector<detail::WideSum>> levels(sizes.size());  // wide all the way: a cut node is not added up
  levels.back().resize(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) levels.back()[i] += leaves[i];
  for (std::size_t level = sizes.size() - 1; level-- > 0;) {
    levels[level].resize(sizes[level]);
    for (std::size_t i = 0; i < levels[level + 1].size(); ++i) levels[level][i / branching] += levels[level + 1][i];
  }
  Integers nodes;
  for (const auto& level : levels) {
    for (const detail::WideSum& node : level) nodes.push_back(node.cut());
  }
  return nodes;
}

AnyTransformation::Map tree_map(const Metric& from, MetricKind to, const Rational& levels,
                                const std::vector<Rational>& widths) {
  if (from.kind == MetricKind::l1 && to == MetricKind::l1) return detail::times(levels);
  if (from.kind == MetricKind::l1 && to == MetricKind::l2) {
    return [levels](const Distance& d) -> Distance { return levels * number(d) * number(d); };
  }
  Rational all = 0;
  for (const Rational& width : widths) all += width;
  if (from.kind == MetricKind::l2 && to == MetricKind::l2) return detail::times(all);
  if (from.kind != MetricKind::cells || to != MetricKind::cells) no_pair(from, to, "tree-sums");
  return [levels, widths](const Distance& d) -> Distance {
    const CellsDistance& four = cells_of(d);
    Rational squares = 0;
    for (const Rational& width : widths) squares += std::min(width * four.l2_squared, four.l1 * four.l1);
    return CellsDistance{levels * four.cells, levels * four.l1, squares,
                         std::min(four.l1, widths.front() * four.largest)};
  };
}

}  // namespace

AnyTransformation make_clamp_vector(const VectorDomain& input, const Metric& from, const Bounds& bounds) {
  const Rational least(kInt128Min), most(kInt128Max);
  const Rational low_end = std::max(bounds.low, least), high_end = std::min(bounds.high, most);
  const bool empty = low_end > high_end;
  const Int128 low = empty ? 0 : low_end.ceil(), high = empty ? -1 : high_end.floor();
  if (low > high) {
    throw Error{Code::bad_bounds, fmt::format("no whole number lies in [{}, {}]", bounds.low.str(), bounds.high.str()),
                "write wider bounds, the smaller number first"};
  }
  VectorDomain output = input;
  output.bounds = bounds;
  return coordinatewise({"clamp-vector", {{"low", bounds.low}, {"high", bounds.high}}}, input, output, from,
                        as_before(from, "clamp-vector"), [low, high](Int128 x) { return std::clamp(x, low, high); });
}

AnyTransformation make_prefix_sums(const VectorDomain& input, const Metric& from, MetricKind to) {
  const Rational n = whole(dimension_of(input.dimension, "prefix-sums"));
  if (from.kind != MetricKind::l1) no_pair(from, to, "prefix-sums");
  AnyTransformation::Map map = detail::times(to == MetricKind::l1 ? n : 1);
  if (to == MetricKind::l2) map = [n](const Distance& d) -> Distance { return n * number(d) * number(d); };
  if (to != MetricKind::l1 && to != MetricKind::l2 && to != MetricKind::linf) no_pair(from, to, "prefix-sums");
  return AnyTransformation({
      .recipe = {"prefix-sums", {{"to", metric_name({to})}}},
      .input = input,
      .output = VectorDomain{input.dimension, input.step},
      .from = from,
      .to = {to},
      .map = std::move(map),
      .function = [](const Data& data) -> Data {
        Integers sums;
        detail::WideSum sum;
        for (const Int128 x : as<Integers>(data)) sums.push_back((sum += x).cut());
        return sums;
      },
  });
}

AnyTransformation make_tree_sums(const VectorDomain& input, const Metric& from, std::uint64_t branching,
                                 MetricKind to) {
  const std::uint64_t leaves = dimension_of(input.dimension, "tree-sums");
  if (branching < 2) throw Error{Code::bad_count, "a tree with less than 2 branches", "write 2 or more"};
  const std::vector<std::uint64_t> sizes = level_sizes(leaves, branching);
  std::vector<Rational> widths;  // of the levels, root first: leaves under a node
  Rational width = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i, width *= whole(branching))
    widths.push_back(std::min(width, whole(leaves)));
  std::reverse(widths.begin(), widths.end());
  std::uint64_t nodes = 0;
  for (const std::uint64_t size : sizes) nodes += size;
  return AnyTransformation({
      .recipe = {"tree-sums", {{"branching", whole(branching)}, {"to", metric_name({to})}}},
      .input = input,
      .output = VectorDomain{nodes, input.step},
      .from = from,
      .to = {to},
      .map = tree_map(from, to, whole(sizes.size()), widths),
      .function = [sizes, branching](const Data& data) -> Data {
        return tree_sums(as<Integers>(data), sizes, branching);
      },
  });
}

AnyTransformation make_scale(const VectorDomain& input, const Metric& from, const Rational& factor) {
  if (!factor.is_integer() || abs(factor) >= Rational::power_of_two(63)) {
    throw Error{Code::bad_number, fmt::format("the factor {} is not a whole number of 64 bits", factor.str()),
                "write a whole number, or change the step of the grid"};
  }
  as_before(from, "scale");  // refuses other metrics
  const Rational size = abs(factor);
  const auto map = [size, squared = from.kind == MetricKind::l2](const Distance& d) -> Distance {
    if (const auto* one = std::get_if<Rational>(&d)) return (squared ? size * size : size) * *one;
    const CellsDistance& four = cells_of(d);
    return CellsDistance{four.cells, size * four.l1, size * size * four.l2_squared, size * four.largest};
  };
  return coordinatewise({"scale", {{"factor", factor}}}, input, {input.dimension, input.step}, from, map,
                        [k = factor.floor()](Int128 x) { return mul_saturating(x, k); });
}

AnyTransformation make_select_coordinates(const VectorDomain& input, const Metric& from,
                                          const std::vector<std::uint64_t>& coordinates) {
  const std::uint64_t n = dimension_of(input.dimension, "select-coordinates");
  std::vector<Rational> numbers;
  for (const std::uint64_t i : coordinates) {
    numbers.push_back(whole(i));
    if (i >= n) throw Error{Code::out_of_range, fmt::format("coordinate {} of {}", i, n), "they are numbered from 0"};
  }
  if (std::set(coordinates.begin(), coordinates.end()).size() != coordinates.size()) {
    throw Error{Code::duplicate_key, "a coordinate is selected twice", "name each once"};
  }
  VectorDomain output = input;
  output.dimension = coordinates.size();
  return AnyTransformation({
      .recipe = {"select-coordinates", {{"coordinates", numbers}}},
      .input = input,
      .output = std::move(output),
      .from = from,
      .to = from,
      .map = as_before(from, "select-coordinates"),
      .function = [coordinates](const Data& data) -> Data {
        Integers selected;
        for (const std::uint64_t i : coordinates) selected.push_back(as<Integers>(data)[i]);
        return selected;
      },
  });
}

AnyTransformation make_pad(const VectorDomain& input, const Metric& from, const Integers& constants) {
  VectorDomain output{std::nullopt, input.step};
  if (input.dimension) output.dimension = *input.dimension + constants.size();
  std::vector<Rational> numbers;
  for (const Int128 constant : constants) numbers.emplace_back(constant);
  return AnyTransformation({
      .recipe = {"pad", {{"constants", numbers}}},
      .input = input,
      .output = std::move(output),
      .from = from,
      .to = from,
      .map = as_before(from, "pad"),
      .function = [constants](const Data& data) -> Data {
        Integers padded = as<Integers>(data);
        padded.insert(padded.end(), constants.begin(), constants.end());
        return padded;
      },
  });
}

AnyTransformation make_total(const VectorDomain& input, const Metric& from) {
  if (!is_norm(from) || from.kind == MetricKind::cells)
    detail::no_theorem(from, "total", "choose a norm first: cells-to-l1");
  const Rational factor = from.kind == MetricKind::l1 ? Rational(1) : whole(dimension_of(input.dimension, "total"));
  return AnyTransformation({
      .recipe = {"total"},
      .input = input,
      .output = VectorDomain{1, input.step},
      .from = from,
      .to = from,
      .map = detail::times(factor),
      .function = [](const Data& data) -> Data {
        detail::WideSum sum;
        for (const Int128 x : as<Integers>(data)) sum += x;
        return Integers{sum.cut()};
      },
  });
}

AnyTransformation make_clamp_reals(const RealsDomain& input, const Metric& from, const Bounds& bounds) {
  const double low = bounds.low.to_double_up(), high = bounds.high.to_double_down();
  if (!(low <= high) || std::isinf(low) || std::isinf(high)) {
    throw Error{Code::bad_bounds, fmt::format("no double lies in [{}, {}]", bounds.low.str(), bounds.high.str()),
                "write wider bounds, the smaller number first"};
  }
  if (from.kind == MetricKind::cells) detail::no_theorem(from, "clamp-reals", "make it for l1, l2 or linf");
  const double nearest_zero = std::clamp(0.0, low, high);
  return AnyTransformation({
      .recipe = {"clamp-reals", {{"low", bounds.low}, {"high", bounds.high}}},
      .input = input,
      .output = RealsDomain{input.dimension, true, bounds},
      .from = from,
      .to = from,
      .map = as_before(from, "clamp-reals"),
      .function = [low, high, nearest_zero](const Data& data) -> Data {
        Reals x = as<Reals>(data);
        for (double& one : x) one = std::isnan(one) ? nearest_zero : std::clamp(one, low, high);
        return x;
      },
  });
}

AnyTransformation make_reals_to_grid(const RealsDomain& input, const Metric& from, const Rational& step) {
  if (step.sign() <= 0) {
    throw Error{Code::bad_grid, fmt::format("the step of the grid is {}, but must be positive", step.str()),
                "write a positive step, such as 1 or 0.01"};
  }
  if (from.kind != MetricKind::l1 && from.kind != MetricKind::l2 && from.kind != MetricKind::linf) {
    detail::no_theorem(from, "reals-to-grid",
                       "make it for l1, l2 or linf, or put the rows on the grid before they are added");
  }
  const bool largest = from.kind == MetricKind::linf;
  const Rational edges = largest ? Rational(1) : whole(dimension_of(input.dimension, "reals-to-grid"));
  return AnyTransformation({
      .recipe = {"reals-to-grid", {{"step", step}}},
      .input = input,
      .output = VectorDomain{input.dimension, step},
      .from = from,
      .to = from,
      .map = [step, edges, squares = from.kind == MetricKind::l2](const Distance& d) -> Distance {
        if (!squares) return edges + Rational((number(d) / step).floor());
        const Rational square = number(d) / (step * step);
        return square_plus_root(square + edges, 4 * square * edges);
      },
      .function = [nearest = detail::NearestStep(step)](const Data& data) -> Data {
        const Reals& reals = as<Reals>(data);
        Integers result(reals.size());
        std::transform(reals.begin(), reals.end(), result.begin(), nearest);
        return result;
      },
  });
}

AnyTransformation make_keyed_to_vector(const KeyedDomain& input, const Metric& from,
                                       const std::vector<std::string>& keys) {
  if (std::set(keys.begin(), keys.end()).size() != keys.size()) {
    throw Error{Code::duplicate_key, "a key is listed twice", "list each key once"};
  }
  return AnyTransformation({
      .recipe = {"keyed-to-vector", {{"keys", detail::spelled(std::vector<Cell>(keys.begin(), keys.end()))}}},
      .input = input,
      .output = VectorDomain{keys.size(), input.step},
      .from = from,
      .to = from,
      .map = as_before(from, "keyed-to-vector"),
      .function = [keys](const Data& data) -> Data {
        const Keyed& keyed = as<Keyed>(data);
        Integers values;
        for (const std::string& key : keys) {
          const auto at = std::lower_bound(keyed.keys.begin(), keyed.keys.end(), key);
          const bool found = at != keyed.keys.end() && *at == key;
          values.push_back(found ? keyed.values[static_cast<std::size_t>(at - keyed.keys.begin())] : 0);
        }
        return values;
      },
  });
}

}  // namespace dither::calculus
