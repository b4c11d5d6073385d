#include "accounting/sampler.h"

#include <fmt/format.h>

#include "base/error.h"

namespace dither::accounting {
namespace {

void require_rate(const Rational& rate) {
  if (rate.sign() < 0 || rate > Rational(1)) {
    throw Error{Code::bad_probability,
                fmt::format("the sampling rate is {:.6g}, which is not a probability", rate.to_double_down()),
                "give a rate between 0 and 1"};
  }
  if (rate.sign() > 0 && rate * Rational::parse("1e30") < Rational(1)) {
    throw Error{Code::out_of_range, "the sampling rate is below 1e-30", "give a larger rate, or 0"};
  }
}

void require_count(std::string_view what, std::uint64_t count) {
  if (count == 0) throw Error{Code::bad_count, fmt::format("the {} is 0", what), "give a whole number of at least 1"};
}

void require_sampler(const Poisson& sampler) {
  require_rate(sampler.rate);
  if (!sampler.cut) return;
  require_count("largest batch", sampler.cut->max_batch);
  require_count("population", sampler.cut->population);
}

void require_sampler(const WithoutReplacement& sampler) {
  require_count("batch", sampler.batch);
  if (sampler.batch > sampler.population) {
    throw Error{Code::bad_count,
                fmt::format("a batch of {} out of a population of {}", sampler.batch, sampler.population),
                "give a batch no larger than the population"};
  }
}

void require_sampler(const WithReplacement& sampler) {
  require_count("number of draws", sampler.draws);
  require_count("population", sampler.population);
}

void require_sampler(const ShuffledBatches& sampler) { require_count("number of batches", sampler.batches); }
void require_sampler(const RandomAllocation& sampler) { require_count("number of steps", sampler.steps); }
void require_sampler(const AllOrNothing& sampler) { require_rate(sampler.rate); }

}  // namespace

void require_valid(const Sampler& sampler) {
  std::visit([](const auto& s) { require_sampler(s); }, sampler);
}

}  // namespace dither::accounting
