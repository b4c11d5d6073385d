// Parallel composition: releases about disjoint parts of the data.
#pragma once

#include <span>

#include "accounting/filter_rule.h"
#include "accounting/neighbours.h"
#include "accounting/spent.h"

namespace dither::accounting {

// Whether the data stays as it is while releases are made.
enum class DataLife {
  fixed,     // one version, no updates
  changing,  // records come and go between releases
};

// The charge for one release about each cell of a partition, together.
//
// Guarantee  add-remove: one record lies in one cell, so the largest charge counts, number by number. replace-one and
//            both: a record may leave one cell and enter another, so the two largest add up.
// Holds if   a function of the unit alone, fixed before the data is seen, says which cell it belongs to, and the charges
//            hold for add-remove (or both): a record that changes its cell is removed from one and added to another,
//            about which a charge for replace-one within a cell says nothing.
// Refuses    charges in different measures (no-theorem); changing data unless all charges are pure (no-theorem: it fails
//            for approximate DP, Henzinger, Safavi and Vadhan 2024); no cells (bad-count).
// Spec       F-30, B-23, W-22.
Charge parallel(std::span<const Charge> cells, Neighbours neighbours, DataLife life);

// The same for what cells add to the sums of one rule, on data that stays as it is: several charges may be about a cell.
// Refuses    no cells, or numbers of losses that differ (bad-count).
Spent parallel(std::span<const Spent> cells, Neighbours neighbours);

}  // namespace dither::accounting
