#include <new>

#include "base/error.h"
#include "session.h"
#include "unlocked.h"

namespace dither::python {

PythonSession::PythonSession(plan::Project project, engine::MemoryTables tables, engine::Limits limits)
    : project_(std::move(project)), limits_(std::move(limits)), tables_(std::move(tables)) {}

PythonSession::~PythonSession() {
  if (getpid() == process_) {
    const Unlocked unlocked;
    close();
    return;
  }
  new (std::nothrow) std::shared_ptr<session::Session>(std::move(session_));  // never ended here: see above
}

std::shared_ptr<session::Session> PythonSession::held() {
  if (getpid() != process_) {
    throw Error{Code::wrong_state, "this session belongs to the process that this one was forked from",
                "make a session here, in the child process, or start it with multiprocessing's \"spawn\""};
  }
  const std::lock_guard lock(mutex_);
  if (closed_) throw Error{Code::wrong_state, "this session is closed", "open another one"};
  if (!session_) {
    session_ = std::make_shared<session::Session>(session::Session::of(project_, tables_));
    session_->use_limits(limits_);
  }
  return session_;
}

void PythonSession::begin() { held(); }

std::string PythonSession::accounted() const { return keeps_ledger() ? project_.ledger : "session only"; }

void PythonSession::close() {
  if (getpid() != process_) return;  // there is nothing of ours to close
  // Both end behind the lock: tables of other libraries may want the interpreter's.
  std::shared_ptr<session::Session> last;
  engine::MemoryTables tables;
  const std::lock_guard lock(mutex_);
  closed_ = true;
  last.swap(session_);
  tables.swap(tables_);
}

bool PythonSession::rest() {
  if (getpid() != process_ || !keeps_ledger()) return true;
  const std::lock_guard lock(mutex_);
  if (session_.use_count() > 1) return false;
  session_.reset();
  return true;
}

PythonSession::Call::~Call() {
  const Unlocked unlocked;
  held_.reset();
}

}  // namespace dither::python
