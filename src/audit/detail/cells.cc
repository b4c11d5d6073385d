#include "audit/detail/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "audit/detail/frequent.h"
#include "audit/detail/search_runs.h"

namespace dither::audit::detail {

namespace {

constexpr std::size_t kQuantiles = 26;

double next(double value) { return std::nextafter(value, HUGE_VAL); }

}  // namespace

Cells::Cells(std::vector<double> values, Reading reading) : reading_(reading) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double value) { return std::isnan(value); }),
               values.end());
  if (reading == Reading::number) {
    learn_numbers(std::move(values));
  } else {
    starts_ = most_frequent(std::move(values), kMost);
  }
}

void Cells::learn_numbers(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  starts_.push_back(-HUGE_VAL);
  std::vector<double> distinct = values;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.size() <= kMost) {
    for (std::size_t i = 1; i < distinct.size(); ++i) starts_.push_back(distinct[i]);
    return;
  }
  const auto at = [&](std::size_t i) { return values[i * (values.size() - 1) / kQuantiles]; };
  for (std::size_t i = 0; i < kQuantiles; ++i) {
    starts_.push_back(at(i));
    if (at(i) == at(i + 1)) starts_.push_back(next(at(i)));  // many runs share this value
  }
  std::sort(starts_.begin(), starts_.end());
  starts_.erase(std::unique(starts_.begin(), starts_.end()), starts_.end());
}

std::size_t Cells::of(double value) const {
  if (std::isnan(value)) return ordered() + (is_absent(value) ? 1 : 0);
  if (reading_ == Reading::word) {
    const auto found = std::lower_bound(starts_.begin(), starts_.end(), value);
    return found != starts_.end() && *found == value ? static_cast<std::size_t>(found - starts_.begin())
                                                     : starts_.size();
  }
  const auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), value);
  return static_cast<std::size_t>(after - starts_.begin()) - 1;
}

double Cells::last_of(std::size_t cell) const {
  return cell + 1 < starts_.size() ? std::nextafter(starts_[cell + 1], -HUGE_VAL) : HUGE_VAL;
}

std::string Cells::text(std::size_t low, std::size_t high, const Words& words) const {
  if (low == ordered()) return "is NaN";
  if (low == ordered() + 1) return "is absent";
  if (reading_ == Reading::word) {
    return low == starts_.size() ? "is another word" : "is " + cell_text(starts_[low], Reading::word, words);
  }
  const double last = last_of(high);
  if (low == 0 && last == HUGE_VAL) return "is a number";
  if (low == 0) return fmt::format("is below {:.17g}", starts_[high + 1]);
  if (last == HUGE_VAL) return fmt::format("is at least {:.17g}", starts_[low]);
  if (last == starts_[low]) return fmt::format("is {:.17g}", last);
  return fmt::format("is at least {:.17g} and below {:.17g}", starts_[low], starts_[high + 1]);
}

}  // namespace dither::audit::detail
