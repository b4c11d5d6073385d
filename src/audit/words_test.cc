#include "audit/words.h"

#include <gtest/gtest.h>

#include <cmath>

#include "audit/detail/bins.h"
#include "audit/detail/cells.h"
#include "audit/detail/columns.h"
#include "audit/detail/frequent.h"
#include "audit/detail/histogram_bins.h"
#include "audit/detail/summaries.h"

namespace dither::audit {
namespace {

TEST(Words, CodesDependOnTheTextAndCopiesShareADictionary) {
  Words one, other;
  const Words copy = one;
  EXPECT_EQ(one.code("pear"), other.code("pear"));
  EXPECT_NE(one.code("pear"), one.code("pears"));
  EXPECT_NE(one.code(""), one.code(std::string(1, '\0')));
  EXPECT_EQ(copy.text(one.code("plum")), "plum");
  EXPECT_EQ(other.text(one.code("plum")), std::nullopt);
  EXPECT_EQ(Words(std::vector<std::string>{"a", "b"}).text(1), "b");
}

TEST(MostFrequent, AreKeptAndWordsSeenOnceAreNot) {
  EXPECT_EQ(detail::most_frequent({3, 1, 2, 1}, 3), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(detail::most_frequent({3, 1, 2, 1, absent()}, 2), (std::vector<double>{1}));
  EXPECT_EQ(detail::most_frequent({9, 9, 9, 1, 1, 2, 2, 2, 2}, 2), (std::vector<double>{2, 9}));
  std::vector<double> low_and_high;  // ties: not one end of the codes
  for (int i = 0; i < 1000; ++i) low_and_high.insert(low_and_high.end(), 2, i);
  const std::vector<double> chosen = detail::most_frequent(low_and_high, 100);
  EXPECT_LT(chosen.front(), 250);
  EXPECT_GT(chosen.back(), 750);
}

// More words than bins: the frequent ones have the highest codes.
TEST(HistogramBins, KeepTheMostFrequentWords) {
  std::vector<double> seen;
  for (int i = 0; i < 20'000; ++i) seen.push_back(i);
  for (int i = 19'990; i < 20'000; ++i) seen.push_back(i);
  const detail::HistogramBins bins(seen, {}, detail::Binning::words);
  EXPECT_EQ(bins.count(), 13U);
  EXPECT_EQ(bins.of(5), 2U);
  EXPECT_EQ(bins.word(bins.of(19'995)), 19'995);
}

// Words are bins of their own and never intervals, whatever lies between their codes.
TEST(OutputBins, OfWordsAreSingleWordsAndTheRest) {
  Outputs first(1), second(1);
  for (double& cell : first.add(2)) cell = 10;
  const std::span<double> many = second.add(300);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = 1000 + static_cast<double>(i);
  const detail::OutputBins bins({"w", Reading::word, [](std::span<const double> row) { return row[0]; }}, first, second,
                                32, detail::BinRule::equal_share);
  const auto of = [&](double code) { return bins.of({&code, 1}); };
  EXPECT_EQ(of(1005), of(1290));
  EXPECT_EQ(of(1005), of(-3));
  EXPECT_NE(of(10), of(1005));
  EXPECT_EQ(bins.name(of(1005)), "w is another");
}

// Sums, extremes and differences leave words out: the code of one, 7e15, would drown every number.
TEST(Summaries, LeaveTheOrderOfWordsAlone) {
  const Shape shape{Reading::word, Reading::number, Reading::number, Reading::word};
  detail::Runs runs{Outputs(4), Outputs(4)};
  for (Outputs* outputs : {&runs.first, &runs.second}) {
    for (double& cell : outputs->add(8)) cell = 1;
  }
  const std::vector<double> row{7e15, 2, 5, 6e15};
  for (const detail::Summary& summary : detail::summaries({"t", Promise::pure(1), shape, {}}, runs)) {
    if (summary.reading == Reading::number) {
      EXPECT_LT(summary.of(row), 100) << summary.name;
      EXPECT_GT(summary.of(row), -100) << summary.name;
    }
    if (summary.name == "output 1") {
      EXPECT_EQ(summary.reading, Reading::word);
    }
  }
}

TEST(TellingColumns, ComeFirstWhateverTheirPlace) {
  detail::Runs runs{Outputs(40), Outputs(40)};
  for (Outputs* outputs : {&runs.first, &runs.second}) {
    const std::span<double> cells = outputs->add(100);
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = std::floor(static_cast<double>(i) / 40);
    if (outputs == &runs.first) continue;
    for (std::size_t i = 0; i < cells.size(); i += 40) cells[i + 37] += 60, cells[i + 39] += 30;
    for (std::size_t i = 0; i < 40 * 80; i += 40) cells[i + 38] = absent();
  }
  EXPECT_EQ(detail::telling_columns(runs, Shape(40, Reading::number), 3), (std::vector<std::size_t>{38, 37, 39}));
  EXPECT_EQ(detail::left_out_columns(Shape(40, Reading::number), 40), std::nullopt);
}

}  // namespace
}  // namespace dither::audit
