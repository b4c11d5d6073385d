#include "session/no_dumps.h"

#include <sys/prctl.h>
#include <sys/resource.h>

namespace dither::session {

void forbid_dumps() {
  rlimit limit{};
  getrlimit(RLIMIT_CORE, &limit);
  limit.rlim_cur = 0;
  setrlimit(RLIMIT_CORE, &limit);
  prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace dither::session
