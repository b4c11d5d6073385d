#include "audit/detail/own_report.h"

namespace dither::audit::detail {

OwnReport::OwnReport(const Target& target, std::string_view tester, const Effort& effort)
    : report{.target = target.name, .tester = std::string(tester), .false_alarm = effort.false_alarm},
      start_(std::chrono::steady_clock::now()) {
  report.promised = target.promise.epsilons().front();
  report.delta = target.promise.delta(report.promised);
}

Report OwnReport::finish() && {
  // A normal approximation may give some power where there is none.
  if (report.ceiling <= report.promised) report.power_1_5 = report.power_2 = 0;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return std::move(report);
}

Report OwnReport::nothing_tested(std::string_view why) && {
  report.notes.emplace_back(why);
  return std::move(*this).finish();
}

}  // namespace dither::audit::detail
