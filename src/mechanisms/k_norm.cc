#include "mechanisms/k_norm.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "mechanisms/detail/k_norm_noise.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

constexpr std::size_t kMostRows = 12;
constexpr std::size_t kMostColumns = 4096;
constexpr std::int64_t kMostEntry = std::int64_t{1} << 20;
constexpr Int128 kMostCount = Int128{1} << 60;
constexpr double kMostRounds = 1000;

[[noreturn]] void refuse(const std::string& what, const std::string& hint) { throw Error{Code::bad_count, what, hint}; }

void require(const IntegerMatrix& matrix, const Rational& epsilon) {
  if (epsilon < Rational(1, 10'000) || epsilon > 50) {
    throw Error{Code::bad_scale, fmt::format("epsilon is {}, but it must lie in [10^-4, 50]", epsilon.str()),
                "give e.g. epsilon 1"};
  }
  if (matrix.empty() || matrix.size() > kMostRows) {
    refuse(fmt::format("the matrix has {} rows", matrix.size()), "give 1 to 12 queries, or answer them in groups");
  }
  const std::size_t columns = matrix.front().size();
  if (columns == 0 || columns > kMostColumns) {
    refuse(fmt::format("the matrix has {} columns", columns), "give one for each cell of the histogram, 4096 at most");
  }
  for (const auto& row : matrix) {
    if (row.size() != columns) refuse("the rows of the matrix have different lengths", "give each row a cell a column");
    const auto large = [](std::int64_t entry) { return entry < -kMostEntry || entry > kMostEntry; };
    if (std::any_of(row.begin(), row.end(), large)) refuse("an entry of the matrix exceeds 2^20", "use a coarser unit");
  }
}

// |entry| <= 2^20, |cell| <= 2^60 and 2^12 columns keep every sum within 2^92.
Integers times(const IntegerMatrix& matrix, const Integers& cells) {
  Integers result;
  for (const auto& row : matrix) {
    Int128 sum = 0;
    for (std::size_t j = 0; j < std::min(row.size(), cells.size()); ++j)
      sum += row[j] * std::clamp(cells[j], -kMostCount, kMostCount);
    result.push_back(sum);
  }
  return result;
}

std::vector<Rational> entries(const IntegerMatrix& matrix) {
  std::vector<Rational> all;
  for (const auto& row : matrix) {
    for (const std::int64_t entry : row) all.emplace_back(static_cast<long>(entry));
  }
  return all;
}

}  // namespace

Measurement<L1, Pure> make_k_norm(const VectorDomain& domain, const IntegerMatrix& matrix, const Rational& epsilon) {
  require(matrix, epsilon);
  if (domain.dimension != matrix.front().size()) {
    refuse(fmt::format("the matrix has {} columns, and the domain another dimension", matrix.front().size()),
           "declare the dimension of the histogram");
  }
  const auto noise = std::make_shared<const detail::KNormNoise>(matrix, epsilon);
  if (noise->rounds() > kMostRounds) {
    throw Error{Code::out_of_range,
                fmt::format("a draw may take {:.0f} rounds on average, more than {:.0f}", noise->rounds(), kMostRounds),
                "give rows of similar size that are less alike, or answer fewer queries at once"};
  }
  return Measurement<L1, Pure>(AnyMeasurement({
      .recipe =
          {"k-norm",
           {{"epsilon", epsilon}, {"rows", Rational(static_cast<Int128>(matrix.size()))}, {"matrix", entries(matrix)}}},
      .input = domain,
      .from = {MetricKind::l1},
      .measure = Measure::pure(),
      .loss = [epsilon](const Distance& d) { return pure(number(d) * epsilon); },
      .events = [epsilon](const Distance& d) -> std::vector<accounting::Event> {
        return {{{}, accounting::BlackBox{number(d) * epsilon}}};
      },
      .function = [noise, matrix](const Data& data, random::Source& source) -> Data {
        Integers answers = times(matrix, as<Integers>(data));
        const Integers z = noise->draw(source);
        for (std::size_t i = 0; i < answers.size(); ++i) answers[i] = add_saturating(answers[i], z[i]);
        return answers;
      },
  }));
}

double k_norm_rounds(const IntegerMatrix& matrix, const Rational& epsilon) {
  require(matrix, epsilon);
  return detail::KNormNoise(matrix, epsilon).rounds();
}

}  // namespace dither::mechanisms
