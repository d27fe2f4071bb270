// Who may do what beside whom, without clocks and processes.
#include "engine/concurrent/arbiter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

namespace sextant {
namespace {

using enum StageClass;

constexpr std::array<StageClass, 3> classes = {loose, device, alone};

TEST(Arbiter, WhoIsAloneGoesAtOnce) {
  for (const StageClass one : classes) {
    Arbiter arbiter(2);
    arbiter.ask(0, one, 0);
    EXPECT_TRUE(arbiter.may_go(0));
    EXPECT_FALSE(arbiter.may_go(1));
  }
}

TEST(Arbiter, LooseIsBesideLooseAndDeviceBesideDevice) {
  for (const StageClass one : {loose, device}) {
    Arbiter arbiter(3);
    for (std::size_t worker = 0; worker < 3; ++worker) {
      arbiter.ask(worker, one, 0);
      EXPECT_TRUE(arbiter.may_go(worker));
    }
  }
}

// All pairs of classes, in both orders: what is not alike waits until the other has gone.
TEST(Arbiter, WhatIsNotAlikeWaits) {
  for (const StageClass first : classes)
    for (const StageClass second : classes) {
      Arbiter arbiter(2);
      arbiter.ask(0, first, 0);
      arbiter.ask(1, second, 0);
      EXPECT_EQ(arbiter.may_go(1), first == second && first != alone);
      arbiter.leave(0, 0);
      EXPECT_TRUE(arbiter.may_go(1));
    }
}

TEST(Arbiter, AskingForAnotherClassGivesBackTheOneThatIsHeld) {
  Arbiter arbiter(2);
  arbiter.ask(0, device, 0);
  arbiter.ask(1, alone, 0);
  arbiter.ask(0, loose, 0);
  EXPECT_EQ(arbiter.held_by(1), alone);
  EXPECT_FALSE(arbiter.may_go(0));
  arbiter.leave(1, 0);
  EXPECT_EQ(arbiter.held_by(0), loose);
}

// Warming up, sampling and reading the clocks are one piece, however long others wait.
TEST(Arbiter, WhoHasAClassKeepsIt) {
  for (const StageClass one : classes) {
    Arbiter arbiter(2);
    arbiter.ask(0, one, 0);
    arbiter.ask(1, one == alone ? loose : alone, 0);
    arbiter.ask(0, one, 100);
    EXPECT_EQ(arbiter.held_by(0), one);
    EXPECT_FALSE(arbiter.may_go(1));
  }
}

TEST(Arbiter, AClassHasTakersUntilWhoWaitsForAnotherLosesPatience) {
  for (const double patience : {Arbiter::patience, Arbiter::long_patience}) {
    Arbiter arbiter(4);
    if (patience == Arbiter::long_patience) arbiter.make_patient(1);
    arbiter.ask(0, device, 10);
    arbiter.ask(1, loose, 100);
    arbiter.ask(2, device, 100 + 0.9 * patience);
    EXPECT_TRUE(arbiter.may_go(2));
    arbiter.ask(3, device, 100 + 1.1 * patience);
    EXPECT_FALSE(arbiter.may_go(3));
    arbiter.leave(0, 103);
    EXPECT_FALSE(arbiter.may_go(1));
    arbiter.leave(2, 103);
    EXPECT_TRUE(arbiter.may_go(1));
    EXPECT_FALSE(arbiter.may_go(3));
    arbiter.leave(1, 103.1);
    EXPECT_TRUE(arbiter.may_go(3));
  }
}

// As who has left and asks again, too.
TEST(Arbiter, WhoIsPatientStaysSo) {
  Arbiter arbiter(3);
  arbiter.make_patient(1);
  arbiter.ask(1, alone, 0);
  arbiter.leave(1, 0);
  arbiter.ask(0, device, 0);
  arbiter.ask(1, alone, 0);
  arbiter.ask(2, device, 1);
  EXPECT_TRUE(arbiter.may_go(2));
}

TEST(Arbiter, ALonelyClassKeepsTheFloorAsLongAsNobodyElseWaits) {
  Arbiter arbiter(3);
  arbiter.ask(0, device, 0);
  arbiter.ask(1, device, 1000);
  EXPECT_TRUE(arbiter.may_go(1));
}

TEST(Arbiter, AloneGoesToOneAtATimeUntilAnotherLosesPatience) {
  Arbiter arbiter(4);
  arbiter.ask(0, alone, 0);
  arbiter.ask(1, loose, 0);
  arbiter.ask(2, alone, 0);
  arbiter.ask(3, alone, 0);
  arbiter.leave(0, 0.01);
  EXPECT_TRUE(arbiter.may_go(2));
  EXPECT_FALSE(arbiter.may_go(3) || arbiter.may_go(1));
  arbiter.leave(2, 0.03);
  EXPECT_TRUE(arbiter.may_go(1));  // it waited longest, and has no patience left
  EXPECT_FALSE(arbiter.may_go(3));
  arbiter.leave(1, 0.03);
  EXPECT_TRUE(arbiter.may_go(3));
}

TEST(Arbiter, TheOldestWaitingIsNextAndTakesItsClassWithIt) {
  Arbiter arbiter(5);
  arbiter.ask(0, alone, 0);
  arbiter.ask(1, loose, 0);
  arbiter.ask(2, device, 0);
  arbiter.ask(3, loose, 0);
  arbiter.ask(4, device, 0);
  arbiter.leave(0, 0);
  EXPECT_TRUE(arbiter.may_go(1) && arbiter.may_go(3));
  EXPECT_FALSE(arbiter.may_go(2) || arbiter.may_go(4));
}

TEST(Arbiter, AWorkerThatDiesGivesBackWhatItHeldAndWaitedFor) {
  Arbiter arbiter(3);
  arbiter.ask(0, alone, 0);
  arbiter.ask(1, alone, 0);
  arbiter.ask(2, loose, 0);
  arbiter.leave(1, 0);  // died while waiting
  arbiter.leave(0, 0);  // died while it had it
  EXPECT_TRUE(arbiter.may_go(2));
  EXPECT_FALSE(arbiter.may_go(0) || arbiter.may_go(1));
  arbiter.ask(0, loose, 0);  // its successor
  EXPECT_TRUE(arbiter.may_go(0));
}

bool may_stand_together(const Arbiter& arbiter, std::size_t workers) {
  std::vector<StageClass> held;
  for (std::size_t worker = 0; worker < workers; ++worker)
    if (arbiter.held_by(worker)) held.push_back(*arbiter.held_by(worker));
  if (held.size() < 2) return true;
  return held.front() != alone &&
         std::all_of(held.begin(), held.end(), [&](StageClass one) { return one == held.front(); });
}

// Four workers that ask for what they like and take their time: never two of unlike classes, somebody always goes, and
// nobody waits longer than the others' stages and their patience take.
TEST(Arbiter, NobodyStarves) {
  constexpr std::size_t workers = 4;
  constexpr double longest_stage = 0.5;
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    Arbiter arbiter(workers);
    std::array<double, workers> asked{}, ends{};
    std::array<bool, workers> waits{};
    double longest_wait = 0;
    for (double now = 0; now < 100; now += 0.01) {
      for (std::size_t worker = 0; worker < workers; ++worker) {
        if (waits[worker] && arbiter.may_go(worker)) {
          longest_wait = std::max(longest_wait, now - asked[worker]);
          waits[worker] = false;
          ends[worker] = now + longest_stage * static_cast<double>(random() % 100) / 100;
        }
        if (waits[worker] || now < ends[worker]) continue;
        if (random() % 50 == 0) {
          arbiter.leave(worker, now);
          ends[worker] = now + 0.1;
          continue;
        }
        // Mostly the same, as from one case to the next, so that a class has takers all the time.
        arbiter.leave(worker, now);
        arbiter.ask(worker, worker == 0 ? alone : classes[random() % 8 == 0 ? random() % 3 : 1], now);
        asked[worker] = now;
        waits[worker] = true;
      }
      ASSERT_TRUE(may_stand_together(arbiter, workers)) << "seed " << seed << " at " << now;
    }
    EXPECT_LT(longest_wait, 2 * (Arbiter::patience + workers * longest_stage)) << "seed " << seed;
  }
}

// Every order in which four workers ask, and in which they end: all get their turn, exactly once each.
TEST(Arbiter, EveryOrderServesAll) {
  const std::array<StageClass, 4> wanted = {loose, device, alone, device};
  std::array<std::size_t, 4> asking = {0, 1, 2, 3};
  do {
    std::array<std::size_t, 4> ending = {0, 1, 2, 3};
    do {
      Arbiter arbiter(4);
      std::array<bool, 4> served{};
      for (const std::size_t worker : asking) arbiter.ask(worker, wanted[worker], 0);
      for (std::size_t left = 4; left > 0;) {
        const auto next = std::find_if(ending.begin(), ending.end(), [&](std::size_t worker) {
          return !served[worker] && arbiter.may_go(worker);
        });
        ASSERT_NE(next, ending.end()) << "nobody may go";
        ASSERT_TRUE(may_stand_together(arbiter, 4));
        EXPECT_EQ(arbiter.held_by(*next), wanted[*next]);
        served[*next] = true;
        arbiter.leave(*next, 0);
        --left;
      }
    } while (std::next_permutation(ending.begin(), ending.end()));
  } while (std::next_permutation(asking.begin(), asking.end()));
}

}  // namespace
}  // namespace sextant
