#include "calculus/all_makers.h"

#include "calculus/bounding.h"
#include "calculus/catalogue.h"
#include "calculus/combinator_makers.h"
#include "calculus/units.h"

namespace dither::calculus {

void add_makers(Makers& makers) {
  add_bounding_makers(makers);
  add_catalogue_makers(makers);
  add_combinator_makers(makers);
  add_unit_makers(makers);
}

}  // namespace dither::calculus
