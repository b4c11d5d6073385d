// A session as Python holds it: shared by threads, not by processes.
#pragma once

#include <unistd.h>

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>

#include "base/progress.h"
#include "session/session.h"

namespace dither::python {

// dither._core.Session.
//
// Threads    any number may ask at once; whoever asks keeps the session alive until the answer is there.
// Processes  a process that was forked can neither use nor end it: DuckDB's threads and the ledger's locks stayed
//            behind. Every entry refuses there (wrong-state), before a lock is taken; its memory is left alone.
class PythonSession {
 public:
  // Reads no data. Refuses    what Session::of refuses.
  PythonSession(plan::Project project, engine::MemoryTables tables, engine::Limits limits);
  ~PythonSession();
  PythonSession(const PythonSession&) = delete;
  PythonSession& operator=(const PythonSession&) = delete;

  const plan::Project& project() const { return project_; }
  // Where charges are kept: the path of the ledger, or "session only".
  std::string accounted() const;

  // Those that run go on, unless `stop`: then they are cancelled and waited for; what they had opened stays charged.
  void close(bool stop);
  // Lets go of a ledger file, so that a process forked next inherits no open one; it is opened again when it is needed.
  // Says whether it could: not while somebody asks.
  bool rest();

  // One call from Python, from before it lets go of the interpreter's lock until it has it back: close(stop) waits for
  // all of them, so that none wakes up in an interpreter that is gone.
  class Call {
   public:
    explicit Call(PythonSession& session);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    // Work that close(stop) cancels.
    void watch(const CancelToken& token);
    const std::shared_ptr<session::Session>& session() const { return held_; }

   private:
    PythonSession& owner_;
    std::shared_ptr<session::Session> held_;
    std::list<std::optional<CancelToken>>::iterator place_;
  };

  // Held shared by whoever asks, and alone by whoever walks through a ledger in memory.
  std::shared_mutex& asking() { return asking_; }

 private:
  // Refuses    another process (wrong-state).
  void require_own_process() const;
  // Behind mutex_. Refuses    a session that is closed (wrong-state).
  const std::shared_ptr<session::Session>& get();

  const pid_t process_ = getpid();
  const plan::Project project_;
  const engine::Limits limits_;
  std::shared_mutex asking_;
  std::mutex mutex_;  // guards what follows
  bool closed_ = false, stopped_ = false;
  engine::MemoryTables tables_;
  std::shared_ptr<session::Session> session_;
  std::list<std::optional<CancelToken>> calls_;
  std::condition_variable ended_;
};

}  // namespace dither::python
