// Tests which programming model wins at which sizes, and what is said if models or sizes were not measured.
#include "analysis/study/standing.hpp"

#include <gtest/gtest.h>

#include "analysis/study/verdict.hpp"
#include "sample_results.hpp"

namespace sextant {
namespace {

struct Cases {
  Results results;
  std::vector<Summary> summaries;
  std::vector<StudyRow> rows;

  Cases() {
    results.sessions = {test::make_session()};
    results.sessions[0].id = 1;
  }
  void add(const char* variant, std::int64_t n, double time) {
    Measurement m = test::make_measurement(test::make_case("triad", variant, n), time);
    if (m.what.variant.starts_with("cuda")) m.end_to_end_times = test::samples_around(2 * time);
    results.measurements.push_back({std::move(m), 1});
  }
  StudyGroup group() {
    summaries = summarise(results);
    rows = study_rows(summaries);
    return study_groups(rows).at(0);
  }
};

TEST(Standing, TheOnlyOneMeasuredWinsNothing) {
  Cases c;
  c.add("cuda.elementwise", 1000, 1e-6);
  const StudyGroup group = c.group();
  const std::vector<Standing> all = standings(group, false);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_FALSE(all[0].contested());
  EXPECT_EQ(verdict(group, false), "cuda.elementwise alone at 1000");
}

// CUDA was not measured at every size. Sizes without CUDA must not change the winner at the other sizes.
TEST(Standing, SizesWithoutALeaderStandApart) {
  Cases c;
  for (const std::int64_t n : {1000, 2000, 4000, 8000}) {
    c.add("serial.baseline", n, 4e-6);
    c.add("openmp.simd", n, 2e-6);
    if (n == 1000 || n == 4000) c.add("cuda.elementwise", n, n == 1000 ? 3e-6 : 1e-6);
  }
  c.add("cuda.elementwise", 16000, 1e-6);
  const StudyGroup group = c.group();
  EXPECT_EQ(
      verdict(group, false),
      "openmp up to 1000, cuda from 4000 (2.00x the best CPU); not comparable: openmp (cuda not measured) at "
      "2000, 8000; cuda alone at 16000");
  const std::vector<Standing> all = standings(group, false);
  EXPECT_EQ(all[1].missing, std::vector<std::string>{"cuda"});
  EXPECT_TRUE(all[2].missing.empty());
}

TEST(Standing, VariantsOfOneModelCompete) {
  Cases c;
  for (const std::int64_t n : {1000, 2000}) {
    c.add("cuda.elementwise", n, 3e-6);
    c.add("cuda.vector", n, n == 1000 ? 4e-6 : 2e-6);
  }
  const StudyGroup group = c.group();
  EXPECT_EQ(verdict(group, false),
            "cuda.elementwise up to 1000 (1.33x the next by call time), cuda.vector from 2000 (1.50x the "
            "next by call time)");
  EXPECT_TRUE(standings(group, false)[0].by_variant);
}

TEST(Standing, TiesHaveNamesAndTheLeadIsOverTheNext) {
  Cases c;
  c.add("serial.baseline", 1000, 6e-6);
  c.add("openmp.simd", 1000, 2.001e-6);
  c.add("cuda.elementwise", 1000, 2e-6);
  const std::vector<Standing> all = standings(c.group(), false);
  EXPECT_TRUE(all[0].tied());
  EXPECT_EQ(all[0].leaders(), (std::vector<std::string>{"openmp", "cuda"}));
  EXPECT_EQ(text_of(all[0]), "openmp or cuda");
  EXPECT_NEAR(all[0].lead.median, 3, 1e-9);
  EXPECT_EQ(standings(c.group(), true)[0].entrants.front().name, "openmp");  // this time includes copies
}

}  // namespace
}  // namespace sextant
