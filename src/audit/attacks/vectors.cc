// Steps on vectors of numbers.
#include "calculus/vectors.h"

#include "audit/attacks/steps.h"

namespace dither::audit {

using namespace calculus;  // NOLINT: steps, domains and metrics are all there is here
using namespace steps;     // NOLINT

void add_vector_attacks(Attacks& attacks) {
  const VectorDomain three{3};
  const auto norms = {Metric{kL1}, Metric{kL2}, Metric{kLinf}, Metric{kCells}};
  add_from(attacks, "clamp-vector", norms, [three](const Metric& m) {
    return make_clamp_vector(three, m, {-1, Rational(7, 2)});
  });
  add_from(attacks, "scale", norms, [three](const Metric& m) { return make_scale(three, m, -3); });
  add_from(attacks, "select-coordinates", norms, [three](const Metric& m) {
    return make_select_coordinates(three, m, {2, 0});
  });
  add_from(attacks, "pad", norms, [three](const Metric& m) { return make_pad(three, m, {5, -1}); });
  add_from(attacks, "keyed-to-vector", norms, [](const Metric& m) {
    return make_keyed_to_vector({}, m, {"ta", "i1", "n"});
  });
  add_from(attacks, "total", {{kL1}, {kL2}, {kLinf}}, [three](const Metric& m) { return make_total(three, m); });
  const std::vector<std::vector<Rational>> matrix = {{1, -2, 0}, {Rational(1, 2), 3, 1}};
  for (const MetricKind to : {kL1, kL2, kLinf}) {
    add_step(attacks, "linear-map", "from l1 to " + metric_name({to}),
             [three, matrix, to] { return make_linear_map(three, {kL1}, matrix, to); });
    add_step(attacks, "prefix-sums", "from l1 to " + metric_name({to}),
             [three, to] { return make_prefix_sums(three, {kL1}, to); });
  }
  add_step(attacks, "linear-map", "from l2 to l2", [three] { return make_linear_map(three, {kL2}, {{1, 1, 1}}, kL2); });
  add_step(attacks, "tree-sums", "from l1 to l1", [] { return make_tree_sums({8}, {kL1}, 2, kL1); });
  add_step(attacks, "tree-sums", "from l1 to l2", [] { return make_tree_sums({5}, {kL1}, 2, kL2); });
  add_step(attacks, "tree-sums", "from l2 to l2", [] { return make_tree_sums({2}, {kL2}, 2, kL2); });
  add_from(attacks, "clamp-reals", {{kL1}, {kL2}, {kLinf}}, [](const Metric& m) {
    return make_clamp_reals({2}, m, {-1, 2});
  });
  add_from(attacks, "reals-to-grid", {{kL1}, {kLinf}}, [](const Metric& m) {
    return make_reals_to_grid({2, true}, m, Rational(1, 2));
  });
}

}  // namespace dither::audit
