#include "mechanisms/noise_makers.h"

#include <fmt/format.h>

#include "base/error.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/gaussian.h"
#include "mechanisms/laplace.h"
#include "mechanisms/real_gaussian.h"
#include "mechanisms/truncated_geometric.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

const VectorDomain& vectors(const Recipe& recipe, const Domain& domain) {
  if (const auto* vector = std::get_if<VectorDomain>(&domain)) return *vector;
  throw Error{Code::wrong_type, fmt::format("{} takes vectors of whole numbers, not {}", recipe.name, describe(domain)),
              "put the step that counts or sums before it"};
}

}  // namespace

void add_noise_makers(Makers& makers) {
  makers.measurements["discrete-laplace"] = [](const Recipe& recipe, const Domain& input, const Metric& from,
                                               const Makers&) {
    return make_discrete_laplace(vectors(recipe, input), recipe.number("scale"), from.kind);
  };
  makers.measurements["laplace"] = [](const Recipe& recipe, const Domain& input, const Metric& from, const Makers&) {
    return make_laplace(vectors(recipe, input), recipe.number("scale"), from.kind);
  };
  makers.measurements["truncated-geometric"] = [](const Recipe& recipe, const Domain& input, const Metric& from,
                                                  const Makers&) {
    return make_truncated_geometric(vectors(recipe, input), recipe.number("scale"), from.kind);
  };
  makers.measurements["gaussian"] = [](const Recipe& recipe, const Domain& input, const Metric& from, const Makers&) {
    return make_gaussian(vectors(recipe, input), recipe.number("sigma"), from.kind);
  };
  makers.measurements["real-gaussian"] = [](const Recipe& recipe, const Domain& input, const Metric& from,
                                            const Makers&) {
    return make_real_gaussian(vectors(recipe, input), recipe.number("sigma"), from.kind,
                              measure_from(recipe.text("measure")));
  };
}

}  // namespace dither::mechanisms
