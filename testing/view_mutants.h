// Bugs of single mechanisms and of what adds up releases: the attack on the claim must find each.
#pragma once

#include <string>
#include <vector>

#include "audit/attack.h"

namespace dither::testing {

// Mutants of what this attack looks at.
//   noise         the same recipe with noise for half of what moves or less; one draw for all numbers; trials of few;
//                 that of textbooks, in doubles
//   rows          a clamp that is wider than its map says
//   keys          no noise where nobody is; a lower threshold; a budget for each key; a vote for each key of a unit
//   combinators   a price by a map that forgets: one step for two, the largest of several parts, the least of a
//                 mixture, half the loss; a function that looks back at the data
//   filters       each question is decided by itself, as if nothing had been charged; so are those of agents and of
//                 records; a place of a list is taken again; an odometer shows the last charge alone
//   composition   one release in four, or in three, is in the list; the price of a sample where none is taken, of one
//                 part where rows go from part to part; every part has all rows
//   theorems      see testing/simulated_mutants.h
std::vector<audit::Subject> view_mutants_of(const audit::Attack& attack, const audit::View& view);

// The attacks that have one here: a test holds them against those there are.
std::vector<std::string> attacks_with_view_mutants();

}  // namespace dither::testing
