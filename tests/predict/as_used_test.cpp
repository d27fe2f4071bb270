// Tests of the scores of advice as users get it.
#include "predict/as_used.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "advice_model.hpp"

namespace sextant::predict {
namespace {

const std::vector<Option> two = {Option::serial, Option::openmp};

// A user kernel at four sizes. Serial code takes 10 ns an item. OpenMP has two variants, of which the first
// takes five times as long as the second, which takes 20 µs and 3 ns an item.
DataSet measured() {
  DataSet data;
  data.machines = {{"m", test::machine_with_gpu()}};
  data.machines[0].profile.gpu.reset();
  for (std::int64_t items = 1 << 10; items <= 1 << 19; items *= 8) {
    DataProblem problem = {"own float " + std::to_string(items), {}, {test::copy_form(items), "own"}};
    problem.known.form.traits = {};
    problem.what.kernel = "own";
    problem.what.problem.n = problem.known.form.n;
    const auto add = [&](const std::string& variant, Option option, double seconds) {
      DataRow row;
      row.problem = data.problems.size();
      row.what = problem.what;
      row.what.variant = variant;
      row.option = option;
      row.call = row.whole = {seconds, seconds, seconds, seconds, 10};
      data.rows.push_back(row);
    };
    const auto count = static_cast<double>(items);
    add("serial.baseline", Option::serial, 10e-9 * count);
    add("openmp.good", Option::openmp, 20e-6 + 3e-9 * count);
    add("openmp.poor", Option::openmp, 5 * (20e-6 + 3e-9 * count));
    data.problems.push_back(problem);
  }
  return data;
}

AsUsed score_of(const std::string& way, bool resident = true) {
  const AdviceModel model = test::constant_model(two, 0.2, 0.7);
  const auto model_of = [&](const Case&) -> const AdviceModel& { return model; };
  const auto scores = scores_as_used(model_of, measured(), 0.05, [](const Case&, Option option) {
    return option == Option::serial ? "serial.baseline" : "openmp.poor";
  });
  const auto found = std::find_if(scores.begin(), scores.end(), [&](const AsUsed& one) {
    return one.way == way && one.resident == resident;
  });
  return found == scores.end() ? AsUsed() : *found;
}

TEST(AsUsed, ScoresTheVariantThatIsAdvised) {
  // Nothing is known, so the first variant of OpenMP is advised at the largest size: a fifth of the best.
  const AsUsed nothing = score_of("nothing run"), probed = score_of("sizes 1, 2 probed");
  EXPECT_EQ(nothing.problems, 4u);
  EXPECT_LT(nothing.fraction, 0.7);
  EXPECT_EQ(probed.problems, 2u);
  EXPECT_DOUBLE_EQ(probed.fraction, 1);
  EXPECT_EQ(score_of("sizes 2, 3 probed").problems, 1u);
  EXPECT_EQ(score_of("nothing run", false).problems, 4u);
}

TEST(AsUsed, PutsTheStraightLineBesideTheProbes) {
  EXPECT_FALSE(score_of("nothing run").line);
  ASSERT_TRUE(score_of("sizes 1, 2 probed").line);
  EXPECT_DOUBLE_EQ(*score_of("sizes 1, 2 probed").line, 1);
}

TEST(AsUsed, CountsIntervalsOfWhatWasNotMeasured) {
  const AsUsed probed = score_of("sizes 1, 2 probed");
  EXPECT_EQ(probed.all.times, 4u);
  EXPECT_EQ(probed.serial.times, 2u);
  EXPECT_EQ(probed.threads.times, 2u);
  EXPECT_EQ(probed.gpu.times, 0u);
  EXPECT_EQ(probed.integers.times, 0u);
  EXPECT_EQ(probed.all.share(), 1);
  EXPECT_GT(*probed.width, 1.05);
  EXPECT_LT(*probed.width, 3);
  EXPECT_LT(score_of("nothing run, 2 measured").all.times, score_of("nothing run").all.times);
}

TEST(AsUsed, OfASecondOfProbesKnowsTheSmallSizes) {
  EXPECT_DOUBLE_EQ(score_of("probed for a second").fraction, 1);
  EXPECT_DOUBLE_EQ(score_of("probed for a second").sure, 1);
  EXPECT_EQ(score_of("probed for a second").all.times, 0u);  // every size takes less than 50 ms
}

}  // namespace
}  // namespace sextant::predict
