// Tests of fitting the constants of the analytic model.
#include <gtest/gtest.h>

#include <cmath>

#include "advice_model.hpp"
#include "predict/train/model_training.hpp"
#include "predict/train/user_kernels.hpp"

namespace sextant::predict {
namespace {

// Twelve families of copies: even ones are bound by memory, odd ones by operations, of which some branch.
struct Families {
  Profile profile = test::machine_with_gpu();
  std::vector<Form> forms;
  std::vector<FitCase> cases;

  explicit Families(const Constants& constants) {
    for (std::size_t family = 0; family < 12; ++family)
      for (std::int64_t n = 100'000; n < 10'000'000; n *= 3) {
        Form form = test::copy_form(n);
        form.traits.loads = form.traits.stores = 1;
        form.traits.divergence = family % 4 == 3 ? 0.1 : 0;
        if (family % 2 == 1) form.work.flops = 200 * n;
        forms.push_back(form);
      }
    for (std::size_t i = 0; i < forms.size(); ++i)
      for (const Option option : {Option::serial, Option::openmp, Option::cuda})
        cases.push_back({&forms[i], &profile, option, Target::call, i / 5,
                         std::log(*AnalyticModel(constants).time(forms[i], profile, option, Target::call))});
  }
};

double worst_error(const Constants& constants, const std::vector<FitCase>& cases) {
  double worst = 0;
  for (const FitCase& one : cases) {
    const auto time = AnalyticModel(constants).time(*one.form, *one.profile, one.option, one.target);
    worst = std::max(worst, std::abs(one.log_time - std::log(*time)));
  }
  return worst;
}

TEST(ConstantsFit, FindsConstantsThatSeveralFamiliesTell) {
  Constants truth = Constants();
  truth.code_memory = 0.4, truth.code_arithmetic = 0.05, truth.gpu_memory = 0.5, truth.diverging = 60;
  const Families families(truth);
  const Constants fitted = fitted_constants(families.cases, {});
  EXPECT_GT(worst_error(Constants(), families.cases), 0.7);
  EXPECT_LT(worst_error(fitted, families.cases), 0.3);
  EXPECT_NEAR(fitted.code_memory, 0.4, 0.06);
  EXPECT_NEAR(fitted.diverging, 60, 20);
  EXPECT_EQ(fitted.scattered_step, Constants().scattered_step);  // no family sorts
  EXPECT_EQ(fitted.gpu_arithmetic, Constants().gpu_arithmetic);  // it is right
}

TEST(ConstantsFit, LeavesAConstantThatOneFamilyTells) {
  Families families{Constants()};
  for (FitCase& one : families.cases)
    if (one.group == 3 && one.option == Option::serial) one.log_time += 0.5;
  FitSettings settings;
  settings.price = 1;
  EXPECT_EQ(fitted_constants(families.cases, settings).diverging, Constants().diverging);
  settings.price = 0;
  EXPECT_NE(fitted_constants(families.cases, settings).diverging, Constants().diverging);
}

TEST(ConstantsFit, EachConstantHasALineAndStaysInItsRange) {
  for (const ConstantLine& line : constant_lines()) {
    const double start = Constants().*line.value;
    EXPECT_GT(start, 0) << line.name;
    EXPECT_TRUE(line.kind != ConstantKind::share || start <= 1) << line.name;
  }
  Constants truth = Constants();
  truth.code_memory = 3;  // more than the ceilings allow
  EXPECT_LE(fitted_constants(Families(truth).cases, {}).code_memory, 1);
}

TEST(Training, FoldsHoldGroupsOutWholeAndDealTheLargestOutFirst) {
  EXPECT_EQ(folds_of({5, 90, 7, 80, 6}, 2), (std::vector<std::size_t>{0, 0, 0, 1, 1}));
  EXPECT_EQ(folds_of({1, 1, 1}, 8), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(folds_of({4}, 8), std::vector<std::size_t>{0});
  EXPECT_TRUE(folds_of({}, 8).empty());
}

// Twelve user kernels without traits. Serial code of kernel i takes 2 + i % 2 times as long as modelled, that
// of the last one `last` times as long.
DataSet user_kernels(double last) {
  DataSet data;
  data.machines = {{"m", test::machine_with_gpu()}};
  const AnalyticModel analytic{Constants()};
  for (int kernel = 0; kernel < 12; ++kernel)
    for (std::int64_t items = 1 << 12; items <= 1 << 18; items *= 8) {
      const std::string name = "own" + std::to_string(10 + kernel);
      DataProblem problem = {name + " float " + std::to_string(items), {}, {test::copy_form(items), "own"}};
      problem.known.form.traits = {};
      problem.what.kernel = name;
      problem.what.problem.n = problem.known.form.n;
      DataRow row;
      row.problem = data.problems.size();
      row.what = problem.what;
      row.what.variant = "serial.baseline";
      row.option = Option::serial;
      const double modelled = *analytic.time(problem.known.form, data.machines[0].profile, Option::serial,
                                             Target::call),
                   seconds = modelled * (kernel == 11 ? last : 2 + kernel % 2);
      row.call = row.whole = {seconds, seconds, seconds, seconds, 10};
      data.rows.push_back(row);
      data.problems.push_back(problem);
    }
  return data;
}

TEST(UserKernels, AreJudgedByConstantsOfOtherKernels) {
  const AdviceModel model = test::constant_model({Option::serial, Option::openmp, Option::cuda}, 0.2, 0.7);
  const auto alike = held_out_models(user_kernels(3), model),
             apart = held_out_models(user_kernels(300), model);
  ASSERT_EQ(alike.size(), 12u);
  const auto constants = [](const auto& models, const char* kernel) { return models.at(kernel)->constants; };
  EXPECT_EQ(constants(alike, "own21").counted_serial_deviation,
            constants(apart, "own21").counted_serial_deviation);
  EXPECT_EQ(constants(alike, "own21").counted_serial, constants(apart, "own21").counted_serial);
  EXPECT_LT(constants(alike, "own10").counted_serial_deviation,
            constants(apart, "own10").counted_serial_deviation);
  EXPECT_GT(constants(alike, "own21").counted_serial, 1.9);
  EXPECT_LT(constants(alike, "own21").counted_serial, 3.1);
}

}  // namespace
}  // namespace sextant::predict
