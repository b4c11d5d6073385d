// Two copies of a ledger, side by side.
#include "ledger/verify.h"

namespace dither::ledger {
namespace {

// Gives the records of a store one by one.
class Reader {
 public:
  explicit Reader(Store& store) : store_(store) {}

  std::optional<Record> next() {
    if (at_ == some_.size()) fetch();
    if (at_ == some_.size()) return std::nullopt;
    return std::move(some_[at_++]);
  }

 private:
  void fetch() {
    constexpr std::size_t kSome = 1000;
    some_.clear();
    at_ = 0;
    store_.records(from_, [&](const Record& record) {
      some_.push_back(record);
      return some_.size() < kSome;
    });
    if (!some_.empty()) from_ = some_.back().number + 1;
  }

  Store& store_;
  std::uint64_t from_ = 1;
  std::vector<Record> some_;
  std::size_t at_ = 0;
};

}  // namespace

Comparison compare(Store& first, Store& second) {
  const Transaction of_first(first, Access::read);
  const Transaction of_second(second, Access::read);
  Reader a(first);
  Reader b(second);
  for (std::uint64_t number = 1;; ++number) {
    const auto mine = a.next();
    const auto theirs = b.next();
    if (!mine && !theirs) return {};
    if (!mine) return {Comparison::Kind::behind, second.head().number - number + 1, 0};
    if (!theirs) return {Comparison::Kind::ahead, first.head().number - number + 1, 0};
    if (*mine != *theirs) return {Comparison::Kind::forked, 0, number};
  }
}

}  // namespace dither::ledger
