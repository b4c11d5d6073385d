// The curve delta(epsilon) as a file.
#pragma once

#include <string>
#include <vector>

#include "accounting/accountant.h"

namespace dither::cli {

// epsilon, delta_lower, delta_upper, a line a point.
std::string curve_csv(const std::vector<accounting::CurvePoint>& curve);

// A plot with a logarithmic axis for delta: the certified end, and a band down to the lower one.
std::string curve_svg(const accounting::Guarantee& guarantee, const std::vector<accounting::CurvePoint>& curve);

}  // namespace dither::cli
