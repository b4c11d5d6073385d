#include "audit/promise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "accounting/accountant.h"
#include "accounting/event.h"
#include "base/error.h"
#include "base/text.h"

namespace dither::audit {

namespace {

constexpr int kPoints = 20;                                 // of a curve
constexpr double kLeastEpsilon = 1e-6, kMostEpsilon = 700;  // whose exponential is a double
constexpr double kLeastDelta = 1e-9;                        // what fewer than 10^9 runs cannot see is not looked for
constexpr double kMostDelta = 0.9;                          // which allows nearly everything

Rational number_after(std::string_view text, std::string_view name) {
  Rational value = Rational::parse(text.substr(name.size()));
  if (value < 0) {
    throw Error(Code::out_of_range, fmt::format("claim \"{}\": a claim is not negative", text),
                "give 0 or more, such as eps=1");
  }
  static const Rational most = Rational::parse("1e100");  // its square is still a double
  if (value > most) {
    throw Error(Code::out_of_range, fmt::format("claim \"{}\": a claim of more than 1e100 claims nothing", echo(text)),
                "give a smaller number, such as eps=1");
  }
  return value;
}

// "eps=1" or "eps=1,delta=1e-6", in either order.
Promise pair_in(const std::string& text) {
  const std::size_t comma = text.find(',');
  std::string first = text.substr(0, comma);
  std::string second = comma == std::string::npos ? "" : text.substr(comma + 1);
  if (first.starts_with("delta=")) std::swap(first, second);
  if (!first.starts_with("eps=") || (comma != std::string::npos && !second.starts_with("delta="))) {
    throw Error(Code::bad_argument, fmt::format("claim \"{}\": eps= and delta= go together", echo(text)),
                "write eps=1,delta=1e-6");
  }
  const Rational epsilon = number_after(first, "eps=");
  if (second.empty()) return Promise::pure(epsilon);
  const Rational delta = number_after(second, "delta=");
  if (delta > 1) {
    throw Error(Code::bad_probability, fmt::format("claim \"{}\": delta is a probability", text),
                "give a delta of at most 1, such as 1e-6");
  }
  return Promise::approximate(epsilon, delta);
}

// The curve of a text: itself, or that of the releases it lists.
accounting::Curve curve_of(const std::string& text, const std::string& path) {
  if (text.find("\"dither-curve\"") != std::string::npos) return accounting::curve_from_json(text);
  const accounting::Composition releases(accounting::parse_events(text, path));
  accounting::TradeoffCurve lines;
  for (const accounting::CurvePoint& point : accounting::curve(releases, Rational(1, 1'000'000'000), kPoints)) {
    lines.lines.push_back({point.epsilon, point.delta_upper});
  }
  return lines;
}

// A file's curve; a missing file is most often a misspelt claim.
accounting::Curve curve_in(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw Error(Code::bad_argument, fmt::format("claim \"{}\" is a folder", echo(path)),
                "write 1.0, eps=1, eps=1,delta=1e-6, rho=0.5, mu=1 or the name of a file with a curve");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error(Code::bad_argument, fmt::format("claim \"{}\" is neither a claim nor a file that can be read", path),
                "write 1.0, eps=1, eps=1,delta=1e-6, rho=0.5, mu=1 or the name of a file with a curve");
  }
  std::ostringstream read;
  read << file.rdbuf();
  return curve_of(read.str(), path);
}

// About the least epsilon, between the two bounds, with such a delta: 1% above it at most.
double epsilon_with(const accounting::Curve& curve, double wanted) {
  const auto is_above = [&](double epsilon) { return accounting::delta_up(curve, epsilon) > wanted; };
  double low = kLeastEpsilon, high = kMostEpsilon;
  if (!is_above(low)) return low;
  while (high > 1.01 * low) {
    const double middle = std::sqrt(low * high);
    (is_above(middle) ? low : high) = middle;
  }
  return high;
}

// Where delta falls from nearly everything to as good as nothing, or falls no further, evenly. At 0 nobody could be twice as
// leaky.
std::vector<double> points_of(const accounting::Curve& curve) {
  if (const auto* one = std::get_if<accounting::ApproximateDp>(&curve)) return {one->epsilon.to_double_up()};
  const double floor = accounting::delta_up(curve, kMostEpsilon);
  const double most = floor < kMostDelta ? epsilon_with(curve, std::max(kLeastDelta, 1.1 * floor)) : kMostEpsilon;
  const double least =
      accounting::delta_up(curve, 0) < kMostDelta ? 0 : std::min(epsilon_with(curve, kMostDelta), most);
  std::vector<double> epsilons;
  for (int i = 1; i <= kPoints; ++i) epsilons.push_back(least + (most - least) * i / kPoints);
  return epsilons;
}

}  // namespace

Promise::Promise(accounting::Curve curve) : curve_(std::move(curve)), epsilons_(points_of(curve_)) {
  for (const double epsilon : epsilons_) deltas_.push_back(delta(epsilon));
}

Promise Promise::pure(const Rational& epsilon) { return Promise(accounting::ApproximateDp{epsilon, 0}); }

Promise Promise::approximate(const Rational& epsilon, const Rational& delta) {
  return Promise(accounting::ApproximateDp{epsilon, delta});
}

Promise Promise::of(const calculus::Loss& loss) {
  if (std::holds_alternative<calculus::OtherLoss>(loss)) {
    throw Error(Code::no_theorem, "a loss in a measure of one's own says nothing about events",
                "claim epsilon, (epsilon, delta), rho, mu or a curve");
  }
  return std::visit(
      [](const auto& one) -> Promise {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, calculus::OtherLoss>) {
          std::abort();  // refused above
        } else {
          return Promise(one);
        }
      },
      loss);
}

Promise Promise::from_text(const std::string& text) {
  const auto starts = [&](std::string_view word) { return text.starts_with(word); };
  if (starts("rho=")) return Promise(accounting::ConcentratedDp{number_after(text, "rho="), 0});
  if (starts("mu=")) {
    const Rational mu = number_after(text, "mu=");
    return Promise(accounting::GaussianDp{mu * mu});
  }
  if (starts("eps=") || starts("delta=")) return pair_in(text);
  if (!text.empty() && text.find_first_not_of("+-0123456789.eE/") == std::string::npos) {
    return pure(number_after(text, ""));
  }
  return Promise(curve_in(text));
}

Promise Promise::from_document(const std::string& text, const std::string& name) {
  return Promise(curve_of(text, name));
}

double Promise::delta(double epsilon) const {
  const auto* one = std::get_if<accounting::ApproximateDp>(&curve_);
  if (one != nullptr && epsilon >= epsilons_.front()) return one->delta.to_double_up();
  return std::min(1.0, accounting::delta_up(curve_, epsilon));
}

std::optional<double> Promise::pure_epsilon() const {
  const auto* one = std::get_if<accounting::ApproximateDp>(&curve_);
  if (one == nullptr || one->delta != 0) return {};
  return epsilons_.front();
}

std::string Promise::str() const {
  const auto shown = [](const Rational& value) { return fmt::format("{:.6g}", value.to_double_up()); };
  if (const auto* one = std::get_if<accounting::ApproximateDp>(&curve_)) {
    const std::string epsilon = "epsilon " + shown(one->epsilon);
    return one->delta == 0 ? epsilon : epsilon + ", delta " + shown(one->delta);
  }
  if (const auto* one = std::get_if<accounting::ConcentratedDp>(&curve_)) return "rho " + shown(one->rho);
  if (const auto* one = std::get_if<accounting::GaussianDp>(&curve_)) {
    return fmt::format("mu {:.6g}", std::sqrt(one->squared_mu.to_double_up()));
  }
  return "a curve of epsilon and delta";
}

}  // namespace dither::audit
