#include "audit/likelihood_scores.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "audit/detail/histogram_bins.h"
#include "base/text.h"

namespace dither::audit {

namespace {

using Row = std::span<const double>;

constexpr std::size_t kMostRows = 5000;  // different ones
constexpr std::size_t kMostShown = 4;    // parts of an event in its description

double log_ratio(double first, double all_first, double second, double all_second) {
  return std::log((first + 0.5) / (all_first + 1)) - std::log((second + 0.5) / (all_second + 1));
}

Score order_score(const Feature& feature) {
  return {[value = feature.value](Row row) {
            const double x = value(row);
            return std::isnan(x) ? -HUGE_VAL : x;
          },
          [name = feature.name](double threshold) { return fmt::format("{} is at least {}", name, threshold); }};
}

// The bins of a feature with what each says.
struct Histogram {
  detail::HistogramBins bins;
  std::vector<double> ratios;
  std::size_t seen = 0;  // bins with anything in them

  double value(double x) const { return ratios[bins.of(x)]; }
};

std::shared_ptr<const Histogram> histogram_of(const Feature& feature, const Outputs& first, const Outputs& second) {
  const auto values = [&](const Outputs& runs) {
    std::vector<double> all;
    for (std::int64_t i = 0; i < runs.runs(); ++i) all.push_back(feature.value(runs.row(i)));
    return all;
  };
  const std::vector<double> a = values(first);
  const std::vector<double> b = values(second);
  Histogram result{detail::HistogramBins(a, b, feature.reading == Reading::word), {}};
  std::vector<double> counts_a(result.bins.count()), counts_b(result.bins.count());
  for (const double x : a) ++counts_a[result.bins.of(x)];
  for (const double x : b) ++counts_b[result.bins.of(x)];
  for (std::size_t i = 0; i < counts_a.size(); ++i) {
    const bool empty = counts_a[i] + counts_b[i] == 0;
    result.seen += empty ? 0 : 1;
    result.ratios.push_back(
        empty ? 0 : log_ratio(counts_a[i], static_cast<double>(a.size()), counts_b[i], static_cast<double>(b.size())));
  }
  return std::make_shared<const Histogram>(std::move(result));
}

std::string listed(const std::vector<std::string>& parts) {
  if (parts.size() <= kMostShown) return fmt::format("{}", fmt::join(parts, " or "));
  return fmt::format("{} or {} more", fmt::join(parts.begin(), parts.begin() + kMostShown, " or "),
                     parts.size() - kMostShown);
}

Score histogram_score(const Feature& feature, const std::shared_ptr<const Histogram>& histogram, const Words& words,
                      bool words_of_table) {
  const auto describe = [name = feature.name, histogram, words, words_of_table](double threshold) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < histogram->ratios.size(); ++i) {
      const double ratio = histogram->ratios[i];
      if (ratio < threshold) continue;
      const std::optional<double> word = histogram->bins.word(i);
      const std::optional<std::string> text = word && words_of_table ? words.text(*word) : std::nullopt;
      parts.push_back(text ? '"' + echo(*text) + '"' : histogram->bins.str(i));
    }
    return fmt::format("{} is {}", name, listed(parts));
  };
  return {[value = feature.value, histogram](Row row) { return histogram->value(value(row)); }, describe};
}

Score sum_score(const std::vector<Feature>& columns, std::vector<std::shared_ptr<const Histogram>> histograms) {
  return {[columns, histograms = std::move(histograms)](Row row) {
            double sum = 0;
            for (std::size_t i = 0; i < columns.size(); ++i) sum += histograms[i]->value(columns[i].value(row));
            return sum;
          },
          [](double threshold) {
            return fmt::format("the columns together are at least {:.3g} times as likely by their histograms",
                               std::exp(threshold));
          }};
}

std::string bytes_of(Row row) { return {reinterpret_cast<const char*>(row.data()), row.size_bytes()}; }

// By whole outputs; none where there are too many.
std::vector<Score> row_scores(const Outputs& first, const Outputs& second) {
  std::map<std::string, std::array<double, 2>> counts;
  for (int side = 0; side < 2; ++side) {
    const Outputs& runs = side == 0 ? first : second;
    for (std::int64_t i = 0; i < runs.runs() && counts.size() <= kMostRows; ++i) {
      ++counts[bytes_of(runs.row(i))][static_cast<std::size_t>(side)];
    }
  }
  if (counts.size() > kMostRows) return {};
  auto ratios = std::make_shared<std::unordered_map<std::string, double>>();
  for (const auto& [row, count] : counts) {
    (*ratios)[row] =
        log_ratio(count[0], static_cast<double>(first.runs()), count[1], static_cast<double>(second.runs()));
  }
  return {{[ratios](Row row) {
             const auto found = ratios->find(bytes_of(row));
             return found == ratios->end() ? 0 : found->second;
           },
           [ratios](double threshold) {
             const auto in = std::count_if(ratios->begin(), ratios->end(),
                                           [&](const auto& one) { return one.second >= threshold; });
             return fmt::format("the whole output is one of {}", in);
           }}};
}

// One number's bits, each for itself.
Score bits_score(const Feature& column, const Outputs& first, const Outputs& second) {
  std::array<double, 64> ones_first{}, ones_second{}, if_zero{}, if_one{};
  const auto count = [&](const Outputs& runs, std::array<double, 64>& ones) {
    for (std::int64_t i = 0; i < runs.runs(); ++i) {
      const auto bits = std::bit_cast<std::uint64_t>(column.value(runs.row(i)));
      for (std::size_t bit = 0; bit < 64; ++bit) ones[bit] += static_cast<double>(bits >> bit & 1);
    }
    return static_cast<double>(runs.runs());
  };
  const double all_first = count(first, ones_first);
  const double all_second = count(second, ones_second);
  for (std::size_t bit = 0; bit < 64; ++bit) {
    if_one[bit] = log_ratio(ones_first[bit], all_first, ones_second[bit], all_second);
    if_zero[bit] = log_ratio(all_first - ones_first[bit], all_first, all_second - ones_second[bit], all_second);
  }
  return {[value = column.value, if_zero, if_one](Row row) {
            const auto bits = std::bit_cast<std::uint64_t>(value(row));
            double sum = 0;
            for (std::size_t bit = 0; bit < 64; ++bit) sum += (bits >> bit & 1) != 0 ? if_one[bit] : if_zero[bit];
            return sum;
          },
          [name = column.name](double threshold) {
            return fmt::format("the bits of {} are at least {:.3g} times as likely", name, std::exp(threshold));
          }};
}

}  // namespace

std::vector<Score> likelihood_scores(const Shape& shape, const std::vector<std::string>& names, const Words& words,
                                     const Outputs& first, const Outputs& second) {
  std::vector<Score> scores;
  const std::vector<Feature> features = likelihood_features(shape, names);
  std::vector<std::shared_ptr<const Histogram>> histograms;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const auto histogram = histogram_of(features[i], first, second);
    if (histogram->seen < 2) {  // always the same: nothing to tell by
      if (i < shape.size()) histograms.push_back(histogram);
      continue;
    }
    if (features[i].reading == Reading::number) scores.push_back(order_score(features[i]));
    if (i < shape.size()) histograms.push_back(histogram);
    scores.push_back(histogram_score(features[i], histogram, words, i < shape.size()));
  }
  if (shape.size() > 1) {
    scores.push_back(
        sum_score({features.begin(), features.begin() + static_cast<std::ptrdiff_t>(shape.size())}, histograms));
    for (Score& score : row_scores(first, second)) scores.push_back(std::move(score));
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(shape.size(), 16); ++i) {
    if (shape[i] == Reading::number) scores.push_back(bits_score(features[i], first, second));
  }
  return scores;
}

}  // namespace dither::audit
