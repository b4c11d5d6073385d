#include "base/error.h"
#include "engine/engine.h"

namespace dither::engine {

void run_failed() {
  throw Error{Code::run_failed, "the run ended early: a file, the disk, memory or a server was lost",
              "what it cost stays charged; look at the disk and the sources, then ask again with `--again`"};
}

}  // namespace dither::engine
