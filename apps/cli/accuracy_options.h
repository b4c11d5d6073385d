// Wanted accuracy on a command line: --error, --beta, --coordinates.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "accounting/accuracy.h"
#include "base/rational.h"
#include "cli/arguments.h"

namespace dither::cli {

std::span<const Option> accuracy_options();

// What --beta and --coordinates say; nothing without --beta. bad-argument for the others without it.
std::optional<accounting::Accuracy> read_accuracy(const Given& given);

// The most noise, in so many digits and rounded down, with which errors stay within --error; nothing when that is not
// given. bad-argument for mechanisms without an error formula, and when the noise is given as well; out-of-range for
// errors above 1e100, or 2^53 - 1 where they are whole.
std::optional<std::string> noise_for_error(const std::string& mechanism, const std::string& parameter,
                                           const Given& given, int digits);

// The error that this noise keeps within, rounded up.
double error_of(const std::string& mechanism, const Rational& noise, const accounting::Accuracy& accuracy);

}  // namespace dither::cli
