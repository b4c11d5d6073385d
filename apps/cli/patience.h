// Work that may take longer than people wait in silence.
#pragma once

#include <functional>
#include <string>

namespace dither::cli {

// Does the work on a second thread. After two seconds a terminal shows that it goes on: the label and the seconds.
// Nothing is shown `for_program`. What the work throws is thrown here.
void with_patience(const std::string& label, bool for_program, const std::function<void()>& work);

}  // namespace dither::cli
