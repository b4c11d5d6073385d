// What a session keeps between answers.
#pragma once

#include <unistd.h>

#include <memory>
#include <mutex>
#include <optional>

#include "engine/released.h"
#include "ledger/ledger.h"
#include "session/session.h"

namespace dither::session {

struct Session::Work {
  std::mutex opening;                      // held while the ledger is opened or made; taken before the other
  std::mutex mutex;                        // guards what follows
  std::optional<Held> held;                // the ledger as it was when it was looked at
  std::shared_ptr<ledger::Ledger> ledger;  // open for charges, from the first answer on
  std::optional<ledger::SigningKey> key;
  std::shared_ptr<engine::Engine> engine;
  bool engine_given = false;  // by use_engine()
  engine::Limits limits;
  engine::MemoryTables tables;
  std::string fingerprint_key;  // from the signing key, once that is known
  pid_t process = getpid();
  std::unique_ptr<engine::ReleasedDatabase> released;

  std::uint64_t memory() {
    const std::lock_guard lock(mutex);
    return limits.memory;
  }
};

}  // namespace dither::session
