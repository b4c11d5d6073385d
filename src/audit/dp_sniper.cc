#include "audit/dp_sniper.h"

#include <memory>

#include "audit/detail/ranked_attack.h"
#include "audit/logistic.h"
#include "audit/network.h"

namespace dither::audit {

namespace {

using detail::Ranking;
using detail::Runs;

std::vector<Ranking> rank_by_network(const Runs& training, const Shape& shape, std::uint64_t seed) {
  Features features(training.first, training.second, shape, {.atoms = true});
  const auto fitted =
      std::make_shared<const Network>(fit_network(std::move(features), training.first, training.second, seed));
  return {{"the score of a network of 10 and 5 units",
           [fitted](std::span<const double> row) { return fitted->score(row); }}};
}

std::vector<Ranking> rank_by_bits(const Runs& training, const Shape& shape, std::uint64_t) {
  Features features(training.first, training.second, shape, {.bits = true});
  const auto fitted =
      std::make_shared<const Logistic>(fit_logistic(std::move(features), training.first, training.second));
  return {{"the score of a logistic classifier on bits",
           [fitted](std::span<const double> row) { return fitted->score(row); }}};
}

}  // namespace

Report dp_sniper(const Target& target, const Effort& effort) {
  return detail::attack_by_ranking(target, effort, "dp-sniper", detail::rank_by_logistic, detail::rank_by_logistic);
}

Report dp_sniper_mlp(const Target& target, const Effort& effort) {
  return detail::attack_by_ranking(target, effort, "dp-sniper-mlp", detail::rank_by_logistic, rank_by_network);
}

Report dp_sniper_bits(const Target& target, const Effort& effort) {
  return detail::attack_by_ranking(target, effort, "dp-sniper-bits", rank_by_bits, rank_by_bits);
}

}  // namespace dither::audit
