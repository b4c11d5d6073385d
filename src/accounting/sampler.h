// How the records of one step are chosen.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "base/rational.h"

namespace dither::accounting {

// A sampler amplifies privacy only together with the neighbour relation and the mechanism its theorem is about; cost.h
// refuses every other combination by the name of what is missing (A-37, B-15, B-16, B-18). The sampler must be the one
// that really ran: shuffled batches do not cost what Poisson batches cost.

// Each record by its own coin. When batches are cut at `max_batch`, the number of records must be known too (B-18).
struct Poisson {
  Rational rate;
  struct Cut {
    std::uint64_t max_batch;
    std::uint64_t population;
    bool operator==(const Cut&) const = default;
  };
  std::optional<Cut> cut;
  bool operator==(const Poisson&) const = default;
};

// `batch` different records out of `population`, every set equally likely.
struct WithoutReplacement {
  std::uint64_t batch = 1;
  std::uint64_t population = 1;
  bool operator==(const WithoutReplacement&) const = default;
};

// `draws` records out of `population`, the same one perhaps again.
struct WithReplacement {
  std::uint64_t draws = 1;
  std::uint64_t population = 1;
  bool operator==(const WithReplacement&) const = default;
};

// One epoch: the records are shuffled and cut into `batches` batches, each used once.
struct ShuffledBatches {
  std::uint64_t batches = 1;
  bool operator==(const ShuffledBatches&) const = default;
};

// One epoch: each record is used in one of `steps` steps, chosen on its own (balls and bins).
struct RandomAllocation {
  std::uint64_t steps = 1;
  bool operator==(const RandomAllocation&) const = default;
};

// All records with probability `rate`, otherwise none: amplifies nothing, and is named so that it can be refused.
struct AllOrNothing {
  Rational rate;
  bool operator==(const AllOrNothing&) const = default;
};

using Sampler =
    std::variant<Poisson, WithoutReplacement, WithReplacement, ShuffledBatches, RandomAllocation, AllOrNothing>;

// Throws when a parameter is outside its range (bad-probability, bad-count).
void require_valid(const Sampler& sampler);

}  // namespace dither::accounting
