#include "mechanisms/mean_claims.h"

namespace dither::mechanisms {

void add_mean_claims(Registry& registry) {
  registry.add_attacked({"mean-of-known-size",
                         "mechanisms",
                         "d units replaced cost d epsilon; standard error (U - L) sqrt(2) / (epsilon n)",
                         "units-replaced, n declared, no unit or value that may be missing (refused: mixed-domains)",
                         {"F-41", "F-51"},
                         {"Mean.OfKnownSizeHasTheErrorOfTheOracle", "Mean.CostsWhatItSays",
                          "Mean.IntervalsCoverTheMean", "Aggregates.TotalsMoveByTheWidthOnlyWhereNobodyCanVanish"},
                         {},
                         Subject::measurement});
  registry.add_attacked(
      {"mean-of-private-size",
       "mechanisms",
       "d units changed cost d (epsilon of the centred sum + epsilon of the count); the interval covers 95% or more",
       "units-added, units-replaced, units-changed; the size is private, a lower bound on it is only used afterwards",
       {"F-41"},
       {"Mean.OfPrivateSizeHasTheErrorOfTheOracle", "Mean.CostsWhatItSays", "Mean.IntervalsCoverTheMean",
        "Mean.Hole41TheDenominatorIsPrivate"},
       {"Mean.PlantedIntervalThatTrustsTheCountIsCaught"},
       Subject::measurement});
}

}  // namespace dither::mechanisms
