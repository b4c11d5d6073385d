// What a test and the processes that it forks all see.
#pragma once

#include <sys/mman.h>
#include <sys/types.h>

#include <atomic>
#include <fstream>
#include <new>
#include <string>
#include <thread>

namespace dither::testing {

// A number in memory that forked processes share with this one.
class SharedNumber {
 public:
  SharedNumber()
      : number_(new (mmap(nullptr, sizeof(Number), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
                    Number(0)) {}
  ~SharedNumber() { munmap(number_, sizeof(Number)); }
  SharedNumber(const SharedNumber&) = delete;
  SharedNumber& operator=(const SharedNumber&) = delete;

  operator int() const { return *number_; }  // NOLINT(google-explicit-constructor): it is used as a number
  void set(int value) const { *number_ = value; }
  int operator++() const { return ++*number_; }

  // Waits until it is not 0, which says that something has happened.
  int wait() const {
    while (*number_ == 0) std::this_thread::yield();
    return *number_;
  }

 private:
  using Number = std::atomic<int>;
  static_assert(Number::is_always_lock_free);
  Number* number_;
};

// Waits until this process runs no more: it is gone, or waits for its parent to ask how it ended.
inline void wait_until_gone(pid_t process) {
  const auto has_ended = [&] {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    const std::size_t state = text.rfind(") ") + 2;
    return text.empty() || text[state] == 'Z' || text[state] == 'X';
  };
  while (!has_ended()) std::this_thread::yield();
}

}  // namespace dither::testing
