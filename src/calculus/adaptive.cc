#include "calculus/adaptive.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "base/error.h"
#include "calculus/detail/fit.h"
#include "calculus/detail/losses.h"

namespace dither::calculus {

AdaptiveComposition::AdaptiveComposition(const Private& data, Place place, const Measure& measure,
                                         std::vector<Loss> losses)
    : data_(data), place_(std::move(place)), measure_(measure), losses_(std::move(losses)) {
  require_domain(place_.domain);
  require_distance(place_.metric, place_.protect);
  if (losses_.empty()) throw Error{Code::bad_count, "no loss was fixed", "fix one loss for each question"};
  total();  // refuses losses of another measure
}

void AdaptiveComposition::take_place(const AnyMeasurement& question) {
  detail::require_plain(question);
  detail::require_fit({"the composition", place_.metric, place_.domain},
                      {question.recipe().name, question.from(), question.input()});
  if (question.measure() != measure_) {
    throw Error{Code::mixed_metrics,
                fmt::format("{} is measured in {}, the list in {}", question.recipe().name, question.measure().name(),
                            measure_.name()),
                "cast the question to the measure of the list"};
  }
  const Loss loss = question.loss(place_.protect);
  const std::lock_guard lock(mutex_);
  if (taken_ == losses_.size()) {
    throw Error{Code::over_budget, fmt::format("all {} places of the list are taken", losses_.size()),
                "stop here, or fix a longer list"};
  }
  if (!measure_.at_most(loss, losses_[taken_])) {
    throw Error{
        Code::over_budget,
        fmt::format("place {} was fixed at {}, the question costs {}", taken_ + 1, str(losses_[taken_]), str(loss)),
        "ask something cheaper"};
  }
  ++taken_;
}

Release<Data> AdaptiveComposition::ask(const AnyMeasurement& question, random::Source& source) {
  take_place(question);
  return question.release(data_, source);
}

Loss AdaptiveComposition::total() const {
  return std::accumulate(losses_.begin(), losses_.end(), measure_.zero(),
                         [this](const Loss& sum, const Loss& one) { return measure_.add(sum, one); });
}

std::size_t AdaptiveComposition::left() const {
  const std::lock_guard lock(mutex_);
  return losses_.size() - taken_;
}

Interleaving interleaving_of(const Measure& measure) {
  const bool proven = measure == Measure::pure() || measure == Measure::approximate() ||
                      measure == Measure::concentrated() || measure == Measure::renyi() ||
                      measure == Measure::gaussian() || measure == Measure::tradeoff();
  return proven ? Interleaving::concurrent : Interleaving::sequential;
}

}  // namespace dither::calculus
