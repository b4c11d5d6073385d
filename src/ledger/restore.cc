// Copies of a ledger: how one is taken up again.
#include <filesystem>

#include "base/error.h"
#include "ledger/detail/core.h"

namespace dither::ledger {

using detail::Json;

namespace {

void require_own(const SignedHead& head, const detail::Book::Identity& identity) {
  if (head.ledger != identity.id) {
    throw Error{Code::other_ledger, "the head belongs to another ledger", "give the last head of this one"};
  }
  if (!head_verifies(head, identity.public_key)) {
    throw Error{Code::ledger_damaged, "the head does not carry the signature of the ledger's key",
                "give it exactly as it was printed or noted"};
  }
}

}  // namespace

Restored Ledger::restore(const SignedHead& last_known, const Decision& decision) {
  require_decision(decision);
  require_own(last_known, core_->identity);
  Restored restored;
  core_->writing([&] {
    const Head own = core_->store->head();
    restored.gap = last_known.head.number > own.number;
    if (!restored.gap && last_known.head.number > 0 &&
        detail::record_at(*core_->store, last_known.head.number).hash != last_known.head.hash) {
      throw Error{Code::ledger_behind, "the chain of this copy has another record where the head stands",
                  "the original and the copy went different ways: find the one that was in use"};
    }
    core_->recover(true);  // whoever held something, it was in another file
    Json body = {{"head", {{"number", last_known.head.number}, {"hash", last_known.head.hash.hex()}}},
                 {"gap", restored.gap},
                 {"by", decision.by},
                 {"why", decision.why}};
    core_->append("restored", body);
    core_->store->set_note("copy", "");
  });
  core_->options.to_restore = false;
  // What stood there vouches for the ledger that was lost.
  if (!core_->options.path.empty()) std::filesystem::remove(head_file_of(core_->options.path));
  if (!core_->identity.anchor.empty()) std::filesystem::remove(core_->identity.anchor);
  core_->note_head();
  return restored;
}

}  // namespace dither::ledger
