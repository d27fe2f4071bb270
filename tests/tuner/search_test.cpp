// Tests of searches that call a formula instead of the engine: how they end, how they continue, and what they
// store.
#include "tuner/search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "golden.hpp"
#include "record/keys.hpp"
#include "refusal.hpp"
#include "sample_results.hpp"
#include "tuner/engine_objective.hpp"
#include "tuner/final_round.hpp"
#include "tuner/live_space.hpp"
#include "tuner/recorded_space.hpp"
#include "tuner/winners.hpp"

namespace sextant::tuner {
namespace {

Variant tunable_variant() {
  Variant variant;
  variant.name = "openmp.test";
  variant.tunables = {{"block", {1, 2, 4, 8, 16, 32}, 4}, {"items", {1, 2, 3, 4, 5, 6}, 1}};
  variant.constraint = [](const Problem&, const int* values) -> const char* {
    return values[0] * values[1] > 100 ? "too many items" : nullptr;
  };
  return variant;
}

// The fastest point is block 16, items 3. Block 32 fails, and items 6 with block 1 gives wrong results.
class Formula : public Objective {
 public:
  std::optional<SearchStep> evaluate(const Tuning& tuning, const SearchStep*) override {
    if (left == 0) return {};
    --left;
    tried.push_back(tuning);
    SearchStep step;
    step.tuning = tuning;
    const double block = tuning[0].second, items = tuning[1].second;
    if (block == 32) step.status = Status::failed, step.reason = "too much shared memory";
    if (block == 1 && items == 6) step.status = Status::wrong, step.reason = "element 3";
    if (step.status == Status::ok)
      step.time = 1e-3 * (1 + std::abs(std::log2(block) - 4) + 0.2 * std::abs(items - 3));
    return step;
  }
  std::size_t left = 1000;
  std::vector<Tuning> tried;
};

struct Setting {
  Variant variant = tunable_variant();
  LiveSpace live = live_space(variant, {}, {});
  Formula objective;
  Limits limits;
  SearchEvents events;
  Search search;
  double time = 0;

  Setting() {
    events.now = [this] { return time += 0.5; };
    search.standard = {{"block", 4}, {"items", 1}};
  }
  SearchEnd run(const std::string& strategy = "model") {
    return search_on(live.space, *make_strategy(strategy, live.space, nullptr, 3), objective, limits, events,
                     &search);
  }
};

TEST(LiveSpace, IsWhatTheConstraintAdmits) {
  const Setting setting;
  EXPECT_EQ(setting.live.space.size(), 33u);  // 36 without block 32 at items 4, 5 and 6
  EXPECT_EQ(setting.live.refused, 3);
  const Tuning tuning = {{"block", 16}, {"items", 6}};
  EXPECT_EQ(tuning_of(setting.live.space, *find(setting.live.space, tuning)), tuning);
  EXPECT_FALSE(find(setting.live.space, {{"block", 32}, {"items", 6}}));
  EXPECT_FALSE(find(setting.live.space, {{"items", 6}, {"block", 16}}));
}

TEST(LiveSpace, IsNarrowedAndRefusesToBeEmpty) {
  const Variant variant = tunable_variant();
  EXPECT_EQ(live_space(variant, {}, {{"block", {8, 16, 99}}, {"other", {1}}}).space.size(), 12u);
  const auto refusal = [&](const AskedTunings& narrowed) {
    return test::refusal([&] { live_space(variant, {}, narrowed); });
  };
  test::expect_golden(test::lines({refusal({{"block", {7}}}), refusal({{"block", {32}}, {"items", {6}}})}),
                      "tuner/refusals:narrowed spaces");
}

// Twelve tunables with four values each give 16 million points. The space is then a sample of a million.
TEST(LiveSpace, IsDrawnWhereItIsTooLarge) {
  Variant variant;
  static const char* names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
  for (const char* name : names) variant.tunables.push_back({name, {1, 2, 3, 4}, 1});
  const LiveSpace live = live_space(variant, {}, {});
  EXPECT_TRUE(live.drawn);
  EXPECT_EQ(live.space.size(), 1'000'000u);
}

TEST(Search, BeginsWithTheDefaultAndFindsTheBest) {
  Setting setting;
  EXPECT_EQ(setting.run(), SearchEnd::complete);
  EXPECT_EQ(setting.objective.tried.front(), setting.search.standard);
  EXPECT_EQ(winner_of(setting.search), (Tuning{{"block", 16}, {"items", 3}}));
}

TEST(Search, ExcludesWrongAndFailingPointsAndKeepsTheirReasons) {
  Setting setting;
  setting.run("exhaustive");
  std::size_t wrong = 0, failed = 0;
  for (const SearchStep& step : setting.search.steps) {
    wrong += step.status == Status::wrong && step.reason == "element 3";
    failed += step.status == Status::failed && step.reason == "too much shared memory";
  }
  EXPECT_EQ(wrong, 1u);
  EXPECT_EQ(failed, 3u);
  EXPECT_EQ(best_of(setting.search)->status, Status::ok);
}

TEST(Search, EndsWithTheBudgetAndWithTheSpace) {
  Setting setting;
  setting.limits.evaluations = 7;
  EXPECT_EQ(setting.run(), SearchEnd::complete);
  EXPECT_EQ(setting.search.steps.size(), 7u);
  EXPECT_EQ(setting.search.ended, "the budget is spent");
  Setting whole;
  whole.limits.to_the_end = true;
  whole.run("exhaustive");
  EXPECT_EQ(whole.search.steps.size(), 33u);
  EXPECT_EQ(whole.search.ended, "all points tried");
}

TEST(Search, EndsWhenNothingIsPromised) {
  Setting setting;
  setting.variant.tunables[1].choices.clear();
  for (int i = 1; i <= 300; ++i) setting.variant.tunables[1].choices.push_back(i);
  setting.variant.constraint = nullptr;
  setting.live = live_space(setting.variant, {}, {});
  setting.limits.evaluations = 1500;
  EXPECT_EQ(setting.run(), SearchEnd::complete);
  EXPECT_EQ(setting.search.ended, "no remaining tuning promises 0.5 %");
  EXPECT_EQ(winner_of(setting.search), (Tuning{{"block", 16}, {"items", 3}}));
}

TEST(Search, EndsAtTheLeastTimeThatTheMachineAllows) {
  Setting setting;
  setting.limits.least_time = 0.99e-3;
  setting.run();
  EXPECT_EQ(setting.search.ended, "within 2 % of the machine's limit");
}

// A search announces which tunings it will try next. This must not change the search.
TEST(Search, SaysAheadWhatItWillTry) {
  class Looking : public Formula {
   public:
    std::size_t looks_ahead() const override { return 3; }
    void expect(const std::vector<Tuning>& tunings) override { expected.push_back(tunings); }
    std::vector<std::vector<Tuning>> expected;
  };
  for (const std::string strategy : {"model", "random", "exhaustive"}) {
    Setting plain, other;
    Looking looking;
    plain.run(strategy);
    search_on(other.live.space, *make_strategy(strategy, other.live.space, nullptr, 3), looking, other.limits,
              other.events, &other.search);
    EXPECT_EQ(looking.tried, plain.objective.tried);
    ASSERT_EQ(looking.expected.size(), looking.tried.size());
    std::size_t right = 0;
    for (std::size_t i = 0; i < looking.tried.size(); ++i) {
      EXPECT_EQ(looking.expected[i].front(), looking.tried[i]);
      if (i + 1 < looking.tried.size() && looking.expected[i].size() > 1)
        right += looking.expected[i][1] == looking.tried[i + 1] ? 1 : 0;
    }
    if (strategy != "model") {
      EXPECT_EQ(right, looking.tried.size() - 1) << strategy;
    }
    EXPECT_GT(right, 0u);
  }
}

// If a time is far below the least time that the ceilings allow, the search ignores that least time.
TEST(Search, IsNotEndedByACeilingThatIsNone) {
  Setting setting;
  setting.limits.least_time = 1;
  setting.run();
  EXPECT_LT(best_of(setting.search)->time, 0.9);
  EXPECT_EQ(setting.search.ended.find("the machine's limit"), std::string::npos) << setting.search.ended;
}

TEST(Search, EndsInTime) {
  Setting setting;
  setting.limits.seconds = 3;  // each reading advances the clock by half a second
  EXPECT_EQ(setting.run(), SearchEnd::out_of_time);
  EXPECT_EQ(setting.search.steps.size(), 6u);
}

TEST(Search, GivesUpWhereNothingRuns) {
  class Nothing : public Objective {
   public:
    std::optional<SearchStep> evaluate(const Tuning& tuning, const SearchStep*) override {
      SearchStep step;
      step.tuning = tuning;
      step.status = Status::skipped;
      step.reason = "no GPU";
      return step;
    }
  } nothing;
  Setting setting;
  search_on(setting.live.space, *make_strategy("model", setting.live.space, nullptr, 1), nothing,
            setting.limits, setting.events, &setting.search);
  EXPECT_EQ(setting.search.steps.size(), 3u);
  EXPECT_EQ(setting.search.ended, "it does not run here: no GPU");
}

// If a search is interrupted after any step, it continues as if it had not been interrupted.
TEST(Search, GoesOnAsIfNothingHadBeen) {
  Setting whole;
  whole.limits.evaluations = 25;
  whole.run();
  for (std::size_t cut = 0; cut < 25; ++cut) {
    Setting first;
    first.limits.evaluations = 25;
    first.objective.left = cut;
    EXPECT_EQ(first.run(), SearchEnd::stopped);
    EXPECT_TRUE(first.search.ended.empty());
    Setting second;
    second.limits.evaluations = 25;
    second.search = first.search;
    EXPECT_EQ(second.run(), SearchEnd::complete);
    EXPECT_EQ(second.objective.tried.size(), 25 - cut);
    ASSERT_EQ(second.search.steps.size(), 25u);
    for (std::size_t i = 0; i < 25; ++i)
      EXPECT_EQ(second.search.steps[i].tuning, whole.search.steps[i].tuning);
  }
}

// An engine with known times. Blocks 8 and 16 are equal except for noise, and the default is slower.
class Engine : public CaseExecutor {
 public:
  std::optional<Measurement> run(const Case& what) override {
    ++runs;
    Measurement one;
    one.what = what;
    one.status = Status::ok;
    const int block = what.tuning[0].second;
    const double base = block == 64 ? 5e-4 : block >= 8 ? 1e-3 : block == 4 ? 2e-3 : 9e-3;
    const double noise = 1 + 0.01 * std::sin(static_cast<double>(7 * runs + block));
    if (limits.give_up_above > 0 && base > limits.give_up_above) one.effort = Effort::checked_only;
    one.call_times = std::vector<double>(11, base * noise);
    if (limits.transfers) one.end_to_end_times = std::vector<double>(11, copying / block);
    one.launches.push_back({"k", {1, 1, 1}, {block, 1, 1}, 0, 0, 0, 0, 1});
    return one;
  }
  void use(const Settings& settings) override { limits = settings; }
  Settings limits;
  int runs = 0;
  double copying = 1;  // call time with copies, in seconds, is this divided by the block
};

Search searched(Engine* engine, std::vector<std::string>* kept, const std::vector<Tuning>& rivals = {},
                Interval* over = nullptr) {
  Search search;
  search.space = test::make_case("k", "openmp.test", 300);
  search.standard = {{"block", 4}};
  const Space space({Axis::of("block", {1, 2, 4, 8, 16})}, {0, 1, 2, 3, 4});
  const std::map<std::string, const Measurement*> known;
  EngineObjective objective(*engine, search.space, {}, Goal::device, known, [&](const Measurement& one) {
    kept->push_back(std::to_string(one.what.tuning[0].second));
  });
  SearchEvents events;
  events.now = [] { return 0.0; };
  search_on(space, *make_strategy("exhaustive", space, nullptr, 1), objective, {}, events, &search);
  EXPECT_TRUE(final_round(*engine, {}, Goal::device, 5, 11, &search, rivals, over));
  return search;
}

TEST(EngineObjective, ChecksFullyAndGivesUpOnWhatIsSlow) {
  Engine engine;
  std::vector<std::string> kept;
  const Search search = searched(&engine, &kept);
  EXPECT_EQ(kept, (std::vector<std::string>{"4", "8",
                                            "16"}));  // 1 and 2 are slower than the default and stop early
  EXPECT_EQ(search.steps[1].effort, Effort::checked_only);
}

TEST(FinalRound, NamesTiesAndPrefersTheModest) {
  Engine engine;
  std::vector<std::string> kept;
  const Search search = searched(&engine, &kept);
  ASSERT_EQ(search.finalists.size(), 3u);
  EXPECT_EQ(search.finalists[0].tuning, (Tuning{{"block", 8}}));  // the smaller block of two tied ones
  EXPECT_TRUE(search.finalists[1].tie);
  EXPECT_FALSE(search.finalists[2].tie);
  ASSERT_TRUE(search.gain);
  EXPECT_NEAR(search.gain->median, 2, 0.05);
  EXPECT_LT(search.gain->low, search.gain->high);
}

// Two sizes with different fastest blocks. Block 4 is the second fastest at both, and block 2 fails at the
// larger size.
class TwoSizes : public CaseExecutor {
 public:
  std::optional<Measurement> run(const Case& what) override {
    Measurement one;
    one.what = what;
    const int block = what.tuning[0].second;
    const bool large = what.problem.n == 1000;
    one.status = block == 2 && large ? Status::failed : Status::ok;
    one.call_times = std::vector<double>(11, block == 2   ? 0.9e-3
                                             : block == 4 ? 1.1e-3
                                             : block == 8 ? (large ? 1e-3 : 1.3e-3)
                                                          : (large ? 1.5e-3 : 1e-3));
    return one;
  }
  void use(const Settings&) override {}
};

TEST(SharedRound, ChoosesTheLeastWorstLoss) {
  TwoSizes engine;
  Search small, large;
  small.space = test::make_case("k", "openmp.test", 300);
  large.space = test::make_case("k", "openmp.test", 1000);
  small.standard = {{"block", 16}}, large.standard = {{"block", 8}};
  const std::vector<Search*> both = {&small, &large};
  std::optional<SharedTuning> shared;
  ASSERT_TRUE(shared_round(engine, {}, Goal::device, 11, {{{"block", 2}}, {{"block", 4}}, {{"block", 8}}},
                           both, &shared));
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->tuning, (Tuning{{"block", 4}}));
  EXPECT_EQ(shared->worst, 0u);
  EXPECT_NEAR(shared->losses[0].median, 1.1 / 0.9, 1e-9);
  EXPECT_NEAR(shared->losses[1].median, 1.1, 1e-9);
  for (const Search* one : both) {
    EXPECT_EQ(one->finalists.front().tuning, shared->tuning);
    EXPECT_EQ(one->sizes, 2);
  }
  EXPECT_NEAR(small.gain->median, 1 / 1.1, 1e-9);  // at this size, the default is faster

  ASSERT_TRUE(shared_round(engine, {}, Goal::device, 11, {{{"block", 2}}}, both, &shared));
  EXPECT_FALSE(shared);  // block 2 fails at the larger size
}

// Block 16 has the best time with copies, but not the best call time. Call times must not stop it early.
TEST(EngineObjective, MayGoByTheCallWithItsCopies) {
  Engine engine;
  Search search;
  search.space = test::make_case("k", "cuda.test", 300);
  search.space.device = "gpu0";
  search.standard = {{"block", 4}};
  const Space space({Axis::of("block", {1, 4, 8, 16})}, {0, 1, 2, 3});
  Case what = search.space;
  what.tuning = {{"block", 16}};
  engine.limits.transfers = false;
  const Measurement without = *engine.run(what);
  const std::map<std::string, const Measurement*> known = {{key_of(what), &without}};
  EngineObjective objective(engine, search.space, {}, Goal::whole, known, {});
  SearchEvents events;
  events.now = [] { return 0.0; };
  search_on(space, *make_strategy("exhaustive", space, nullptr, 1), objective, {}, events, &search);
  for (const SearchStep& step : search.steps) {
    EXPECT_EQ(step.effort, Effort::measured);
    EXPECT_FALSE(step.known);  // the earlier measurement has no copies
    EXPECT_DOUBLE_EQ(step.time, 1.0 / step.tuning[0].second);
  }
  EXPECT_TRUE(final_round(engine, {}, Goal::whole, 5, 11, &search));
  EXPECT_EQ(search.finalists[0].tuning, (Tuning{{"block", 16}}));
}

TEST(Goal, MayBeAnEnergy) {
  Measurement one;
  one.call_times = {9};
  EXPECT_FALSE(tells_goal_time(one, Goal::energy));
  EXPECT_EQ(goal_time(one, Goal::edp).samples, 0u);
  one.energies = {2, 4, 3};
  one.energy_times = {0.5, 0.25, 0.5};
  EXPECT_TRUE(tells_goal_time(one, Goal::energy));
  EXPECT_EQ(goal_time(one, Goal::energy).median, 3);
  EXPECT_EQ(goal_time(one, Goal::energy).high, 4);
  EXPECT_EQ(goal_time(one, Goal::edp).median, 1);
  EXPECT_EQ(goal_time(one, Goal::edp).high, 1.5);
}

TEST(Goal, AnEnergyBoundsTheTimeOfBetterTunings) {
  EXPECT_EQ(longest_worthwhile(Goal::energy, 8, 100), 0.08);
  EXPECT_EQ(longest_worthwhile(Goal::edp, 4, 100), 0.2);
  EXPECT_EQ(longest_worthwhile(Goal::energy, 8, 0), 0) << "the idle power is not known";
  EXPECT_EQ(longest_worthwhile(Goal::device, 8, 100), 0);
}

// An engine in which smaller blocks are slower and use less energy. Only block 1 is so slow that the idle
// power alone exceeds the energy of others.
class Meter : public CaseExecutor {
 public:
  std::optional<Measurement> run(const Case& what) override {
    Measurement one;
    one.what = what;
    one.status = Status::ok;
    const int block = what.tuning[0].second;
    const double seconds = block == 1 ? 0.9 : 0.1 / block;
    windows.push_back(settings.energy_windows);
    limits.push_back(settings.give_up_above);
    if (settings.give_up_above > 0 && seconds > settings.give_up_above) one.effort = Effort::checked_only;
    one.call_times = std::vector<double>(11, seconds);
    if (one.effort != Effort::measured) return one;
    const double joules = block == 1 ? 95 : 10 + block + 0.001 * static_cast<double>(windows.size() % 3);
    one.energies = std::vector<double>(static_cast<std::size_t>(settings.energy_windows), joules);
    one.energy_times = std::vector<double>(one.energies.size(), seconds);
    one.idle_power = 100;
    return one;
  }
  void use(const Settings& chosen) override { settings = chosen; }
  Settings settings;
  std::vector<int> windows;
  std::vector<double> limits;
};

Search searched_by(Goal goal, Meter* engine, std::vector<int>* full) {
  Search search;
  search.space = test::make_case("k", "openmp.test", 300);
  search.standard = {{"block", 8}};
  search.goal = name_of(goal);
  const Space space({Axis::of("block", {1, 2, 4, 8})}, {0, 1, 2, 3});
  const std::map<std::string, const Measurement*> known;
  EngineObjective objective(*engine, search.space, {}, goal, known,
                            [&](const Measurement& one) { full->push_back(one.what.tuning[0].second); });
  SearchEvents events;
  events.now = [] { return 0.0; };
  search_on(space, *make_strategy("exhaustive", space, nullptr, 1), objective, {}, events, &search);
  EXPECT_TRUE(final_round(*engine, {}, goal, 5, 11, &search));
  return search;
}

TEST(EngineObjective, MinimizesTheEnergy) {
  Meter engine;
  std::vector<int> full;
  const Search search = searched_by(Goal::energy, &engine, &full);
  EXPECT_EQ(search.finalists.at(0).tuning, (Tuning{{"block", 2}}))
      << "the slowest that is tried has the least";
  EXPECT_NEAR(search.finalists[0].time, 12, 0.01);
  EXPECT_NEAR(search.gain->median, 1.5, 0.01);
  EXPECT_EQ(full, (std::vector<int>{8, 2, 4}))
      << "block 1 takes so long that it cannot have the least energy";
  EXPECT_EQ(engine.limits.at(0), 0) << "the idle power is not known yet";
  EXPECT_NEAR(engine.limits.at(1), 0.18, 1e-3) << "18 J at 100 W";
  EXPECT_EQ(engine.windows.front(), 3);
  EXPECT_EQ(engine.windows.back(), 1) << "the final round has many turns";
}

TEST(EngineObjective, MinimizesTheEnergyTimesTheTime) {
  Meter engine;
  std::vector<int> full;
  const Search search = searched_by(Goal::edp, &engine, &full);
  EXPECT_EQ(search.finalists.at(0).tuning, (Tuning{{"block", 8}}));
  EXPECT_NEAR(search.finalists[0].time, 18 * 0.0125, 1e-3);
}

TEST(Winners, SayWhatWasMinimized) {
  Meter engine;
  std::vector<int> full;
  Results results;
  results.searches = {searched_by(Goal::energy, &engine, &full)};
  EXPECT_EQ(winners_of(results).at(0).measured, "energy");
  EXPECT_EQ(winners_of(results)[0].what.tuning, (Tuning{{"block", 2}}));
  EXPECT_TRUE(recorded_spaces(results).empty()) << "joules are no times";
  results.searches[0].goal = "device";
  EXPECT_EQ(winners_of(results)[0].measured, "time");
  EXPECT_EQ(recorded_spaces(results).size(), 1u);
}

// If other GPUs disturbed a call time, a search by call time measures it again. A search by device time
// reuses the measurement.
TEST(EngineObjective, MeasuresCallsAgainThatOthersMoved) {
  Measurement known = test::make_measurement(test::make_case("k", "cuda.test", 300), 5e-4);
  known.what.tuning = {{"block", 8}};
  known.device_times = {1e-4};
  const std::map<std::string, const Measurement*> all = {{key_of(known.what), &known}};
  Case space = known.what;
  space.tuning.clear();
  const auto is_known = [&](Goal goal) {
    Engine engine;
    EngineObjective objective(engine, space, {}, goal, all, {});
    const std::optional<SearchStep> step = objective.evaluate(known.what.tuning, nullptr);
    EXPECT_EQ(engine.runs, step->known ? 0 : 1);
    return step->known;
  };
  for (const Isolation isolation : {Isolation::alone, Isolation::calls_alone, Isolation::undisturbed}) {
    known.isolation = isolation;
    EXPECT_TRUE(is_known(Goal::call)) << name_of(isolation);
  }
  known.isolation = Isolation::calls_disturbed;
  EXPECT_FALSE(is_known(Goal::call));
  EXPECT_TRUE(is_known(Goal::device));
  known.device_times.clear();
  EXPECT_FALSE(is_known(Goal::device));  // without device times, the call time decides
  known.status = Status::wrong;
  EXPECT_TRUE(is_known(Goal::call));
}

// A tuning that is certainly 20 % slower does not enter the final comparison.
TEST(FinalRound, LeavesOutWhatIsFarBehind) {
  Engine engine;
  Search search;
  search.space = test::make_case("k", "openmp.test", 300);
  search.standard = {{"block", 8}};
  for (const auto& [block, time] : {std::pair(32, 1.2e-3), {16, 1.02e-3}, {8, 1e-3}}) {
    SearchStep step;
    step.tuning = {{"block", block}};
    step.status = Status::ok;
    step.effort = Effort::measured;
    step.time = time, step.low = 0.99 * time, step.high = 1.01 * time;
    search.steps.push_back(step);
  }
  EXPECT_TRUE(final_round(engine, {}, Goal::device, 5, 11, &search));
  EXPECT_EQ(search.finalists.size(), 2u);
  EXPECT_EQ(engine.runs, 22);
}

TEST(FinalRound, HasRivalsTakePartAndNotWin) {
  Engine engine;
  std::vector<std::string> kept;
  Interval over;
  const Search search = searched(&engine, &kept, {{{"block", 64}}, {{"block", 32}}}, &over);
  ASSERT_EQ(search.finalists.size(), 3u);  // only tunings of this search
  EXPECT_EQ(search.finalists[0].tuning, (Tuning{{"block", 8}}));
  EXPECT_EQ(over.samples, 11u);  // measured in A-B-B-A pairs
  EXPECT_NEAR(over.median, 2, 0.05);
  searched(&engine, &kept, {{{"block", 8}}}, &over);  // the search found this tuning, too
  EXPECT_EQ(over.median, 1);
}

TEST(Winners, AreOfTheSpaceOrOfTheNearestSize) {
  Results results;
  results.sessions.push_back({});
  const auto add = [&](std::int64_t n, int block, double time) {
    results.measurements.push_back(
        {test::make_measurement(
             test::make_case("k", "openmp.test", n, ElementType::float32, {{"block", block}}), time),
         0});
  };
  add(300, 8, 2e-3);
  add(300, 16, 1e-3);
  add(30000, 32, 1e-3);
  add(900, 24, 1e-4);
  results.measurements.back().measurement.what.fill = InputFill::zeros;  // no time of usual inputs
  Search search;
  search.space = test::make_case("k", "openmp.test", 30000);
  search.steps.push_back({{{"block", 64}}, false, Effort::measured, Status::ok, "", 5e-3, 0, 0, 3, 0});
  results.searches.push_back(search);
  const std::vector<Winner> winners = winners_of(results);
  const auto block = [&](std::int64_t n, const char* variant = "openmp.test") {
    const Winner* winner =
        winner_for(winners, test::make_case("k", variant, n, ElementType::float32, {{"block", 1}}));
    return winner ? winner->what.tuning[0].second.number : 0;
  };
  EXPECT_EQ(block(300), 16);
  EXPECT_EQ(block(30000), 64);  // a search counts more than other measurements
  EXPECT_EQ(block(900), 16);
  EXPECT_EQ(block(9000), 64);
  EXPECT_EQ(block(300, "openmp.other"), 0);
  search.steps[0].tuning.emplace_back("threads", 2);  // the variant has no such tunable
  results.searches = {search};
  const std::vector<Winner> with_threads = winners_of(results);
  const Winner* winner = winner_for(
      with_threads, test::make_case("k", "openmp.test", 30001, ElementType::float32, {{"block", 1}}));
  ASSERT_NE(winner, nullptr);
  EXPECT_EQ(winner->what.tuning, (Tuning{{"block", 64}, {"threads", 2}}));
}

}  // namespace
}  // namespace sextant::tuner
