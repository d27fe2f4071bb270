// Tests of the crossover, which is the size from which a programming model is the fastest.
#include "analysis/study/crossover.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sample_results.hpp"

namespace sextant {
namespace {

// Returns the sentence for serial times of n ns and these CUDA times: pairs of n and seconds.
std::string sentence(const std::vector<std::pair<std::int64_t, double>>& cuda,
                     const std::string& variant = "cuda.grid") {
  Results results;
  results.sessions = {test::make_session()};
  results.sessions[0].id = 1;
  for (const auto& [n, time] : cuda) {
    results.measurements.push_back({test::make_measurement(test::make_case("triad", "serial.baseline", n),
                                                           1e-9 * static_cast<double>(n)),
                                    1});
    results.measurements.push_back({test::make_measurement(test::make_case("triad", variant, n), time), 1});
  }
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  const std::vector<Crossover> found = crossovers(study_groups(rows).at(0), false);
  return found.empty() ? "" : sentence_of(found.at(0));
}

TEST(Crossover, IsInterpolatedBetweenSizes) {
  // The speed-up is 1/10 at n = 1000 and 10 at n = 100000. On the logarithmic scale it is 1 at n = 10000.
  EXPECT_EQ(sentence({{1000, 1e-5}, {100000, 1e-5}}),
            "cuda is faster than the best CPU version from 100000 on, but not at 1000; by medians, from "
            "about 10000");
}

TEST(Crossover, HoldsThreadsAgainstSerialCodeAndGpusAgainstTheBestOfTheCpu) {
  EXPECT_EQ(sentence({{1000, 1e-7}, {100000, 1e-6}}, "stdpar.transform"),
            "stdpar is faster than serial at every size");
  EXPECT_EQ(sentence({{1000, 1e-7}, {100000, 1e-6}}, "target.teams_simd"),
            "target is faster than the best CPU version at every size");
}

TEST(Crossover, KnowsAlwaysNeverUntilAndMixed) {
  EXPECT_EQ(sentence({{1000, 1e-7}, {100000, 1e-6}}),
            "cuda is faster than the best CPU version at every size");
  EXPECT_EQ(sentence({{1000, 1e-5}, {100000, 1e-3}}),
            "cuda is not faster than the best CPU version at any size");
  EXPECT_EQ(sentence({{1000, 1e-6}}), "cuda is not faster than the best CPU version at 1000");  // a tie
  EXPECT_EQ(sentence({{1000, 1e-7}, {100000, 1e-3}}),
            "cuda is faster than the best CPU version up to 1000, but not from 100000 on; by medians, up to "
            "about 10000");
  EXPECT_EQ(sentence({{1000, 1e-7}, {10000, 1e-3}, {100000, 1e-6}}),
            "cuda is faster than the best CPU version at 2 of 3 sizes between 1000 and 100000");
}

// At n = 10000, the CUDA median is below the serial median, but the samples overlap.
TEST(Crossover, TellsTheMediansFromWhatIsCertain) {
  EXPECT_EQ(sentence({{1000, 1e-5}, {10000, 0.995e-5}, {100000, 1e-6}}),
            "cuda is faster than the best CPU version from 100000 on, but not at 10000; by medians, from "
            "about 10000");
  EXPECT_EQ(sentence({{1000, 0.995e-6}}),
            "cuda is not faster than the best CPU version at 1000, though its median time is shorter");
}

}  // namespace
}  // namespace sextant
