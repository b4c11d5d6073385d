// Which files a source is.
#pragma once

#include <string>
#include <vector>

#include "plan/project.h"

namespace dither::engine::detail {

// The folder that paths in a project file begin at.
std::string folder_of(const plan::Project& project);

// Absolute paths in order: the file, or the files that the glob matches (*, ? and [ab] in any part of the path). It passes folders by.
// Refuses    a path without a file; what is a folder, a device or a pipe, the last two also in a glob (cannot-read); a table in
//            memory, which has no file (bad-source).
std::vector<std::string> files_of(const plan::Source& source, const std::string& folder);

// How these files of a source are recognised: their fingerprints, "; " between; of a database also that of what it has not yet
// written into its file. cannot-read.
std::string fingerprint_of(const plan::Source& source, const std::vector<std::string>& files);

// What parts the fields of a CSV file: tabs where its name ends in .tsv or .tsv.gz, else commas.
char delimiter_of(const plan::Source& source);

// The tables named and those that their units are found through, each once.
std::vector<std::string> with_owners(const plan::Project& project, const std::vector<std::string>& tables);

}  // namespace dither::engine::detail
