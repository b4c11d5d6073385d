// The words that a statement or a command may go on with.
#pragma once

#include <string>
#include <vector>

#include "cli/line_editor.h"
#include "plan/project.h"

namespace dither::cli {

// Keywords, functions, aggregates, and the tables and columns of the project, sorted.
std::vector<std::string> known_words(const plan::Project& project);

// Of these words those that go on with the last word of the text before the cursor, whatever its capitals; keywords and
// functions in lower case where it is typed so. Commands, where the text begins with a backslash and has no blank yet.
Completions completions(const std::vector<std::string>& words, const std::vector<std::string>& commands,
                        const std::string& before);

}  // namespace dither::cli
