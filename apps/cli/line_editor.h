// Lines that a person types, with history and completion; or lines of a pipe.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dither::cli {

// What the text before the cursor could go on as: the typed beginning of the last word, and the words it may become.
struct Completions {
  std::string typed;
  std::vector<std::string> words;
};

class LineEditor {
 public:
  enum class Read { line, end, interrupted };

  // Edits where standard input and output are terminals. The history is read from a file of its owner's alone; what was
  // typed is added to it at the end, behind what others have added meanwhile. "" keeps none. A file that cannot be
  // written is no reason to stop.
  LineEditor(std::string history_file, std::function<Completions(const std::string&)> complete);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  bool edits() const { return terminal_ != nullptr; }

  // The next line, without its end. Interrupted by Ctrl-C: what was typed is gone.
  Read read(const std::string& prompt, std::string& line);

 private:
  struct Terminal;
  std::unique_ptr<Terminal> terminal_;  // nothing where lines come from a pipe
};

// $XDG_STATE_HOME/dither/history, else ~/.local/state/dither/history, its folder made for the owner alone; "" where
// there is no such place.
std::string history_file();

}  // namespace dither::cli
