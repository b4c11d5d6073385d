#include "audit/detail/own_report.h"

#include <algorithm>
#include <cmath>

namespace dither::audit::detail {

OwnReport::OwnReport(const Target& target, std::string_view tester, const Effort& effort)
    : report{.target = target.name, .tester = std::string(tester), .false_alarm = effort.false_alarm},
      start_(std::chrono::steady_clock::now()) {
  report.promised = target.promise.epsilons().front();
  report.delta = target.promise.delta(report.promised);
}

Report OwnReport::finish() && {
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return std::move(report);
}

Report OwnReport::nothing_tested(std::string_view why) && {
  report.notes.emplace_back(why);
  return std::move(*this).finish();
}

double power_against(double times, const SeenBoth& seen, double epsilon, double delta, double slack,
                     std::int64_t runs) {
  if (runs <= 0) return 0;
  const double beyond = std::max(0.0, seen.likelier - delta);
  const double least = 1 / (2 * static_cast<double>(runs));
  const double loss = std::log(beyond / std::max(seen.other, least));
  if (!(loss > 0)) return 0;
  const double grown = std::exp(epsilon);
  const double other = beyond * std::exp(-times * loss);
  const double margin = seen.likelier - grown * other - delta - slack;
  const double variance = seen.likelier * (1 - seen.likelier) + grown * grown * other * (1 - other);
  const double deviation = std::sqrt(std::max(variance, 1e-12) / static_cast<double>(runs));
  const double power = 0.5 * std::erfc(-margin / deviation / std::sqrt(2.0));
  return std::isfinite(power) ? power : 0;  // e^epsilon is infinite from 710 on: no number of runs refutes that
}

}  // namespace dither::audit::detail
