// Drawn numbers beside their law.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "cli/draws.h"
#include "show/json.h"

namespace dither::cli {

// Mean, variance and a few tails of the numbers drawn, and the same of the law.
struct Summary {
  struct Line {
    std::optional<double> drawn;  // nothing for the variance of a single number
    std::optional<double> exact;  // nothing where the law has none, or where it would take too long
  };
  struct Tail {
    std::string at;  // t of P(|K| >= t)
    Line line;
  };
  Line mean;
  Line variance;  // of the sample: divided by count - 1
  std::vector<Tail> tails;
  bool before_rounding = false;  // the law's mean and variance are those before rounding to the grid
};

Summary summarise(const Draws& draws, std::uint64_t count, Progress& progress);

std::string summary_text(const Summary& summary);

// Adds the members mean, variance, tails to a document.
void add_summary(const Summary& summary, show::Json& document);

}  // namespace dither::cli
