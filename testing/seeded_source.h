// Sources whose bytes a test can choose. Nothing that ships links this.
#pragma once

#include <cstdint>

#include "random/source.h"

namespace dither::testing {

// A source whose bytes follow from the seed.
random::Source seeded_source(std::uint64_t seed);

// A source whose entropy fails: the first byte taken aborts the process.
random::Source source_without_entropy();

}  // namespace dither::testing
