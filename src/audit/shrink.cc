#include "audit/shrink.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/canonical.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: what is shrunk is data of the calculus

namespace {

using Candidates = std::vector<BreakingPair>;

bool same_row(const Row& a, const Row& b) { return canonical(a) == canonical(b); }

// Where the other table has the same row.
std::optional<std::size_t> find_row(const Table& table, const Row& row) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (same_row(table[i], row)) return i;
  }
  return std::nullopt;
}

Table without(Table table, std::size_t at) {
  table.erase(table.begin() + static_cast<std::ptrdiff_t>(at));
  return table;
}

Table with_cell(Table table, std::size_t row, std::size_t column, const Cell& cell) {
  table[row][column] = cell;
  return table;
}

// The plainest first. A cell is replaced by one before it only.
std::vector<Cell> plain(const Cell& like) {
  std::vector<Cell> all = {Cell{}};
  if (std::holds_alternative<bool>(like)) all.insert(all.end(), {Cell(false), Cell(true)});
  if (std::holds_alternative<std::int64_t>(like)) all.insert(all.end(), {Cell(std::int64_t{0}), Cell(std::int64_t{1})});
  if (std::holds_alternative<double>(like)) all.insert(all.end(), {Cell(0.0), Cell(1.0)});
  if (std::holds_alternative<std::string>(like)) all.insert(all.end(), {Cell(std::string()), Cell(std::string("a"))});
  return all;
}

std::vector<Cell> plainer(const Cell& cell) {
  std::vector<Cell> all = plain(cell);
  const auto here =
      std::find_if(all.begin(), all.end(), [&](const Cell& c) { return canonical(c) == canonical(cell); });
  all.erase(here, all.end());
  return all;
}

using Put = std::function<void(Table, Table)>;

// Rows of `a` left out, with the same row of `b` or alone. `swapped` when `a` is the second of the pair.
void fewer_rows(const Table& a, const Table& b, bool swapped, const Put& put) {
  const auto give = [&](Table x, Table y) {
    swapped ? put(std::move(y), std::move(x)) : put(std::move(x), std::move(y));
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (const auto twin = find_row(b, a[i])) give(without(a, i), without(b, *twin));
    give(without(a, i), b);
  }
}

void plainer_cells(const Table& a, const Table& b, bool swapped, const Put& put) {
  const auto give = [&](Table x, Table y) {
    swapped ? put(std::move(y), std::move(x)) : put(std::move(x), std::move(y));
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto twin = find_row(b, a[i]);
    for (std::size_t column = 0; column < a[i].size(); ++column) {
      for (const Cell& cell : plainer(a[i][column])) {
        const Table changed = with_cell(a, i, column, cell);
        give(changed, twin ? with_cell(b, *twin, column, cell) : b);
      }
    }
  }
}

void smaller_tables(const Table& a, const Table& b, const Put& put) {
  fewer_rows(a, b, false, put);
  fewer_rows(b, a, true, put);
  plainer_cells(a, b, false, put);
  plainer_cells(b, a, true, put);
}

void smaller(const Table& a, const Table& b, Candidates& out) {
  smaller_tables(a, b, [&](Table x, Table y) { out.push_back({std::move(x), std::move(y)}); });
}

void smaller(const Tables& a, const Tables& b, Candidates& out) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    smaller_tables(a[i], b[i], [&](Table x, Table y) {
      Tables first = a, second = b;
      first[i] = std::move(x);
      second[i] = std::move(y);
      out.push_back({std::move(first), std::move(second)});
    });
  }
}

// Halfway to the target, at least one step; the number itself when it is there.
Int128 towards(Int128 x, Int128 target) {
  const Int128 half = x / 2 - target / 2;  // of 128 bits, so that the difference cannot overflow
  if (half != 0) return x - half;
  return x > target ? x - 1 : x < target ? x + 1 : x;
}
double towards(double x, double target) {
  if (!std::isfinite(x) || !std::isfinite(target) || std::abs(x - target) < 0x1p-20) return target;
  return std::trunc((x + target) / 2);
}

// One step, where half of the way is too much.
Int128 step_towards(Int128 x, Int128 target) { return x > target ? x - 1 : x < target ? x + 1 : x; }
double step_towards(double x, double target) {
  if (!std::isfinite(x - target) || std::abs(x - target) <= 1) return x;
  return x > target ? x - 1 : x + 1;
}

std::optional<Int128> difference(Int128 b, Int128 a) {
  Int128 result;
  return __builtin_sub_overflow(b, a, &result) ? std::nullopt : std::optional(result);
}
std::optional<double> difference(double b, double a) { return b - a; }

bool same_number(Int128 a, Int128 b) { return a == b; }
bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Both nearer to 0, and the second nearer to the first.
template <class Vector>
void smaller_vectors(const Vector& a, const Vector& b, const std::function<void(Vector, Vector)>& put) {
  using Number = typename Vector::value_type;
  constexpr Number kZero = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const auto give = [&](Number x, Number y) {
      if (same_number(x, a[i]) && same_number(y, b[i])) return;
      Vector first = a, second = b;
      first[i] = x;
      second[i] = y;
      put(std::move(first), std::move(second));
    };
    give(kZero, kZero);
    if (same_number(a[i], b[i])) {
      give(towards(a[i], kZero), towards(b[i], kZero));
      give(step_towards(a[i], kZero), step_towards(b[i], kZero));
      continue;
    }
    const std::optional<Number> apart = difference(b[i], a[i]);
    if (apart && a[i] != kZero) give(kZero, *apart);
    give(a[i], towards(b[i], a[i]));
    give(a[i], step_towards(b[i], a[i]));
  }
}

void smaller(const Integers& a, const Integers& b, Candidates& out) {
  smaller_vectors<Integers>(a, b, [&](Integers x, Integers y) { out.push_back({std::move(x), std::move(y)}); });
}

void smaller(const Reals& a, const Reals& b, Candidates& out) {
  smaller_vectors<Reals>(a, b, [&](Reals x, Reals y) { out.push_back({std::move(x), std::move(y)}); });
}

Keyed without_key(Keyed keyed, const std::string& key) {
  const auto at = std::find(keyed.keys.begin(), keyed.keys.end(), key) - keyed.keys.begin();
  if (at == static_cast<std::ptrdiff_t>(keyed.keys.size())) return keyed;
  keyed.keys.erase(keyed.keys.begin() + at);
  keyed.values.erase(keyed.values.begin() + at);
  return keyed;
}

void smaller(const Keyed& a, const Keyed& b, Candidates& out) {
  for (const std::string& key : a.keys) out.push_back({without_key(a, key), without_key(b, key)});
  for (const std::string& key : b.keys) out.push_back({without_key(a, key), without_key(b, key)});
  if (a.keys != b.keys) return;
  smaller_vectors<Integers>(a.values, b.values, [&](Integers x, Integers y) {
    out.push_back({Keyed{a.keys, std::move(x)}, Keyed{b.keys, std::move(y)}});
  });
}

void smaller(const Answers&, const Answers&, Candidates&) {}  // answers are never inputs

Candidates candidates(const BreakingPair& pair) {
  Candidates out;
  std::visit(
      [&](const auto& a) {
        if (const auto* b = std::get_if<std::decay_t<decltype(a)>>(&pair.second)) smaller(a, *b, out);
      },
      pair.first);
  return out;
}

}  // namespace

BreakingPair shrink(BreakingPair pair, const Shows& shows, int most_tries) {
  for (int tries = 0;;) {
    std::optional<BreakingPair> better;
    for (BreakingPair& candidate : candidates(pair)) {
      if (++tries > most_tries) return pair;
      if (!shows(candidate)) continue;
      better = std::move(candidate);
      break;
    }
    if (!better) return pair;
    pair = std::move(*better);
  }
}

}  // namespace dither::audit
