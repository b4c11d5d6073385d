// Prices under a corrected accounting.
#include "base/error.h"
#include "ledger/detail/core.h"

namespace dither::ledger {

using accounting::Spent;
using detail::Json;

std::vector<Ledger::Repriced> Ledger::reprice(std::string_view pricing, bool apply, const Decision& decision,
                                              const Pricing& price) {
  const auto find = [&] {
    std::vector<Repriced> found;
    core_->store->scan(Table::releases, "", [&](std::string_view, std::string_view value) {
      Release release = detail::release_from(value);
      if (release.state == State::voided) return true;
      const Budget root = core_->book.need_budget(release.dataset);
      const Spent cost = price(release.price, root.terms.rule, core_->book.need_dataset(release.dataset).neighbours);
      if (cost != release.cost) found.push_back({std::move(release), cost});
      return true;
    });
    return found;
  };
  if (!apply) return core_->reading(find);
  std::vector<Repriced> found;
  core_->decide("repriced", decision, [&] {
    found = find();
    Json body = {{"pricing", pricing}, {"releases", Json::array()}};
    for (const Repriced& item : found) {
      body["releases"].push_back({{"release", item.release.id},
                                  {"before", detail::spent_json(item.release.cost)},
                                  {"cost", detail::spent_json(item.cost)}});
    }
    return body;
  });
  return found;
}

}  // namespace dither::ledger
