// Tests of fitted models and of choosing by them.
#include "predict/train/advice_selector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "advice_model.hpp"
#include "fraction_of.hpp"
#include "predict/analytic_model.hpp"
#include "predict/folds.hpp"
#include "predict/train/error_relations.hpp"
#include "predict/train/model_training.hpp"

namespace sextant::predict {
namespace {

Interval exactly(double seconds) { return {seconds, seconds, seconds, seconds, 10}; }

Profile profile() {
  Session session;
  session.environment = {{"cpu", "A Processor"}, {"openmp.threads", "4"}};
  session.ceilings = {{"cpu", "read", 1 << 20, 4e10},
                      {"cpu", "fp32", 0, 1e12},
                      {"cpu", "read_core", 1 << 20, 1e10},
                      {"cpu", "fp32_core", 0, 2.5e11},
                      {"cpu", "launch_openmp", 0, 1e-6}};
  return profile_of(session);
}

Form form(std::int64_t n, double divergence) {
  Form form;
  form.n = n;
  form.work = {.bytes_read = 8 * n, .bytes_written = 4 * n, .flops = n, .items = n};
  form.traits.launches = 1;
  form.traits.divergence = divergence;
  form.bytes_in = 8 * n, form.bytes_out = 4 * n, form.working_set = 12 * n;
  return form;
}

// A machine on which cores that are all busy are slow.
Constants truth() {
  Constants truth = Constants();
  truth.code_memory = 0.4, truth.code_arithmetic = 0.05, truth.all_at_once = 12;
  return truth;
}

// Returns the times of twelve families by the constants of truth(). In every second family, data-dependent
// branches slow the operations.
DataSet branching() {
  DataSet data;
  data.machines = {{"m", profile()}};
  for (int family = 0; family < 12; ++family)
    for (std::int64_t n = 100'000; n < 10'000'000; n *= 2) {
      const bool branches = family % 2 == 1;
      DataProblem problem = {"family" + std::to_string(family) + ' ' + std::to_string(n),
                             {},
                             {form(n, branches ? 0.05 : 0), "family" + std::to_string(family)}};
      if (branches) problem.known.form.work.flops *= 200;
      Traits& traits = problem.known.form.traits;
      traits.loads = traits.stores = traits.depth = 1;
      problem.what.kernel = problem.known.family;
      problem.what.problem.n = n;
      data.problems.push_back(problem);
      for (const Option option : {Option::serial, Option::openmp}) {
        DataRow row;
        row.problem = data.problems.size() - 1;
        row.what = problem.what;
        row.option = option;
        row.call = row.whole = exactly(
            *AnalyticModel(truth()).time(problem.known.form, data.machines[0].profile, option, Target::call));
        data.rows.push_back(row);
      }
    }
  return data;
}

TEST(TrainingCases, HaveACallOnTheCpuOnce) {
  const DataSet data = branching();
  const TrainingCases all = cases_of(data, measured_problems(data));
  EXPECT_EQ(all.cases.size(), data.rows.size());
  for (const FitCase& one : all.cases) EXPECT_EQ(one.target, Target::call);
  EXPECT_EQ(all.families.size(), 12u);
}

TrainingSettings quick() {
  TrainingSettings settings;
  settings.fit.most_cases = 3;
  settings.folds = 4;
  return settings;
}

TEST(Training, GivesAModelWithIntervalsOfFamiliesHeldOut) {
  const DataSet data = branching();
  const Training training = taught_by(data, measured_problems(data), quick());
  const AdviceModel& model = training.model;
  EXPECT_EQ(model.machines, std::vector<std::string>{"A Processor, 4 threads"});
  EXPECT_EQ(model.calibration(Option::openmp, Target::call).groups, 12u);
  EXPECT_FALSE(model.calibration(Option::openmp, Target::call).few_groups);
  EXPECT_EQ(model.calibration(Option::cuda, Target::call).groups, 0u);
  EXPECT_GT(model.calibration(Option::openmp, Target::call).spread, 0);
  EXPECT_EQ(to_text(read_model(to_text(model), "text")), to_text(model));
  for (const TrainingReport& one : training.reports) {
    EXPECT_EQ(one.families, 12u);
    EXPECT_LT(one.held_out, 0.6 * one.start) << name_of(one.option);
  }
}

// Each kernel is slower than the roofline model by a factor of its own, and each time scatters by up to 30 %.
DataSet scattered() {
  DataSet data = branching();
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    DataRow& row = data.rows[i];
    const double own = static_cast<double>((row.problem / 7 * 5) % 12) / 3,
                 off = 0.3 * (static_cast<double>((i * 7919) % 101) / 50 - 1);
    row.call = row.whole = exactly(row.call.median * std::exp(own + off));
  }
  return data;
}

TEST(Training, CalibratesOtherSizesOfKnownKernelsByThemselves) {
  const DataSet data = scattered();
  const AdviceModel model = taught_by(data, measured_problems(data), quick()).model;
  const Calibration &sizes = model.of_size(Option::openmp, Target::call),
                    &families = model.calibration(Option::openmp, Target::call);
  // Each of the 84 problems is held out with every second size, and most also with their decade.
  EXPECT_GT(sizes.groups, 84u);
  EXPECT_LE(sizes.groups, 168u);
  EXPECT_NEAR(sizes.coverage, 0.9, 0.02);
  // Assumes that a tenth of the uncertainty about a kernel is left.
  EXPECT_LT(sizes.half_width(left_of(0.1, sizes.scatter)), families.half_width(1));
  const std::vector<Score> scores =
      evaluate(data, Split::size_between, Target::call, {trained_selectors(quick(), 0.05)[1]});
  EXPECT_GT(*scores[0].coverage, 0.85);
}

// Returns the correlations that follow from these errors of serial code and OpenMP.
template <typename ErrorsOf>
Relation relation_by(ErrorsOf errors_of) {
  DataSet data = branching();
  for (DataRow& row : data.rows) {
    const Form& form = data.problems[row.problem].known.form;
    const double modelled = *analytic_time(form, data.machines[0].profile, *row.option, Target::call);
    const auto family = row.problem / 7;  // seven sizes per family
    row.call = row.whole = exactly(modelled * std::exp(errors_of(*row.option, family, row.problem % 7)));
  }
  return relations_of(data, measured_problems(data), AnalyticModel(Constants()))[0];
}

// The twelve families have weight twelve. The prior value has weight eight.
TEST(Relations, SayWhatLastsOverSizesAndWhatOptionsShare) {
  const auto sign = [](std::size_t number) { return number % 2 ? 1.0 : -1.0; };
  const double thought = 0.5, certain = (12 * 0.95 + 8 * thought) / 20,
               nothing = (12 * 0.05 + 8 * thought) / 20;
  const Relation alike = relation_by([&](Option, std::size_t family, std::size_t) { return sign(family); });
  EXPECT_NEAR(alike.lasting[0], certain, 1e-6);
  EXPECT_NEAR(alike.same_device, certain, 1e-6);
  EXPECT_EQ(alike.lasting[4], thought);  // CUDA was not measured
  EXPECT_EQ(alike.other_device, thought);
  const Relation unlike = relation_by([&](Option option, std::size_t family, std::size_t size) {
    return option == Option::serial ? sign(family) : sign(size / 4);
  });
  EXPECT_NEAR(unlike.lasting[0], certain, 1e-6);
  EXPECT_NEAR(unlike.lasting[1], nothing, 1e-6);
  EXPECT_NEAR(unlike.same_device, nothing, 0.05);
}

// With few cores, two options are correlated for that reason alone. Only the rest is estimated.
TEST(Relations, SayWhatOptionsShareBesidesWhatFewCoresDo) {
  const auto sign = [](std::size_t number) { return number % 2 ? 1.0 : -1.0; };
  const double apart = cores_apart(branching().machines[0].profile.threads), shared = 1 - 0.5 * apart;
  ASSERT_GT(apart, 0);
  ASSERT_LT(apart, 1);
  const Relation half = relation_by([&](Option option, std::size_t family, std::size_t size) {
    return option == Option::serial ? sign(family)
                                    : shared * sign(family) + std::sqrt(1 - shared * shared) * sign(size / 4);
  });
  EXPECT_NEAR(half.same_device, 0.5, 1e-6);
}

// If an option was not measured for a problem, the problem is used for training, but not for calibration.
TEST(Training, CalibratesByProblemsWithAChoice) {
  DataSet data = scattered();
  std::erase_if(data.rows,
                [](const DataRow& row) {  // a third of the families has only serial code, with large errors
                  return row.option == Option::openmp && row.problem / 7 % 3 == 0;
                });
  for (DataRow& row : data.rows)
    if (row.problem / 7 % 3 == 0) row.call = row.whole = exactly(1000 * row.call.median);
  const Training training = taught_by(data, measured_problems(data), quick());
  const AdviceModel& model = training.model;
  EXPECT_EQ(model.calibration(Option::serial, Target::call).groups, 8u);
  EXPECT_EQ(model.calibration(Option::openmp, Target::call).groups, 8u);
  EXPECT_EQ(training.reports.front().families, 12u);
  std::erase_if(data.rows, [](const DataRow& row) { return row.option == Option::openmp; });
  EXPECT_EQ(taught_by(data, measured_problems(data), quick())
                .model.calibration(Option::serial, Target::call)
                .groups,
            12u);  // all families
}

// The same for other sizes of known kernels: a third of the families lacks OpenMP and is left out of the
// calibration.
TEST(Training, CalibratesOtherSizesByProblemsWithAChoice) {
  DataSet data = scattered();
  const std::size_t all =
      taught_by(data, measured_problems(data), quick()).model.of_size(Option::serial, Target::call).groups;
  std::erase_if(data.rows,
                [](const DataRow& row) { return row.option == Option::openmp && row.problem / 7 % 3 == 0; });
  const AdviceModel model = taught_by(data, measured_problems(data), quick()).model;
  EXPECT_EQ(model.of_size(Option::serial, Target::call).groups, all * 2 / 3);
  std::erase_if(data.rows, [](const DataRow& row) { return row.option == Option::openmp; });
  EXPECT_EQ(
      taught_by(data, measured_problems(data), quick()).model.of_size(Option::serial, Target::call).groups,
      all);  // all of them
}

// Held-out cases must not influence constants or intervals. If their times change, the model must not change
// by one byte. The comparison also detects a planted leak.
TEST(Training, SeesNothingOfWhatIsHeldOut) {
  const DataSet data = scattered();
  DataSet other = data;
  for (const Split split : {Split::size_out, Split::size_between, Split::family_out}) {
    const Folds folds(data, split);
    const std::vector<Part> parts = folds.parts(folds.names().front());
    for (std::size_t i = 0; i < parts.size(); ++i)
      other.rows[i].call =
          parts[i] == Part::test ? exactly(50 * data.rows[i].call.median) : data.rows[i].call;
    const auto taught_on = [&](const DataSet& set, bool leak) {
      ProblemsByTarget problems;
      for (const Contest& one : measured_problems(set, Target::call))
        if (leak || parts[one.rows.front()] == Part::train) problems[0].push_back(one);
      return to_text(taught_by(set, problems, quick()).model);
    };
    EXPECT_EQ(taught_on(data, false), taught_on(other, false)) << name_of(split);
    EXPECT_NE(taught_on(data, true), taught_on(other, true)) << name_of(split);
  }
}

TEST(AdviceSelector, ChoosesForFamiliesThatItHasNotSeenAndSaysHowSureItIs) {
  std::vector<Selector> selectors = baselines(Constants());
  for (const Selector& one : trained_selectors(quick(), 0.05)) selectors.push_back(one);
  const std::vector<Score> scores = evaluate(branching(), Split::family_out, Target::call, selectors);
  EXPECT_LT(fraction_of(scores, "physics"), 0.8);
  for (const char* name : {"physics, fitted", "advice", "advice, serial measured"})
    EXPECT_GT(fraction_of(scores, name), 0.98) << name;
  const Score& advice = scores[scores.size() - 2];
  ASSERT_TRUE(advice.coverage);
  EXPECT_GT(*advice.coverage, 0.8);
}

// Selectors that share a model train it once. Models of different targets and folds must remain separate.
TEST(AdviceSelector, SharesNoModelBetweenFoldsAndTargets) {
  const TrainingSettings settings = quick();
  const DataSet data = branching();
  const ProblemsByTarget all = measured_problems(data);
  ProblemsByTarget half = all;
  for (std::vector<Contest>& of_target : half) of_target.resize(of_target.size() / 2);
  const Contest& last = all[0].back();
  const std::vector<Selector> shared = trained_selectors(settings, 0.05);
  const Answer by_half = shared[1].teach(data, Target::call, half)(last);
  const Answer after = shared[1].teach(data, Target::call, all)(last);
  const Answer alone = trained_selectors(settings, 0.05)[1].teach(data, Target::call, all)(last);
  EXPECT_EQ(after.cost, alone.cost);
  EXPECT_NE(by_half.cost, alone.cost);
  EXPECT_EQ(shared[1].teach(data, Target::call, half)(last).cost, by_half.cost);
}

}  // namespace
}  // namespace sextant::predict
