#include "accounting/parallel.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace dither::accounting {
namespace {

// The largest of some amounts, or the sum of the two largest.
template <int places>
class Worst {
 public:
  void see(Amount<places> amount) {
    second_ = std::max(second_, std::min(amount, first_));
    first_ = std::max(first_, amount);
  }
  Amount<places> total(bool of_two) const { return of_two ? add_saturating(first_, second_) : first_; }

 private:
  Amount<places> first_;
  Amount<places> second_;
};

template <typename Kind, int places>
Amount<places> worst(std::span<const Charge> cells, bool two, Amount<places> Kind::*member) {
  Worst<places> seen;
  for (const Charge& cell : cells) seen.see(std::get<Kind>(cell).*member);
  return seen.total(two);
}

RenyiCharge worst_renyi(std::span<const Charge> cells, bool two) {
  RenyiCharge total{{}, worst(cells, two, &RenyiCharge::delta)};
  const std::size_t orders = std::get<RenyiCharge>(cells[0]).divergences.size();
  for (std::size_t order = 0; order < orders; ++order) {
    Worst<18> seen;
    for (const Charge& cell : cells) {
      const auto& divergences = std::get<RenyiCharge>(cell).divergences;
      if (divergences.size() != orders) {
        throw Error{Code::bad_count,
                    fmt::format("cells with {} and with {} Renyi orders meet", orders, divergences.size()),
                    "give the charges of all cells at the same orders"};
      }
      seen.see(divergences[order]);
    }
    total.divergences.push_back(seen.total(two));
  }
  return total;
}

void require_cells(std::size_t cells) {
  if (cells == 0) throw Error{Code::bad_count, "a partition has no cells", "give one charge for each cell"};
}

void require_theorem(std::span<const Charge> cells, DataLife life) {
  require_cells(cells.size());
  for (const Charge& cell : cells) {
    if (cell.index() == cells[0].index()) continue;
    throw Error{Code::no_theorem, "the cells of a partition are charged in different measures",
                "convert all charges to one measure first"};
  }
  if (life == DataLife::changing && !std::holds_alternative<PureCharge>(cells[0])) {
    throw Error{Code::no_theorem,
                "parallel composition on data that changes between releases is proven for pure epsilon only",
                "compose the cells one after the other, charge pure epsilon, or fix the version of the data"};
  }
}

}  // namespace

Charge parallel(std::span<const Charge> cells, Neighbours neighbours, DataLife life) {
  require_theorem(cells, life);
  const bool two = neighbours != Neighbours::add_remove;
  switch (cells[0].index()) {
    case 0:
      return PureCharge{worst(cells, two, &PureCharge::epsilon)};
    case 1:
      return ApproximateCharge{worst(cells, two, &ApproximateCharge::epsilon),
                               worst(cells, two, &ApproximateCharge::delta)};
    case 2:
      return ZcdpCharge{worst(cells, two, &ZcdpCharge::rho), worst(cells, two, &ZcdpCharge::delta)};
    case 3:
      return worst_renyi(cells, two);
    default:
      return GdpCharge{worst(cells, two, &GdpCharge::mu_squared)};
  }
}

Spent parallel(std::span<const Spent> cells, Neighbours neighbours) {
  require_cells(cells.size());
  const bool two = neighbours != Neighbours::add_remove;
  std::vector<Worst<18>> losses(cells[0].losses.size());
  Worst<32> squares;
  Worst<36> delta;
  for (const Spent& cell : cells) {
    plus(cells[0], cell);  // refuses other numbers of losses
    for (std::size_t i = 0; i < losses.size(); ++i) losses[i].see(cell.losses[i]);
    squares.see(cell.squares);
    delta.see(cell.delta);
  }
  Spent total{{}, squares.total(two), delta.total(two)};
  for (const Worst<18>& loss : losses) total.losses.push_back(loss.total(two));
  return total;
}

}  // namespace dither::accounting
