#include "cli/line_editor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <histedit.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <iostream>

#include "base/error.h"
#include "ledger/durable_file.h"

namespace dither::cli {

namespace {

constexpr int kHistoryLines = 1000;

// What Ctrl-C sets. Any thread may be the one that is told, so the one that waits for keys is woken through a file.
std::atomic<bool> interrupted = false;
std::atomic<int> wake = -1;

void note_interrupt(int /*signal*/) {
  const int error = errno;
  interrupted = true;
  const std::uint64_t one = 1;
  if (write(wake, &one, sizeof one) < 0) interrupted = true;  // it is full: somebody is awake already
  errno = error;
}

// While it lives, Ctrl-C ends the line and not the program.
class InterruptsLine {
 public:
  InterruptsLine() : file_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    interrupted = false;
    wake = file_;
    struct sigaction action = {};
    action.sa_handler = note_interrupt;
    sigaction(SIGINT, &action, &before_);
  }
  ~InterruptsLine() {
    sigaction(SIGINT, &before_, nullptr);
    close(file_);
  }
  InterruptsLine(const InterruptsLine&) = delete;
  InterruptsLine& operator=(const InterruptsLine&) = delete;

 private:
  int file_;
  struct sigaction before_ = {};
};

// One byte from the keyboard: 1 read, 0 the end, -1 interrupted.
ssize_t read_byte(char* byte) {
  for (;;) {
    std::array<pollfd, 2> files = {pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{wake, POLLIN, 0}};
    const int ready = poll(files.data(), files.size(), -1);
    if (interrupted) return -1;
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t got = ::read(STDIN_FILENO, byte, 1);
    if (got >= 0 || errno != EINTR) return got;
  }
}

// One character. The library's own goes on reading after Ctrl-C.
int read_character(EditLine* /*editor*/, wchar_t* character) {
  std::mbstate_t state{};
  for (;;) {
    char byte = 0;
    const ssize_t got = read_byte(&byte);
    if (got <= 0) return static_cast<int>(got);
    const std::size_t used = std::mbrtowc(character, &byte, 1, &state);
    if (used == static_cast<std::size_t>(-2)) continue;  // more bytes to come
    if (used != static_cast<std::size_t>(-1)) return 1;
    state = {};  // a byte that belongs to no character is left out
  }
}

std::string common_beginning(const std::vector<std::string>& words) {
  std::string common = words.front();
  for (const std::string& word : words) {
    const auto differ = std::mismatch(common.begin(), common.end(), word.begin(), word.end());
    common.erase(differ.first, common.end());
  }
  return common;
}

}  // namespace

struct LineEditor::Terminal {
  Terminal(std::string file, std::function<Completions(const std::string&)> completing)
      : history_path(std::move(file)), complete(std::move(completing)) {
    // Characters beyond ASCII need a locale that has them.
    if (std::setlocale(LC_CTYPE, "") == nullptr || MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");
    load(lines);
    el_set(editor, EL_CLIENTDATA, this);
    el_set(editor, EL_PROMPT, prompt_of);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_HIST, history, lines);
    el_set(editor, EL_SIGNAL, 0);
    el_set(editor, EL_GETCFN, read_character);
    el_set(editor, EL_ADDFN, "complete", "complete the word", completed);
    el_set(editor, EL_BIND, "^I", "complete", NULL);
    el_set(editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
  }
  ~Terminal() {
    if (!history_path.empty()) save();
    el_end(editor);
    history_end(lines);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void load(History* into) const {
    HistEvent event{};
    history(into, &event, H_SETSIZE, kHistoryLines);
    history(into, &event, H_SETUNIQUE, 1);
    if (!history_path.empty()) history(into, &event, H_LOAD, history_path.c_str());
  }

  // Behind what others have saved meanwhile, one at a time.
  void save() const {
    const int file = open(history_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    flock(file, LOCK_EX);
    History* all = history_init();
    load(all);
    HistEvent event{};
    for (const std::string& line : typed) history(all, &event, H_ENTER, line.c_str());
    history(all, &event, H_SAVE, history_path.c_str());
    history_end(all);
    close(file);
  }

  static Terminal& of(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<Terminal*>(data);
  }

  static char* prompt_of(EditLine* editor) { return of(editor).prompt.data(); }

  // What tab does: goes on as far as all words agree; where they do not, lists them.
  static unsigned char completed(EditLine* editor, int /*character*/) {
    const LineInfo* info = el_line(editor);
    const Completions found = of(editor).complete(std::string(info->buffer, info->cursor));
    if (found.words.empty()) return CC_ERROR;
    std::string text = common_beginning(found.words);
    if (found.words.size() == 1) text += ' ';
    if (text.size() <= found.typed.size() && found.words.size() > 1) {
      std::string list = "\n";
      for (const std::string& word : found.words) list += word + "  ";
      std::fputs((list + "\n").c_str(), stdout);
      return CC_REDISPLAY;
    }
    el_deletestr(editor, static_cast<int>(found.typed.size()));
    el_insertstr(editor, text.c_str());
    return CC_REFRESH;
  }

  Read read(std::string& line) {
    const InterruptsLine interrupts;
    el_resize(editor);
    int count = 0;
    const char* got = el_gets(editor, &count);
    if (interrupted) {
      std::fputs("\n", stdout);
      return Read::interrupted;
    }
    if (got == nullptr || count <= 0) return Read::end;
    line.assign(got, static_cast<std::size_t>(count));
    while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
    if (line.find_first_not_of(" \t") == std::string::npos) return Read::line;
    HistEvent event{};
    history(lines, &event, H_ENTER, line.c_str());
    typed.push_back(line);
    return Read::line;
  }

  std::string history_path;
  std::vector<std::string> typed;  // since the start
  std::function<Completions(const std::string&)> complete;
  std::string prompt;
  History* lines = history_init();
  EditLine* editor = el_init("dither", stdin, stdout, stderr);
};

LineEditor::LineEditor(std::string history_file, std::function<Completions(const std::string&)> complete) {
  if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1) return;
  terminal_ = std::make_unique<Terminal>(std::move(history_file), std::move(complete));
}

LineEditor::~LineEditor() = default;

LineEditor::Read LineEditor::read(const std::string& prompt, std::string& line) {
  if (!terminal_) return std::getline(std::cin, line) ? Read::line : Read::end;
  terminal_->prompt = prompt;
  return terminal_->read(line);
}

std::string history_file() {
  const auto folder_of = [](const char* name) -> std::string {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
    return value != nullptr && *value == '/' ? value : "";
  };
  std::string folder = folder_of("XDG_STATE_HOME");
  if (folder.empty()) {
    const std::string home = folder_of("HOME");
    if (home.empty()) return "";
    folder = home + "/.local/state";
  }
  try {
    ledger::make_private_folder(folder + "/dither");
  } catch (const Error&) {
    return "";  // then there is no history
  }
  return folder + "/dither/history";
}

}  // namespace dither::cli
