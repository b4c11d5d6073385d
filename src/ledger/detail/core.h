// What a ledger and its tickets share.
#pragma once

#include <map>
#include <mutex>

#include "ledger/detail/book.h"
#include "ledger/ledger.h"

namespace dither::ledger::detail {

struct Core {
  Core(std::unique_ptr<Store> its_store, std::optional<SigningKey> its_key, LedgerOptions its_options);

  // Checks that this is the ledger it should be; see Ledger.
  void take_up();

  // Runs `read` in a transaction that sees one state.
  template <class Read>
  auto reading(const Read& read) {
    const std::lock_guard lock(mutex);
    const Transaction transaction(*store, Access::read);
    return read();
  }

  // Runs `change` in a transaction that may append. What it appended is signed and made durable; when it throws, nothing
  // has changed. note_head() comes next, once the caller holds what it must not lose.
  template <class Change>
  auto writing(const Change& change) {
    const std::lock_guard lock(mutex);
    require_key();
    Transaction transaction(*store, Access::write);
    const Head before = checked_head();
    struct Nothing {};
    auto result = [&] {
      if constexpr (std::is_void_v<decltype(change())>) {
        change();
        return Nothing{};
      } else {
        return change();
      }
    }();
    if (const std::optional<SignedHead> after = sign(before)) {
      transaction.commit();
      seen = after->head;
      signed_head = *after;
    }
    if constexpr (!std::is_void_v<decltype(change())>) return result;
  }

  struct Noted {  // in a head file
    std::string path;
    std::optional<SignedHead> head;
  };
  // That the chain has this head; a file that is missing is refused. Within a transaction that began after the file was
  // read: others may commit and note their heads meanwhile.
  void require_agreement(const Noted& noted);

  // Writes the head beside the ledger, and to its anchor. A head file beside it that cannot be written stays behind, which
  // is safe; an anchor that cannot be written is an error.
  void note_head();
  void take_anchor(const std::string& path);  // note_head() writes there from now on

  // Appends a record with these members; the time is added. Within writing().
  std::uint64_t append(std::string_view kind, const Json& members);
  // One record of a decision, as a transaction of its own.
  std::uint64_t decide(std::string_view kind, const Decision& decision, const std::function<Json()>& members);

  Time now();  // within a transaction
  void require_writable();

  // Voids or loses what dead owners hold. Within writing(); how many.
  std::size_t recover(bool also_unknown);
  bool end_if_dead(const Release& release, bool also_unknown);
  void end(const Release& release, std::string_view why);  // voids it, or loses what was opened

  StoredAnswer stored(Release release);  // within a transaction

  std::mutex mutex;
  std::unique_ptr<Store> store;
  Book book;
  std::optional<SigningKey> key;
  LedgerOptions options;
  Book::Identity identity;
  Owner owner;
  Head seen;               // the ledger never goes back behind it
  SignedHead signed_head;  // the last that was written here

 private:
  void require_key() const;
  Head checked_head();
  std::optional<SignedHead> sign(const Head& before);  // none when nothing was appended
};

// The record with this number; ledger-damaged when it is missing.
Record record_at(Store& store, std::uint64_t number);

}  // namespace dither::ledger::detail
