#include "mechanisms/detail/gauge.h"

#include <optional>
#include <utility>

#include "base/error.h"

namespace dither::mechanisms::detail {

namespace {

using Column = std::vector<Rational>;
using Square = std::vector<std::vector<Rational>>;

constexpr int kFreeSteps = 200;  // by the steepest column

// Subtracts multiples of row p from the others, and scales it, so that `column` becomes the p-th unit vector.
void pivot(Square& inverse, Column& values, const Column& column, std::size_t p) {
  const std::size_t d = inverse.size();
  for (Rational& x : inverse[p]) x /= column[p];
  values[p] /= column[p];
  for (std::size_t i = 0; i < d; ++i) {
    if (i == p || column[i].sign() == 0) continue;
    for (std::size_t k = 0; k < d; ++k) {
      if (inverse[p][k].sign() != 0) inverse[i][k] -= column[i] * inverse[p][k];
    }
    values[i] -= column[i] * values[p];
  }
}

Rational dot(const Column& a, const Column& b) {
  Rational sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].sign() != 0 && b[i].sign() != 0) sum += a[i] * b[i];
  }
  return sum;
}

// A signed column of the matrix; in a basis its cost is 1.
struct Signed {
  std::size_t column;
  int sign;
  bool operator<(const Signed& b) const { return std::pair(column, sign) < std::pair(b.column, b.sign); }
};

// One search from a basis in which z has no negative part.
struct Search {
  const std::vector<Column>& columns;
  std::vector<Signed> basis;
  Square inverse;
  Column values;

  // The column that would lower the cost: the one that does most, or by Bland's rule the first.
  std::optional<Signed> entering(bool bland) const {
    Column dual(basis.size());
    for (const Column& row : inverse) {
      for (std::size_t k = 0; k < row.size(); ++k) dual[k] += row[k];
    }
    std::optional<Signed> best;
    Rational most = 1;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const Rational gain = dot(dual, columns[j]);
      if (abs(gain) <= most) continue;
      best = Signed{j, gain.sign()};
      if (bland) return best;
      most = abs(gain);
    }
    return best;
  }

  // Takes the column in, and out goes the one that first reaches zero; of several the first.
  void exchange(const Signed& in) {
    Column moved(basis.size());
    for (std::size_t i = 0; i < basis.size(); ++i) moved[i] = dot(inverse[i], columns[in.column]) * in.sign;
    std::optional<std::size_t> out;
    Rational least;
    for (std::size_t i = 0; i < basis.size(); ++i) {
      if (moved[i].sign() <= 0) continue;
      const Rational reach = values[i] / moved[i];
      const bool sooner = !out || reach < least || (reach == least && basis[i] < basis[*out]);
      if (sooner) out = i, least = reach;
    }
    // Costs are positive, so the cost cannot fall for ever: some value reaches zero.
    pivot(inverse, values, moved, *out);
    basis[*out] = in;
  }
};

}  // namespace

Gauge::Gauge(const IntegerMatrix& rows) {
  const std::size_t d = rows.size();
  for (std::size_t j = 0; j < rows.front().size(); ++j) {
    Column column;
    for (std::size_t i = 0; i < d; ++i) column.emplace_back(static_cast<long>(rows[i][j]));
    columns_.push_back(std::move(column));
  }
  // Elimination with the largest entry as pivot: a basis of large determinant, as the columns in it lie far apart.
  inverse_.assign(d, Column(d));
  for (std::size_t i = 0; i < d; ++i) inverse_[i][i] = 1;
  std::vector<Column> reduced = columns_;
  basis_.assign(d, columns_.size());
  for (std::size_t step = 0; step < d; ++step) {
    std::size_t row = d;
    std::size_t column = 0;
    Rational largest = 0;
    for (std::size_t j = 0; j < reduced.size(); ++j) {
      for (std::size_t i = 0; i < d; ++i) {
        if (basis_[i] != columns_.size() || abs(reduced[j][i]) <= largest) continue;
        row = i, column = j, largest = abs(reduced[j][i]);
      }
    }
    if (row == d) {
      throw Error{Code::no_theorem, "the rows of the matrix are linearly dependent, so some answers follow from others",
                  "leave out the rows that are combinations of the others, and compute their answers afterwards"};
    }
    determinant_ *= largest;
    basis_[row] = column;
    const Column by = reduced[column];
    Column none(d);
    pivot(inverse_, none, by, row);
    for (Column& other : reduced) {
      const Rational top = other[row] / by[row];
      for (std::size_t i = 0; i < d; ++i) other[i] = i == row ? top : other[i] - by[i] * top;
    }
  }
}

Rational Gauge::operator()(std::span<const Int128> z) const {
  Search search{columns_, {}, inverse_, {}};
  Column exact;
  for (const Int128 value : z) exact.emplace_back(value);
  for (std::size_t i = 0; i < inverse_.size(); ++i) {
    Rational value = dot(inverse_[i], exact);
    const int sign = value.sign() < 0 ? -1 : 1;
    if (sign < 0) {
      value = -value;
      for (Rational& x : search.inverse[i]) x = -x;
    }
    search.basis.push_back({basis_[i], sign});
    search.values.push_back(std::move(value));
  }
  for (int step = 0;; ++step) {
    const std::optional<Signed> in = search.entering(step >= kFreeSteps);
    if (!in) break;
    search.exchange(*in);
  }
  Rational sum = 0;
  for (const Rational& value : search.values) sum += value;
  return sum;
}

}  // namespace dither::mechanisms::detail
