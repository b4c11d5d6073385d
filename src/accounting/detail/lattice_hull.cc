// A pair is dominated by (P, Q) when its curve is convex and lies between (1 - r)+ and H. A polyline with its kinks on
// the nodes is such a curve, and its kinks are the masses under Q.
//
// 1. Lowering. Node i goes down by cut[i], at least the gap of both buckets beside it. Over a bucket the chord then
//    lies at least its gap below the chord of H, hence below H.
// 2. Clipping. On the right the polyline may not fall below 0. Where lowering would cross, it is put on 0 from some
//    node j on. The bucket before j then needs another reason to lie below H: a line that ends at or below H(r_j) lies
//    below H when it lies below the tangent of H at r_j from the left, and that is so when node j - 1 goes down by at
//    least up[j - 1]. If lowering by that much crosses as well, j moves on by one. The same on the left with the line
//    1 - r, tangents from the right and `down`. (Clipping alone, without this cut, would raise the chord above H.)
// 3. Convexity. Slopes of neighbouring pieces that fall are pooled: the chord over both lies below, the curve stays
//    above both lines, mass and mean stay.
//
// Rounding. Steps 1 and 2 hold for any numbers cut[i] that are large enough, so the cuts are doubles and exact. A kink
// of the result is a sum of kinks of H (relative error nodes.error) and differences of cuts; its error is at most the
// relative error times the sum of all terms, kept as `gross`. Pieces are pooled only when they surely fall. Where the
// sign is open, `a` is added to the kink and taken from its neighbours in the proportions that keep mass and mean: for
// a >= 0 that lowers a curve, so it is exact to do, and it makes the kink surely positive.
#include "accounting/detail/lattice_hull.h"

#include <algorithm>
#include <cmath>

namespace dither::accounting::detail {

namespace {

constexpr double kUnit = 0x1p-53;
// Covers the rounding of gaps and of the sums they are compared with (at most 2^22 terms: 2^22 u = 5e-10).
constexpr double kMargin = 1e-8;

// Pieces of the polyline with one slope, and the kink before each. Slopes are never formed: they are sums over
// everything to the left, while kinks are local.
struct Piece {
  std::size_t node;     // the node at its left end
  double width;         // in r
  double kink;          // change of slope from the piece before to this one
  double first_excess;  // its slope minus that of its first bucket before pooling
  double last_excess;   // slope of its last bucket minus its own
  double gross;         // of all kinks inside
  double kink_gross;
  int count;
};

struct Kinks {
  std::vector<double> value;
  std::vector<double> gross;
};

// The kinks after lowering and clipping; `left` is the last node on the line 1 - r, `right` the first on 0.
Kinks clipped_kinks(const Nodes& nodes, std::size_t* left, std::size_t* right) {
  const std::size_t count = nodes.kink.size();
  std::vector<double> cut(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double before = i > 0 ? nodes.gap[i - 1] : 0;
    const double after = i + 1 < count ? nodes.gap[i] : 0;
    cut[i] = std::max(before, after) * (1 + kMargin);
  }
  // How far H lies above each line, by sums of positive terms.
  std::vector<double> above_left(count, 0);
  std::vector<double> above_right(count, 0);
  double slope = 0;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    slope += nodes.kink[i];
    above_left[i + 1] = above_left[i] + slope * nodes.rise[i];
  }
  slope = 0;
  for (std::size_t i = count - 1; i > 0; --i) {
    slope += nodes.kink[i];
    above_right[i - 1] = above_right[i] + slope * nodes.rise[i - 1];
  }
  // The first and last node lie on their lines, since nothing lies beyond them.
  std::size_t low = 0;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (cut[i] * (1 + kMargin) >= above_left[i] && cut[i] > 0) low = i;
  }
  while (low + 1 < count) {
    cut[low + 1] = std::max(cut[low + 1], nodes.down[low] * (1 + kMargin));
    if (cut[low + 1] == 0 || cut[low + 1] * (1 + kMargin) < above_left[low + 1]) break;
    ++low;
  }
  std::size_t high = count - 1;
  for (std::size_t i = count - 1; i > 0; --i) {
    if (cut[i] * (1 + kMargin) >= above_right[i] && cut[i] > 0) high = i;
  }
  while (high > 0) {
    cut[high - 1] = std::max(cut[high - 1], nodes.up[high - 1] * (1 + kMargin));
    if (cut[high - 1] == 0 || cut[high - 1] * (1 + kMargin) < above_right[high - 1]) break;
    --high;
  }
  if (low + 1 == high && above_left[low] < nodes.up[low] * (1 + kMargin) &&
      above_right[high] < nodes.down[low] * (1 + kMargin)) {
    low = high;  // one bucket between the lines, and no tangent on either side that would do
  }
  *left = low;
  *right = high;
  Kinks kinks{std::vector<double>(count, 0), std::vector<double>(count, 0)};
  if (low >= high) return kinks;
  for (std::size_t i = 0; i <= low; ++i) cut[i] = above_left[i];
  for (std::size_t i = high; i < count; ++i) cut[i] = above_right[i];
  const auto slope_of_cut = [&](std::size_t i) { return (cut[i + 1] - cut[i]) / nodes.rise[i]; };
  for (std::size_t i = low; i <= high; ++i) {
    // Beyond the clipped ends the polyline is a line: what remains there is the slope it has next to it.
    double value = nodes.kink[i];
    double gross = nodes.kink[i];
    if (i > low) {
      value += slope_of_cut(i - 1);
      gross += (cut[i] + cut[i - 1]) / nodes.rise[i - 1];
    }
    if (i < high) {
      value -= slope_of_cut(i);
      gross += (cut[i + 1] + cut[i]) / nodes.rise[i];
    }
    kinks.value[i] = value;
    kinks.gross[i] = gross;
  }
  if (low > 0) {  // the polyline leaves the line 1 - r at `low`
    kinks.value[low] = (above_left[low + 1] - cut[low + 1]) / nodes.rise[low];
    kinks.gross[low] = (above_left[low + 1] + cut[low + 1]) / nodes.rise[low];
  }
  if (high + 1 < count) {
    kinks.value[high] = (above_right[high - 1] - cut[high - 1]) / nodes.rise[high - 1];
    kinks.gross[high] = (above_right[high - 1] + cut[high - 1]) / nodes.rise[high - 1];
  }
  return kinks;
}

double uncertainty(double error, double gross, int count) { return (error + (32 + 8.0 * count) * kUnit) * gross; }

void pool(std::vector<Piece>& pieces, double error) {
  while (pieces.size() >= 2) {
    Piece& left = pieces[pieces.size() - 2];
    const Piece& right = pieces.back();
    const double jump = left.last_excess + right.kink + right.first_excess;
    const double gross = left.gross + right.kink_gross + right.gross;
    if (!(jump < -uncertainty(error, gross, left.count + right.count))) return;
    const double width = left.width + right.width;
    left.first_excess += jump * (right.width / width);
    left.last_excess = right.last_excess + jump * (left.width / width);
    left.gross = gross;
    left.count += right.count;
    left.width = width;
    pieces.pop_back();
  }
}

}  // namespace

std::vector<double> lowered_masses(const Nodes& nodes) {
  const std::size_t count = nodes.kink.size();
  std::vector<double> masses(count, 0);
  if (!(nodes.error < kMargin / 10)) return masses;
  std::size_t low = 0;
  std::size_t high = 0;
  const Kinks kinks = clipped_kinks(nodes, &low, &high);
  if (low >= high) return masses;
  // The sums in clipped_kinks have up to 2^22 terms.
  const double error = nodes.error + kUnit * static_cast<double>(count);

  std::vector<Piece> pieces;
  for (std::size_t i = low; i < high; ++i) {
    pieces.push_back({i, nodes.rise[i], kinks.value[i], 0, 0, 0, kinks.gross[i], 1});
    pool(pieces, error);
  }
  // What lies on each vertex, and how far off that may be.
  struct Vertex {
    std::size_t node;
    double mass;
    double uncertain;
  };
  std::vector<Vertex> vertices;
  for (std::size_t k = 0; k <= pieces.size(); ++k) {
    const bool end = k == pieces.size();
    const std::size_t node = end ? high : pieces[k].node;
    double mass = end ? kinks.value[high] : pieces[k].kink + pieces[k].first_excess;
    double gross = end ? kinks.gross[high] : pieces[k].kink_gross + pieces[k].gross;
    int parts = end ? 1 : pieces[k].count;
    if (k > 0) {
      mass += pieces[k - 1].last_excess;
      gross += pieces[k - 1].gross;
      parts += pieces[k - 1].count;
    }
    vertices.push_back({node, mass, uncertainty(error, gross, parts)});
  }
  for (int turn = 0; turn < 64; ++turn) {
    bool open = false;
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      Vertex& vertex = vertices[k];
      if (vertex.mass >= vertex.uncertain) continue;
      if (k == 0 || k + 1 == vertices.size()) return masses;  // nothing certain is left
      open = true;
      Vertex& before = vertices[k - 1];
      Vertex& after = vertices[k + 1];
      const double a = 2 * vertex.uncertain - vertex.mass;
      const double to_before = nodes.ratio[vertex.node] - nodes.ratio[before.node];
      const double to_after = nodes.ratio[after.node] - nodes.ratio[vertex.node];
      const double share = to_after / (to_before + to_after);
      vertex.mass += a;
      vertex.uncertain += 8 * kUnit * a;
      before.mass -= a * share;
      after.mass -= a * (1 - share);
      const double off = 1e-9 + 8 * kUnit / nodes.step;  // of share: ratios differ by a step at least
      before.uncertain += off * a;
      after.uncertain += off * a;
    }
    if (!open) break;
    if (turn == 63) return masses;
  }
  for (const Vertex& vertex : vertices) masses[vertex.node] = std::max(0.0, vertex.mass - vertex.uncertain);
  return masses;
}

}  // namespace dither::accounting::detail
