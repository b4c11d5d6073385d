#include "cli/no_dumps.h"

#include <sys/prctl.h>

namespace dither::cli {

NoDumps::NoDumps() : dumpable_(prctl(PR_GET_DUMPABLE)) {
  getrlimit(RLIMIT_CORE, &limit_);
  const rlimit none{0, limit_.rlim_max};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0);
}

NoDumps::~NoDumps() {
  prctl(PR_SET_DUMPABLE, dumpable_);
  setrlimit(RLIMIT_CORE, &limit_);
}

}  // namespace dither::cli
