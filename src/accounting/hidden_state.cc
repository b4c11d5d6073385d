#include "accounting/hidden_state.h"

#include <fmt/format.h>

#include "accounting/detail/require.h"
#include "accounting/detail/require_exact.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

void require_statement(bool stated, const char* what) {
  if (stated) return;
  throw Error{Code::no_theorem, fmt::format("hidden-state accounting needs the statement that {}", what),
              "state it if it is true; otherwise charge every step by composition"};
}

}  // namespace

ConvexLoss::ConvexLoss(bool stated) { require_statement(stated, "the loss is convex"); }
LastIterateOnly::LastIterateOnly(bool stated) { require_statement(stated, "only the last iterate is released"); }
OnePass::OnePass(bool stated) { require_statement(stated, "each record enters one step"); }

Rational hidden_state_rho(const NoisyDescent& descent, const SmoothLoss& loss, std::uint64_t position,
                          Neighbours neighbours, ConvexLoss, LastIterateOnly, OnePass) {
  const Rational most = pow(Rational(10), 100);
  detail::require_scale("sigma", descent.sigma, most);
  detail::require_scale("step size", descent.step_size, most);
  detail::require_scale("Lipschitz constant", loss.lipschitz, most);
  detail::require_scale("smoothness", loss.smoothness, most);
  detail::require_count("iterations", descent.iterations);
  if (position < 1 || position > descent.iterations) {
    throw Error{Code::bad_count, fmt::format("position {} of {} iterations", position, descent.iterations),
                "positions count from 1"};
  }
  if (neighbours != Neighbours::replace_one) {
    throw Error{
        Code::no_theorem,
        fmt::format("hidden-state accounting has a theorem for replace-one, not for {}", neighbours_name(neighbours)),
        "account for replace-one"};
  }
  if (descent.step_size * loss.smoothness > 2) {
    throw Error{Code::no_theorem,
                fmt::format("step size {} exceeds 2 / smoothness = {}, so steps may move points apart",
                            descent.step_size.str(), (2 / loss.smoothness).str()),
                "use a step size of at most 2 / smoothness"};
  }
  const Rational later(static_cast<Int128>(descent.iterations - position + 1));
  return 2 * loss.lipschitz * loss.lipschitz / (descent.sigma * descent.sigma * later);
}

}  // namespace dither::accounting
