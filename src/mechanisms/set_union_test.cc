#include "mechanisms/set_union.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "mechanisms/key_threshold.h"
#include "mechanisms/partition_selection.h"
#include "testing/calculus_access.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

TableDomain units_and_keys() { return {{{"unit", CellType::integer}, {"key", CellType::integer}}}; }
const Metric kAdded{MetricKind::units_added};
const Metric kReplaced{MetricKind::units_replaced};

Cell whole(std::int64_t value) { return value; }

// Unit u holds the keys in the bits of held[u]; `names` are the units' numbers, so that their order varies.
Table table_of(const std::vector<unsigned>& held, const std::vector<std::int64_t>& names) {
  Table table;
  for (std::size_t u = 0; u < held.size(); ++u) {
    for (std::int64_t key = 0; key < 3; ++key) {
      if ((held[u] >> key & 1U) != 0) table.push_back({whole(names[u]), whole(key)});
    }
  }
  return table;
}

using Votes = std::function<Keyed(const Table&)>;

// Every data set of three units and three keys, each unit removed in turn: whether votes ever move further than the map
// says, and whether they move as far.
struct Search {
  bool within = true;
  bool attained = false;
};
Search search(const Votes& votes) {
  Search result;
  for (const std::vector<std::int64_t>& names :
       {std::vector<std::int64_t>{1, 2, 3}, {3, 1, 2}, {10, 200, 3000}, {-7, 5, 0}}) {
    for (unsigned all = 0; all < 512; ++all) {
      const std::vector<unsigned> held{all & 7U, all >> 3 & 7U, all >> 6 & 7U};
      const Keyed full = votes(table_of(held, names));
      for (std::size_t without = 0; without < 3; ++without) {
        std::vector<unsigned> fewer = held;
        fewer[without] = 0;
        const auto apart = distance({MetricKind::cells}, full, votes(table_of(fewer, names)));
        result.within &= at_most(*apart, CellsDistance{1, 1, 1, 1});
        result.attained |= *apart == Distance(CellsDistance{1, 1, 1, 1});
      }
    }
  }
  return result;
}

Votes ours(std::uint64_t cutoff) {
  const AnyTransformation step = make_greedy_votes(units_and_keys(), kAdded, cutoff);
  return [step](const Table& table) { return std::get<Keyed>(testing::apply(step, table)); };
}

// Spec: D-23
TEST(SetUnion, OneUnitMovesOneVoteAndNoMore) {
  for (const std::uint64_t cutoff : {1u, 2u, 3u}) {
    const Search found = search(ours(cutoff));
    EXPECT_TRUE(found.within) << cutoff;
    EXPECT_TRUE(found.attained) << cutoff;
  }
}

Keyed keyed(const std::map<std::string, Int128>& votes) {
  Keyed result;
  for (const auto& [key, number] : votes) {
    if (number == 0) continue;
    result.keys.push_back(key);
    result.values.push_back(number);
  }
  return result;
}

// Each unit votes for its key with the most votes below the cutoff: a tie that tips sends all later votes elsewhere.
Keyed most_votes_first(const Table& table) {
  std::map<std::string, Int128> votes;
  for (std::size_t i = 0; i < table.size();) {
    const std::size_t first = i;
    std::string best;
    for (; i < table.size() && table[i][0] == table[first][0]; ++i) {
      const std::string key = canonical(table[i][1]);
      if (votes[key] < 2 && (best.empty() || votes[key] > votes[best])) best = key;
    }
    if (!best.empty()) ++votes[best];
  }
  return keyed(votes);
}

// The unit at position i votes for its i-th key, in turn: who comes before decides.
Keyed by_position(const Table& table) {
  std::map<std::string, Int128> votes;
  std::size_t position = 0;
  for (std::size_t i = 0; i < table.size(); ++position) {
    std::vector<std::string> keys;
    for (const Cell unit = table[i][0]; i < table.size() && table[i][0] == unit; ++i) {
      keys.push_back(canonical(table[i][1]));
    }
    ++votes[keys[position % keys.size()]];
  }
  return keyed(votes);
}

// A unit whose keys are all full starts again without a cutoff, on all of them.
Keyed spills_over(const Table& table) {
  std::map<std::string, Int128> votes;
  for (std::size_t i = 0; i < table.size();) {
    std::vector<std::string> keys;
    for (const Cell unit = table[i][0]; i < table.size() && table[i][0] == unit; ++i) {
      keys.push_back(canonical(table[i][1]));
    }
    const auto open = std::find_if(keys.begin(), keys.end(), [&](const auto& key) { return votes[key] < 1; });
    if (open != keys.end()) {
      ++votes[*open];
    } else {
      for (const std::string& key : keys) ++votes[key];
    }
  }
  return keyed(votes);
}

TEST(SetUnion, PlantedMostVotesFirstIsCaught) { EXPECT_FALSE(search(most_votes_first).within); }
TEST(SetUnion, PlantedOrderByPositionIsCaught) { EXPECT_FALSE(search(by_position).within); }
TEST(SetUnion, PlantedSpillBeyondTheCutoffIsCaught) { EXPECT_FALSE(search(spills_over).within); }

// One unit in the place of another, all pairs.
TEST(SetUnion, AReplacedUnitMovesTwoVotes) {
  const AnyTransformation step = make_greedy_votes(units_and_keys(), kReplaced, 2);
  EXPECT_EQ(step.map(Rational(1)), Distance(CellsDistance({2, 2, 2, 1})));
  // Behind a filter a replaced unit may be there on one side only.
  EXPECT_EQ(make_greedy_votes(units_and_keys(), {MetricKind::units_changed}, 2).map(Rational(3)),
            step.map(Rational(3)));
  bool attained = false;
  for (unsigned all = 0; all < 4096; ++all) {
    const std::vector<unsigned> held{all & 7U, all >> 3 & 7U, all >> 6 & 7U};
    std::vector<unsigned> other = held;
    other[1] = all >> 9 & 7U;
    const Data before = testing::apply(step, table_of(held, {5, 6, 7}));
    for (const std::int64_t name : {6, 1, 99}) {  // the one in its place may come elsewhere in the order
      const auto apart = distance({MetricKind::cells}, before, testing::apply(step, table_of(other, {5, name, 7})));
      EXPECT_TRUE(at_most(*apart, step.map(Rational(1))));
      attained |= *apart == step.map(Rational(1));
    }
  }
  EXPECT_TRUE(attained);
}

TEST(SetUnion, MapAtManyDistances) {
  const AnyTransformation step = make_greedy_votes(units_and_keys(), kAdded, 5);
  EXPECT_EQ(step.map(Rational(0)), Distance(CellsDistance{}));
  EXPECT_EQ(step.map(Rational(1)), Distance(CellsDistance({1, 1, 1, 1})));
  EXPECT_EQ(step.map(Rational(3)), Distance(CellsDistance({3, 3, 9, 3})));
  EXPECT_EQ(step.map(Rational(1'000'000)),
            Distance(CellsDistance({1'000'000, 1'000'000, Rational(1'000'000) * 1'000'000, 1'000'000})));
}

// Neither the order of rows nor rows that say the same again, nor units that are nobody, change a vote.
TEST(SetUnion, OnlyWhoHoldsWhatCounts) {
  const Votes votes = ours(2);
  Table table = table_of({7, 3, 5}, {4, 5, 6});
  const Keyed before = votes(table);
  std::reverse(table.begin(), table.end());
  table.push_back(table.front());
  table.push_back({Cell(), whole(9)});
  table.push_back({Cell(std::nan("")), whole(9)});
  table.push_back({whole(8)});
  EXPECT_EQ(votes(table), before);
  EXPECT_EQ(votes(Table{}), Keyed{});
}

// 400 units hold the same 3 keys each, 200 of them 300 keys more: votes fill the common keys before they are lost.
// Spec: D-23
TEST(SetUnion, HeavyUnitsCostNoMoreThanOthers) {
  const auto all = make_set_union(units_and_keys(), kAdded, 1, Rational::parse("1e-6"));
  EXPECT_EQ(all.loss(Rational(1)), approximate(1, Rational::parse("1e-6")));
  const auto both = make_set_union(units_and_keys(), kReplaced, 1, Rational::parse("1e-6"));
  EXPECT_EQ(std::get<accounting::ApproximateDp>(both.loss(Rational(1))).epsilon, 2);

  Table table;
  for (std::int64_t unit = 0; unit < 400; ++unit) {
    for (std::int64_t key = 0; key < 3; ++key) table.push_back({whole(unit), whole(key)});
    for (std::int64_t own = 0; unit % 2 == 0 && own < 300; ++own)
      table.push_back({whole(unit), whole(1000 * unit + own + 10)});
  }
  const Keyed votes = ours(28)(table);
  EXPECT_LE(static_cast<long>(std::accumulate(votes.values.begin(), votes.values.end(), Int128{0})), 400);
  random::Source source = testing::seeded_source(2);
  const Data shown = all.release(Private(table), source).value();
  EXPECT_EQ(std::get<Keyed>(shown).keys, (std::vector<std::string>{"i0", "i1", "i2"}));
}

// The votes of one unit are one cell, so the threshold needs no number of keys.
TEST(SetUnion, VotesGoBehindAThresholdToo) {
  const Rational delta = Rational::parse("1e-6");
  const auto shown = chain(make_greedy_votes(units_and_keys(), kAdded, 20),
                           make_laplace_threshold({}, laplace_threshold_for(1, delta, {1})).any());
  const auto one = std::get<accounting::ApproximateDp>(shown.loss(Rational(1)));
  EXPECT_EQ(one.epsilon, 1);
  EXPECT_LE(one.delta, delta);
}

TEST(SetUnion, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(testing::refusal([] { make_greedy_votes(units_and_keys(), kAdded, 0); }), Code::bad_limit);
  EXPECT_EQ(testing::refusal([] { make_greedy_votes({{{"unit", CellType::text}}}, kAdded, 1); }), Code::missing_key);
  EXPECT_EQ(testing::refusal([] { make_greedy_votes(units_and_keys(), {MetricKind::symmetric}, 1); }),
            Code::mixed_neighbours);
  EXPECT_EQ(testing::refusal([] { make_set_union(units_and_keys(), kAdded, 1, 0); }), Code::bad_probability);
}

}  // namespace
}  // namespace dither::mechanisms
