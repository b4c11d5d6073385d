// Members of a domain and their neighbours, with the values that break things.
#pragma once

#include <cstdint>
#include <map>
#include <random>

#include "calculus/domain.h"
#include "calculus/metric.h"

namespace dither::audit {

// Draws data of a domain: few different rows, so that they meet and repeat; NaN, infinities, -0.0, the ends of int64 and
// of 128 bits, NULL and empty tables wherever the domain has them.
class Members {
 public:
  Members(const calculus::Domain& domain, const calculus::Metric& metric, std::uint64_t seed)
      : domain_(domain), metric_(metric), random_(seed) {}

  calculus::Data member();

  // A member that so many steps of the metric lead to; the true distance can be smaller, and of vectors larger.
  calculus::Data neighbour(const calculus::Data& data, int steps);

  // The same data to the metric: rows in another order where order means nothing, zeros and NaNs with other bits.
  calculus::Data same(const calculus::Data& data);

 private:
  std::uint64_t below(std::uint64_t n) { return n == 0 ? 0 : random_() % n; }
  bool coin() { return below(2) == 0; }

  Cell cell(const calculus::Column& column);
  calculus::Row row(const calculus::TableDomain& domain, const calculus::Table& like);
  calculus::Table table(const calculus::TableDomain& domain, const calculus::Table& like = {});
  // Rows that come are often rows of `like`: those that meet others are what moves most.
  void step(const calculus::TableDomain& domain, calculus::MetricKind kind, calculus::Table& table,
            const calculus::Table& like);
  void add_row(const calculus::TableDomain& domain, calculus::Table& table, const calculus::Table& like);
  void add_unit(calculus::Tables& tables, const Cell& unit);
  Cell new_unit(const calculus::Tables& tables);
  void step_units(calculus::Tables& tables);
  void respell(calculus::Table& table);
  void move(calculus::Integers& vector, const std::optional<calculus::Bounds>& bounds, int steps);
  void move(calculus::Reals& vector, int steps);
  void move(calculus::Keyed& keyed, int steps);

  // What a column of the domain may hold, the likeliest first.
  const std::vector<Cell>& cells_of(const calculus::Column& column);

  calculus::Domain domain_;
  calculus::Metric metric_;
  std::mt19937_64 random_;
  std::map<const calculus::Column*, std::vector<Cell>> cells_;
};

}  // namespace dither::audit
