#include "testing/seed.h"

#include <charconv>
#include <cstdlib>
#include <random>
#include <sstream>

#include "base/error.h"

namespace dither::testing {

namespace {

constexpr std::string_view kSeedKey = "seed=";

std::uint64_t parse_seed(std::string_view text) {
  std::uint64_t seed = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (failure != std::errc{} || end != text.data() + text.size()) {
    throw Error{Code::bad_number, "the seed \"" + std::string(text) + "\" is not a whole number below 2^64",
                "set DITHER_SEED to the number that a failed test printed"};
  }
  return seed;
}

std::uint64_t fresh_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

}  // namespace

std::optional<std::uint64_t> seed_asked_for(const char* dither_seed, const char* rapidcheck_params) {
  if (dither_seed != nullptr) return parse_seed(dither_seed);
  if (rapidcheck_params == nullptr) return std::nullopt;
  std::istringstream words{rapidcheck_params};
  for (std::string word; words >> word;) {
    if (word.starts_with(kSeedKey)) return parse_seed(std::string_view(word).substr(kSeedKey.size()));
  }
  return std::nullopt;
}

std::string rapidcheck_params_with_seed(std::string_view params, std::uint64_t seed) {
  std::istringstream words{std::string(params)};
  std::string result = std::string(kSeedKey) + std::to_string(seed);
  for (std::string word; words >> word;) {
    if (!word.starts_with(kSeedKey)) result += " " + word;
  }
  return result;
}

std::uint64_t run_seed() {
  static const std::uint64_t seed = [] {
    const auto asked = seed_asked_for(std::getenv("DITHER_SEED"), std::getenv("RC_PARAMS"));
    return asked ? *asked : fresh_seed();
  }();
  return seed;
}

}  // namespace dither::testing
