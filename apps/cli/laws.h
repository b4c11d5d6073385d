// Every law that `dither noise` draws from.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/draws.h"
#include "cli/parameters.h"

namespace dither::cli {

struct Law {
  std::string name;
  std::vector<std::string> parameters;  // names of options, all needed
  std::string is;                       // its formula, in one line
  Draws (*make)(const Parameters&);
};

// In the order in which people see them.
std::span<const Law> all_laws();

// unknown-law when there is none of that name; the hint has the nearest.
const Law& find_law(const std::string& name);

// The law ready to draw. What its sampler refuses is refused here, with the options as typed.
Draws make_draws(const Law& law, const Parameters& parameters);

}  // namespace dither::cli
