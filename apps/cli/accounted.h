// How `dither account` and the Python package put a question to the accountant.
#pragma once

#include <optional>

#include "accounting/accountant.h"
#include "cli/guarantee_output.h"

namespace dither::cli {

// How it is to be answered.
struct Manner {
  double width = 1e-6;                               // of the interval: of epsilon, or relative to delta
  bool must_be_narrow = false;                       // the width was asked for, so a wider interval is said to be one
  std::optional<accounting::Accountant> accountant;  // this one, not the best
};

// The guarantee, with a note where the interval is wider than asked for.
struct Accounted {
  accounting::Guarantee guarantee;
  bool too_wide = false;
};
inline constexpr const char* kTooWide = "the interval is wider than asked for";

Accounted accounted(const accounting::Composition& composition, const Question& question, const Manner& manner);

// A width as typed; bad-number for what is not above 0 and below 1.
double read_width(const std::string& text);

}  // namespace dither::cli
