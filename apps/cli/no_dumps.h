// Memory that holds private numbers does not reach the disk by accident.
#pragma once

#include <sys/resource.h>

namespace dither::cli {

// While it lives, a crash leaves no core file, and other processes of the same user cannot attach to this one.
class NoDumps {
 public:
  NoDumps();
  ~NoDumps();
  NoDumps(const NoDumps&) = delete;
  NoDumps& operator=(const NoDumps&) = delete;

 private:
  rlimit limit_{};
  int dumpable_;
};

}  // namespace dither::cli
