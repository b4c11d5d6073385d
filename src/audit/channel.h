// Finite mechanisms, written out: the probability of every output on every input, exactly.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/promise.h"
#include "audit/report.h"
#include "audit/target.h"
#include "base/interval.h"
#include "base/rational.h"

namespace dither::audit {

// Which inputs are neighbours: any symmetric relation. Pairs by number, or all of them (the local model).
struct Adjacency {
  bool all_pairs = false;
  std::vector<std::pair<std::size_t, std::size_t>> pairs = {};

  static Adjacency all() { return {.all_pairs = true}; }
  static Adjacency consecutive(std::size_t inputs);  // a path: counts under add/remove
};

// A matrix of probabilities, a row for each input. Entries are exact, or intervals of doubles where they are irrational.
//
// Refuses    rows of another length than the outputs, no inputs or outputs, pairs of inputs that do not exist (bad-count);
//            entries below 0 or above 1 (bad-probability); rows that do not sum to 1, intervals whose sums do not hold 1 or
//            are wider than 1e-9 (bad-weights).
// Spec       T-56.
class Channel {
 public:
  using Names = std::vector<std::string>;

  Channel(Names inputs, Names outputs, const std::vector<std::vector<Rational>>& rows, Adjacency adjacency);
  Channel(Names inputs, Names outputs, const std::vector<std::vector<Interval>>& rows, Adjacency adjacency);

  const Names& inputs() const { return inputs_; }
  const Names& outputs() const { return outputs_; }
  const Adjacency& adjacency() const { return adjacency_; }
  // Both orders of every pair of neighbours.
  std::vector<std::pair<std::size_t, std::size_t>> neighbours() const;

  bool is_exact() const { return !exact_.empty(); }
  const Rational& exact(std::size_t input, std::size_t output) const {
    return exact_[input * outputs_.size() + output];
  }
  Interval probability(std::size_t input, std::size_t output) const;

 private:
  Channel(Names inputs, Names outputs, Adjacency adjacency, std::size_t rows);

  Names inputs_, outputs_;
  Adjacency adjacency_;
  std::vector<Rational> exact_;     // row by row
  std::vector<Interval> enclosed_;  // instead
};

// The largest log ratio of two probabilities of one output: the least epsilon with which the channel is private. Infinite
// where an output is possible on one side alone. The bounds differ by roundings only.
struct LossBounds {
  double at_least = 0, at_most = 0;
  std::size_t first = 0, second = 0, output = 0;  // where; neighbours also where nothing tells them apart
  std::optional<Rational> ratio = {};             // itself, of exact channels, where it is finite
};
LossBounds min_distance(const Channel& channel);                                         // over all neighbours
LossBounds min_distance(const Channel& channel, std::size_t first, std::size_t second);  // in this order

// delta at an epsilon: sum over outputs of max(0, P - e^epsilon P'), for inputs in this order. The outputs of positive terms
// are the best event there is; `event` lists those that surely are.
struct DeltaBounds {
  double at_least = 0, at_most = 0;
  std::vector<std::size_t> event = {};
};
DeltaBounds hockey_stick_delta(const Channel& channel, std::size_t first, std::size_t second, double epsilon);

// A finite mechanism with its promise.
struct FiniteMechanism {
  Channel channel;
  Promise promise;
};

// The promise against every pair of neighbours, in both orders. Decides: VIOLATED is a proof without a false alarm, with
// the event; otherwise the promise holds at every epsilon looked at, up to roundings of 1e-15. The notes say where that is
// less than the claim: no neighbours, points of a curve, a claim that lies within intervals.
// Cost       pairs times outputs, times the epsilons of a curve; for pure promises over all pairs inputs times outputs.
// Spec       T-54, T-56, A-10.
Report test_channel(const Channel& channel, const Promise& promise);

// The channel as something to run, for testers that know nothing of it. Refuses a channel that is not exact (no-theorem).
Target sampled(const Channel& channel, const Promise& promise, std::string name);

// For other checkers. Canonical JSON, version 1: {"dither-channel":1,"inputs":[...],"outputs":[...],"neighbours":"all" or
// [[0,1],...],"rows":[[...],...]}; an entry is a fraction, or [low, high]. It reads back equal and prints the same bytes.
// Reading refuses what the class refuses, and bad-syntax, missing-key, unknown-key, wrong-type; `name` stands for the
// text in these. `dither verify --channel` reads it.
std::string canonical_json(const Channel& channel);
Channel channel_from_json(std::string_view text, const std::string& name = "channel");

}  // namespace dither::audit
