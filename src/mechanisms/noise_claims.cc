#include "mechanisms/noise_claims.h"

#include <string>

namespace dither::mechanisms {

namespace {

constexpr const char* kScale =
    "whole numbers on a declared grid; refuses scales outside [1/1000, 2^60] steps, and linf "
    "distances without a dimension";

void add_laplace_claims(Registry& registry) {
  registry.add_attacked(
      {"discrete-laplace",
       "mechanisms",
       "L1 distance d costs epsilon = d / scale, in any dimension; C cells that move by m cost epsilon = C m / "
       "scale, accounted one by one",
       kScale,
       {"F-44", "F-67", "W-12", "W-70"},
       {"DiscreteLaplaceMechanism.LossIsDistanceOverScale", "DiscreteLaplaceMechanism.LawsOfNeighboursAreWithinTheLoss",
        "DiscreteLaplaceMechanism.ReleasesFollowTheLaw", "NoiseCoverage.BarsHoldTheExactValueWith95Percent"},
       {"DiscreteLaplaceMechanism.PlantedHalfScaleIsCaught", "NoiseCoverage.PlantedNarrowBarIsCaught"},
       Subject::measurement});
  registry.add_attacked(
      {"laplace",
       "mechanisms",
       "L1 distance d costs epsilon = d / scale, in any dimension: the continuous law, rounded to the grid",
       kScale,
       {"F-43", "F-44", "F-66", "W-12", "W-70"},
       {"LaplaceMechanism.LossIsDistanceOverScale", "LaplaceMechanism.CurveOfNeighboursIsWithinTheContinuousOne",
        "LaplaceMechanism.ReleasesFollowTheRoundedLaw", "NoiseHoles.AnswersLieOnThePublicGrid"},
       {"LaplaceMechanism.PlantedHalfScaleIsCaught", "NoiseHoles.PlantedNaiveFloatingPointLaplaceIsCaught"},
       Subject::measurement});
  registry.add_attacked(
      {"truncated-geometric",
       "mechanisms",
       "L1 distance d costs epsilon = d / scale, in any dimension; answers stay within the declared bounds",
       std::string("bounds that are whole numbers of steps; ") + kScale,
       {"F-68", "W-12"},
       {"TruncatedGeometricMechanism.LossIsDistanceOverScale",
        "TruncatedGeometricMechanism.LawsOfNeighboursAreWithinTheLossAtTheEndsToo",
        "TruncatedGeometricMechanism.ReleasesFollowTheLaw",
        "TruncatedGeometricMechanism.BarDependsOnTheReleasedValueAndCoversEverywhere"},
       {"TruncatedGeometricMechanism.PlantedRejectionAtTheEndsIsCaught",
        "TruncatedGeometricMechanism.PlantedPointAtTheEndIsCaught"},
       Subject::measurement});
}

void add_gaussian_claims(Registry& registry) {
  registry.add_attacked(
      {"gaussian",
       "mechanisms",
       "L2 distance d costs rho = d^2 / (2 sigma^2) zCDP, in any dimension: discrete Gaussian noise",
       kScale,
       {"F-70", "D-68", "W-12"},
       {"GaussianMechanism.LossIsSquaredDistanceOverTwoSigmaSquared",
        "GaussianMechanism.LawsOfNeighboursAreWithinTheLoss", "GaussianMechanism.ReleasesFollowTheLaw",
        "NoiseCoverage.BarsHoldTheExactValueWith95Percent"},
       {"GaussianMechanism.PlantedNarrowNoiseIsCaught", "Calibrate.PlantedContinuousSigmaForDiscreteNoiseIsCaught"},
       Subject::measurement});
  registry.add_attacked(
      {"real-gaussian",
       "mechanisms",
       "L2 distance d costs mu = d / sigma Gaussian DP and rho = d^2 / (2 sigma^2) zCDP, in any dimension: the "
       "continuous law, rounded to the grid",
       kScale,
       {"F-52", "F-54", "F-55", "F-59", "W-12", "W-70"},
       {"RealGaussianMechanism.LossInBothMeasures", "RealGaussianMechanism.CurveOfNeighboursIsWithinTheContinuousOne",
        "RealGaussianMechanism.ReleasesFollowTheRoundedLaw", "Calibrate.AnalyticSigmaIsTheLeastOnAGrid",
        "ChooseNoise.PicksTheBestMemberEverywhere"},
       {"RealGaussianMechanism.PlantedNarrowNoiseIsCaught", "Calibrate.PlantedClassicalSigmaAboveOneIsCaught"},
       Subject::measurement});
}

void add_piece_claims(Registry& registry) {
  registry.add_attacked(
      {"in-pieces",
       "mechanisms",
       "a vector that is released piece by piece, on all cores, has the law of one release of the whole, and its price",
       "every step treats each number on its own, otherwise refused; the size that was declared",
       {"W-12"},
       {"InPieces.EveryNumberIsReleasedAtItsPlace", "InPieces.NoiseFollowsTheLawOnAllThreads",
        "InPieces.PiecesHaveNoiseOfTheirOwn", "InPieces.ChainsOfSuchStepsToo"},
       {"InPieces.PlantedNarrowNoiseIsCaught"},
       Subject::measurement});
}

}  // namespace

void add_noise_claims(Registry& registry) {
  add_laplace_claims(registry);
  add_gaussian_claims(registry);
  add_piece_claims(registry);
}

}  // namespace dither::mechanisms
