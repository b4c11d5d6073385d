#include "cli/curve_output.h"

#include <fmt/format.h>

#include "show/chart.h"
#include "show/csv.h"

namespace dither::cli {

std::string curve_csv(const std::vector<accounting::CurvePoint>& curve) {
  std::vector<std::vector<std::string>> rows;
  for (const accounting::CurvePoint& point : curve) {
    rows.push_back(
        {show::csv_real(point.epsilon), show::csv_real(point.delta_lower), show::csv_real(point.delta_upper)});
  }
  return show::csv_table({"epsilon", "delta_lower", "delta_upper"}, rows);
}

std::string curve_svg(const accounting::Guarantee& guarantee, const std::vector<accounting::CurvePoint>& curve) {
  show::Series upper{"certified", {}, {}};
  show::Series lower{"no better than this", {}, {}};
  for (const accounting::CurvePoint& point : curve) {
    upper.points.push_back({point.epsilon, point.delta_upper});
    lower.points.push_back({point.epsilon, point.delta_lower});
  }
  const std::string relation(accounting::neighbours_name(guarantee.neighbours));
  return show::svg_chart(
      {fmt::format("Privacy of {} {}, {} neighbours", guarantee.group, guarantee.unit.name, relation),
       "The releases together are (epsilon, delta)-DP at every point of the certified curve.",
       {"epsilon", show::Scale::linear},
       {"delta", show::Scale::logarithmic},
       {upper, lower}});
}

}  // namespace dither::cli
