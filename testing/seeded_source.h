// Sources whose bytes a test can choose. Nothing that ships links this.
#pragma once

#include <cstdint>
#include <span>

#include "random/source.h"

namespace dither::testing {

// A source whose bytes follow from the seed.
random::Source seeded_source(std::uint64_t seed);

// What a forked child could make of the cipher it inherits: the bytes that follow from its state. Spends that state.
void inherited_stream(random::Source& source, std::span<std::uint8_t> out);

// A source whose entropy fails: the first byte taken aborts the process.
random::Source source_without_entropy();

}  // namespace dither::testing
