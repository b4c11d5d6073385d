// The search of testers that look at histograms: which pair, which summary, which direction.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/detail/bins.h"
#include "audit/report.h"

namespace dither::audit::detail {

// How much a tester hopes for from two histograms of training runs, the likelier side first, and the parameter (an
// epsilon, an order) at which it does.
struct Hope {
  double worth = 0;
  double parameter = 0;
};
using Judge = std::function<Hope(const BinCounts& likelier, const BinCounts& other)>;

// What is to be tested on fresh runs. The counts are those of training, the likelier side first.
struct Finding {
  std::size_t pair = 0;
  bool swapped = false;
  OutputBins bins;
  BinCounts likelier, other;
  Hope hope;
};

struct BinChoice {
  std::size_t most = 64;
  BinRule rule = BinRule::equal_share;
  bool both_ways = true;  // else the first input of a pair is the likelier one
};

// Looks at every pair with few runs, then at the best two with all of effort.search. Nothing when there is no pair or no
// time. Adds a note when a pair's output never varied, and where
// pairs or columns got less than all of the search.
std::optional<Finding> search_bins(const Target& target, const Effort& effort, const BinChoice& choice,
                                   const Judge& judge, std::vector<std::string>& notes);

// Why search_bins found nothing, for people.
std::string_view why_nothing(const Target& target);

// The draws of a finding, the likelier side first.
struct Sides {
  const Draw& likelier;
  const Draw& other;
  const std::string& likelier_name;
  const std::string& other_name;
};
Sides sides(const Target& target, std::size_t pair, bool swapped);

// "output 1 is 3, or output 1 is 4, or 7 more".
std::string describe(const OutputBins& bins, const std::vector<bool>& chosen);

}  // namespace dither::audit::detail
