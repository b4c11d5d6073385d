#include "ledger/detail/core.h"

#include <fmt/format.h>

#include <chrono>

#include "base/error.h"
#include "base/text.h"
#include "ledger/detail/answer_file.h"

namespace dither::ledger::detail {
namespace {

Time system_time() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Error behind(const std::string& path) {
  return {
      Code::ledger_behind,
      fmt::format("the ledger lacks records that were there when its head was noted in {}", echo(path)),
      "it was rolled back, or is an old copy: find the newest copy, or take this one up with `dither budget restore`"};
}

}  // namespace

Record record_at(Store& store, std::uint64_t number) {
  std::optional<Record> found;
  store.records(number, [&](const Record& record) {
    found = record;
    return false;
  });
  if (!found || found->number != number) throw_damaged("a record is missing");
  return *found;
}

Core::Core(std::unique_ptr<Store> its_store, std::optional<SigningKey> its_key, LedgerOptions its_options)
    : store(std::move(its_store)), book(*store), key(std::move(its_key)), options(std::move(its_options)) {
  if (!options.clock) options.clock = system_time;
}

void Core::take_up() {
  owner = this_process();
  const bool vouched = reading([&] {
    identity = book.identity();
    if (key && key->public_key() != identity.public_key) {
      throw Error{Code::foreign_key, "the ledger belongs to another key than the one given",
                  "use the key of the installation that made it, with --key or DITHER_KEY"};
    }
    return store->note("copy").empty() && !options.to_restore && !options.path.empty();
  });
  // First the files, then the ledger: others may commit and note their heads meanwhile.
  std::vector<Noted> noted;
  if (vouched) noted.push_back({head_file_of(options.path), read_head_file(head_file_of(options.path))});
  for (const std::string& anchor : {identity.anchor, options.anchor}) {
    if (vouched && !anchor.empty()) noted.push_back({anchor, read_head_file(anchor)});
  }
  reading([&] {
    seen = store->head();
    signed_head = {identity.id, seen, store->note("signature")};
    if (!head_verifies(signed_head, identity.public_key)) {
      throw_damaged("its head does not carry the signature of its key");
    }
    for (const Noted& one : noted) require_agreement(one);
  });
}

void Core::require_agreement(const Noted& noted) {
  if (!noted.head) {
    throw Error{Code::ledger_frozen,
                fmt::format("the head file {} is missing: this may be an old copy", echo(noted.path)),
                "put the file back, or take the copy up with `dither budget restore`"};
  }
  if (noted.head->ledger != identity.id) {
    throw Error{Code::other_ledger, fmt::format("the head file {} belongs to another ledger", echo(noted.path)),
                "put the right file back, or take the copy up with `dither budget restore`"};
  }
  const Head& head = noted.head->head;
  if (head.number > store->head().number) throw behind(noted.path);
  if (head.number == 0) return;
  if (record_at(*store, head.number).hash != head.hash) throw behind(noted.path);
}

void Core::require_key() const {
  if (key) return;
  throw Error{Code::wrong_state, "the ledger was opened to read", "open it with its key to change it"};
}

void Core::require_writable() {
  if (store->note("copy").empty() && !options.to_restore) return;
  throw Error{Code::ledger_frozen, "this is a copy of a ledger, and more may have been spent than it knows",
              "supply the last known head: `dither budget restore --head`"};
}

Head Core::checked_head() {
  identity.anchor = book.identity().anchor;  // another process may have set it; the rest never changes
  const Head head = store->head();
  const bool same = head.number >= seen.number &&
                    (head.number == seen.number ? head : head_at(record_at(*store, seen.number))) == seen;
  if (!same) throw behind(options.path);
  return head;
}

std::optional<SignedHead> Core::sign(const Head& before) {
  const Head head = store->head();
  if (head == before) return std::nullopt;
  SignedHead after = sign_head(*key, identity.id, head);
  store->set_note("signature", after.signature);
  return after;
}

void Core::note_head() {
  const std::lock_guard lock(mutex);
  if (options.path.empty()) return;
  try {
    write_head_file(head_file_of(options.path), signed_head, false);
  } catch (const Error& error) {
    if (error.code() != Code::cannot_write && error.code() != Code::ledger_busy) throw;
  }
  if (!identity.anchor.empty()) write_head_file(identity.anchor, signed_head, true);
}

void Core::take_anchor(const std::string& path) {
  const std::lock_guard lock(mutex);
  identity.anchor = path;
}

std::uint64_t Core::append(std::string_view kind, const Json& members) {
  Json body = {{"kind", kind}, {"at", time_text(now())}};
  body.update(members);
  const Record record = next_record(store->head(), body.dump());
  store->append(record);
  book.apply(record);
  return record.number;
}

std::uint64_t Core::decide(std::string_view kind, const Decision& decision, const std::function<Json()>& members) {
  require_decision(decision);
  const std::uint64_t number = writing([&] {
    require_writable();
    Json body = members();
    body["by"] = decision.by;
    body["why"] = decision.why;
    if (!decision.evidence.empty()) body["evidence"] = decision.evidence;
    return append(kind, body);
  });
  note_head();
  return number;
}

Time Core::now() { return std::max(options.clock(), book.last_time()); }

std::size_t Core::recover(bool also_unknown) {
  std::size_t ended = 0;
  for (const Release& release : book.held()) ended += end_if_dead(release, also_unknown) ? 1 : 0;
  return ended;
}

bool Core::end_if_dead(const Release& release, bool also_unknown) {
  const Alive alive = is_alive(release.owner);
  if (alive == Alive::yes || (alive == Alive::unknown && !also_unknown)) return false;
  end(release, "its process ended");
  return true;
}

void Core::end(const Release& release, std::string_view why) {
  append(release.state == State::opened ? "lost" : "voided", {{"release", release.id}, {"why", why}});
}

StoredAnswer Core::stored(Release release) {
  if (!release.answer) {
    throw Error{Code::wrong_state,
                fmt::format("release {} has no answer: it is {}", release.id, state_name(release.state)),
                "only committed releases have an answer"};
  }
  const std::string name = release.answer->hex();
  std::string bytes;
  if (release.answer_in_file) {
    auto found = read_answer_file(answers_folder_of(options.path), name);
    if (!found) throw_damaged(fmt::format("the answer of release {} is missing", release.id));
    bytes = *std::move(found);
  } else {
    const auto found = store->get(Table::answers, name);
    if (!found) throw_damaged(fmt::format("the answer of release {} is missing", release.id));
    bytes = *found;
  }
  if (sha256(bytes) != *release.answer) {
    throw_damaged(fmt::format("the answer of release {} is not the one that was given", release.id));
  }
  return {std::move(release), std::move(bytes)};
}

}  // namespace dither::ledger::detail
