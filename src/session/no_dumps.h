// Memory that holds private numbers does not reach the disk by accident.
#pragma once

namespace dither::session {

// From here to the end of the process a crash leaves no core file, and other processes of the same user cannot attach
// to this one. There is no way back: what was read may still lie in memory that was given back.
void forbid_dumps();

}  // namespace dither::session
