// Copies of a ledger: how one is taken up again.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "ledger/detail/core.h"
#include "ledger/detail/descriptor.h"

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

// Refuses a head that this chain has another record for; one beyond the chain is not contradicted.
void require_chain(detail::Core& core, const Head& head) {
  if (head.number == 0 || head.number > core.store->head().number) return;
  if (detail::record_at(*core.store, head.number).hash == head.hash) return;
  throw Error{Code::ledger_behind, "the chain of this copy has another record where the head stands",
              "the original and the copy went different ways: find the one that was in use"};
}

// Files that vouch for the original stand against an older head, until they are replaced. One that cannot be read, or
// that the key has not signed, says nothing.
void require_newest(detail::Core& core, const SignedHead& given, const std::string& path) {
  std::optional<SignedHead> noted;
  try {
    noted = read_head_file(path);
  } catch (const Error& error) {
    if (error.code() != Code::ledger_damaged) throw;
  }
  if (noted && noted->ledger != core.identity.id) {
    throw Error{Code::other_ledger, fmt::format("the head file {} belongs to another ledger", echo(path)),
                "move it away first: it is the evidence of that ledger"};
  }
  if (!noted || !head_verifies(*noted, core.identity.public_key)) return;
  if (noted->head.number > std::max(core.store->head().number, given.head.number)) {
    throw Error{Code::ledger_behind, fmt::format("{} holds a later head than the one given", echo(path)),
                "give that one: it knows of records that this copy lacks"};
  }
  require_chain(core, noted->head);
}

// Where heads of this ledger are noted.
std::vector<std::string> noted_in(const detail::Core& core) {
  std::vector<std::string> paths;
  if (!core.options.path.empty()) paths.push_back(head_file_of(core.options.path));
  if (!core.identity.anchor.empty()) paths.push_back(core.identity.anchor);
  return paths;
}

// The head that a file in the ledger's folder holds, if it is one of this ledger.
std::optional<Head> own_head_in(const detail::Core& core, const std::string& path) {
  try {
    const std::optional<SignedHead> noted = read_head_file(path);
    if (!noted || noted->ledger != core.identity.id || !head_verifies(*noted, core.identity.public_key)) return {};
    return noted->head;
  } catch (const Error&) {  // it is damaged, or cannot be read, and vouches for nothing
    return {};
  }
}

// Whether records up to this number were lost before, and booked as spent then.
bool was_booked(detail::Core& core, std::uint64_t number) {
  bool booked = false;
  core.store->records(1, [&](const Record& record) {
    const Json body = detail::parse(record.body);
    booked = body.at("kind") == "restored" && body.at("gap").get<bool>() && body.at("head").at("number") >= number;
    return !booked;
  });
  return booked;
}

// A copy may have another name than the original: every head of this ledger in its folder counts.
void require_none_newer_beside(detail::Core& core, const SignedHead& given) {
  if (core.options.path.empty()) return;
  const std::filesystem::path own = head_file_of(core.options.path);
  const std::uint64_t known = std::max(core.store->head().number, given.head.number);
  std::error_code failed;  // what cannot be listed vouches for nothing
  for (std::filesystem::directory_iterator entry(std::filesystem::absolute(own).parent_path(), failed), end;
       !failed && entry != end; entry.increment(failed)) {
    const std::string path = entry->path().string();
    if (entry->path().extension() != ".head" || entry->path().filename() == own.filename()) continue;
    const std::optional<Head> noted = own_head_in(core, path);
    if (!noted || noted->number <= known || was_booked(core, noted->number)) continue;
    throw Error{Code::ledger_behind, fmt::format("{} holds a later head of this ledger than the one given", echo(path)),
                "give that one: it knows of records that this copy lacks"};
  }
}

// Whoever held something did so in another file.
void end_all(detail::Core& core) {
  for (const Release& release : core.book.held()) core.end(release, "the ledger was restored");
}

}  // namespace

Restored Ledger::restore(const SignedHead& last_known, const Decision& decision) {
  require_decision(decision);
  require_own(last_known, core_->identity);
  Restored restored;
  core_->writing([&] {
    const Head own = core_->store->head();
    restored.gap = last_known.head.number > own.number;
    require_chain(*core_, last_known.head);
    for (const std::string& path : noted_in(*core_)) require_newest(*core_, last_known, path);
    require_none_newer_beside(*core_, last_known);
    const Time since = core_->book.last_time();
    end_all(*core_);
    Json body = {{"head", {{"number", last_known.head.number}, {"hash", last_known.head.hash.hex()}}},
                 {"gap", restored.gap},
                 {"since", time_text(since)},
                 {"by", decision.by},
                 {"why", decision.why}};
    core_->append("restored", body);
    core_->store->set_note("copy", "");
  });
  core_->options.to_restore = false;
  for (const std::string& path : noted_in(*core_)) {  // they vouch for what was lost
    std::error_code failed;
    std::filesystem::remove(path, failed);
    if (failed) detail::throw_cannot_write(path, "could not be removed", failed.value());
  }
  core_->note_head();
  return restored;
}

}  // namespace dither::ledger
