// From text to values.
#pragma once

#include "config/detail/source.h"
#include "config/value.h"

namespace dither::config::detail {

// The one document of the source; bad-syntax, duplicate-key or out-of-range as read.h says.
Value parse(Source& source);

}  // namespace dither::config::detail
