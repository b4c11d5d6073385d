// The one number that decides what a run of tests draws.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dither::testing {

// The seed of this run: DITHER_SEED when set, else the seed in RC_PARAMS (RapidCheck's own variable), else a fresh one.
// The same for the whole process; a failed test prints it in the line that repeats the failure. A variable that is set
// but does not hold a whole number below 2^64 gives bad-number.
std::uint64_t run_seed();

// The seed that these values of DITHER_SEED and RC_PARAMS ask for (null when not set), if any.
std::optional<std::uint64_t> seed_asked_for(const char* dither_seed, const char* rapidcheck_params);

// RapidCheck's parameters with its seed replaced by this one: what RC_PARAMS should hold.
std::string rapidcheck_params_with_seed(std::string_view params, std::uint64_t seed);

}  // namespace dither::testing
