// Tests of what a search takes from results files: the best known tuning, and a lower bound of the time.
#include <gtest/gtest.h>

#include "cli/tune/known.hpp"
#include "golden.hpp"
#include "present/search_view.hpp"
#include "registry/registry.hpp"
#include "sample_results.hpp"

namespace sextant {
namespace {

Case triad(const Tuning& tuning) {
  return test::make_case("triad", "openmp.simd", 3'000'000, ElementType::float32, tuning);
}

TEST(BestKnown, IsTheFastestOfTheSpaceThatWasRight) {
  Results results;
  const auto add = [&](const Tuning& tuning, double time) -> Measurement& {
    results.measurements.push_back({test::make_measurement(triad(tuning), time), 0});
    return results.measurements.back().measurement;
  };
  const Case space = triad({{"tile", 1}, {"threads", 4}});
  EXPECT_FALSE(best_known(results, space, tuner::Goal::device));
  add({{"tile", 8}}, 1e-6).status = Status::wrong;
  add({{"tile", 2}}, 2e-3);
  add({{"tile", 1}}, 3e-3);
  add({{"tile", 4}}, 1e-3).what.problem.n = 7;
  auto best = best_known(results, space, tuner::Goal::device);
  ASSERT_TRUE(best);
  EXPECT_EQ(best->tuning, (Tuning{{"tile", 2}, {"threads", 4}}));  // this case used all threads
  EXPECT_EQ(best->points, 3);
  add({{"tile", 1}, {"threads", 2}}, 1e-3);
  best = best_known(results, space, tuner::Goal::device);
  EXPECT_EQ(best->tuning, (Tuning{{"tile", 1}, {"threads", 2}}));
}

TEST(BestKnown, IsNoCallThatOthersMovedWhereOneWasNot) {
  Results results;
  const auto add = [&](int block, double call, std::optional<Isolation> isolation) {
    results.measurements.push_back(
        {test::make_measurement(
             test::make_case("triad", "cuda.vector", 3000, ElementType::float32, {{"block", block}}), call),
         0});
    results.measurements.back().measurement.isolation = isolation;
  };
  const Case space = test::make_case("triad", "cuda.vector", 3000);
  add(1, 1e-6, Isolation::calls_disturbed);
  EXPECT_EQ(best_known(results, space, tuner::Goal::call)->tuning, (Tuning{{"block", 1}}));
  add(2, 2e-6, Isolation::calls_alone);
  EXPECT_EQ(best_known(results, space, tuner::Goal::call)->tuning, (Tuning{{"block", 2}}));
  EXPECT_FALSE(best_known(results, space, tuner::Goal::whole));  // no result includes copies
}

TEST(LeastTime, IsWhatTheLastCeilingsOfThisMachineAllow) {
  Case space = triad({});
  space.problem.extents = find_kernel("triad")->kernel.extents(space.problem.n);
  const double bytes = 3.0 * 4 * static_cast<double>(space.problem.extents.x);
  Results results;
  const auto add = [&](const char* machine, double rate) {
    Session session;
    session.environment["machine"] = machine;
    if (rate > 0)
      session.ceilings = {{.device = "cpu", .name = "triad", .footprint = 1 << 20, .value = rate}};
    results.sessions.push_back(session);
  };
  const std::vector<const Results*> files = {&results};
  EXPECT_EQ(least_time(files, "here", space), 0);
  add("here", 1e9);
  add("here", 2e9);
  add("there", 9e9);
  add("here", 0);  // this session measured no ceilings
  EXPECT_NEAR(least_time(files, "here", space), bytes / 2e9, 1e-9);
}

Search ended(double standard, double best, double low) {
  Search search;
  search.space = triad({});
  search.standard = {{"tile", 1}};
  search.points = 2;
  for (const auto& [tile, time] : {std::pair(1, 2 * standard), std::pair(2, best)})
    search.steps.push_back({{{"tile", tile}}, false, Effort::measured, Status::ok, "", time, 0, 0, 3, 0});
  search.finalists = {{{{"tile", 2}}, best, {}, false}, {{{"tile", 1}}, standard, {}, false}};
  search.gain = Interval{low, standard / best, 2 * standard / best, 0, 11};
  search.ended = "all points tried";
  return search;
}

TEST(SearchView, SaysWhatWasGainedAndWhereDefaultsLose) {
  const View view = search_view({ended(1.2e-3, 1e-3, 1.1), ended(1.3e-3, 1e-3, 1.04), ended(1e-3, 1e-3, 1)});
  test::expect_golden(to_text(view.texts.back(), false), "cli/tune_known");
}

}  // namespace
}  // namespace sextant
