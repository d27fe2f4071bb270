// Tests of the scheduler that decides which workers may run a stage at the same time. Time is simulated.
#include "engine/concurrent/class_scheduler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

namespace sextant {
namespace {

using enum StageClass;

constexpr std::array<StageClass, 3> classes = {loose, device, alone};

TEST(ClassScheduler, WhoIsAloneGoesAtOnce) {
  for (const StageClass one : classes) {
    ClassScheduler scheduler(2);
    scheduler.ask(0, one, 0);
    EXPECT_TRUE(scheduler.may_go(0));
    EXPECT_FALSE(scheduler.may_go(1));
  }
}

TEST(ClassScheduler, LooseIsBesideLooseAndDeviceBesideDevice) {
  for (const StageClass one : {loose, device}) {
    ClassScheduler scheduler(3);
    for (std::size_t worker = 0; worker < 3; ++worker) {
      scheduler.ask(worker, one, 0);
      EXPECT_TRUE(scheduler.may_go(worker));
    }
  }
}

// For all pairs of different classes: the second worker waits until the first one leaves.
TEST(ClassScheduler, WhatIsNotAlikeWaits) {
  for (const StageClass first : classes)
    for (const StageClass second : classes) {
      ClassScheduler scheduler(2);
      scheduler.ask(0, first, 0);
      scheduler.ask(1, second, 0);
      EXPECT_EQ(scheduler.may_go(1), first == second && first != alone);
      scheduler.leave(0, 0);
      EXPECT_TRUE(scheduler.may_go(1));
    }
}

TEST(ClassScheduler, AskingForAnotherClassGivesBackTheOneThatIsHeld) {
  ClassScheduler scheduler(2);
  scheduler.ask(0, device, 0);
  scheduler.ask(1, alone, 0);
  scheduler.ask(0, loose, 0);
  EXPECT_TRUE(scheduler.may_go(1));
  EXPECT_FALSE(scheduler.may_go(0));
  scheduler.leave(1, 0);
  EXPECT_TRUE(scheduler.may_go(0));
}

// A worker keeps its class until it leaves, however long other workers wait.
TEST(ClassScheduler, WhoHasAClassKeepsIt) {
  for (const StageClass one : classes) {
    ClassScheduler scheduler(2);
    scheduler.ask(0, one, 0);
    scheduler.ask(1, one == alone ? loose : alone, 0);
    scheduler.ask(0, one, 100);
    EXPECT_TRUE(scheduler.may_go(0));
    EXPECT_FALSE(scheduler.may_go(1));
  }
}

TEST(ClassScheduler, OthersMayJoinAClassUntilAWorkerOfAnotherHasWaitedItsMaximum) {
  for (const double maximum_wait : {ClassScheduler::maximum_wait, ClassScheduler::long_maximum_wait}) {
    ClassScheduler scheduler(4);
    if (maximum_wait == ClassScheduler::long_maximum_wait) scheduler.allow_long_wait(1);
    scheduler.ask(0, device, 10);
    scheduler.ask(1, loose, 100);
    scheduler.ask(2, device, 100 + 0.9 * maximum_wait);
    EXPECT_TRUE(scheduler.may_go(2));
    scheduler.ask(3, device, 100 + 1.1 * maximum_wait);
    EXPECT_FALSE(scheduler.may_go(3));
    scheduler.leave(0, 103);
    EXPECT_FALSE(scheduler.may_go(1));
    scheduler.leave(2, 103);
    EXPECT_TRUE(scheduler.may_go(1));
    EXPECT_FALSE(scheduler.may_go(3));
    scheduler.leave(1, 103.1);
    EXPECT_TRUE(scheduler.may_go(3));
  }
}

// A long maximum wait remains in force after the worker leaves and asks again.
TEST(ClassScheduler, ALongMaximumWaitStays) {
  ClassScheduler scheduler(3);
  scheduler.allow_long_wait(1);
  scheduler.ask(1, alone, 0);
  scheduler.leave(1, 0);
  scheduler.ask(0, device, 0);
  scheduler.ask(1, alone, 0);
  scheduler.ask(2, device, 1);
  EXPECT_TRUE(scheduler.may_go(2));
}

TEST(ClassScheduler, OthersMayJoinAClassAsLongAsNobodyWaitsForAnother) {
  ClassScheduler scheduler(3);
  scheduler.ask(0, device, 0);
  scheduler.ask(1, device, 1000);
  EXPECT_TRUE(scheduler.may_go(1));
}

TEST(ClassScheduler, AloneGoesToOneAtATimeUntilAnotherHasWaitedItsMaximum) {
  ClassScheduler scheduler(4);
  scheduler.ask(0, alone, 0);
  scheduler.ask(1, loose, 0);
  scheduler.ask(2, alone, 0);
  scheduler.ask(3, alone, 0);
  scheduler.leave(0, 0.01);
  EXPECT_TRUE(scheduler.may_go(2));
  EXPECT_FALSE(scheduler.may_go(3) || scheduler.may_go(1));
  scheduler.leave(2, 0.03);
  EXPECT_TRUE(scheduler.may_go(1));  // it has waited longer than its maximum wait
  EXPECT_FALSE(scheduler.may_go(3));
  scheduler.leave(1, 0.03);
  EXPECT_TRUE(scheduler.may_go(3));
}

TEST(ClassScheduler, TheOldestWaitingIsNextAndTakesItsClassWithIt) {
  ClassScheduler scheduler(5);
  scheduler.ask(0, alone, 0);
  scheduler.ask(1, loose, 0);
  scheduler.ask(2, device, 0);
  scheduler.ask(3, loose, 0);
  scheduler.ask(4, device, 0);
  scheduler.leave(0, 0);
  EXPECT_TRUE(scheduler.may_go(1) && scheduler.may_go(3));
  EXPECT_FALSE(scheduler.may_go(2) || scheduler.may_go(4));
}

TEST(ClassScheduler, AWorkerThatDiesGivesBackWhatItHeldAndWaitedFor) {
  ClassScheduler scheduler(3);
  scheduler.ask(0, alone, 0);
  scheduler.ask(1, alone, 0);
  scheduler.ask(2, loose, 0);
  scheduler.leave(1, 0);  // the worker died while it waited
  scheduler.leave(0, 0);  // the worker died while it held its class
  EXPECT_TRUE(scheduler.may_go(2));
  EXPECT_FALSE(scheduler.may_go(0) || scheduler.may_go(1));
  scheduler.ask(0, loose, 0);  // the replacement of the dead worker
  EXPECT_TRUE(scheduler.may_go(0));
}

// True if the running workers have compatible classes. `wanted` is the class that each worker asked for last.
bool may_run_together(const ClassScheduler& scheduler, const std::array<StageClass, 4>& wanted) {
  std::vector<StageClass> running;
  for (std::size_t worker = 0; worker < wanted.size(); ++worker)
    if (scheduler.may_go(worker)) running.push_back(wanted[worker]);
  if (running.size() < 2) return true;
  return running.front() != alone &&
         std::all_of(running.begin(), running.end(), [&](StageClass one) { return one == running.front(); });
}

// Four workers ask for random classes for random times. Workers of different classes never run together, some
// worker always runs, and the waiting time is bounded.
TEST(ClassScheduler, NobodyStarves) {
  constexpr std::size_t workers = 4;
  constexpr double longest_stage = 0.5;
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    ClassScheduler scheduler(workers);
    std::array<double, workers> asked{}, ends{};
    std::array<bool, workers> waits{};
    std::array<StageClass, workers> wanted{};
    double longest_wait = 0;
    for (double now = 0; now < 100; now += 0.01) {
      for (std::size_t worker = 0; worker < workers; ++worker) {
        if (waits[worker] && scheduler.may_go(worker)) {
          longest_wait = std::max(longest_wait, now - asked[worker]);
          waits[worker] = false;
          ends[worker] = now + longest_stage * static_cast<double>(random() % 100) / 100;
        }
        if (waits[worker] || now < ends[worker]) continue;
        if (random() % 50 == 0) {
          scheduler.leave(worker, now);
          ends[worker] = now + 0.1;
          continue;
        }
        // Workers mostly ask for the same class, so that this class is always in demand.
        scheduler.leave(worker, now);
        wanted[worker] = worker == 0 ? alone : classes[random() % 8 == 0 ? random() % 3 : 1];
        scheduler.ask(worker, wanted[worker], now);
        asked[worker] = now;
        waits[worker] = true;
      }
      ASSERT_TRUE(may_run_together(scheduler, wanted)) << "seed " << seed << " at " << now;
    }
    EXPECT_LT(longest_wait, 2 * (ClassScheduler::maximum_wait + workers * longest_stage)) << "seed " << seed;
  }
}

// In every order of asking and leaving, each of the four workers runs exactly once.
TEST(ClassScheduler, EveryOrderServesAll) {
  const std::array<StageClass, 4> wanted = {loose, device, alone, device};
  std::array<std::size_t, 4> asking = {0, 1, 2, 3};
  do {
    std::array<std::size_t, 4> ending = {0, 1, 2, 3};
    do {
      ClassScheduler scheduler(4);
      std::array<bool, 4> served{};
      for (const std::size_t worker : asking) scheduler.ask(worker, wanted[worker], 0);
      for (std::size_t left = 4; left > 0;) {
        const auto next = std::find_if(ending.begin(), ending.end(), [&](std::size_t worker) {
          return !served[worker] && scheduler.may_go(worker);
        });
        ASSERT_NE(next, ending.end()) << "nobody may go";
        ASSERT_TRUE(may_run_together(scheduler, wanted));
        served[*next] = true;
        scheduler.leave(*next, 0);
        --left;
      }
    } while (std::next_permutation(ending.begin(), ending.end()));
  } while (std::next_permutation(asking.begin(), asking.end()));
}

}  // namespace
}  // namespace sextant
