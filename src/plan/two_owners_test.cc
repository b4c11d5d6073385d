// Why rows with two owners are refused: whoever keeps at most so many rows of each owner moves rows of other owners too.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "plan/project_check.h"

namespace dither::plan {
namespace {

using Edge = std::pair<int, int>;
using Graph = std::vector<Edge>;  // in the order in which rows are preferred
using Owners = std::vector<int> (*)(const Edge&);

std::vector<int> both(const Edge& edge) { return {edge.first, edge.second}; }
std::vector<int> first(const Edge& edge) { return {edge.first}; }

// Keeps a row that is among the first `most` of every owner it has.
std::set<Edge> truncated(const Graph& graph, Owners owners, int most) {
  std::map<int, int> rows;
  std::set<Edge> kept;
  for (const Edge& edge : graph) {
    bool keep = true;
    for (const int owner : owners(edge)) keep = ++rows[owner] <= most && keep;
    if (keep) kept.insert(edge);
  }
  return kept;
}

Graph without(const Graph& graph, int owner, Owners owners) {
  Graph rest;
  for (const Edge& edge : graph) {
    const std::vector<int> of = owners(edge);
    if (std::find(of.begin(), of.end(), owner) == of.end()) rest.push_back(edge);
  }
  return rest;
}

// How many rows move when one owner leaves; a truncation to `most` rows of each owner is meant to move no more than that.
std::size_t moved(const Graph& graph, int owner, Owners owners, int most) {
  const std::set<Edge> before = truncated(graph, owners, most);
  const std::set<Edge> after = truncated(without(graph, owner, owners), owners, most);
  std::vector<Edge> changed;
  std::set_symmetric_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(changed));
  return changed.size();
}

// A star around 0 whose every leaf has one edge more, which is preferred less.
Graph star(int leaves) {
  Graph graph;
  for (int leaf = 1; leaf <= leaves; ++leaf) graph.emplace_back(0, leaf);
  for (int leaf = 1; leaf <= leaves; ++leaf) graph.emplace_back(leaf, leaf + leaves);
  return graph;
}

// Spec: W-04
TEST(TwoOwners, AreRefusedForOwnersAndTakenForRows) {
  const auto edges = [](const std::string& unit) {
    return complaint(with_tables(
        "  edges: {source: e.csv, columns: {a: {type: integer}, b: {type: integer}}, unit: " + unit + "}\n"));
  };
  EXPECT_TRUE(edges("[a, b]").starts_with("error: two-owners: f:6:83: "));
  EXPECT_EQ(edges("row"), "none");
  EXPECT_EQ(edges("a"), "none");
}

TEST(TwoOwners, PlantedTruncationByEachOwnerIsCaughtOnAStar) {
  EXPECT_EQ(moved(star(50), 0, both, 1), 51u);  // one edge goes, and fifty of other owners come
}

TEST(TwoOwners, WithOneOwnerEachTruncationMovesOnlyItsRows) {
  for (int most = 1; most <= 3; ++most) {
    for (int owner = 0; owner <= 5; ++owner) {
      EXPECT_LE(moved(star(5), owner, first, most), static_cast<std::size_t>(most));
    }
  }
}

}  // namespace
}  // namespace dither::plan
