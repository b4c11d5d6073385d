// What noise on a single integer has in common.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "calculus/domain.h"
#include "random/source.h"

namespace dither::mechanisms::detail {

// Refuses (no-theorem) a domain whose vectors may have several coordinates: the loss of `name` is known for one.
void require_one_number(const calculus::VectorDomain& domain, std::string_view name);

// Draws of a sampler for 64 bits, less `centre`, where 128 are wanted.
template <class Noise>
struct Centred {
  Noise noise;
  std::int64_t centre = 0;

  void fill(std::span<Int128> out, random::Source& source) const {
    std::vector<std::int64_t> draws(out.size());
    noise.fill(draws, source);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = draws[i] - centre;
  }
};

}  // namespace dither::mechanisms::detail
