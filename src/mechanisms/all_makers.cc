#include "mechanisms/all_makers.h"

#include "mechanisms/key_makers.h"
#include "mechanisms/more_noise_makers.h"
#include "mechanisms/noise_makers.h"

namespace dither::mechanisms {

void add_makers(calculus::Makers& makers) {
  add_noise_makers(makers);
  add_more_noise_makers(makers);
  add_key_makers(makers);
}

}  // namespace dither::mechanisms
