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
#include <utility>

#include "audit/detail/histogram_bins.h"
#include "audit/text_parts.h"
#include "base/text.h"

namespace dither::audit {

namespace {

using Row = std::span<const double>;

constexpr std::size_t kMostRows = 5000;  // different ones
constexpr std::size_t kMostShown = 4;    // parts of an event in its description
constexpr std::size_t kMostBits = 16;    // columns that are said, whose bits are looked at

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

// A log ratio of counts, nearer to 0 by its standard error: what was seen once or twice says little.
double cautious_ratio(double first, double all_first, double second, double all_second) {
  const double ratio = log_ratio(first, all_first, second, all_second);
  const double error = std::sqrt(1 / (first + 0.5) + 1 / (second + 0.5));
  return std::copysign(std::max(0.0, std::abs(ratio) - error), ratio);
}

std::vector<double> values_of(const Feature& feature, const Outputs& runs) {
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(runs.runs()));
  for (std::int64_t i = 0; i < runs.runs(); ++i) all.push_back(feature.value(runs.row(i)));
  return all;
}

// What a feature was on the training runs of both inputs.
struct Values {
  std::vector<double> first, second;
};

std::shared_ptr<const Histogram> histogram_of(const Values& seen, detail::Binning binning) {
  Histogram result{detail::HistogramBins(seen.first, seen.second, binning), {}};
  std::vector<double> counts_a(result.bins.count()), counts_b(result.bins.count());
  for (const double x : seen.first) ++counts_a[result.bins.of(x)];
  for (const double x : seen.second) ++counts_b[result.bins.of(x)];
  const auto ratio = binning == detail::Binning::fine ? cautious_ratio : log_ratio;
  const auto all_a = static_cast<double>(seen.first.size()), all_b = static_cast<double>(seen.second.size());
  for (std::size_t i = 0; i < counts_a.size(); ++i) {
    const bool empty = counts_a[i] + counts_b[i] == 0;
    result.seen += empty ? 0 : 1;
    result.ratios.push_back(empty ? 0 : ratio(counts_a[i], all_a, counts_b[i], all_b));
  }
  return std::make_shared<const Histogram>(std::move(result));
}

// Bins of a histogram, each with the last of those that follow it and are in the event too; numbers before what is none.
std::vector<std::pair<std::size_t, std::size_t>> bins_of_event(const Histogram& histogram, double threshold) {
  std::vector<std::pair<std::size_t, std::size_t>> found, others;
  for (std::size_t i = 0; i < histogram.ratios.size(); ++i) {
    if (histogram.ratios[i] < threshold) continue;
    const bool goes_on = !found.empty() && found.back().second + 1 == i && histogram.bins.are_one(i - 1);
    if (goes_on) {
      found.back().second = i;
    } else {
      (i < 2 ? others : found).emplace_back(i, i);
    }
  }
  found.insert(found.end(), others.begin(), others.end());
  return found;
}

Score histogram_score(const Feature& feature, const std::shared_ptr<const Histogram>& histogram, const Words& words,
                      bool words_of_table) {
  const auto name_of = [histogram, words, words_of_table](std::size_t bin, std::size_t last) {
    const std::optional<double> word = histogram->bins.word(bin);
    const std::optional<std::string> text = word && words_of_table ? words.text(*word) : std::nullopt;
    return text ? '"' + echo(*text) + '"' : histogram->bins.str(bin, last);
  };
  const auto describe = [name = feature.name, histogram, name_of](double threshold) {
    const auto bins = bins_of_event(*histogram, threshold);
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(bins.size(), kMostShown); ++i) {
      parts.push_back(name_of(bins[i].first, bins[i].second));
    }
    return fmt::format("{} is {}{}", name, fmt::join(parts, " or "),
                       bins.size() > kMostShown ? fmt::format(" or {} more", bins.size() - kMostShown) : "");
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

// What two columns say together.
Score both_score(const Feature& one, const Feature& other, const Values& of_one, const Values& of_other) {
  struct Table {
    detail::HistogramBins one, other;
    std::vector<double> ratios;
    std::size_t cell(double a, double b) const { return one.of(a) * other.count() + other.of(b); }
  };
  const auto bins = [](const Feature& feature, const Values& values) {
    const bool is_word = feature.reading == Reading::word;
    return detail::HistogramBins(values.first, values.second,
                                 is_word ? detail::Binning::few_words : detail::Binning::few_numbers);
  };
  Table table{bins(one, of_one), bins(other, of_other), {}};
  const auto counts = [&](const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> result(table.one.count() * table.other.count());
    for (std::size_t i = 0; i < a.size(); ++i) ++result[table.cell(a[i], b[i])];
    return result;
  };
  const std::vector<double> first = counts(of_one.first, of_other.first);
  const std::vector<double> second = counts(of_one.second, of_other.second);
  for (std::size_t i = 0; i < first.size(); ++i) {
    table.ratios.push_back(cautious_ratio(first[i], static_cast<double>(of_one.first.size()), second[i],
                                          static_cast<double>(of_one.second.size())));
  }
  return {[table = std::make_shared<const Table>(std::move(table)), a = one.value, b = other.value](Row row) {
            return table->ratios[table->cell(a(row), b(row))];
          },
          [name = one.name + " and " + other.name](double threshold) {
            return fmt::format("{} together are at least {:.3g} times as likely", name, std::exp(threshold));
          }};
}

// The columns whose bits are looked at: numbers, of parts of texts the flags alone.
bool has_bits(const Target& target, std::size_t column) {
  const std::size_t said = target.shape.size() - target.parts;
  if (target.shape[column] != Reading::number) return false;
  return column < said ? column < kMostBits : is_text_flags((column - said) % kTextParts);
}

// By the values of one feature: their order, their histogram, and where that is coarse a fine one.
void add_scores(const Feature& feature, const Values& values, const std::shared_ptr<const Histogram>& histogram,
                const Words& words, bool is_column, std::vector<Score>& scores) {
  if (histogram->seen < 2) return;  // always the same: nothing to tell by
  const bool is_word = feature.reading == Reading::word;
  if (!is_word) scores.push_back(order_score(feature));
  scores.push_back(histogram_score(feature, histogram, words, is_column));
  if (histogram->bins.is_exact()) return;
  scores.push_back(histogram_score(feature, histogram_of(values, detail::Binning::fine), words, false));
}

}  // namespace

std::vector<Score> likelihood_scores(const Target& target, const std::vector<std::string>& names, const Outputs& first,
                                     const Outputs& second) {
  std::vector<Score> scores;
  const std::size_t columns = target.shape.size(), said = columns - target.parts;
  const std::vector<Feature> features = likelihood_features(target.shape, target.parts, names);
  std::vector<Values> values;                                // of the columns that are said
  std::vector<std::shared_ptr<const Histogram>> histograms;  // of those too
  for (std::size_t i = 0; i < features.size(); ++i) {
    Values seen{values_of(features[i], first), values_of(features[i], second)};
    const bool is_word = features[i].reading == Reading::word;
    const auto histogram = histogram_of(seen, is_word ? detail::Binning::words : detail::Binning::numbers);
    add_scores(features[i], seen, histogram, target.words, i < columns, scores);
    if (i >= said) continue;
    histograms.push_back(histogram);
    values.push_back(std::move(seen));
  }
  for (const auto& [a, b] : column_pairs(target.shape, target.parts)) {
    const bool both_vary = histograms[a]->seen > 1 && histograms[b]->seen > 1;
    if (both_vary) scores.push_back(both_score(features[a], features[b], values[a], values[b]));
  }
  if (said > 1) {
    scores.push_back(sum_score({features.begin(), features.begin() + static_cast<std::ptrdiff_t>(said)}, histograms));
  }
  if (said > 1 || scores.empty()) {
    for (Score& score : row_scores(first, second)) scores.push_back(std::move(score));
  }
  for (std::size_t i = 0; i < columns; ++i) {
    if (has_bits(target, i)) scores.push_back(bits_score(features[i], first, second));
  }
  return scores;
}

}  // namespace dither::audit
