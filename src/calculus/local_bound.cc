#include "calculus/local_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/directed.h"
#include "base/error.h"
#include "calculus/detail/access.h"

namespace dither::calculus {

namespace {

constexpr double kRounding = 1e-12;

void require_supported(const AnyTransformation& f) {
  const MetricKind in = f.from().kind, out = f.to().kind;
  const bool rows = in == MetricKind::symmetric || in == MetricKind::change_one;
  const bool norm = out == MetricKind::l1 || out == MetricKind::l2 || out == MetricKind::linf;
  if (rows && norm && std::holds_alternative<TableDomain>(f.input())) return;
  throw Error{Code::no_theorem,
              fmt::format("no local bound is known from {} to {}", metric_name(f.from()), metric_name(f.to())),
              "give a function from symmetric or change-one to l1, l2 or linf"};
}

// How many values a column can have; nothing when there is no end to them.
std::optional<Rational> values_of(const Column& column) {
  const Rational null(column.nullable ? 1 : 0);
  if (!column.categories.empty()) {
    std::set<std::string> different;
    for (const Cell& cell : column.categories) {
      if (member(column, cell)) different.insert(canonical(cell));
    }
    different.erase(canonical(Cell()));
    return Rational(static_cast<Int128>(different.size())) + null;
  }
  if (column.type == CellType::boolean) return Rational(2) + null;
  if (column.type != CellType::integer || !column.bounds) return std::nullopt;
  const Rational low = Rational(column.bounds->low.ceil()), high = Rational(column.bounds->high.floor());
  return std::max(Rational(0), high - low + 1) + null;
}

// The promise of a bound is about all rows that may be there.
void require_universe(const TableDomain& domain, MetricKind metric, const std::vector<Row>& universe) {
  if (metric == MetricKind::symmetric && domain.rows) {
    throw Error{Code::no_theorem, "no row is added to tables with a fixed number of rows", "bound by change-one"};
  }
  std::optional<Rational> wanted = Rational(1);
  for (const Column& column : domain.columns) {
    const std::optional<Rational> values = values_of(column);
    wanted = wanted && values ? std::optional(*wanted * *values) : std::nullopt;
  }
  std::set<std::string> rows;
  for (const Row& row : universe) {
    bool fits = row.size() == domain.columns.size();
    for (std::size_t i = 0; fits && i < row.size(); ++i) fits = member(domain.columns[i], row[i]);
    if (fits) rows.insert(canonical(std::span(row)));
    if (!fits) wanted.reset();
  }
  if (wanted && Rational(static_cast<Int128>(rows.size())) == *wanted) return;
  throw Error{Code::bad_argument, fmt::format("{} rows are not all that the function may be given", rows.size()),
              "declare categories or bounds of every column, and give every row that keeps them"};
}

// Tables by their sorted rows, so that a table is found again however its rows stand.
using Named = std::map<std::vector<std::string>, Table>;

std::vector<std::string> spelling(const Table& table) {
  std::vector<std::string> rows;
  for (const Row& row : table) rows.push_back(canonical(std::span(row)));
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<Table> neighbours(const Table& table, MetricKind metric, const std::vector<Row>& universe) {
  std::vector<Table> all;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (metric == MetricKind::symmetric) {
      all.push_back(table);
      all.back().erase(all.back().begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    for (const Row& row : universe) {
      all.push_back(table);
      all.back()[i] = row;
    }
  }
  if (metric == MetricKind::change_one) return all;
  for (const Row& row : universe) {
    all.push_back(table);
    all.back().push_back(row);
  }
  return all;
}

double length_up(MetricKind norm, const Distance& distance) {
  const double up = number(distance).to_double_up();
  return norm == MetricKind::l2 ? sqrt_up(up) : up;
}

// f where it was asked before is not run again.
class Local {
 public:
  Local(const AnyTransformation& f, const std::vector<Row>& universe) : f_(f), universe_(universe) {}

  std::vector<Table> around(const Table& table) const { return neighbours(table, f_.from().kind, universe_); }

  double sensitivity_up(const Table& table) {
    Distance largest = zero(f_.to());
    for (const Table& other : around(table)) {
      const std::optional<Distance> moved = distance(f_.to(), value(table), value(other));
      // Values that no number of steps connects are as far apart as f's map allows.
      largest = std::max(largest, moved.value_or(f_.map(one_step(f_.from()))),
                         [](const Distance& a, const Distance& b) { return number(a) < number(b); });
    }
    return length_up(f_.to().kind, largest);
  }

 private:
  const Data& value(const Table& table) {
    const auto [at, fresh] = values_.try_emplace(spelling(table));
    if (fresh) at->second = CombinatorAccess::parts(f_).function(table);
    return at->second;
  }

  const AnyTransformation& f_;
  const std::vector<Row>& universe_;
  std::map<std::vector<std::string>, Data> values_;
};

}  // namespace

LocalBound local_sensitivity(const AnyTransformation& f, const std::vector<Row>& universe, const Private& data) {
  require_supported(f);
  require_universe(std::get<TableDomain>(f.input()), f.from().kind, universe);
  Local local(f, universe);
  return {f, std::nullopt, data, Secret<double>(local.sensitivity_up(as<Table>(CombinatorAccess::look(data))))};
}

LocalBound smooth_bound(const AnyTransformation& f, const std::vector<Row>& universe, const Rational& beta, int steps,
                        const Private& data) {
  require_supported(f);
  require_universe(std::get<TableDomain>(f.input()), f.from().kind, universe);
  if (beta < Rational::parse("1e-9") || beta > 100) {
    throw Error{Code::bad_scale, fmt::format("the smoothness {} is outside [1e-9, 100]", beta.str()),
                "give the beta of the noise that follows the bound"};
  }
  if (steps < 0 || steps > 8) {
    throw Error{Code::bad_count, fmt::format("{} steps around the data; 0 to 8 can be searched", steps), "give fewer"};
  }
  const double falling = beta.to_double_down() - kRounding;
  const auto shrunk = [&](double length, int distance) { return mul_up(length, exp_up(-falling * distance)); };
  Local local(f, universe);
  const Table& here = as<Table>(CombinatorAccess::look(data));
  double bound = shrunk(length_up(f.to().kind, f.map(one_step(f.from()))), steps + 1);
  Named seen, ring;
  ring.emplace(spelling(here), here);
  for (int distance = 0; distance <= steps; ++distance) {
    Named next;
    for (const auto& [name, table] : ring) {
      seen.emplace(name, table);
      bound = std::max(bound, shrunk(local.sensitivity_up(table), distance));
      if (distance == steps) continue;
      for (Table& other : local.around(table)) {
        std::vector<std::string> key = spelling(other);
        if (!seen.contains(key) && !ring.contains(key)) next.emplace(std::move(key), std::move(other));
      }
    }
    ring = std::move(next);
  }
  return {f, beta, data, Secret<double>(bound)};
}

}  // namespace dither::calculus
