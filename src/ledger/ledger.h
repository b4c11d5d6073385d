// The ledger: a budget that is spent once, never lost and never double.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ledger/budget.h"
#include "ledger/head_file.h"
#include "ledger/release.h"
#include "ledger/signing_key.h"
#include "ledger/store.h"

namespace dither::ledger {

class Ledger;
namespace detail {
struct Core;
}

// A request for a release, priced by its events.
struct Request {
  std::string budget;  // path
  Price price;
  Question question;
  std::string statistic;                 // what kind of number it is, for purposes that allow only some: "count"
  std::string title;                     // for people: the statement
  std::string by;                        // who asks
  bool again = false;                    // a fresh draw, paid for, also where there is an answer or one was lost
  std::optional<std::string> source;     // the fingerprint of the data as it is now
  bool holds_source = false;             // it is noted where the version has none, and must be the same for stored
                                         // answers too
  std::optional<Correction> correction;  // this replaces a release that was wrong
  std::optional<std::string> version;    // the label of the data that it asks about, where whoever asks knows it
};

// An answer that was given before, bit for bit.
struct StoredAnswer {
  Release release;
  std::string bytes;
  bool shared = false;  // it was there, and this request charged a budget that had not paid for it
};

// Somebody else, alive, is about to answer the same question.
struct InProgress {
  std::string release;
  Owner owner;
};

// A reservation. Whoever holds it opens it before the first read of data, draws once, and commits the answer before it is
// shown. When it goes while only reserved, the charge is given back; when it goes while opened, the charge stays and
// the answer is lost.
class Ticket {
 public:
  Ticket(Ticket&&) noexcept;
  Ticket& operator=(Ticket&&) noexcept;
  ~Ticket();

  const std::string& release() const { return release_; }

  // Durable when it returns. From here on nothing is given back.
  // Refuses    a ticket that is not reserved any more (wrong-state); a data set that was frozen, or whose version was
  //            replaced, meanwhile (frozen; the ticket is void then).
  void open();
  // Stores the answer, durably. Only then it may be shown.
  // Refuses    a ticket that is not opened any more (wrong-state): the answer must then not be shown.
  StoredAnswer commit(std::string_view answer);
  // Gives an unopened reservation back.
  void give_back(std::string_view why);

 private:
  friend class Ledger;
  Ticket(std::shared_ptr<detail::Core> core, std::string release);
  void drop() noexcept;

  std::shared_ptr<detail::Core> core_;  // empty when there is nothing left to do
  std::string release_;
};

using Held = std::variant<Ticket, StoredAnswer>;

struct LedgerOptions {
  std::function<Time()> clock;  // empty: the system's
  std::string path;             // of the file: answers and the head file lie beside it; empty: in memory
  std::size_t most_inline = std::size_t{64} << 10;  // longer answers live in files of their own
  bool to_restore =
      false;           // also a copy, or a ledger that is behind its head file: nothing but restore() may change it
  std::string anchor;  // a head file elsewhere that must vouch for it
};

// What a data set is made with.
struct DatasetTerms {
  std::string name;
  accounting::PrivacyUnit unit;
  bool unit_has_period = false;
  accounting::Neighbours neighbours = accounting::Neighbours::add_remove;
  bool needs_purpose = false;
  std::string version = "1";
  std::string source;  // fingerprint; "" when there is none
  BudgetTerms budget;
};

// How a copy of a ledger was taken up again.
struct Restored {
  bool gap = false;  // records are missing between the copy and the head: all budgets are booked as spent
};

// A ledger over a store. Safe to use from several threads and, over a file, from several processes.
//
// Promise    every change is one record in one durable transaction; sums are exact; of all requests with the same key one
//            pays at a time, and nobody draws twice for one charge. Time never runs backwards in it, whatever the clock
//            does. Refusals are recorded, change no budget, and depend on what the ledger holds and the request alone.
// Refuses    a key that is not the ledger's (foreign-key); a head that the key has not signed (ledger-damaged); a ledger
//            that is behind its head file or its anchor (ledger-behind); all changes while it is a copy that waits for
//            its last known head (ledger-frozen).
// Spec       A-01, B-20, B-23, D-62, F-33, P-26, R-28, W-20, W-24, W-79.
class Ledger {
 public:
  // Opens it; what dead processes left behind is voided or marked as lost. Without a key only reading is possible.
  Ledger(std::unique_ptr<Store> store, std::optional<SigningKey> key, LedgerOptions options = {});
  ~Ledger();
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;

  // Writes the first record into an empty store.
  static void begin(Store& store, const SigningKey& key, const LedgerOptions& options = {});
  // The same two for a file.
  static void create(const std::string& path, const SigningKey& key);
  // With `anchor`, a head file that must vouch for it, also where the ledger itself does not name it any more: one that
  // was rolled back to before set_anchor().
  static Ledger open(const std::string& path, const SigningKey& key, const std::string& anchor = "");
  static Ledger open_to_read(const std::string& path, const std::string& anchor = "");

  // What the steward decides. Each returns the number of its record.
  // Refuses    bad-name, missing-reason; a limit of nothing (out-of-range); what is there already (duplicate-key); a rule
  //            of another measure than the data set's (no-theorem); an unknown budget.
  std::uint64_t create_dataset(const DatasetTerms& terms, const Decision& decision);
  std::uint64_t create_budget(const std::string& path, BudgetKind kind, const BudgetTerms& terms,
                              const Decision& decision);
  // Holds if   a grant does not depend on answers: what was promised is then the sum of all grants.
  std::uint64_t grant(const std::string& path, const accounting::FilterRule& more, const Decision& decision);
  std::uint64_t freeze(const std::string& path, const Decision& decision);
  std::uint64_t thaw(const std::string& path, const Decision& decision);
  std::uint64_t revoke(const std::string& path, const Decision& decision);
  std::uint64_t review(const std::string& path, Time until, const Decision& decision);

  // A new version of the data continues the old budgets. With `fresh` they begin anew: the decision then states that no
  // unit of an earlier version recurs, or the unit includes the period.
  // Refuses    a label that was used (duplicate-key); a fresh start under replace-one, where a unit may leave one version
  //            and enter another, or, but for pure budgets, without fingerprints that hold versions fixed (no-theorem);
  //            a fresh start while a release is opened, which may still read (wrong-state).
  std::uint64_t declare_version(const std::string& dataset, const std::string& label, const std::string& source,
                                bool fresh, const Decision& decision);

  // Reserves a release, durably: a ticket, the answer that was given before, or word of who is at it. An answer that
  // another budget paid for is charged to this one and those above it, up to the first that paid.
  // Refuses    over-budget, frozen, revoked, expired, review-overdue, missing-purpose, not-allowed, answer-lost, bad-source
  //            (other data), budget-differs (another version than the present one): recorded as refused; bad requests (unknown-budget, no-theorem, bad-name ...): not recorded.
  std::variant<Ticket, StoredAnswer, InProgress> reserve(const Request& request);
  // All or none; while one of them is in progress, none.
  // Refuses    two requests with one key (duplicate-key).
  std::variant<std::vector<Held>, InProgress> reserve(std::span<const Request> requests);
  // Waits while somebody else is at it. ledger-busy after `patience`.
  Held reserve_or_wait(const Request& request, std::chrono::milliseconds patience);

  // Voids what dead owners reserved and marks as lost what they opened; how many. With `also_unknown`, also what owners
  // on other hosts hold, about whom nothing can be known.
  std::size_t recover(bool also_unknown = false);

  // Prices all releases again under a fixed accounting: what costs more now is charged more, nothing is given back.
  // Without `apply` nothing changes. For each release whose price differs: before, and as it would be now.
  struct Repriced {
    Release release;  // with the old cost
    accounting::Spent cost;
  };
  using Pricing = std::function<accounting::Spent(const Price&, const accounting::FilterRule&, accounting::Neighbours)>;
  std::vector<Repriced> reprice(std::string_view pricing, bool apply, const Decision& decision,
                                const Pricing& price = cost_of);

  // Takes up a copy: the steward supplies the last head that is known of the original.
  // Refuses    a head of another ledger or with a wrong signature (other-ledger, ledger-damaged), and one that this
  //            ledger's chain, or a later head of it in the same folder, contradicts (ledger-behind).
  Restored restore(const SignedHead& last_known, const Decision& decision);
  // Names a head file on another volume, which is written and synced after every change from now on.
  std::uint64_t set_anchor(const std::string& path, const Decision& decision);

  // Reading.
  std::string id();
  std::string public_key();
  Time now();  // the ledger's time: the clock's, but never before the last record
  SignedHead head();
  bool is_copy();
  std::vector<Dataset> datasets();
  Dataset dataset(const std::string& name);
  std::vector<Budget> budgets(const std::string& path = "");
  Budget budget(const std::string& path);
  Release release(const std::string& id);
  StoredAnswer answer(const std::string& id);  // wrong-state when it has none
  // Releases from this id on, in order, until `visit` says false; nothing may be called on the ledger meanwhile.
  void releases(std::string_view from, const std::function<bool(const Release&)>& visit);
  void records(std::uint64_t from, const std::function<bool(const Record&)>& visit);
  // What a request would cost, under the rule of its budget's data set.
  accounting::Spent cost(const std::string& budget, const Price& price);

 private:
  std::shared_ptr<detail::Core> core_;
};

// The head file and the folder of long answers of a ledger's file; of a symbolic link those of the file that it leads to.
std::string head_file_of(const std::string& path);
std::string answers_folder_of(const std::string& path);

}  // namespace dither::ledger
