#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "calculus/detail/steps.h"
#include "calculus/detail/wide_sum.h"
#include "calculus/vectors.h"

namespace dither::calculus {

namespace {

using Matrix = std::vector<std::vector<Rational>>;

// The least whole number that makes all entries whole.
Rational common_denominator(const Matrix& matrix) {
  mpz_t all;
  mpz_init_set_ui(all, 1);
  for (const auto& row : matrix) {
    for (const Rational& a : row) mpz_lcm(all, all, mpq_denref(a.get()));
  }
  Rational result;
  mpq_set_z(result.get(), all);
  mpz_clear(all);
  return result;
}

// What the maps are made of.
struct Norms {
  Rational column_l1, column_squares, entry, row_l1, squares;
};
Norms norms(const Matrix& matrix) {
  Norms all;
  for (std::size_t j = 0; j < matrix[0].size(); ++j) {
    Rational l1 = 0, squares = 0;
    for (const auto& row : matrix) {
      l1 += abs(row[j]);
      squares += row[j] * row[j];
      all.entry = std::max(all.entry, abs(row[j]));
    }
    all.column_l1 = std::max(all.column_l1, l1);
    all.column_squares = std::max(all.column_squares, squares);
    all.squares += squares;
  }
  for (const auto& row : matrix) {
    Rational l1 = 0;
    for (const Rational& a : row) l1 += abs(a);
    all.row_l1 = std::max(all.row_l1, l1);
  }
  return all;
}

AnyTransformation::Map map_between(const Metric& from, MetricKind to, const Norms& norms) {
  if (from.kind == MetricKind::l1 && to == MetricKind::l1) return detail::times(norms.column_l1);
  if (from.kind == MetricKind::l1 && to == MetricKind::linf) return detail::times(norms.entry);
  if (from.kind == MetricKind::linf && to == MetricKind::linf) return detail::times(norms.row_l1);
  if (from.kind == MetricKind::l2 && to == MetricKind::l2) {
    return detail::times(std::min(norms.squares, norms.column_l1 * norms.row_l1));
  }
  if (from.kind == MetricKind::l1 && to == MetricKind::l2) {
    return [squares = norms.column_squares](const Distance& d) -> Distance { return squares * number(d) * number(d); };
  }
  detail::no_theorem(from, fmt::format("linear-map into {}", metric_name({to})),
                     "see its header for the pairs it knows");
}

}  // namespace

AnyTransformation make_linear_map(const VectorDomain& input, const Metric& from, const Matrix& matrix, MetricKind to) {
  const bool even =
      !matrix.empty() && !matrix[0].empty() &&
      std::all_of(matrix.begin(), matrix.end(), [&](const auto& row) { return row.size() == matrix[0].size(); });
  if (!even || input.dimension != matrix[0].size()) {
    throw Error{Code::mixed_domains, fmt::format("the matrix does not fit {}", describe(input)),
                "declare the dimension, and give rows of that many numbers"};
  }
  const Rational denominator = common_denominator(matrix);
  Matrix whole = matrix;
  std::vector<Rational> entries;
  for (auto& row : whole) {
    for (Rational& a : row) {
      entries.push_back(a);
      a *= denominator;
    }
  }
  return AnyTransformation({
      .recipe = {"linear-map",
                 {{"rows", Rational(static_cast<Int128>(matrix.size()))},
                  {"entries", entries},
                  {"to", metric_name({to})}}},
      .input = input,
      .output = VectorDomain{matrix.size(), input.step / denominator},
      .from = from,
      .to = {to},
      .map = map_between(from, to, norms(whole)),
      .function = [whole](const Data& data) -> Data {
        const Integers& x = as<Integers>(data);
        Integers y;
        for (const auto& row : whole) {
          Rational sum = 0;
          for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * Rational(x[j]);
          y.push_back(detail::cut(sum));
        }
        return y;
      },
  });
}

}  // namespace dither::calculus
