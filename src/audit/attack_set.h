// What an attacker bets on.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace dither::audit {

// The outputs whose score is above a threshold, and a share of those at it: the best tests have this form. The
// coin for ties is independent of the mechanism, so a set with ties is a randomised test, and as sound.
struct AttackSet {
  std::string description;                                   // for people: "the first number is at least 4"
  std::function<double(std::span<const double> row)> score;  // never NaN; any thread
  double threshold = 0;
  double share_of_ties = 1;  // in [0, 1]

  // `coin` uniform in [0, 1).
  bool contains(std::span<const double> row, double coin) const {
    const double found = score(row);
    return found > threshold || (found == threshold && coin < share_of_ties);
  }
};

}  // namespace dither::audit
