#include "calculus/claims.h"

#include "calculus/bounding_claims.h"
#include "calculus/catalogue.h"
#include "calculus/combinator_makers.h"
#include "calculus/units.h"

namespace dither::calculus {

namespace {

// Of transformation.h and measurement.h.
void add_chain_claims(Registry& registry) {
  registry.add_attacked({
      .name = "chain",
      .room = "calculus",
      .guarantee =
          "one step after another: maps compose, so inputs at distance d cost loss(map(d)), never a factor times "
          "a loss",
      .conditions = "refuses steps whose metrics, neighbours or domains do not fit, and more than 1000 of them",
      .rows = {"W-07"},
      .testers = {"Chain.ThreeRowsThenLaplaceAtOneFifthCostsThreeFifths", "Chain.ThreeRowsThenSigmaTenCostsRho0045",
                  "Chain.StabilitiesMultiply", "Chain.MixingIsRefusedByName", "Chain.DomainsMustFit"},
      .mutants = {"Chain.PlantedForgottenStabilityIsCaught"},
      .subject = Subject::combinator,
  });
}

}  // namespace

void add_claims(Registry& registry) {
  add_chain_claims(registry);
  add_catalogue_claims(registry);
  add_bounding_claims(registry);
  add_combinator_claims(registry);
  add_unit_claims(registry);
}

}  // namespace dither::calculus
