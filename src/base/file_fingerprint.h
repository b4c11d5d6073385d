// How the source of a data set is recognised without reading it.
#pragma once

#include <string>

namespace dither {

// Path, size and time of change of a file, in one line: "file /data/v.csv, 1024 bytes, changed 1763246722.000000001".
// The path is absolute and free of links, so that it reads the same from every folder. Whoever edits the file changes
// it, unless they set the time back on purpose; the content is not read.
// Refuses    what is not there or not a regular file (cannot-read).
std::string file_fingerprint(const std::string& path);

}  // namespace dither
