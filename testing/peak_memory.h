// How much memory some work takes.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <exception>
#include <functional>

namespace dither::testing {

// The most memory that a process of its own took, in bytes. The test fails if what it does is not done.
inline std::uint64_t peak_of(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      work();
      ::_exit(0);
    } catch (const std::exception&) {
      ::_exit(1);
    }
  }
  int status = -1;
  struct rusage used {};
  EXPECT_EQ(::wait4(child, &status, 0, &used), child);
  EXPECT_EQ(status, 0);
  return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

}  // namespace dither::testing
