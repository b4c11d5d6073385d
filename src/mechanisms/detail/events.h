// What accountants are told about noise on vectors of whole numbers.
#pragma once

#include <vector>

#include "mechanisms/detail/reach.h"

namespace dither::mechanisms::detail {

// Each costs no more than the loss of the measurement. Where the numbers are known one by one, so are their losses,
// whose exact laws compose better than any mechanism with the same epsilon or rho; the other coordinates do not move
// and cost nothing.
std::vector<accounting::Event> discrete_laplace_events(const Rational& scale, const Reach& reach,
                                                       const calculus::Distance& d);
std::vector<accounting::Event> laplace_events(const Rational& scale, const Reach& reach, const calculus::Distance& d);
std::vector<accounting::Event> discrete_gaussian_events(const Rational& sigma, const Reach& reach,
                                                        const calculus::Distance& d);

// Gaussian noise costs the same in any dimension. A norm that is not rational is rounded up, by less than 2^-100 of it.
std::vector<accounting::Event> gaussian_events(const Rational& sigma, const Reach& reach, const calculus::Distance& d);

}  // namespace dither::mechanisms::detail
