#include "accounting/individual.h"

#include <fmt/format.h>

#include "base/error.h"

namespace dither::accounting {

IndividualFilter::IndividualFilter(IndividualMeasure measure, LossAmount limit, Neighbours neighbours,
                                   std::size_t records)
    : measure_(measure), limit_(limit), spent_(records) {
  if (neighbours == Neighbours::add_remove) return;
  throw Error{Code::no_theorem,
              fmt::format("individual filters under {}: they are proven for add-remove", neighbours_name(neighbours)),
              "account under add-remove, or use one filter for everybody"};
}

IndividualFilter::~IndividualFilter() { detail::zeroise(spent_.data(), spent_.size() * sizeof(LossAmount)); }

bool IndividualFilter::charge(std::size_t record, LossAmount loss) {
  if (record >= spent_.size()) {
    throw Error{Code::out_of_range, fmt::format("record {} of {} does not exist", record, spent_.size()),
                "number the records from 0"};
  }
  const LossAmount after = add_saturating(spent_[record], loss);
  const bool takes_part = after <= limit_;
  spent_[record] = takes_part ? after : spent_[record];
  return takes_part;
}

Secret<bool> IndividualFilter::take_part(std::size_t record, LossAmount loss) {
  return Secret<bool>(charge(record, loss));
}

Secret<Int128> IndividualFilter::share(std::size_t record, LossAmount loss, Int128 value) {
  return Secret<Int128>(charge(record, loss) ? value : 0);
}

}  // namespace dither::accounting
