#include <new>

#include "base/error.h"
#include "session.h"

namespace dither::python {

namespace {

bool keeps_ledger(const plan::Project& project) { return project.ledger != plan::kLedgerInMemory; }

}  // namespace

PythonSession::PythonSession(plan::Project project, engine::MemoryTables tables, engine::Limits limits)
    : project_(std::move(project)), limits_(std::move(limits)), tables_(std::move(tables)) {
  const std::lock_guard lock(mutex_);
  get();
}

PythonSession::~PythonSession() {
  if (getpid() == process_) return;
  new (std::nothrow) std::shared_ptr<session::Session>(std::move(session_));  // never ended here: see above
}

void PythonSession::require_own_process() const {
  if (getpid() == process_) return;
  throw Error{Code::wrong_state, "this session belongs to the process that this one was forked from",
              "make a session here, in the child process, or start it with multiprocessing's \"spawn\""};
}

const std::shared_ptr<session::Session>& PythonSession::get() {
  if (closed_) throw Error{Code::wrong_state, "this session is closed", "open another one"};
  if (!session_) {
    session_ = std::make_shared<session::Session>(session::Session::of(project_, tables_));
    session_->use_limits(limits_);
  }
  return session_;
}

std::string PythonSession::accounted() const { return keeps_ledger(project_) ? project_.ledger : "session only"; }

void PythonSession::close(bool stop) {
  if (getpid() != process_) return;  // there is nothing of ours to close
  // Both end behind the lock: tables of other libraries may want the interpreter's.
  std::shared_ptr<session::Session> last;
  engine::MemoryTables tables;
  std::unique_lock lock(mutex_);
  closed_ = true;
  last.swap(session_);
  tables.swap(tables_);
  if (!stop) return;
  stopped_ = true;
  for (const auto& token : calls_) {
    if (token) token->cancel();
  }
  ended_.wait(lock, [&] { return calls_.empty(); });
}

bool PythonSession::rest() {
  if (getpid() != process_ || !keeps_ledger(project_)) return true;
  const std::lock_guard lock(mutex_);
  if (session_.use_count() > 1 || !calls_.empty()) return false;
  session_.reset();
  return true;
}

PythonSession::Call::Call(PythonSession& session) : owner_(session) {
  owner_.require_own_process();
  const std::lock_guard lock(owner_.mutex_);  // once: whoever closes sees this call, or this call that it is closed
  held_ = owner_.get();
  place_ = owner_.calls_.emplace(owner_.calls_.end());
}

PythonSession::Call::~Call() {
  held_.reset();
  const std::lock_guard lock(owner_.mutex_);
  owner_.calls_.erase(place_);
  owner_.ended_.notify_all();
}

void PythonSession::Call::watch(const CancelToken& token) {
  const std::lock_guard lock(owner_.mutex_);
  *place_ = token;
  if (owner_.stopped_) token.cancel();
}

}  // namespace dither::python
