// Where an answer goes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "cli/stop.h"

namespace dither::cli {

// Standard output, or a file that appears only when it is complete.
//
// Promise    a regular file is written under another name in its folder, made durable, then renamed over the old one by
//            finish; without finish nothing is left, and what stood there before stays. Devices and pipes are written
//            directly. Symbolic links are followed, also to a file that is not there yet.
// Refuses    whatever the system refuses (cannot-write), with its reason. A reader that closed its pipe is an error
//            without a hint.
class Output {
 public:
  // "", "-" and "/dev/stdout" are standard output. `option` is what named the path, for messages.
  explicit Output(std::string path, CancelToken token = {}, std::string option = "--out");
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view bytes);  // throws Cancelled once the token is cancelled, also while a pipe is full
  void finish();

  bool is_terminal() const;
  bool is_standard() const { return path_.empty(); }  // output, and no file

 private:
  void open_file();
  [[noreturn]] void fail(const char* what, int error) const;

  std::string path_;
  std::string option_;
  std::string temporary_;  // empty when written directly
  std::optional<RemovedBySignals> guard_;
  CancelToken token_;
  int fd_ = 1;
};

// A whole answer at once.
void write_answer(const std::string& path, std::string_view text, const std::string& option = "--out");
// The same on standard output, as long as the token is not cancelled.
void write_answer(std::string_view text, const CancelToken& token);

// The file that a path leads to through symbolic links, also one that is not there yet.
std::string followed(const std::string& path);

}  // namespace dither::cli
