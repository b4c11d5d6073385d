// The lowest point of a smooth convex function. Private to the room.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace dither::audit::detail {

// The value at a point, and its gradient put into the second span.
using Objective = std::function<double(std::span<const double> point, std::span<double> gradient)>;

// Limited-memory BFGS (eight pairs) with steps halved until the value falls enough. Same objective, same answer. Stops
// when the gradient is below 1e-5, when no step helps, or after `steps`.
std::vector<double> minimise(const Objective& objective, std::vector<double> start, int steps);

}  // namespace dither::audit::detail
