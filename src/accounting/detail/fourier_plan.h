// Chooses the tilt, the spacing and the number of frequencies, and the smoothing. Nothing here needs to be right for
// the results to be sound: a bad choice gives wide bounds, and every bound is checked where it is used.
#pragma once

#include <vector>

#include "accounting/detail/fourier_spectrum.h"

namespace dither::accounting::detail {

// What is asked: epsilon at a given delta, or delta at a given epsilon; the other one is estimated.
struct Question {
  bool asks_epsilon;
  double log_delta;       // of the finite part
  double epsilon;         // given, or a guess; NaN when there is none
  double width;           // of epsilon, when that is asked
  double relative_width;  // of delta, when that is asked
};

struct Plan {
  bool usable = false;  // false: no finite moment was found
  double theta = 0;
  double best_order = 0;  // the minimum of the Renyi bound
  double log_delta = 0;   // as given or estimated
  double epsilon = 0;
  double spacing = 0;
  double accuracy = 0;        // wanted of each part of the error, relative to delta
  double smoothing = 0;       // should smoothing be needed
  double deviation = 0;       // of the tilted total loss, roughly
  double digits = 0;          // ln of what the terms must be known to
  std::vector<Order> orders;  // certified
};

Plan make_plan(const Composition& composition, const Question& question);

// A composition of few groups that is much like a long one; a short one itself.
Composition sample(const Composition& all);

// The factors, the frequencies and the tail that answer within the wanted accuracy at bounded effort.
Spectrum make_spectrum(const Composition& composition, const Plan& plan);

}  // namespace dither::accounting::detail
