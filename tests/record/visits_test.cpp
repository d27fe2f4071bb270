// Tests how often statements are true that rest on several processes (visits) per case.
#include "record/visits.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sample_results.hpp"

namespace sextant {
namespace {

// Simulates cases of one millisecond. Visits differ by about `between` (standard deviation of the logarithm),
// which varies from case to case.
struct Machine {
  double between = 0.1;
  double slow_share = 0;  // fraction of visits that are slower by a factor of up to three
  std::mt19937 random{7};

  Measurement measured(const std::string& variant, double seconds, int visits) {
    Measurement m = test::make_measurement(test::make_case("triad", variant, 1000), seconds);
    const double own = between * std::exp(std::normal_distribution(0.0, 0.4)(random));
    const auto median = [&] {
      const double share = std::uniform_real_distribution(0.0, 1.0)(random);
      return seconds * std::exp(std::normal_distribution(0.0, own)(random)) *
             (share < slow_share ? 1 + 2 * share / slow_share : 1);
    };
    m.call_times = {median()};
    for (int i = 1; i < visits; ++i) m.visits.push_back({i, {median()}});
    return m;
  }

  Spreads learnt(int cases, int visits) {
    Spreads spreads;
    for (int i = 0; i < cases; ++i) {
      const Measurement m = measured("serial.baseline", 1e-3, visits);
      spreads.add(m.what, visit_times(m));
    }
    return spreads;
  }

  // Returns the spread of ratios as learnt from a session of `cases` problems with two cases each.
  RatioSpreads ratios(int cases, int visits) {
    RatioSpreads known;
    for (int i = 0; i < cases; ++i) {
      const Measurement one = measured("serial.baseline", 1e-3, visits),
                        other = measured("serial.native", 1e-3, visits);
      known.add(one.what, visit_times(one), other.what, visit_times(other));
    }
    return known;
  }

  Contest contest_of(const Measurement& slow, const Measurement& fast, const Spreads& spreads) {
    const std::vector<VisitTime> a = visit_times(slow), b = visit_times(fast);
    const double spread = spreads.of(slow.what, 1e-3);
    const RatioSpreads known = ratios(60, static_cast<int>(a.size()));
    return contest({slow, {}, a, spread}, {fast, {}, b, spread}, &known);
  }
};

TEST(Visits, TellHowFarProcessesLieApart) {
  const Case serial = test::make_case("triad", "serial.baseline", 1000);
  for (const double between : {0.02, 0.1, 0.4}) {
    const double learnt = Machine{between}.learnt(200, 4).of(serial, 1e-3);
    EXPECT_NEAR(learnt, between, 0.2 * between);
  }
  EXPECT_EQ(Spreads().of(serial, 1e-3), 0.12) << "what is usual";
  EXPECT_EQ(Machine{0.4}.learnt(200, 4).of(serial, 1e-6), 0.12)
      << "of calls of another length nothing is known";
}

TEST(Visits, HoldTheTimeInNineteenOfTwenty) {
  for (const double slow : {0.0, 0.1}) {
    Machine machine{0.1, slow};
    for (const int visits : {2, 3, 5, 8, 12}) {
      const Spreads spreads = machine.learnt(60, visits);
      int held = 0;
      constexpr int trials = 2000;
      for (int i = 0; i < trials; ++i) {
        const Measurement m = machine.measured("serial.baseline", 1e-3, visits);
        const Interval interval = interval_of(visit_times(m), spreads.of(m.what, 1e-3), m);
        held += interval.low <= 1e-3 && interval.high >= 1e-3;
      }
      EXPECT_GE(held, (slow > 0 ? 0.90 : 0.94) * trials) << visits << " visits, slow " << slow;
      EXPECT_LE(held, 0.985 * trials) << visits << " visits, slow " << slow;
    }
  }
}

TEST(Visits, OfOneVariantUnderTwoNamesAreNotFasterInNineHundredNinetyFiveOfAThousand) {
  Machine machine{0.1};
  const Spreads spreads = machine.learnt(60, 5);
  int faster = 0;
  constexpr int trials = 4000;
  for (int i = 0; i < trials; ++i) {
    const Measurement a = machine.measured("serial.baseline", 1e-3, 5),
                      b = machine.measured("serial.baseline", 1e-3, 5);
    faster += machine.contest_of(a, b, spreads).decision == Decision::faster;
  }
  EXPECT_LE(faster, 0.005 * trials);
}

TEST(Visits, FindWhatIsFasterOrEqual) {
  Machine machine{0.05};
  const Spreads spreads = machine.learnt(60, 8);
  int found = 0;
  for (int i = 0; i < 200; ++i)
    found += machine
                 .contest_of(machine.measured("serial.baseline", 1.2e-3, 8),
                             machine.measured("serial.native", 1e-3, 8), spreads)
                 .decision == Decision::faster;
  EXPECT_GE(found, 190);
  Machine steady{0.002};
  const Contest equal = steady.contest_of(steady.measured("serial.baseline", 1.01e-3, 8),
                                          steady.measured("serial.native", 1e-3, 8), steady.learnt(200, 8));
  EXPECT_EQ(equal.decision, Decision::equal);
  EXPECT_NEAR(equal.ratio.median, 1.01, 0.005);
  Machine noisy{0.3};
  EXPECT_EQ(noisy
                .contest_of(noisy.measured("serial.baseline", 1.1e-3, 3),
                            noisy.measured("serial.native", 1e-3, 3), noisy.learnt(60, 3))
                .decision,
            Decision::open);
}

// If a process slows both cases down, this is no difference between them.
TEST(Visits, OfTheSameProcessesAreComparedProcessByProcess) {
  Measurement slow = test::make_measurement(test::make_case("triad", "cuda.vector", 1000), 1e-3), fast = slow;
  slow.call_times = {1.05e-3}, fast.call_times = {1e-3};
  for (int process = 1; process < 6; ++process) {
    const double common = process % 2 ? 1.5 : 0.8;
    slow.visits.push_back({process, {1.05e-3 * common}});
    fast.visits.push_back({process, {1e-3 * common}});
  }
  const std::vector<VisitTime> a = visit_times(slow), b = visit_times(fast);
  EXPECT_EQ(contest({slow, {}, a, 0.02}, {fast, {}, b, 0.02}).decision, Decision::faster);
  std::vector<VisitTime> elsewhere = b;
  for (VisitTime& time : elsewhere) time.process += 100;
  EXPECT_EQ(contest({slow, {}, a, 0.3}, {fast, {}, elsewhere, 0.3}).decision, Decision::open);
}

// The first kernel has a 5 % longer call time but a 10 % shorter device time.
TEST(Visits, TwoKernelsOnAGpuAreComparedByTheirDeviceTimes) {
  Measurement slow = test::make_measurement(test::make_case("triad", "cuda.vector", 1000), 1.05e-3),
              fast = test::make_measurement(test::make_case("triad", "openacc.loop", 1000), 1e-3);
  const auto on_device = [](Measurement* m, double seconds, int kernels) {
    m->device_times = test::samples_around(seconds);
    m->launches.assign(1, {"triad", {1, 1, 1}, {32, 1, 1}, 8, 0, 1, seconds, kernels});
  };
  const Interval slow_time = median_interval(slow.call_times), fast_time = median_interval(fast.call_times);
  const auto found = [&] { return contest({slow, slow_time, {}, 0.01}, {fast, fast_time, {}, 0.01}); };
  EXPECT_FALSE(found().by_device) << "none has a device time";
  on_device(&slow, 0.9e-3, 1), on_device(&fast, 1e-3, 1);
  EXPECT_FALSE(found().by_device) << "the device finds the other one faster: calls decide";
  on_device(&slow, 1.1e-3, 1);
  EXPECT_EQ(found().decision, Decision::faster);
  on_device(&slow, 1.01e-3, 1);
  EXPECT_EQ(found().decision, Decision::equal);
  on_device(&slow, 1.1e-3, 2);
  EXPECT_FALSE(found().by_device) << "two launches cost more than one";
  slow.launches.clear();
  EXPECT_EQ(found().decision, Decision::faster) << "a library's copy on the device counts as one launch";
  const std::vector<KernelLaunch> one_kernel = std::exchange(fast.launches, {});
  EXPECT_FALSE(found().by_device) << "no launches were recorded";
  fast.launches = one_kernel;
  on_device(&slow, 1.1e-3, 1);
  slow.launches[0].time = 0.1e-3;
  EXPECT_FALSE(found().by_device) << "most of its time are copies";
  slow.what.device = "cpu";
  slow.launches[0].time = 1.1e-3;
  EXPECT_FALSE(found().by_device);
}

// `run` and `show` learn the same spreads from a session.
TEST(Visits, ASessionsPairsAreThoseWithTheFirstCaseOfAProblem) {
  std::vector<Measurement> measurements;
  for (const int n : {1000, 2000})
    for (const char* variant : {"serial.first", "serial.second", "serial.third"}) {
      Measurement m = test::make_measurement(test::make_case("triad", variant, n), 1e-3);
      m.call_times = {1e-3};
      for (int process = 1; process < 5; ++process)
        m.visits.push_back({process, {1e-3 * (process % 2 ? 1.5 : 1)}});
      measurements.push_back(m);
    }
  measurements.push_back(measurements.front());
  measurements.back().call_times.clear();  // this measurement has no times
  std::vector<const Measurement*> session;
  Spreads times;
  RatioSpreads ratios;
  for (const Measurement& m : measurements) {
    session.push_back(&m);
    times.add(m.what, visit_times(m));
  }
  for (const std::size_t first : {std::size_t{0}, std::size_t{3}})
    for (const std::size_t other : {first + 1, first + 2})
      ratios.add(measurements[other].what, visit_times(measurements[other]), measurements[first].what,
                 visit_times(measurements[first]));
  const SessionSpreads learnt = session_spreads(session);
  const Case &a = measurements[0].what, &b = measurements[1].what;
  EXPECT_EQ(learnt.times.count(a, 1e-3), 6u * 5u);
  EXPECT_DOUBLE_EQ(learnt.times.of(a, 1e-3), times.of(a, 1e-3));
  EXPECT_DOUBLE_EQ(learnt.ratios.of(a, b, 1e-3, 0.2), ratios.of(a, b, 1e-3, 0.2));
  EXPECT_LT(learnt.ratios.of(a, b, 1e-3, 0.2), 0.1);  // each process slows all variants alike
}

// Some processes run at two thirds of the speed, which slows both cases.
TEST(Visits, WhatIsCommonToAProcessIsLearntFromRatios) {
  std::mt19937 random{11};
  std::normal_distribution normal(0.0, 0.02);
  Spreads spreads;
  RatioSpreads ratios;
  const auto problem = [&](double slower) {
    std::pair pair{test::make_measurement(test::make_case("triad", "serial.slower", 1000), 1e-3),
                   test::make_measurement(test::make_case("triad", "serial.first", 1000), 1e-3)};
    pair.first.call_times = pair.second.call_times = {1e-3};
    pair.first.call_times.front() *= slower;
    for (int process = 1; process < 6; ++process) {
      const double common = process % 2 ? 1.5 : 1;
      pair.first.visits.push_back({process, {1e-3 * slower * common * std::exp(normal(random))}});
      pair.second.visits.push_back({process, {1e-3 * common * std::exp(normal(random))}});
    }
    return pair;
  };
  for (int i = 0; i < 40; ++i) {
    const auto [a, b] = problem(1);
    spreads.add(a.what, visit_times(a)), spreads.add(b.what, visit_times(b));
    ratios.add(a.what, visit_times(a), b.what, visit_times(b));
  }
  const auto [slow, fast] = problem(1.15);
  const double spread = spreads.of(slow.what, 1e-3);
  EXPECT_GT(spread, 0.15);
  EXPECT_NEAR(ratios.of(slow.what, fast.what, 1e-3, 0.1), 0.03, 0.02);
  const std::vector<VisitTime> a = visit_times(slow), b = visit_times(fast);
  EXPECT_EQ(contest({slow, {}, a, spread}, {fast, {}, b, spread}, &ratios).decision, Decision::faster);
  EXPECT_EQ(contest({slow, {}, a, spread}, {fast, {}, b, spread}).decision, Decision::open);
}

TEST(Visits, TheDifferenceOfTwoMeansHasWelchsDegrees) {
  const Centre equal = difference({1, 0.1, 10}, {0.5, 0.1, 10}),
               one_sided = difference({1, 0.1, 10}, {0.5, 1e-4, 4});
  EXPECT_DOUBLE_EQ(equal.log, 0.5);
  EXPECT_DOUBLE_EQ(equal.deviation, 0.1 * std::sqrt(2.0));
  EXPECT_NEAR(equal.degrees, 20, 1e-9);
  EXPECT_NEAR(one_sided.degrees, 10, 0.01);
}

TEST(Visits, RatiosOfTwoRunsTellTheirSpreadBeyondWhatSamplesExplain) {
  const Case serial = test::make_case("triad", "serial.baseline", 1000);
  std::mt19937 random{3};
  std::normal_distribution normal(0.0, 1.0);
  Spreads plain, sampled;
  for (int i = 0; i < 400; ++i) {
    plain.add_ratio(serial, 1e-3, 0.05 * std::sqrt(2.0) * normal(random), 0);
    sampled.add_ratio(serial, 1e-3, 0.05 * std::sqrt(2.0) * normal(random), 1);
  }
  EXPECT_NEAR(plain.of(serial, 1e-3), 0.05, 0.01);
  EXPECT_LT(sampled.of(serial, 1e-3), 0.02);
  EXPECT_EQ(plain.count(serial, 1e-3), 400u);
  EXPECT_EQ(plain.count(serial, 1e-6), 0u);
  EXPECT_EQ(Spreads().count(serial, 1e-3), 0u);
}

TEST(Visits, OfSeenInputsCountAsLongAsFreshOnes) {
  Measurement m = test::make_measurement(test::make_case("triad", "serial.baseline", 1000), 1e-3);
  m.call_times = {4e-3}, m.seen_times = {1e-3};
  m.visits = {{1, {1.5e-3}}};
  const std::vector<VisitTime> times = visit_times(m);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_DOUBLE_EQ(std::exp(times[0].log), 4e-3);
  EXPECT_NEAR(std::exp(times[1].log), 6e-3, 1e-12);
  m.call_times.clear();
  EXPECT_TRUE(visit_times(m).empty());
}

// The first process records device times, and that makes its later calls slower.
TEST(Visits, OfAGpuReplaceTheTimesOfTheFirstProcess) {
  Measurement m = test::make_measurement(test::make_case("triad", "cuda.vector", 1000), 12e-6);
  m.what.device = "gpu0";
  m.device_times = {2e-6};
  m.visits.push_back({1, {10e-6}});
  EXPECT_EQ(visit_times(m).size(), 2u) << "a single visit replaces nothing";
  m.visits.push_back({2, {11e-6}});
  const std::vector<VisitTime> times = visit_times(m);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times.front().process, 1);
  EXPECT_DOUBLE_EQ(times.back().log, std::log(11e-6));
  m.device_times.clear();
  EXPECT_EQ(visit_times(m).size(), 3u);
}

TEST(Visits, OneStayIsAsWideAsProcessesDiffer) {
  const Interval wide = interval_of(Interval{0.99, 1, 1.01, 0.9, 50}, 0.1);
  EXPECT_NEAR(wide.high, std::exp(std::hypot(std::log(1.01), 0.1 * 2.776)), 0.005);
  EXPECT_EQ(interval_of(Interval{0.99, 1, 1.01, 0.9, 5}, 0.1).high, 1.01) << "five samples have no interval";
}

}  // namespace
}  // namespace sextant
