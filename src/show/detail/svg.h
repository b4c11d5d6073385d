// What all drawings share.
#pragma once

#include <string>
#include <string_view>

namespace dither::show::detail {

// Text for XML: controls made visible, what XML gives a meaning or does not have at all replaced.
std::string escaped(std::string_view text);

// A length: two digits behind the point are finer than any screen.
std::string px(double value);

}  // namespace dither::show::detail
