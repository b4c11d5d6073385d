#include "ledger/owner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <array>
#include <thread>

#include "ledger/files_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using check::Folder;
using check::put_bytes;
using testing::refusal;

TEST(Owner, ThisProcessIsAlive) {
  const Owner self = this_process();
  EXPECT_EQ(self.pid, static_cast<std::uint64_t>(getpid()));
  EXPECT_GT(self.started, 0u);
  EXPECT_EQ(self.boot.size(), 36u);
  EXPECT_TRUE(self.space.starts_with("pid:["));
  EXPECT_EQ(self, this_process());
  EXPECT_EQ(is_alive(self), Alive::yes);
}

TEST(Owner, ARecycledNumberIsAnotherProcess) {
  Owner earlier = this_process();
  --earlier.started;
  EXPECT_EQ(is_alive(earlier), Alive::no);
}

TEST(Owner, AnotherBootIsGoneAndAnotherHostIsUnknown) {
  Owner owner = this_process();
  owner.boot = "00000000-0000-0000-0000-000000000000";
  EXPECT_EQ(is_alive(owner), Alive::no);
  owner.space = "pid:[1]";  // containers get a new namespace at each boot
  EXPECT_EQ(is_alive(owner), Alive::no);
  owner.host += "-b";
  EXPECT_EQ(is_alive(owner), Alive::unknown);
  owner = this_process();
  owner.host += "-b";
  EXPECT_EQ(is_alive(owner), Alive::unknown);
  owner = this_process();
  owner.space = "pid:[1]";
  EXPECT_EQ(is_alive(owner), Alive::unknown);
}

// A child that tells who it is, then waits until `go` is closed here.
class Child {
 public:
  explicit Child(bool leave_first_thread = false) {
    if (pipe(said_.data()) != 0 || pipe(go_.data()) != 0) throw std::runtime_error("no pipes");
    pid_ = check::in_child([&] {
      close(go_[1]);
      const auto tell_and_wait = [this] {
        const std::string text = owner_text(this_process()) + "\n";
        char byte = 0;
        if (write(said_[1], text.data(), text.size()) < 0 || read(go_[0], &byte, 1) < 0) _exit(1);
      };
      if (!leave_first_thread) return tell_and_wait();
      std::thread([&] {
        tell_and_wait();
        _exit(0);
      }).detach();
      syscall(SYS_exit, 0);  // this thread alone
    });
    close(said_[1]);
    close(go_[0]);
    std::string text;
    for (char byte = 0; read(said_[0], &byte, 1) == 1 && byte != '\n';) text += byte;
    owner_ = owner_from_text(text);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { close(said_[0]); }

  const Owner& owner() const { return owner_; }
  pid_t pid() const { return pid_; }
  void let_end() { close(go_[1]); }

 private:
  std::array<int, 2> said_{};
  std::array<int, 2> go_{};
  pid_t pid_ = 0;
  Owner owner_;
};

TEST(Owner, AChildIsItselfUntilItEnds) {
  Child child;
  EXPECT_EQ(child.owner().pid, static_cast<std::uint64_t>(child.pid()));  // right after fork: not the parent
  EXPECT_EQ(child.owner().host, this_process().host);
  EXPECT_EQ(is_alive(child.owner()), Alive::yes);
  child.let_end();
  siginfo_t info = {};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child.pid()), &info, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(is_alive(child.owner()), Alive::no) << "a zombie";
  EXPECT_EQ(check::ended(child.pid()), 0);
  EXPECT_EQ(is_alive(child.owner()), Alive::no);
}

TEST(Owner, LivesAsLongAsOneThreadDoes) {
  Child child(/*leave_first_thread=*/true);
  const std::string stat = fmt::format("/proc/{}/stat", child.pid());
  while (check::bytes_of(stat).find(") Z ") == std::string::npos) std::this_thread::yield();
  EXPECT_EQ(is_alive(child.owner()), Alive::yes);
  child.let_end();
  EXPECT_EQ(check::ended(child.pid()), 0);
  EXPECT_EQ(is_alive(child.owner()), Alive::no);
}

// A made-up /proc, in which this process has another life.
class Proc {
 public:
  Proc() {
    std::filesystem::create_directories(root() + "/sys/kernel/random");
    put_bytes(root() + "/sys/kernel/random/boot_id", "boot-1\n");
    std::filesystem::create_directories(root() + "/self/ns");
    std::filesystem::create_symlink("pid:[5]", root() + "/self/ns/pid");
  }
  std::string root() const { return folder_ / "proc"; }
  void put(const std::string& pid, const std::string& stat) const {
    std::filesystem::create_directories(root() + "/" + pid);
    put_bytes(root() + "/" + pid + "/stat", stat);
  }

 private:
  Folder folder_;
};

constexpr std::uint64_t kNobody = 4'194'305;  // above the largest number a process can have

std::string stat_line(std::string_view command, std::string_view state, int threads, std::string_view started) {
  return fmt::format("4194305 ({}) {} 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 {} 0 {} 99 98 97\n", command, state,
                     threads, started);
}

Alive fate(const std::string& stat) {
  static const Proc proc;
  proc.put("4194305", stat);
  return is_alive({this_process().host, "pid:[5]", "boot-1", kNobody, 1234}, proc.root());
}

TEST(OwnerStat, IsReadWhateverTheCommandIsCalled) {
  for (const char* command : {"dither", "", "a b", ")", "a) Z 1 2", "(((", "x) S 1 1 (y", "\n"}) {
    EXPECT_EQ(fate(stat_line(command, "S", 1, "1234")), Alive::yes) << command;
    EXPECT_EQ(fate(stat_line(command, "S", 1, "1235")), Alive::no) << command;
    EXPECT_EQ(fate(stat_line(command, "Z", 1, "1234")), Alive::no) << command;
    EXPECT_EQ(fate(stat_line(command, "X", 0, "1234")), Alive::no) << command;
    EXPECT_EQ(fate(stat_line(command, "Z", 2, "1234")), Alive::yes) << command;
  }
  for (const char* state : {"R", "S", "D", "T", "t", "I"})
    EXPECT_EQ(fate(stat_line("x", state, 3, "1234")), Alive::yes);
}

TEST(OwnerStat, WhatCannotBeReadIsUnknown) {
  for (const std::string& text :
       {std::string(), std::string("hello"), std::string("1 (x"), stat_line("x", "S", 1, "-1"),
        stat_line("x", "S", -1, "1234"), stat_line("x", "SS", 1, "1234"),
        stat_line("x", "S", 1, "99999999999999999999"), std::string("1 (x) S 1 2 3")}) {
    EXPECT_EQ(fate(text), Alive::unknown) << text;
  }
}

TEST(OwnerStat, AHiddenProcessIsNotTakenForAGoneOne) {
  const Proc proc;
  const Owner gone{this_process().host, "pid:[5]", "boot-1", kNobody, 1234};
  EXPECT_EQ(is_alive(gone, proc.root()), Alive::no);
  Owner hidden = gone;  // the kernel knows the number, but this /proc does not show it
  hidden.pid = static_cast<std::uint64_t>(getpid());
  EXPECT_EQ(is_alive(hidden, proc.root()), Alive::unknown);
}

TEST(OwnerStat, ThisProcessComesFromProc) {
  const Proc proc;
  EXPECT_EQ(refusal([&] { this_process(proc.root()); }), Code::cannot_read);
  proc.put("self", "hello");
  EXPECT_EQ(refusal([&] { this_process(proc.root()); }), Code::cannot_read);
  proc.put("self", stat_line("a) R (b", "R", 1, "77"));
  EXPECT_EQ(this_process(proc.root()), (Owner{this_process().host, "pid:[5]", "boot-1", kNobody, 77}));
  EXPECT_EQ(refusal([&] { this_process(proc.root() + "/none"); }), Code::cannot_read);
}

TEST(OwnerText, GoesThereAndBack) {
  const Owner owner{"a \"host\"\n", "pid:[5]", "b", 12, 18'446'744'073'709'551'615ull};
  EXPECT_EQ(owner_text(owner),
            "{\"boot\":\"b\",\"host\":\"a \\\"host\\\"\\n\",\"pid\":12,\"space\":\"pid:[5]\","
            "\"started\":18446744073709551615}");
  EXPECT_EQ(owner_from_text(owner_text(owner)), owner);
  EXPECT_EQ(owner_from_text(owner_text(this_process())), this_process());
}

TEST(OwnerText, RefusesAnyOtherSpelling) {
  const std::string good = owner_text(this_process());
  for (std::size_t at = 0; at < good.size(); ++at) {
    EXPECT_EQ(refusal([&] { owner_from_text(good.substr(0, at)); }), Code::bad_syntax) << at;
  }
  for (const std::string& text : {good + " ", " " + good, std::string("[]"), std::string("{}"),
                                  std::string(R"({"boot":"b","host":"h","pid":1.0,"space":"s","started":2})"),
                                  std::string(R"({"boot":"b","host":"h","pid":-1,"space":"s","started":2})"),
                                  std::string(R"({"boot":1,"host":"h","pid":1,"space":"s","started":2})"),
                                  std::string(R"({"host":"h","boot":"b","pid":1,"space":"s","started":2})"),
                                  std::string(R"({"boot":"b","host":"h","pid":1,"space":"s","started":2,"x":3})")}) {
    EXPECT_EQ(refusal([&] { owner_from_text(text); }), Code::bad_syntax) << text;
  }
}

}  // namespace
}  // namespace dither::ledger
