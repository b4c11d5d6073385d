#include "mechanisms/sparse_histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/big_interval.h"
#include "base/canonical.h"
#include "base/directed.h"
#include "mechanisms/detail/key_noise.h"
#include "random/binomial.h"
#include "random/geometric.h"
#include "random/uniform.h"

namespace dither::mechanisms {

using namespace calculus;  // NOLINT: a mechanism is written in the words of the calculus

namespace {

constexpr std::uint64_t kMostKeys = random::Binomial::kMaxTrials;
constexpr Int128 kHighestThreshold = Int128{1} << 16;  // the exact tail has as many times the digits of the ratio
constexpr long kMostExtra = 1'000'000;

void require_size(std::uint64_t size) {
  if (size >= 1 && size <= kMostKeys) return;
  throw Error{Code::bad_limit, fmt::format("the domain has {} keys, but 1..2^40 are possible", size),
              "declare a smaller domain"};
}

// A double next to 1 is 1, where noise would have no end: the ratio itself.
BigInterval log_of(const Rational& ratio) { return log(BigInterval(ratio, 128)); }

// P(noise >= at), at >= 1, rounded up; for sizes and radii, where the exact number has too many digits.
double tail_up(const Rational& ratio, Int128 at) {
  const double power = exp_up(mul_up(Rational(at).to_double_down(), log_of(ratio).high_double()));
  return div_up(power, add_down(1, ratio.to_double_down()));
}

bool few_extra(const Rational& ratio, Int128 threshold, std::uint64_t size, const Rational& extra) {
  return Rational::from_double(mul_up(static_cast<double>(size), tail_up(ratio, threshold))) <= extra;
}

struct IndexedKeys {
  std::uint64_t size;

  // The number of a key of the domain; nothing for any other bytes.
  std::optional<std::uint64_t> index(const std::string& key) const {
    std::uint64_t number = 0;
    if (key.size() < 2 || key[0] != 'i') return std::nullopt;
    const auto [end, error] = std::from_chars(key.data() + 1, key.data() + key.size(), number);
    if (error != std::errc() || end != key.data() + key.size() || number >= size || this->key(number) != key) {
      return std::nullopt;
    }
    return number;
  }
  static std::string key(std::uint64_t index) { return canonical(Cell(static_cast<std::int64_t>(index))); }
};

// k different numbers below n, ascending, all subsets equally likely: a number that was drawn before is drawn again.
std::set<std::uint64_t> distinct_below(std::uint64_t n, std::uint64_t k, random::Source& source) {
  std::set<std::uint64_t> drawn;
  while (drawn.size() < k) drawn.insert(random::uniform_below(n, source));
  return drawn;
}

struct Sparse {
  IndexedKeys domain;
  Int128 threshold;
  Rational tail;  // P(noise >= threshold)
  random::Geometric geometric;

  Int128 noise(random::Source& source) const {
    const Int128 up = geometric.draw(source);
    return up - geometric.draw(source);
  }

  // Indices of the keys in the data, ascending; those that reach the threshold are added to `shown`.
  std::vector<std::uint64_t> show_present(const Keyed& data, std::map<std::string, Int128>& shown,
                                          random::Source& source) const {
    std::vector<std::uint64_t> present;
    for (std::size_t i = 0; i < data.keys.size(); ++i) {
      const std::optional<std::uint64_t> index = domain.index(data.keys[i]);
      if (!index) continue;
      present.push_back(*index);
      const Int128 noisy = add_saturating(data.values[i], noise(source));
      if (noisy >= threshold) shown.emplace(data.keys[i], noisy);
    }
    std::sort(present.begin(), present.end());
    return present;
  }

  // The same for all other keys of the domain, by the law of how many there are.
  void show_absent(const std::vector<std::uint64_t>& present, std::map<std::string, Int128>& shown,
                   random::Source& source) const {
    const std::uint64_t absent = domain.size - present.size();
    if (absent == 0) return;
    const auto count = static_cast<std::uint64_t>(random::Binomial(absent, tail).draw(source));
    std::size_t before = 0;  // keys in the data below the one that is shown
    for (const std::uint64_t rank : distinct_below(absent, count, source)) {
      while (before < present.size() && present[before] - before <= rank) ++before;
      shown.emplace(IndexedKeys::key(rank + before), add_saturating(threshold, geometric.draw(source)));
    }
  }

  Keyed release(const Keyed& data, random::Source& source) const {
    std::map<std::string, Int128> shown;
    show_absent(show_present(data, shown, source), shown, source);
    Keyed result;
    for (const auto& [key, noisy] : shown) {
      result.keys.push_back(key);
      result.values.push_back(noisy);
    }
    return result;
  }
};

AnyMeasurement::ErrorFunction shown_error(const SparseRule& rule) {
  const Int128 radius = detail::least_where([&](Int128 r) { return tail_up(rule.ratio, r + 1) <= 1.0 / 80; }, -1);
  const double standard_error = std::sqrt(2 * rule.ratio.to_double_up()) / (1 - rule.ratio).to_double_down();
  return [radius, threshold = rule.threshold, standard_error](Int128 released) {
    const bool near = released <= add_saturating(threshold, radius);
    return ErrorBar{standard_error, near ? Rational(0) : Rational(released) - Rational(radius),
                    Rational(released) + Rational(radius)};
  };
}

}  // namespace

SparseRule sparse_rule_for(const Rational& epsilon, std::uint64_t size, const Rational& extra) {
  require_size(size);
  if (epsilon < Rational::power_of_two(-10) || epsilon > 30) {
    throw Error{Code::bad_scale, fmt::format("epsilon is {}, but lies in [2^-10, 30]", epsilon.str()),
                "give an epsilon in that range"};
  }
  if (extra.sign() <= 0) {
    throw Error{Code::bad_limit, fmt::format("{} keys without data are expected to be shown", extra.str()),
                "give a positive number, such as 1"};
  }
  const Rational grid = Rational::power_of_two(std::max(24L, 16 - epsilon.floor_log2()));
  const Rational steps((exp(BigInterval(-epsilon, 128)).high_rational() * grid).ceil());
  const Rational ratio = std::max(steps, Rational(1)) / grid;
  const auto fits = [&](Int128 threshold) { return few_extra(ratio, threshold, size, extra); };
  if (!fits(kHighestThreshold)) {
    throw Error{Code::bad_limit, "so few keys without data need a threshold above 2^16",
                "allow more of them, such as 1, or give more epsilon"};
  }
  return {ratio, fits(1) ? 1 : detail::least_where(fits, 1)};
}

template <class M>
Measurement<M, Pure> make_sparse_histogram(std::uint64_t size, const SparseRule& rule) {
  require_size(size);
  if (rule.ratio.sign() <= 0) {
    throw Error{Code::bad_probability, fmt::format("the ratio is {}, but lies in (0, 1)", rule.ratio.str()),
                "let sparse_rule_for find it"};
  }
  const random::Geometric geometric(1 - rule.ratio);  // refuses ratios of 1 and more
  if (rule.threshold < 1 || rule.threshold > kHighestThreshold ||
      !few_extra(rule.ratio, rule.threshold, size, kMostExtra)) {
    throw Error{Code::bad_limit,
                fmt::format("the threshold {} is outside 1..2^16 or shows more than 10^6 keys without data",
                            to_string(rule.threshold)),
                "let sparse_rule_for find it"};
  }
  const Sparse sparse{
      {size}, rule.threshold, pow(rule.ratio, static_cast<unsigned>(rule.threshold)) / (1 + rule.ratio), geometric};
  const Rational step = Rational::from_double(-log_of(rule.ratio).low_double());
  return Measurement<M, Pure>(AnyMeasurement({
      .recipe = {"sparse-histogram",
                 {{"size", Rational(static_cast<Int128>(size))},
                  {"ratio", rule.ratio},
                  {"threshold", Rational(rule.threshold)}}},
      .input = KeyedDomain{},
      .from = {M::kind},
      .measure = Measure::pure(),
      .loss = [step](const Distance& d) { return pure(detail::l1_of(d) * step); },
      .events = [step](const Distance& d) -> std::vector<accounting::Event> {
        return {{{}, accounting::BlackBox{detail::l1_of(d) * step}}};
      },
      .function = [sparse](const Data& data, random::Source& source) -> Data {
        return sparse.release(as<Keyed>(data), source);
      },
      .error = shown_error(rule),
  }));
}

template Measurement<L1, Pure> make_sparse_histogram<L1>(std::uint64_t, const SparseRule&);
template Measurement<Cells, Pure> make_sparse_histogram<Cells>(std::uint64_t, const SparseRule&);

}  // namespace dither::mechanisms
