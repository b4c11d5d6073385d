// For tests of faults: the protocol with a log beside the ledger, other processes, and what must hold after each fault.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "ledger/ledger_check.h"
#include "ledger/store_check.h"
#include "ledger/verify.h"

namespace dither::ledger::check {

// Long campaigns at night, short ones otherwise.
inline bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

// What happened outside the ledger, and once a call had returned: "reserved", "opened", "draw" and "show", the last two
// with the hash of the answer.
struct Logged {
  std::string what;
  std::string release;
  std::string value;
};
using Note = std::function<void(const Logged&)>;

// A log that outlives its process: each line is one write, and on the disk before the next step. A kill may cut a write
// where a page ends, so lines are filled up to a part of a page.
class SideLog {
 public:
  explicit SideLog(const std::string& path)
      : file_(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {}
  SideLog(const SideLog&) = delete;
  SideLog& operator=(const SideLog&) = delete;
  ~SideLog() { close(file_); }

  void note(const Logged& what) const {
    const std::string line = fmt::format("{:<127}\n", fmt::format("{} {} {}", what.what, what.release, what.value));
    if (write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size()) || fdatasync(file_) != 0) {
      throw std::runtime_error("the side log cannot be written");
    }
  }

 private:
  int file_;
};

inline std::vector<Logged> read_log(const std::string& path) {
  std::vector<Logged> log;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    words >> log.emplace_back().what >> log.back().release >> log.back().value;
  }
  return log;
}

// The steps of a release from its reservation to the public, each noted once it is done.
inline void finish(Ticket ticket, const std::string& answer, const Note& note) {
  const std::string id = ticket.release();
  note({"reserved", id, ""});
  ticket.open();
  note({"opened", id, ""});
  note({"draw", id, sha256(answer).hex()});
  const StoredAnswer stored = ticket.commit(answer);
  note({"show", stored.release.id, sha256(stored.bytes).hex()});
}

// Everything that must hold whatever happened before; one line for each thing that does not. The ledger is one over the
// store, and has just been opened, so that nothing of dead processes is held any more; where power fails the holder is
// this process, which lives.
class Judge {
 public:
  enum class Holders { dead, live };
  Judge(Store& store, Ledger& ledger, const std::string& file, Holders holders = Holders::dead) : holders_(holders) {
    VerifyOptions options;
    options.public_key = ledger.public_key();
    if (!file.empty()) options.answers_folder = answers_folder_of(file);
    for (const Finding& finding : verify(store, options)) {
      complain("record {}: {}", finding.record, finding.what);
    }
    ledger.releases("", [&](const Release& release) {
      releases_.emplace(release.id, release);
      return true;
    });
    for (const auto& [id, release] : releases_) check(release);
    for (const Budget& budget : ledger.budgets()) check(budget);
    answer_ = [&](const std::string& id) { return ledger.answer(id).bytes; };
  }

  // What a log says must be true of the ledger.
  std::vector<std::string> complaints(const std::vector<Logged>& log) {
    for (const Logged& line : log) check(line);
    for (const auto& [key, draws] : draws_of_key_) {
      if (draws > charged_of_key_[key]) complain("key {}: {} draws, {} charges", key, draws, charged_of_key_[key]);
    }
    return found_;
  }

  const std::map<std::string, Release>& releases() const { return releases_; }

 private:
  template <class... Parts>
  void complain(fmt::format_string<Parts...> text, Parts&&... parts) {
    found_.push_back(fmt::format(text, std::forward<Parts>(parts)...));
  }

  void check(const Release& release) {
    if (release.state == State::voided && release.opened) complain("{} was opened and is voided", release.id);
    const bool held = release.state == State::reserved || release.state == State::opened;
    if (held && holders_ == Holders::dead) complain("{} is still held", release.id);
    if (release.state == State::voided) return;
    ++charged_of_key_[release.key.hex()];
    std::set<std::string> payers;
    for (const Payer& payer : release.payers) payers.insert(payer.budget);
    if (payers.size() != release.payers.size()) complain("{} charges a budget twice", release.id);
    for (const std::string& path : lineage(release.budget)) {
      if (!payers.contains(path)) complain("{} is not charged to {}", release.id, path);
    }
    for (const std::string& path : payers) {
      const auto at = charged_.find(path);
      charged_[path] = at == charged_.end() ? release.cost : plus(at->second, release.cost);
    }
  }

  void check(const Budget& budget) {
    const auto at = charged_.find(budget.path);
    const auto sum = at == charged_.end() ? accounting::nothing_spent(budget.terms.rule) : at->second;
    if (budget.lifetime != sum) complain("{} does not have the sum of its releases", budget.path);
  }

  void check(const Logged& line) {
    const auto at = releases_.find(line.release);
    if (at == releases_.end()) return complain("{} {}: there is no such release", line.what, line.release);
    const Release& release = at->second;
    if (line.what == "reserved") return;  // it is there
    if (release.state == State::voided) return complain("{} {}: it is voided", line.what, line.release);
    if (line.what == "opened" || line.what == "draw") {
      if (!release.opened) complain("{} {}: it was never opened", line.what, line.release);
    }
    if (line.what == "draw") {
      ++draws_of_key_[release.key.hex()];
      if (!drawn_.emplace(line.release, line.value).second) complain("{} was drawn twice", line.release);
    }
    if (line.what == "show") check_shown(line, release);
  }

  void check_shown(const Logged& line, const Release& release) {
    if (release.state != State::committed) return complain("{} was shown and has no answer", line.release);
    if (sha256(answer_(line.release)).hex() != line.value) complain("{} was shown otherwise", line.release);
    if (drawn_[line.release] != line.value) complain("{} shows what was not drawn", line.release);
  }

  Holders holders_;
  std::vector<std::string> found_;
  std::map<std::string, Release> releases_;
  std::map<std::string, accounting::Spent> charged_;
  std::map<std::string, int> charged_of_key_;
  std::map<std::string, int> draws_of_key_;
  std::map<std::string, std::string> drawn_;
  std::function<std::string(const std::string&)> answer_;
};

// Another run of this very program, of one test of it that does `words` then. It never sees what is open here.
class Child {
 public:
  Child(const std::string& test, const std::string& words) {
    std::vector<std::string> variables = {"DITHER_WORKER=" + words};
    for (char** at = environ; *at != nullptr; ++at) {
      const std::string_view variable = *at;
      if (!variable.starts_with("GTEST_") && !variable.starts_with("DITHER_WORKER=")) variables.emplace_back(variable);
    }
    std::vector<char*> environment;
    for (std::string& variable : variables) environment.push_back(variable.data());
    environment.push_back(nullptr);
    std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    std::string filter = "--gtest_filter=" + test;
    char* const arguments[] = {program.data(), filter.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const int failure = posix_spawn(&pid_, program.c_str(), &actions, nullptr, arguments, environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) throw std::runtime_error("no child process");
  }
  Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, 0)) {}
  Child& operator=(Child&&) = delete;
  ~Child() {
    if (pid_ == 0) return;
    send(SIGKILL);
    wait();
  }

  static const char* words() { return std::getenv("DITHER_WORKER"); }

  pid_t pid() const { return pid_; }
  void send(int number) const { kill(pid_, number); }
  // How it ended, as waitpid tells.
  int wait() { return waitpid_status(std::exchange(pid_, 0), 0); }
  // Whether it stopped itself, before it ended.
  bool stopped() {
    const int status = waitpid_status(pid_, WUNTRACED);
    if (WIFSTOPPED(status)) return true;
    pid_ = 0;
    return false;
  }

 private:
  static int waitpid_status(pid_t pid, int options) {
    int status = -1;
    while (waitpid(pid, &status, options) < 0 && errno == EINTR) {
    }
    return status;
  }
  pid_t pid_ = 0;
};

inline bool was_killed(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }
inline bool went_well(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

// A ledger of visits with two budgets below, in a folder with its key and its side log.
struct Site {
  explicit Site(std::string its_folder) : folder(std::move(its_folder)) {}
  std::string ledger() const { return folder + "/ledger.db"; }
  std::string log() const { return folder + "/log"; }
  SigningKey key() const { return SigningKey::read_or_make(folder + "/key"); }

  void make(const std::string& epsilon) const {
    std::filesystem::create_directories(folder);
    Ledger::create(ledger(), key());
    Ledger made = Ledger::open(ledger(), key());
    made.create_dataset(pure_dataset("visits", epsilon), steward());
    for (const char* path : {"visits/a", "visits/b"}) {
      BudgetTerms terms;
      terms.rule = pure(epsilon);
      made.create_budget(path, BudgetKind::project, terms, steward());
    }
  }
  // Answers of over 100 bytes lie in files.
  LedgerOptions options() const {
    LedgerOptions options;
    options.path = ledger();
    options.most_inline = 100;
    return options;
  }
  Ledger open(const SqliteOptions& how = {}) const {
    return {std::make_unique<SqliteStore>(ledger(), Opening::existing, how), key(), options()};
  }
  // Opens it, which recovers, and judges it.
  std::vector<std::string> complaints() const {
    const std::shared_ptr<Store> store = std::make_shared<SqliteStore>(ledger(), Opening::existing);
    Ledger opened(std::make_unique<Through>(store), key(), options());
    return Judge(*store, opened, ledger()).complaints(read_log(log()));
  }

  std::string folder;
};

}  // namespace dither::ledger::check
