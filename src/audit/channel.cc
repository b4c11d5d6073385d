#include "audit/channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/big_interval.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/sum.h"

namespace dither::audit {

namespace {

constexpr double kWidest = 1e-9;  // of a row of intervals
constexpr long kPrecision = 192;
const double kInfinity = HUGE_VAL;

[[noreturn]] void refuse_size(const std::string& what) {
  throw Error(Code::bad_count, "channel: " + what, "give a row for each input and an entry for each output");
}

void require_probability(bool is_one) {
  if (!is_one) {
    throw Error(Code::bad_probability, "channel: an entry is outside [0, 1]", "entries are probabilities");
  }
}

[[noreturn]] void refuse_row(const std::string& input, const std::string& sum) {
  throw Error(Code::bad_weights, fmt::format("channel: the row of {} sums to {}", input, sum), "rows sum to 1");
}

void require_sum(const std::string& input, std::span<const Rational> row) {
  Rational sum = 0;
  for (const Rational& entry : row) {
    require_probability(entry >= 0 && entry <= 1);
    sum += entry;
  }
  if (sum != 1) refuse_row(input, sum.str());
}

void require_sum(const std::string& input, std::span<const Interval> row) {
  RunningSum low, high;
  for (const Interval& entry : row) {
    require_probability(entry.low() >= 0 && entry.high() <= 1);
    low += entry.low();
    high += entry.high();
  }
  if (low.down() > 1 || high.up() < 1 || high.up() - low.down() > kWidest) {
    refuse_row(input, fmt::format("[{}, {}]", low.down(), high.up()));
  }
}

template <class Number>
std::vector<Number> flatten(const Channel::Names& inputs, std::size_t outputs,
                            const std::vector<std::vector<Number>>& rows) {
  std::vector<Number> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != outputs) refuse_size(fmt::format("the row of {} has {} entries", inputs[i], rows[i].size()));
    require_sum(inputs[i], std::span<const Number>(rows[i]));
    all.insert(all.end(), rows[i].begin(), rows[i].end());
  }
  return all;
}

// The log of a ratio of intervals. An output that may or may not be possible leaves the upper end open.
LossBounds loss(const Interval& p, const Interval& q) {
  if (p.high() == 0) return {-kInfinity, -kInfinity};
  if (q.high() == 0) return {p.low() > 0 ? kInfinity : -kInfinity, kInfinity};
  return {p.low() > 0 ? log_down(div_down(p.low(), q.high())) : -kInfinity,
          q.low() > 0 ? log_up(div_up(p.high(), q.low())) : kInfinity};
}

void keep_larger(LossBounds& best, const LossBounds& found) {
  const double at_most = std::max(best.at_most, found.at_most);
  if (found.at_least > best.at_least) best = found;
  best.at_most = at_most;
}

LossBounds exact_loss(const Rational& p, const Rational& q, std::size_t first, std::size_t second, std::size_t output) {
  LossBounds found{-kInfinity, -kInfinity, first, second, output};
  if (p.sign() == 0) return found;
  if (q.sign() == 0) {
    found.at_least = found.at_most = kInfinity;
    return found;
  }
  found.ratio = p / q;
  const BigInterval logarithm = log(BigInterval(*found.ratio, kPrecision));
  found.at_least = logarithm.low_double();
  found.at_most = logarithm.high_double();
  return found;
}

// The exact one that is larger: infinite, or by its ratio.
bool exceeds(const Rational& p, const Rational& q, const Rational& best_p, const Rational& best_q) {
  return p.sign() > 0 && p * best_q > best_p * q;  // 1/0 exceeds every ratio but itself
}

LossBounds exact_over(const Channel& channel, std::span<const std::pair<std::size_t, std::size_t>> neighbours) {
  std::size_t best_first = 0, best_second = 0, best_output = 0;
  if (!neighbours.empty()) std::tie(best_first, best_second) = neighbours.front();  // where all is the same
  Rational best_p = 1, best_q = 1;
  for (const auto& [first, second] : neighbours) {
    for (std::size_t output = 0; output < channel.outputs().size(); ++output) {
      const Rational &p = channel.exact(first, output), &q = channel.exact(second, output);
      if (!exceeds(p, q, best_p, best_q)) continue;
      best_p = p;
      best_q = q;
      best_first = first;
      best_second = second;
      best_output = output;
    }
  }
  return exact_loss(best_p, best_q, best_first, best_second, best_output);
}

LossBounds enclosed_over(const Channel& channel, std::span<const std::pair<std::size_t, std::size_t>> neighbours) {
  LossBounds best;
  if (!neighbours.empty()) std::tie(best.first, best.second) = neighbours.front();
  for (const auto& [first, second] : neighbours) {
    for (std::size_t output = 0; output < channel.outputs().size(); ++output) {
      LossBounds found = loss(channel.probability(first, output), channel.probability(second, output));
      found.first = first;
      found.second = second;
      found.output = output;
      keep_larger(best, found);
    }
  }
  return best;
}

// All pairs of inputs: of each output the largest against the smallest.
LossBounds over_columns(const Channel& channel) {
  std::vector<std::pair<std::size_t, std::size_t>> extremes;
  LossBounds best;
  if (channel.inputs().size() > 1) best.second = 1;
  for (std::size_t output = 0; output < channel.outputs().size(); ++output) {
    std::size_t most = 0, least = 0;
    double high = 0, low = 1;
    for (std::size_t input = 0; input < channel.inputs().size(); ++input) {
      const Interval p = channel.probability(input, output);
      if (p.low() > channel.probability(most, output).low()) most = input;
      if (p.high() < channel.probability(least, output).high()) least = input;
      high = std::max(high, p.high());
      low = std::min(low, p.low());
    }
    LossBounds found = loss(channel.probability(most, output), channel.probability(least, output));
    found.first = most;
    found.second = least;
    found.output = output;
    found.at_most = high == 0 ? -kInfinity : low > 0 ? log_up(div_up(high, low)) : kInfinity;
    if (high == 0) found.at_least = -kInfinity;
    keep_larger(best, found);
  }
  return best;
}

}  // namespace

Adjacency Adjacency::consecutive(std::size_t inputs) {
  Adjacency path;
  for (std::size_t i = 0; i + 1 < inputs; ++i) path.pairs.emplace_back(i, i + 1);
  return path;
}

Channel::Channel(Names inputs, Names outputs, Adjacency adjacency, std::size_t rows)
    : inputs_(std::move(inputs)), outputs_(std::move(outputs)), adjacency_(std::move(adjacency)) {
  if (inputs_.empty() || outputs_.empty()) refuse_size("there are no inputs or no outputs");
  if (rows != inputs_.size()) refuse_size(fmt::format("{} inputs have {} rows", inputs_.size(), rows));
  for (const auto& [a, b] : adjacency_.pairs) {
    if (a >= inputs_.size() || b >= inputs_.size()) refuse_size(fmt::format("there is no pair {}, {}", a, b));
  }
}

Channel::Channel(Names inputs, Names outputs, const std::vector<std::vector<Rational>>& rows, Adjacency adjacency)
    : Channel(std::move(inputs), std::move(outputs), std::move(adjacency), rows.size()) {
  exact_ = flatten(inputs_, outputs_.size(), rows);
}

Channel::Channel(Names inputs, Names outputs, const std::vector<std::vector<Interval>>& rows, Adjacency adjacency)
    : Channel(std::move(inputs), std::move(outputs), std::move(adjacency), rows.size()) {
  enclosed_ = flatten(inputs_, outputs_.size(), rows);
}

std::vector<std::pair<std::size_t, std::size_t>> Channel::neighbours() const {
  std::vector<std::pair<std::size_t, std::size_t>> both;
  if (adjacency_.all_pairs) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      for (std::size_t j = 0; j < inputs_.size(); ++j) {
        if (i != j) both.emplace_back(i, j);
      }
    }
  }
  for (const auto& [a, b] : adjacency_.pairs) both.insert(both.end(), {{a, b}, {b, a}});
  return both;
}

Interval Channel::probability(std::size_t input, std::size_t output) const {
  const std::size_t at = input * outputs_.size() + output;
  if (!is_exact()) return enclosed_[at];
  return {std::max(0.0, exact_[at].to_double_down()), std::min(1.0, exact_[at].to_double_up())};
}

LossBounds min_distance(const Channel& channel) {
  const bool columns = channel.adjacency().all_pairs;
  if (!channel.is_exact()) return columns ? over_columns(channel) : enclosed_over(channel, channel.neighbours());
  return exact_over(channel, channel.neighbours());
}

LossBounds min_distance(const Channel& channel, std::size_t first, std::size_t second) {
  const std::pair<std::size_t, std::size_t> one{first, second};
  return channel.is_exact() ? exact_over(channel, {&one, 1}) : enclosed_over(channel, {&one, 1});
}

DeltaBounds hockey_stick_delta(const Channel& channel, std::size_t first, std::size_t second, double epsilon) {
  DeltaBounds found;
  const BigInterval grown = exp(BigInterval(Rational::from_double(epsilon), kPrecision));
  const Rational grown_low = grown.low_rational(), grown_high = grown.high_rational();
  Rational exact_low = 0, exact_high = 0;
  RunningSum low, high;
  for (std::size_t output = 0; output < channel.outputs().size(); ++output) {
    bool surely = false;
    if (channel.is_exact()) {
      const Rational &p = channel.exact(first, output), &q = channel.exact(second, output);
      const Rational least = p - grown_high * q, most = p - grown_low * q;
      surely = least > 0;
      if (surely) exact_low += least;
      if (most > 0) exact_high += most;
    } else {
      const Interval p = channel.probability(first, output), q = channel.probability(second, output);
      const double beside = q.high() == 0 ? 0 : mul_up(grown.high_double(), q.high());  // e^epsilon may be infinite
      const double least = sub_down(p.low(), beside);
      const double most = sub_up(p.high(), mul_down(grown.low_double(), q.low()));
      surely = least > 0;
      if (surely) low += least;
      if (most > 0) high += most;
    }
    if (surely) found.event.push_back(output);
  }
  found.at_least = std::max(0.0, channel.is_exact() ? exact_low.to_double_down() : low.down());
  found.at_most = std::min(1.0, channel.is_exact() ? exact_high.to_double_up() : high.up());
  return found;
}

}  // namespace dither::audit
