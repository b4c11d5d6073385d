#include "mechanisms/detail/one_number.h"

#include <fmt/format.h>

#include "base/error.h"

namespace dither::mechanisms::detail {

void require_one_number(const calculus::VectorDomain& domain, std::string_view name) {
  if (domain.dimension == 1u) return;
  throw Error{Code::no_theorem, fmt::format("{} noise is proven here for one number, not for a vector", name),
              "set `dimension` to 1 and release each coordinate by itself, or use discrete Laplace or Gaussian noise"};
}

}  // namespace dither::mechanisms::detail
