// How a real law is drawn and rounded: balls first, intervals of growing precision when they do not decide.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <variant>

#include "random/detail/lazy_uniform.h"
#include "random/detail/real_formula.h"
#include "random/detail/real_rounding.h"
#include "random/source.h"

namespace dither::random::detail {

// For tests: how much is drawn and trusted at once. Whatever is set, the law stays exact.
struct RealPrecision {
  int prefix_bits = 0;  // bits of each uniform number drawn at first, at most 184; 0 lets law and scale decide
  int slack_bits = 0;   // the first stage takes its errors 2^slack_bits times as large as they are
  int step_bits = 64;   // bits drawn more when undecided
};

// A uniform number: its first bits, and the rest as far as it was needed.
struct RealUniform {
  Limbs<3> prefix{};
  std::unique_ptr<LazyUniform> refined;
};

// The uniform numbers one draw is made of. Each gamma takes u, v and the boost; other laws take u, v of the first.
struct RealSample {
  struct Part {
    RealUniform u, v, boost;
  };
  Part parts[2];
  bool negative = false;
};

class RealEngine {
 public:
  // scale / grid in [1/1000, 2^60], or bad-scale.
  RealEngine(const RealLaw& law, const Rational& scale_over_grid, RealPrecision precision = {});

  // The rounded sum of a value and noise; counts the draws that were not decided at once.
  template <BitSource S>
  Int128 draw(const GridValue& value, S& source, long* undecided = nullptr) const {
    return std::visit([&](const auto& numbers) { return draw_with(numbers, value, source, undecided); }, numbers_);
  }

  const Rational& ratio() const { return ratio_; }
  int prefix_bits() const { return precision_.prefix_bits; }

 private:
  template <int N>
  using Numbers = RealNumbers<Ball<N>>;
  using Kind = RealLaw::Kind;

  template <BitSource S>
  Limbs<3> draw_prefix(S& source) const {
    const int bits = precision_.prefix_bits;
    Limbs<3> result{};
    if constexpr (std::same_as<S, Source>) {
      if (bits % 8 == 0 && bits >= 64) {
        const auto size = static_cast<std::size_t>(bits / 8);
        source.with_bytes(size, [&](const std::uint8_t* bytes) { std::memcpy(result.data(), bytes, size); });
        return result;
      }
    }
    for (int taken = 0; taken < bits; taken += 64) {
      result[static_cast<std::size_t>(taken / 64)] = source.bits(bits - taken < 64 ? bits - taken : 64);
    }
    return result;
  }

  template <int N>
  Ball<N> ball(const RealUniform& uniform) const {
    return Ball<N>::uniform(uniform.prefix, uniform_bits_);
  }

  template <int N, BitSource S>
  Int128 draw_with(const Numbers<N>& numbers, const GridValue& value, S& source, long* undecided) const {
    RealSample sample;
    Ball<N> noise;
    std::uint64_t reflected = 0;
    if (law_.kind == Kind::gamma) {
      noise = draw_gamma(numbers, 0, &sample, source, undecided);
    } else if (law_.kind == Kind::beta) {
      // The smaller share is known to its own last bits, so the draw is taken from that end of [0, 1].
      const Ball<N> a = draw_gamma(numbers, 0, &sample, source, undecided);
      const Ball<N> b = draw_gamma(numbers, 1, &sample, source, undecided);
      reflected = ~(a - b).negative;
      noise = select(reflected, -b, a) / (a + b);
    } else {
      noise = draw_plain(numbers, &sample, source);
    }
    Int128 result;
    if (round_ball((numbers.ratio * noise).widened(precision_.slack_bits), value, reflected, &result)) return result;
    if (undecided != nullptr) ++*undecided;
    return decide_rounding(&sample, value, source);
  }

  template <int N, BitSource S>
  Ball<N> draw_plain(const Numbers<N>& numbers, RealSample* sample, S& source) const {
    RealUniform& u = sample->parts[0].u;
    u.prefix = draw_prefix(source);
    if (signed_) {
      sample->negative = (u.prefix[0] & 1) != 0;
      u.prefix = shift_right<3>(u.prefix, 1);
    }
    if (takes_two_) sample->parts[0].v.prefix = draw_prefix(source);
    Ball<N> noise = real_of(numbers, ball<N>(u), takes_two_ ? ball<N>(sample->parts[0].v) : Ball<N>());
    noise.negative ^= mask_if(sample->negative);
    return noise;
  }

  // Rounds of rejection until one is accepted; their number is independent of the draw that is.
  template <int N, BitSource S>
  Ball<N> draw_gamma(const Numbers<N>& numbers, int which, RealSample* sample, S& source, long* undecided) const {
    RealSample::Part& part = sample->parts[which];
    for (;;) {
      RealUniform w;
      part.u = {draw_prefix(source), nullptr};
      part.v = {draw_prefix(source), nullptr};
      w.prefix = draw_prefix(source);
      const GammaProposal<Ball<N>> proposal = propose_gamma(numbers, which, ball<N>(part.u), ball<N>(part.v));
      const Ball<N> margin = gamma_margin(numbers, which, proposal, ball<N>(w)).widened(precision_.slack_bits);
      bool accepted = (proposal.y.negative | margin.negative) == 0;
      if (!proposal.y.is_known() || !margin.is_known()) {
        if (undecided != nullptr) ++*undecided;
        accepted = decide_acceptance(which, &part, &w, source);
      }
      if (!accepted) continue;
      if (!numbers.gammas[which].boosted) return gamma_of(numbers, which, proposal.y, Ball<N>());
      part.boost.prefix = draw_prefix(source);
      return gamma_of(numbers, which, proposal.y, ball<N>(part.boost));
    }
  }

  template <BitSource S>
  bool decide_acceptance(int which, RealSample::Part* part, RealUniform* w, S& source) const {
    for (;;) {
      const std::optional<bool> verdict = acceptance(which, part, w);
      if (verdict) return *verdict;
      for (RealUniform* uniform : {&part->u, &part->v, w}) uniform->refined->extend(precision_.step_bits, source);
    }
  }

  template <BitSource S>
  Int128 decide_rounding(RealSample* sample, const GridValue& value, S& source) const {
    for (;;) {
      const std::optional<Int128> result = rounding(sample, value);
      if (result) return *result;
      for (RealSample::Part& part : sample->parts) {
        for (RealUniform* uniform : {&part.u, &part.v, &part.boost}) {
          if (uniform->refined) uniform->refined->extend(precision_.step_bits, source);
        }
      }
    }
  }

  // One look at what the bits known so far decide, at a precision that suits their number.
  std::optional<bool> acceptance(int which, RealSample::Part* part, RealUniform* w) const;
  std::optional<Int128> rounding(RealSample* sample, const GridValue& value) const;

  LazyUniform& refine(RealUniform* uniform) const;
  std::optional<BigInterval> gamma_interval(const RealNumbers<BigInterval>& numbers, int which, RealSample::Part* part,
                                            long precision) const;
  RealNumbers<BigInterval> numbers_at(long precision) const;

  RealLaw law_;
  Rational ratio_;
  RealPrecision precision_;
  bool takes_two_;
  bool signed_;       // the prefix holds the sign
  int uniform_bits_;  // bits of a uniform number in it
  std::variant<Numbers<2>, Numbers<3>> numbers_;
};

}  // namespace dither::random::detail
