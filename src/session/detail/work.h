// What a session keeps between answers.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

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
  engine::Limits limits;
  engine::MemoryTables tables;
  std::string fingerprint_key;  // from the signing key, once that is known
  pid_t process = getpid();
  std::unique_ptr<engine::ReleasedDatabase> released;
  std::vector<std::future<void>> given_up;  // runs that missed their deadline; waited for at the end

  void give_up(std::future<void> running) {
    const std::lock_guard lock(mutex);
    const auto ended = [](const std::future<void>& one) {
      return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    };
    given_up.erase(std::remove_if(given_up.begin(), given_up.end(), ended), given_up.end());
    given_up.push_back(std::move(running));
  }
};

}  // namespace dither::session
