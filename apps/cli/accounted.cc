#include "cli/accounted.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/numbers.h"

namespace dither::cli {

namespace {

using accounting::Composition;
using accounting::Guarantee;

Guarantee answer(const Composition& composition, const Question& question, const Manner& manner) {
  const double width = manner.width;
  if (question.solved == Solved::epsilon) {
    return manner.accountant ? composition.epsilon_by(*manner.accountant, question.at, width)
                             : composition.epsilon_at(question.at, width);
  }
  return manner.accountant ? composition.delta_by(*manner.accountant, question.at, width)
                           : composition.delta_at(question.at, width);
}

// Whether an interval that has two ends is wider than wanted.
bool is_too_wide(const Guarantee& guarantee, const Question& question, double width) {
  const bool epsilon = question.solved == Solved::epsilon;
  const accounting::Certified& value = epsilon ? guarantee.epsilon : guarantee.delta;
  if (!value.lower || *value.lower == value.upper) return false;
  return value.upper - *value.lower > (epsilon ? width : width * *value.lower);
}

}  // namespace

Accounted accounted(const Composition& composition, const Question& question, const Manner& manner) {
  Accounted result{answer(composition, question, manner)};
  result.too_wide = manner.must_be_narrow && is_too_wide(result.guarantee, question, manner.width);
  if (result.too_wide) result.guarantee.notes.emplace_back(kTooWide);
  return result;
}

double read_width(const std::string& text) {
  const Rational width = exact_number("width", text);
  if (width.sign() > 0 && width.to_double_up() < 1) return width.to_double_up();
  throw Error{Code::bad_number, fmt::format("--width is {}, but must be above 0 and below 1", echo(text)),
              "give e.g. 1e-3"};
}

}  // namespace dither::cli
