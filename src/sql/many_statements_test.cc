// Very many statements in one process, and the thread on which they are parsed.
#include <gtest/gtest.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>
#include <vector>

#include "base/error.h"
#include "sql/bind_check.h"
#include "sql/detail/large_stack.h"
#include "sql/expression_text.h"
#include "sql/privatize.h"
#include "sql/query.h"
#include "sql/query_check.h"
#include "testing/refusal.h"

namespace dither::sql {
namespace {

using testing::refusal;

int files_in(const char* folder) {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

// What a process has little of.
struct Held {
  int keys = 0;  // thread-specific keys that are left, of 1,024
  int threads = files_in("/proc/self/task");
  int descriptors = files_in("/proc/self/fd");

  Held() {
    std::vector<pthread_key_t> taken;
    for (pthread_key_t key = 0; pthread_key_create(&key, nullptr) == 0;) taken.push_back(key);
    for (const pthread_key_t key : taken) pthread_key_delete(key);
    keys = static_cast<int>(taken.size());
  }
};

// Bytes that malloc has given out, and pages that are in memory.
struct Memory {
  std::size_t bytes = 0, resident = 0;
  Memory() {
    const struct mallinfo2 info = mallinfo2();  // zeros under a sanitizer, which has a malloc of its own
    bytes = info.uordblks + info.hblkhd;
    std::size_t all = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    resident *= static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  }
};

constexpr std::size_t kMiB = std::size_t{1} << 20;

// All that reads SQL: prices, refusals of the grammar, of the binder and of depth, scripts, names and expressions.
void read_statements(int from, int to) {
  for (int i = from; i < to; ++i) {
    const std::string sql =
        fmt::format("SELECT city, COUNT(*) AS n{} FROM visits WHERE age > {} GROUP BY city", i, i % 90);
    const session::PricedPlan plan = privatize(check_project(), sql::bind(check_project(), sql), check::epsilon("1"));
    ASSERT_FALSE(plan.parts.empty());
    ASSERT_EQ(refusal([&] { sql::bind(check_project(), fmt::format("SELECT COUNT(* FROM visits -- {}", i)); }),
              Code::bad_sql);
    ASSERT_EQ(refusal([&] { sql::bind(check_project(), fmt::format("SELECT no{} FROM visits", i)); }),
              Code::unknown_column);
    ASSERT_EQ(statements("SELECT 1; SELECT 2").size(), 2U);
    ASSERT_EQ(name_in_sql("day"), "day");
    require_expression("cost + 1");
    if (i % 1000 == 0) {
      ASSERT_EQ(refusal_of("SELECT " + std::string(60'000, '(')).substr(0, 8), "too-deep");
    }
  }
}

// The system lists a thread for a moment after it was joined.
void wait_until_unlisted(pid_t thread) {
  const std::string path = fmt::format("/proc/self/task/{}", thread);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (std::filesystem::exists(path) && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

// Each on threads of its own, as in a server or in Python.
void read_statements_on_threads(int count, int each) {
  for (int from = 0; from < count; from += 2 * each) {
    pid_t thread = 0;
    std::thread other([&] {
      thread = gettid();
      read_statements(from, from + each);
    });
    read_statements(from + each, from + 2 * each);
    other.join();
    wait_until_unlisted(thread);
  }
}

// A key that every statement kept would end the process after a thousand; a descriptor, a thread or 100 bytes would end
// a server after days.
TEST(ManyStatements, KeepNoKeysThreadsDescriptorsOrMemory) {
  const int count = std::getenv("DITHER_NIGHTLY") != nullptr ? 100'000 : 5'000;
  read_statements_on_threads(1000, 50);
  const Held held;
  const Memory memory;
  read_statements_on_threads(count, 50);
  const Memory memory_after;
  const Held held_after;
  EXPECT_EQ(held_after.keys, held.keys);
  EXPECT_EQ(held_after.threads, held.threads);
  EXPECT_EQ(held_after.descriptors, held.descriptors);
  EXPECT_LT(memory_after.bytes, memory.bytes + 100'000);  // 20 bytes a statement, and one nightly
  EXPECT_GT(held_after.keys, 900);
}

// Each costs a reservation, an answer and two reads of SQL.
TEST(ManyStatements, AScriptMayHaveMoreThanTheProcessHasKeys) {
  const check::Place place;
  session::Session session = place.open();
  std::string script;
  for (int i = 0; i < 1100; ++i) script += fmt::format("SELECT COUNT(*) + {} FROM logs;\n", i);
  EXPECT_EQ(sql::script(session, script, check::epsilon("0.1"), check::by_ada()).size(), 1100U);
}

TEST(LargeStack, RunsElsewhereAndCarriesWhatIsThrown) {
  int value = 0;
  on_large_stack([&] { value = 5; });
  EXPECT_EQ(value, 5);
  EXPECT_THROW(on_large_stack([] { throw Error{Code::bad_sql, "a", "b"}; }), Error);
  std::thread::id first, second, within;
  on_large_stack([&] { first = std::this_thread::get_id(); });
  std::thread([&] {
    on_large_stack([&] {
      second = std::this_thread::get_id();
      on_large_stack([&] { within = std::this_thread::get_id(); });
    });
  }).join();
  EXPECT_NE(first, std::this_thread::get_id());
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, within);
}

TEST(LargeStack, IsDeeperThanUsualAndGivenBack) {
  const std::function<int(int)> deep = [&](int n) {
    volatile char page[4096] = {};
    return n == 0 ? page[0] : deep(n - 1) + page[5];
  };
  on_large_stack([] {});
  const Memory before;
  std::size_t during = 0;
  int value = -1;
  on_large_stack([&] {
    value = deep(20'000);
    during = Memory().resident;
  });
  EXPECT_EQ(value, 0);
  EXPECT_GT(during, before.resident + 70 * kMiB);
  EXPECT_LT(Memory().resident, before.resident + 16 * kMiB);
}

// Ctrl-C and alarms are for the threads of the program.
TEST(LargeStack, TakesNoSignals) {
  sigset_t blocked;
  on_large_stack([&] { pthread_sigmask(SIG_BLOCK, nullptr, &blocked); });
  for (const int signal : {SIGINT, SIGTERM, SIGALRM, SIGCHLD, SIGPROF, SIGUSR1})
    EXPECT_EQ(sigismember(&blocked, signal), 1);
  EXPECT_EQ(sigismember(&blocked, SIGSEGV), 0);
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGINT), 0);
}

TEST(LargeStack, SeveralThreadsGetTheirOwn) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&wrong, thread] {
      for (int i = 0; i < 500; ++i) {
        int got = 0;
        on_large_stack([&] { got = 1000 * thread + i; });
        if (got != 1000 * thread + i) ++wrong;
        try {
          on_large_stack([&] { throw 1000 * thread + i; });
          ++wrong;
        } catch (int thrown) {
          if (thrown != 1000 * thread + i) ++wrong;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// The status of a child that does this, and of its own children.
int status_of_child(const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}
bool parses() { return refusal_of("SELECT COUNT(*) FROM visits") == "bound"; }

// A child has no thread but the one that forked; what the others of its parent were doing does not matter.
TEST(LargeStack, ChildrenParseWhateverTheirParentWasDoing) {
  std::promise<void> began, go_on;
  std::thread busy([&] {
    on_large_stack([&] {
      began.set_value();
      go_on.get_future().wait();
    });
  });
  began.get_future().wait();
  std::thread waits([] { parses(); });
  const int status =
      status_of_child([] { return parses() && status_of_child([] { return parses() && parses(); }) == 0; });
  go_on.set_value();
  busy.join();
  waits.join();
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(parses());
}

// Of many forks at any moment each child parses: none finds a lock that another thread held.
TEST(LargeStack, ForksAtAnyMoment) {
  std::atomic<bool> stop = false;
  std::thread busy([&] {
    while (!stop) parses();
  });
  int failed = 0;
  for (int i = 0; i < 30; ++i) failed += status_of_child(parses) == 0 ? 0 : 1;
  stop = true;
  busy.join();
  EXPECT_EQ(failed, 0);
}

// The end of a process waits for no work, and destroys nothing that the thread uses.
TEST(LargeStackDeathTest, AProcessEndsWhileItParses) {
  EXPECT_EXIT(
      {
        std::promise<void> began;
        std::thread([&] {
          on_large_stack([&] {
            began.set_value();
            std::promise<void>().get_future().wait();
          });
        }).detach();
        began.get_future().wait();
        std::exit(7);
      },
      ::testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace dither::sql
