// What sampling of records is worth: amplification by Poisson, fixed-size, with-replacement, cut and shuffled batches.
//
// The formulas are about a mechanism of which nothing but a guarantee or a profile delta(epsilon) is known. A known
// mechanism should be accounted for by its own pair: through (epsilon, delta) a factor is lost at every step.
// Every result is rounded to the safe side. Spec, B-14, B-16, B-18.
#pragma once

#include <cstdint>
#include <functional>

#include "accounting/loss.h"
#include "accounting/neighbours.h"
#include "accounting/sampler.h"

namespace dither::accounting {

// Throws no-theorem unless these batches amplify every guarantee of this relation. The theorem needs, for each
// record, a way to turn batches that hold it into neighbouring batches that do not:
//   Poisson              by leaving it out: add-remove; `both` when the guarantee holds for both relations
//   without replacement  by swapping it for a fresh record: replace-one
//   with replacement     the same for each of its copies: replace-one, with the guarantees of groups
//   shuffled             no such way: shuffled_epoch charges them without amplification
//   random allocation    no generic theorem: allocation.h has Gaussian noise
//   all or nothing       amplifies nothing
void require_amplification(const Sampler& sampler, Neighbours neighbours);

// (epsilon, delta) becomes (amplified_epsilon_up, rate * delta): ln(1 + rate (e^epsilon - 1)), without overflow.
// Refuses    epsilon < 0 or not finite, a rate outside [0, 1].
double amplified_epsilon_up(double epsilon, double rate);

// The add direction of Poisson batches by itself: -ln(1 - rate (1 - e^-epsilon)), never more than the above,
// with its own delta e^(that - epsilon) rate delta. The remove direction has the above; a guarantee needs both.
double amplified_add_epsilon_up(double epsilon, double rate);
double amplified_add_delta_up(double epsilon, double delta, double rate);

// delta at epsilon when a mechanism with this profile sees a record with probability `rate`: rate * profile(e) at
// e = ln(1 + (e^epsilon - 1) / rate), rounded down. `profile_up` must not be below the true profile, and be that of the
// relation of require_amplification. For epsilon >= 0.
double sampled_delta_up(double rate, double epsilon, const std::function<double(double)>& profile_up);

// With replacement: a record enters with probability 1 - (1 - 1/population)^draws, rounded up, j times with binomial
// probability, and then groups of j replaced records count: delta = sum over j of P(j) profile(j, e), e as above.
//
// Holds for  replace-one, where profile_up(j, e) bounds delta at e for j replaced records.
// Refuses    no draws or population (bad-count).
double with_replacement_rate_up(std::uint64_t draws, std::uint64_t population);
double with_replacement_delta_up(std::uint64_t draws, std::uint64_t population, double epsilon,
                                 const std::function<double(std::uint64_t, double)>& profile_up);

// The group profile of anything (epsilon, delta)-DP: j records are (j epsilon, delta (e^(j epsilon) - 1)/(e^epsilon -
// 1)) apart, and below j epsilon the worst such mechanism says how far. At most 1.
double group_profile_up(double epsilon, double delta, std::uint64_t group, double at_epsilon);

// Poisson batches that are cut at `max_batch` records. The probability that a batch of a dataset with at most
// `population` records is cut, P(Binomial(population, rate) > max_batch), rounded up; exactly 0 when max_batch >=
// population, so that a cut that never happens costs nothing.
//
// Refuses    max_batch <= rate * population (no-theorem: most batches would be cut, and what a cut batch reveals about
//            who was left out is not covered by Poisson amplification); a rate outside [0, 1] (bad-probability).
double overflow_up(std::uint64_t population, const Rational& rate, std::uint64_t max_batch);
// What to add to delta at epsilon for `steps` such batches: (1 + e^epsilon) steps overflow. Both datasets' transcripts
// lie within total variation steps * overflow of uncut ones, once in P and e^epsilon times in Q.
double cut_delta_up(double overflow, std::uint64_t steps, double epsilon);

// One epoch over shuffled batches of Gaussian noise: as private as one release without sampling, and no better is
// known.
//
// Holds for  replace-one, mu = (largest norm of the difference of two records' contributions) / sigma, batches of fixed
//            sizes. For every order of the records exactly one batch moves, the others are post-processing of earlier
//            outputs and unchanged records, and mixing over orders, the same for both datasets, does not increase
//            delta.
// Refuses    the other relations (no-theorem): one record more shifts all later records into other batches.
// Spec       B-16.
Step shuffled_epoch(double mu, Neighbours neighbours);

// A lower bound on delta for one epoch of `batches` shuffled batches, noise sigma in units of the largest contribution,
// when a record is present or blank and all others pull the other way: sup over C of
// [1 - Phi((C-2)/s) Phi(C/s)^(T-1)] - e^epsilon [1 - Phi((C-1)/s) Phi(C/s)^(T-1)]. Rounded down; any C is sound.
// It is why shuffled batches must not be reported as Poisson ones.
double shuffled_delta_down(double sigma, std::uint64_t batches, double epsilon);

}  // namespace dither::accounting
