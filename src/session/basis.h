// What an answer was made of.
#pragma once

#include "session/above.h"
#include "session/released.h"

namespace dither::session {

struct Basis {
  PricedPlan plan;
  Released released;
  Shown shown;  // rows as they were given
};

}  // namespace dither::session
