#include "mechanisms/detail/reach.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace dither::mechanisms::detail {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

constexpr Int128 kMostSteps = 1'000'000'000'000'000;

Rational count(std::uint64_t n) { return Rational(static_cast<Int128>(n)); }

// The four bounds of a distance between cells sharpen each other: |x|_1 <= cells * largest, |x|_2^2 <= |x|_1 * largest.
Rational least_largest(const CellsDistance& d) { return std::min(d.largest, d.l1); }
Rational least_l1(const CellsDistance& d) { return std::min(d.l1, d.cells * least_largest(d)); }
Rational least_l2_squared(const CellsDistance& d) { return std::min(d.l2_squared, least_l1(d) * least_largest(d)); }

}  // namespace

Reach::Reach(const VectorDomain& domain, MetricKind from, MetricKind need) : from_(from), dimension_(domain.dimension) {
  const bool known = from == MetricKind::l1 || from == MetricKind::linf || from == MetricKind::cells ||
                     (from == MetricKind::l2 && need == MetricKind::l2);
  if (!known) {
    throw Error{
        Code::mixed_metrics,
        fmt::format("noise priced by {} was asked for distances in {}", metric_name({need}), metric_name({from})),
        fmt::format("give distances in {}, linf or cells", metric_name({need}))};
  }
  if (from == MetricKind::linf && !dimension_) {
    throw Error{Code::no_theorem, "distances in linf bound nothing else while the number of coordinates is not known",
                "declare the dimension of the vectors"};
  }
}

Rational Reach::l1(const Distance& d) const {
  if (from_ == MetricKind::cells) return least_l1(cells_of(d));
  return from_ == MetricKind::linf ? count(*dimension_) * number(d) : number(d);
}

Rational Reach::l2_squared(const Distance& d) const {
  if (from_ == MetricKind::cells) return least_l2_squared(cells_of(d));
  if (from_ == MetricKind::l2) return number(d);
  const Rational square = number(d) * number(d);
  return from_ == MetricKind::linf ? count(*dimension_) * square : square;
}

std::optional<EachMoves> Reach::each(const Distance& d) const {
  const bool single = dimension_ == 1u;
  Rational cells = 1;
  Rational largest = from_ == MetricKind::l2 ? root_up(number(d)) : Rational(0);
  if (from_ == MetricKind::cells) {
    cells = single ? Rational(1) : cells_of(d).cells;
    largest = least_largest(cells_of(d));
  } else if (from_ == MetricKind::linf) {
    cells = count(*dimension_);
    largest = number(d);
  } else if (!single) {
    return std::nullopt;
  } else if (from_ == MetricKind::l1) {
    largest = number(d);
  }
  if (cells > count(accounting::kMostTimes) || largest > Rational(kMostSteps)) return std::nullopt;
  return EachMoves{static_cast<std::uint64_t>(cells.floor()), largest.floor()};  // both are whole numbers in truth
}

Rational root_up(const Rational& square) {
  if (square.sign() == 0) return 0;
  // sqrt(p / q) = sqrt(p q) / q; with 2 * 110 more bits under the root unless it comes out even.
  mpz_t under;
  mpz_init(under);
  mpz_mul(under, mpq_numref(square.get()), mpq_denref(square.get()));
  const unsigned long shift = mpz_perfect_square_p(under) != 0 ? 0 : 110;
  mpz_mul_2exp(under, under, 2 * shift);
  Rational root;
  mpz_sqrt(mpq_numref(root.get()), under);
  if (shift > 0) mpz_add_ui(mpq_numref(root.get()), mpq_numref(root.get()), 1);
  mpz_set(mpq_denref(root.get()), mpq_denref(square.get()));
  mpz_mul_2exp(mpq_denref(root.get()), mpq_denref(root.get()), shift);
  mpq_canonicalize(root.get());
  mpz_clear(under);
  return root;
}

}  // namespace dither::mechanisms::detail
