#include "mechanisms/claims.h"

#include "mechanisms/key_claims.h"
#include "mechanisms/mean_claims.h"
#include "mechanisms/more_noise_claims.h"
#include "mechanisms/noise_claims.h"

namespace dither::mechanisms {

namespace {

// Of choose_noise.h: it makes discrete-laplace or real-gaussian, which have their own claims.
void add_choice_claims(Registry& registry) {
  registry.add_attacked({
      .name = "best-noise",
      .room = "mechanisms",
      .guarantee =
          "inputs within the given distance cost (epsilon, delta), by Laplace or Gaussian noise, whichever has "
          "the smaller standard error",
      .conditions = "a distance above 0, epsilon > 0, delta in [0, 1); a delta of 0 leaves Laplace noise alone",
      .rows = {"F-59"},
      .testers = {"ChooseNoise.TheNoiseMadeKeepsTheBudget", "ChooseNoise.PicksTheBestMemberEverywhere",
                  "ChooseNoise.GaussianWinsFromSevenCounts"},
      .mutants = {"ChooseNoise.PlantedAlwaysLaplaceIsCaught"},
      .subject = Subject::measurement,
  });
}

}  // namespace

void add_claims(Registry& registry) {
  add_noise_claims(registry);
  add_choice_claims(registry);
  add_more_noise_claims(registry);
  add_key_claims(registry);
  add_mean_claims(registry);
}

}  // namespace dither::mechanisms
