// Tests of tunables as members of a struct: the list made from them, and access to them by name.
#include "suite/tunables.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace sextant {
namespace {

struct Tile {
  int rows = 16, columns = 64, stages = 3;
};

const TunableMember<Tile> rows{"rows", &Tile::rows, {8, 16}},
    columns{"columns", &Tile::columns, {32, 64, 128}}, stages{"stages", &Tile::stages, {2, 3}};

// Returns the message that tunables<Tile>(members) throws; empty if it accepts the members.
std::string refusal(const std::vector<TunableMember<Tile>>& members) {
  try {
    tunables<Tile>(members);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

TEST(Tunables, AreTheMembersInTheirOrderWithTheirInitialValuesPreferred) {
  const std::vector<Tunable> list = tunables<Tile>({rows, columns, stages});
  ASSERT_EQ(list.size(), 3u);
  EXPECT_STREQ(list[0].name, "rows");
  EXPECT_STREQ(list[1].name, "columns");
  EXPECT_STREQ(list[2].name, "stages");
  EXPECT_EQ(list[0].choices, (std::vector<int>{8, 16}));
  EXPECT_EQ(list[1].choices, (std::vector<int>{32, 64, 128}));
  EXPECT_EQ(list[2].choices, (std::vector<int>{2, 3}));
  EXPECT_EQ(list[0].preferred, 16);
  EXPECT_EQ(list[1].preferred, 64);
  EXPECT_EQ(list[2].preferred, 3);
}

TEST(Tunables, RefuseAnotherOrderThanTheMembersAndSayWhichIsWrong) {
  EXPECT_EQ(refusal({rows, columns, stages}), "");
  EXPECT_EQ(refusal({columns, rows, stages}), "tunables: columns is not at its member's place");
  EXPECT_EQ(refusal({rows, stages, columns}), "tunables: stages is not at its member's place");
  EXPECT_EQ(refusal({rows, rows, stages}), "tunables: rows is not at its member's place");
}

TEST(Tunables, RefuseAListThatLacksAMemberOrHasOneTooMany) {
  EXPECT_EQ(refusal({rows, columns}), "tunables: not one entry for each member");
  EXPECT_EQ(refusal({columns, stages}), "tunables: not one entry for each member");
  EXPECT_EQ(refusal({}), "tunables: not one entry for each member");
  EXPECT_EQ(refusal({rows, columns, stages, stages}), "tunables: not one entry for each member");
}

TEST(Tunables, AreReadByNameFromACall) {
  const int tuning[] = {8, 128, 2};
  Call call;
  call.tuning = tuning;
  const auto tile = call.tuned<Tile>();
  EXPECT_EQ(tile.rows, 8);
  EXPECT_EQ(tile.columns, 128);
  EXPECT_EQ(tile.stages, 2);
}

Problem problem_of(std::int64_t n) {
  Problem problem;
  problem.n = n;
  return problem;
}

const char* constraint(const Problem& problem, const Tile& tile) {
  if (tile.columns > problem.n) return "more columns than elements";
  return tile.stages > 2 && tile.rows > 8 ? "too many stages" : nullptr;
}

void adapt(const Problem& problem, Tile& tile) {
  if (problem.n > 100) tile.columns = 2 * tile.rows + tile.stages;
}

std::int64_t workspace(const Problem& problem, const Tile& tile) {
  return problem.n * 10000 + tile.rows * 100 + tile.stages;
}

TEST(ByName, AConstraintReadsTheNamedMembers) {
  Variant variant;
  variant.constraint = by_name<constraint>;
  const int wide[] = {8, 128, 2}, deep[] = {16, 32, 3}, fine[] = {8, 32, 3};
  EXPECT_STREQ(variant.constraint(problem_of(100), wide), "more columns than elements");
  EXPECT_EQ(variant.constraint(problem_of(128), wide), nullptr);
  EXPECT_STREQ(variant.constraint(problem_of(100), deep), "too many stages");
  EXPECT_EQ(variant.constraint(problem_of(100), fine), nullptr);
}

TEST(ByName, AnAdaptReadsAndWritesTheNamedMembersAndNoOther) {
  Variant variant;
  variant.adapt = by_name<adapt>;
  std::array<int, 4> tuning = {8, 32, 3, -1};  // the last element is no tunable and must not change
  variant.adapt(problem_of(100), tuning.data());
  EXPECT_EQ(tuning, (std::array<int, 4>{8, 32, 3, -1}));
  variant.adapt(problem_of(101), tuning.data());
  EXPECT_EQ(tuning, (std::array<int, 4>{8, 19, 3, -1}));
}

TEST(ByName, AWorkspaceReadsTheNamedMembers) {
  Variant variant;
  variant.workspace = by_name<workspace>;
  const int tuning[] = {8, 32, 3};
  EXPECT_EQ(variant.workspace(problem_of(7), tuning), 70803);
}

}  // namespace
}  // namespace sextant
