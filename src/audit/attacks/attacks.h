// The attacks, family by family: each file says what is attacked and with which neighbours.
#pragma once

#include "audit/attack.h"

namespace dither::audit {

using Attacks = std::vector<Attack>;

void add_sampler_attacks(Attacks& attacks);        // whole numbers, coins, choices, subsets
void add_real_sampler_attacks(Attacks& attacks);   // real laws on a grid
void add_row_attacks(Attacks& attacks);            // steps on rows of one table
void add_table_attacks(Attacks& attacks);          // steps that group, order or join rows
void add_vector_attacks(Attacks& attacks);         // steps on numbers
void add_conversion_attacks(Attacks& attacks);     // from one distance to another
void add_bounding_attacks(Attacks& attacks);       // units, their limits and their sums
void add_noise_attacks(Attacks& attacks);          // noise on numbers
void add_more_noise_attacks(Attacks& attacks);     // other laws; noise by several parties
void add_key_attacks(Attacks& attacks);            // numbers by key, and which keys are shown
void add_mean_attacks(Attacks& attacks);           // means
void add_combinator_attacks(Attacks& attacks);     // what is made of measurements
void add_interactive_attacks(Attacks& attacks);    // questions that follow answers
void add_accounting_attacks(Attacks& attacks);     // what composition promises, at its worst cases
void add_sampling_attacks(Attacks& attacks);       // releases on random batches, as accounting prices them
void add_amplification_attacks(Attacks& attacks);  // shuffling, tuning, hidden iterates, groups, matrices
void add_selection_attacks(Attacks& attacks);      // mechanisms that choose, as accounting prices them
void add_sql_attacks(Attacks& attacks);            // statements on databases

// Every input against every output, by their probabilities; that draws follow these is another attack.
void add_exact(Attacks& attacks, const std::string& claim, const std::string& what,
               std::function<FiniteMechanism()> make);

// A step, in the words of its claim.
void add_step(Attacks& attacks, const std::string& claim, const std::string& what,
              std::function<calculus::AnyTransformation()> make);

}  // namespace dither::audit
