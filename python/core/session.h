// A session as Python holds it: shared by threads, not by processes.
#pragma once

#include <unistd.h>

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "session/session.h"
#include "unlocked.h"

namespace dither::python {

// dither._core.Session.
//
// Threads    any number may ask at once; whoever asks keeps the session alive until the answer is there.
// Processes  a process that was forked can neither use nor end it: DuckDB's threads and the ledger's locks stayed
//            behind. Every entry refuses there (wrong-state), before a lock is taken; its memory is left alone.
class PythonSession {
 public:
  // Opens nothing yet.
  PythonSession(plan::Project project, engine::MemoryTables tables, engine::Limits limits);
  ~PythonSession();
  PythonSession(const PythonSession&) = delete;
  PythonSession& operator=(const PythonSession&) = delete;

  const plan::Project& project() const { return project_; }
  // Where charges are kept: the path of the ledger, or "session only".
  std::string accounted() const;

  // Looks at the ledger; reads no data. Refuses    what Session::of refuses.
  void begin();
  // Those that run go on.
  void close();
  // Lets go of a ledger file, so that a process forked next inherits no open one; it is opened again when it is needed.
  // Says whether it could: not while somebody asks.
  bool rest();

  // One call from Python: keeps the session alive, and ends it, where it is the last one, without the interpreter's lock.
  class Call {
   public:
    explicit Call(PythonSession& session) : held_(session.held()) {}
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    const std::shared_ptr<session::Session>& session() const { return held_; }

   private:
    const Busy busy_;
    std::shared_ptr<session::Session> held_;
  };

  bool keeps_ledger() const { return project_.ledger != plan::kLedgerInMemory; }

  // Held shared by whoever asks, and alone by whoever walks through a ledger in memory.
  std::shared_mutex& asking() { return asking_; }

 private:
  // Refuses    another process, and a session that is closed (wrong-state).
  std::shared_ptr<session::Session> held();

  const pid_t process_ = getpid();
  const plan::Project project_;
  const engine::Limits limits_;
  std::shared_mutex asking_;
  std::mutex mutex_;  // guards what follows
  bool closed_ = false;
  engine::MemoryTables tables_;
  std::shared_ptr<session::Session> session_;
};

}  // namespace dither::python
