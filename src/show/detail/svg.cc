#include "show/detail/svg.h"

#include <fmt/format.h>

#include "base/text.h"

namespace dither::show::detail {

const std::string_view kChartStyle = R"(<style>
.dither-page{fill:#ffffff}
.dither-text{fill:#333333;font-family:system-ui,sans-serif;font-size:12px}
.dither-title{font-size:16px;font-weight:600}
.dither-grid{stroke:#dddddd;fill:none}
.dither-axis{stroke:#767676;fill:none}
.dither-line{stroke:currentColor;fill:none;stroke-width:2;stroke-linejoin:round}
.dither-dot{fill:currentColor}
.dither-band{fill:currentColor;fill-opacity:0.2}
.dither-c0{color:#0072b2}.dither-c1{color:#a43400}.dither-c2{color:#0ca155}
.dither-c3{color:#96546a}.dither-c4{color:#382f00}.dither-c5{color:#0095ff}
@media (prefers-color-scheme:dark){
.dither-page{fill:#16181d}
.dither-text{fill:#d0d4da}
.dither-grid{stroke:#33373f}
.dither-axis{stroke:#8a9099}
.dither-c0{color:#3d9be0}.dither-c1{color:#e87421}.dither-c2{color:#00b386}
.dither-c3{color:#d98bb8}.dither-c4{color:#e6a700}.dither-c5{color:#8fd0f5}
}
</style>
)";

std::string escaped(std::string_view text) {
  std::string result;
  const std::string safe = printable(text);
  for (std::string_view rest = safe; !rest.empty(); rest.remove_prefix(first_character(rest).bytes)) {
    const Character c = first_character(rest);
    if (c.code == '&')
      result += "&amp;";
    else if (c.code == '<')
      result += "&lt;";
    else if (c.code == '>')
      result += "&gt;";
    else if (c.code == '"')
      result += "&quot;";
    else if (c.code == 0xFFFE || c.code == 0xFFFF)
      result += "\uFFFD";
    else
      result += rest.substr(0, c.bytes);
  }
  return result;
}

std::string px(double value) { return fmt::format("{:.2f}", value == 0 ? 0.0 : value); }

std::string text(std::string_view classes, double x, double y, std::string_view more, std::string_view content) {
  return fmt::format("<text class=\"dither-text{}\" x=\"{}\" y=\"{}\"{}>{}</text>\n", classes, px(x), px(y), more,
                     escaped(content));
}

std::string line(std::string_view kind, double x1, double y1, double x2, double y2) {
  return fmt::format("<path class=\"dither-{}\" d=\"M{} {}L{} {}\"/>\n", kind, px(x1), px(y1), px(x2), px(y2));
}

}  // namespace dither::show::detail
