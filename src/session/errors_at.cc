// Intervals at another level.
#include <fmt/format.h>

#include "base/directed.h"
#include "base/error.h"
#include "session/basis.h"

namespace dither::session {

std::vector<std::vector<ValueError>> errors_at(const Basis& basis, double level) {
  if (!(level > 0 && level < 1)) {
    throw Error{Code::bad_probability, fmt::format("the level is {}, which is not between 0 and 1", level),
                "write 0.95 for 95%"};
  }
  const Estimated aggregate = estimated(basis.plan, basis.released, sub_down(1, level));
  return Above(basis.plan).errors(aggregate, basis.shown);
}

}  // namespace dither::session
