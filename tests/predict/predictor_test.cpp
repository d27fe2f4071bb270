// Tests of predicted times, which combine the analytic model, a hand-made model and measured cases.
#include "predict/predictor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "advice_model.hpp"
#include "predict/launches.hpp"
#include "predict/sha256.hpp"
#include "predict/shipped_model.hpp"
#include "refusal.hpp"

namespace sextant::predict {
namespace {

using test::constant_model;
using test::copy_form;
using test::machine_with_gpu;

const std::vector<Option> three = {Option::serial, Option::openmp, Option::cuda};

std::size_t at(Option option) { return static_cast<std::size_t>(option); }

Asked asked_for(std::int64_t items) {
  return {.kernel = "copy float", .problem = "copy float " + std::to_string(items), .form = copy_form(items)};
}

// The same with all traits, so that the errors of one option correct the others.
Asked traits_known(Asked asked) {
  asked.form.traits.loads = asked.form.traits.stores = 1;
  return asked;
}

// Returns data with one case: copy in float, measured with serial code and CUDA. Times are in seconds.
DataSet measured(const Profile& machine, std::int64_t items, double serial, double cuda_call,
                 double cuda_whole) {
  const auto exactly = [](double seconds) { return Interval{seconds, seconds, seconds, seconds, 10}; };
  DataSet data;
  data.machines = {{"m", machine}};
  DataProblem problem = {"copy float " + std::to_string(items), {}, {copy_form(items), "stream"}};
  problem.what.kernel = "copy";
  problem.what.problem.n = 2 * items;
  data.problems = {problem};
  for (const Option option : {Option::serial, Option::cuda}) {
    DataRow row;
    row.what = problem.what;
    row.option = option;
    row.call = exactly(option == Option::serial ? serial : cuda_call);
    row.whole = exactly(option == Option::serial ? serial : cuda_whole);
    data.rows.push_back(row);
  }
  return data;
}

Predictor with(const AdviceModel& model, const Profile& profile, const DataSet& data = {}) {
  return {
      model, profile, data, {measured_problems(data, Target::call), measured_problems(data, Target::whole)}};
}

TEST(Predictor, TakesThePhysicsAndTheModelsInterval) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  const Prediction prediction = with(model, machine_with_gpu()).predict(asked_for(1 << 17));
  const Expected& serial = prediction[at(Option::serial)].total;
  const double modelled =
      *analytic_time(copy_form(1 << 17), machine_with_gpu(), Option::serial, Target::call);
  EXPECT_NEAR(modelled, 8.0 * (1 << 17) / 1e10 / of_plain_code.memory, 1.1e-8);
  EXPECT_NEAR(serial.log_time, std::log(modelled), 1e-9);
  EXPECT_DOUBLE_EQ(serial.deviation, 0.2);
  EXPECT_DOUBLE_EQ(serial.half_width, 0.7);
  EXPECT_EQ(prediction[at(Option::serial)].basis, Basis::analytic);
  EXPECT_FALSE(prediction[at(Option::serial)].few_groups);
}

TEST(Predictor, CountsCopiesOnceAndCallsAsOftenAsTheDataAreUsed) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  const Predictor predictor = with(model, machine_with_gpu());
  Asked asked = asked_for(1 << 17);
  const auto total = [&](Option option) {
    return std::exp(predictor.predict(asked)[at(option)].total.log_time);
  };
  const double call = std::exp(predictor.predict(asked)[at(Option::cuda)].call.log_time);
  const double once = total(Option::cuda), serial_once = total(Option::serial);
  EXPECT_GT(once, call + 1e-5);
  asked.reuse = 100;
  EXPECT_NEAR(total(Option::cuda), once + 99 * call, 1e-9);
  EXPECT_NEAR(total(Option::serial), 100 * serial_once, 1e-9);
  asked = asked_for(1 << 17);
  asked.resident = true;
  EXPECT_NEAR(total(Option::cuda), call, 1e-12);
}

TEST(Predictor, AnswersWithWhatWasMeasuredHere) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  const DataSet data = measured(machine_with_gpu(), 1 << 17, 0.25, 0.5, 2);
  const Prediction prediction = with(model, machine_with_gpu(), data).predict(asked_for(1 << 17));
  EXPECT_EQ(prediction[at(Option::serial)].basis, Basis::measured);
  EXPECT_NEAR(std::exp(prediction[at(Option::serial)].total.log_time), 0.25, 1e-12);
  EXPECT_NEAR(std::exp(prediction[at(Option::cuda)].call.log_time), 0.5, 1e-12);
  EXPECT_NEAR(std::exp(prediction[at(Option::cuda)].total.log_time), 2, 1e-12);
  EXPECT_LT(prediction[at(Option::serial)].total.half_width, 0.05);
}

TEST(Predictor, ExpectsNoLaunchLongerThanTheShortestCallOfTheMachine) {
  const Profile machine = machine_with_gpu();
  const DataSet data = measured(machine, 1 << 10, 1e-6, 3e-6, 1);
  const std::vector<Contest> calls = measured_problems(data, Target::call);
  const Profile within = with_launches_within(machine, data, calls);
  EXPECT_EQ(within.on_gpu.launch_cost("cuda"), 3e-6);  // the ceiling is 5e-6
  EXPECT_EQ(within.all_cores.launch_cost("openmp"), 1e-6);
  Profile other = machine;
  other.processor = "Another";
  EXPECT_EQ(with_launches_within(other, data, calls).on_gpu.launch_cost("cuda"), 5e-6);

  const AdviceModel model = constant_model(three, 0.2, 0.7);
  Asked another = asked_for(1 << 17);
  another.kernel = "another float", another.problem = "another float 131072", another.resident = true;
  EXPECT_NEAR(std::exp(with(model, machine).predict(another)[at(Option::cuda)].total.log_time) -
                  std::exp(with(model, machine, data).predict(another)[at(Option::cuda)].total.log_time),
              2e-6, 1e-12);
}

TEST(Predictor, LearnsFromOtherSizesAndOtherMachinesOfTheKernelAlone) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  const double modelled =
      *analytic_time(copy_form(1 << 17), machine_with_gpu(), Option::serial, Target::call);
  const DataSet data = measured(machine_with_gpu(), 1 << 17, 10 * modelled, 1, 1);  // ten times the roofline
  const Predictor predictor = with(model, machine_with_gpu(), data);
  const auto residual = [&](const Predictor& by, const Asked& asked, Option option) {
    return by.predict(asked)[at(option)].total.log_time -
           std::log(*analytic_time(asked.form, machine_with_gpu(), option, Target::call));
  };
  const Prediction near = predictor.predict(traits_known(asked_for(1 << 18)));
  EXPECT_EQ(near[at(Option::serial)].basis, Basis::nearby);
  EXPECT_GT(residual(predictor, asked_for(1 << 18), Option::serial), 0.8 * std::log(10));
  EXPECT_GT(residual(predictor, traits_known(asked_for(1 << 18)), Option::openmp),
            0.15 * std::log(10));  // the serial case also corrects OpenMP
  EXPECT_LT(near[at(Option::serial)].total.half_width, near[at(Option::openmp)].total.half_width);
  EXPECT_LT(near[at(Option::openmp)].total.half_width, 0.7);
  Asked other = asked_for(1 << 18);
  other.kernel = "add float";
  EXPECT_NEAR(residual(predictor, other, Option::serial), 0, 1e-9);
  Profile elsewhere = machine_with_gpu();
  elsewhere.processor = "Another Processor";
  const Predictor there = with(model, elsewhere, data);
  EXPECT_EQ(there.predict(asked_for(1 << 17))[at(Option::serial)].basis, Basis::nearby);
  EXPECT_GT(residual(there, asked_for(1 << 17), Option::serial), 0.3 * std::log(10));
}

// Another machine measured CUDA only. The error there may be due to that machine instead of the kernel, so it
// corrects nothing.
TEST(Predictor, RemembersNothingOfAnotherMachineThatMeasuredOneSideAlone) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  DataSet data = measured(machine_with_gpu(), 1 << 17, 1, 1, 1);
  std::erase_if(data.rows, [](const DataRow& row) { return row.option == Option::serial; });
  EXPECT_EQ(with(model, machine_with_gpu(), data).predict(asked_for(1 << 18))[at(Option::cuda)].basis,
            Basis::nearby);
  Profile elsewhere = machine_with_gpu();
  elsewhere.processor = "Another Processor";
  EXPECT_EQ(with(model, elsewhere, data).predict(asked_for(1 << 18))[at(Option::cuda)].basis,
            Basis::analytic);
}

// If the kernel was measured on another machine, the 90 % interval is the one calibrated for such kernels. If
// it was measured only here, the interval is that of unknown kernels, narrowed by what the correction knows.
TEST(Predictor, TakesTheIntervalOfSizesWhereTheOptionIsRemembered) {
  AdviceModel model = constant_model(three, 0.2, 0.7);
  constexpr double scatter = 0.1;
  for (const Option option : three) model.of_sizes[at(option)][0] = {1.5, 300, false, 0.9, 0.6, scatter};
  const double modelled =
      *analytic_time(copy_form(1 << 17), machine_with_gpu(), Option::serial, Target::call);
  const Predictor predictor =
      with(model, machine_with_gpu(), measured(machine_with_gpu(), 1 << 17, modelled, 1, 1));
  const auto said = [&](std::int64_t items, Option option) {
    return predictor.predict(traits_known(asked_for(items)))[at(option)];
  };
  const OptionTime near = said(1 << 18, Option::serial), far = said(1 << 24, Option::serial);
  const double unremovable = std::pow(0.22 / 0.7, 2);
  EXPECT_NEAR(near.total.half_width, 0.7 * left_of(near.open, unremovable), 1e-12);
  EXPECT_NEAR(near.total.deviation, 0.2 * left_of(near.open, unremovable), 1e-12);
  EXPECT_GT(near.open, 0.05);  // even a close size differs, because sessions scatter
  EXPECT_LT(near.open, 0.3);
  EXPECT_GT(far.total.half_width, near.total.half_width);
  EXPECT_LT(far.open, 0.8);  // the error that occurs at every size remains known
  EXPECT_GT(far.open, near.open);
  const OptionTime other = said(1 << 18, Option::openmp);  // no case of this option is known; the correlation
                                                           // of the two options limits the correction
  EXPECT_NEAR(other.total.half_width, 0.7 * left_of(other.open, unremovable), 1e-12);
  Profile elsewhere = machine_with_gpu();
  elsewhere.processor = "Another Processor";
  const OptionTime there = with(model, elsewhere, measured(machine_with_gpu(), 1 << 17, modelled, 1, 1))
                               .predict(traits_known(asked_for(1 << 17)))[at(Option::serial)];
  EXPECT_DOUBLE_EQ(there.total.half_width, 1.5 * left_of(there.open, scatter));
  EXPECT_NEAR(there.total.deviation, 0.6 * left_of(there.open, scatter), 1e-12);
  EXPECT_GT(there.open, near.open);
}

// Serial code that takes 800 times what its description says takes 800 times as long at other sizes, too.
TEST(Predictor, KeepsTheErrorOfADescriptionOverSizes) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  const Profile machine = machine_with_gpu();
  const double modelled = *analytic_time(copy_form(1 << 14), machine, Option::serial, Target::call);
  const Predictor predictor = with(model, machine, measured(machine, 1 << 14, 800 * modelled, 1, 1));
  const OptionTime serial = predictor.predict(asked_for(1 << 20))[at(Option::serial)];
  EXPECT_EQ(serial.basis, Basis::nearby);
  EXPECT_TRUE(serial.sizes_known);
  EXPECT_NEAR(std::exp(serial.total.log_time) / (64 * 800 * modelled), 1, 0.02);
  ASSERT_TRUE(serial.over_description);
  EXPECT_NEAR(*serial.over_description, 800, 16);
  EXPECT_FALSE(predictor.predict(asked_for(1 << 20))[at(Option::openmp)].over_description);
}

// OpenMP takes 70 ms for a size that takes serial code 10 µs, because other programs use the processors. A
// larger size takes little more.
TEST(Predictor, TakesALongStartOfThreadsForNoWork) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  DataSet data = measured(machine_with_gpu(), 1 << 10, 1e-5, 1, 1);
  data.rows[1].option = Option::openmp;
  data.rows[1].call = data.rows[1].whole = {0.07, 0.07, 0.07, 0.07, 10};
  const Prediction prediction = with(model, machine_with_gpu(), data).predict(asked_for(1 << 16));
  EXPECT_NEAR(std::exp(prediction[at(Option::openmp)].call.log_time), 0.07 + 63 * 2e-5, 1e-4);
}

// Code without known traits has as many operations as explain its serial time, on all cores and the GPU, too.
TEST(Predictor, ExplainsOtherOptionsByTheOperationsOfSerialCode) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  const Profile machine = machine_with_gpu();
  const double modelled = *analytic_time(copy_form(1 << 20), machine, Option::serial, Target::call);
  DataSet data = measured(machine, 1 << 20, 100 * modelled, 1, 1);
  std::erase_if(data.rows, [](const DataRow& row) { return row.option != Option::serial; });
  const Prediction prediction = with(model, machine, data).predict(asked_for(1 << 20));
  const double openmp = std::exp(prediction[at(Option::openmp)].call.log_time) / modelled;
  EXPECT_GT(openmp, 100 / 4 / 1.3 * 0.999);  // on four threads
  EXPECT_LT(openmp, 100 / 2.0);
  EXPECT_GT(std::exp(prediction[at(Option::cuda)].call.log_time), 0.2 * modelled);
  EXPECT_GT(prediction[at(Option::cuda)].call.half_width, 1);  // more than 0.7
}

// A user kernel without traits takes longer than the model of its bytes alone says, and its interval is wide;
// its copies are known.
TEST(Predictor, ExpectsMoreOfKernelsWithoutTraits) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  const Predictor predictor = with(model, machine_with_gpu());
  Asked asked = asked_for(1 << 20), counted = asked;
  asked.form.work.flops = 0;
  asked.form.traits = counted.form.traits = {};
  const auto ratio = [&](const Asked& of, Option option) {
    return std::exp(predictor.predict(of)[at(option)].call.log_time) /
           *analytic_time(of.form, machine_with_gpu(), option, Target::call);
  };
  EXPECT_GT(ratio(asked, Option::serial), 20);
  EXPECT_GT(ratio(counted, Option::serial), 2);
  EXPECT_LT(ratio(counted, Option::serial), 5);
  EXPECT_GT(predictor.predict(asked)[at(Option::serial)].total.half_width, 2);
  const Prediction prediction = predictor.predict(asked);  // on four threads
  EXPECT_NEAR(prediction[at(Option::serial)].call.log_time - prediction[at(Option::openmp)].call.log_time,
              std::log(4 * 1.3), 1e-9);
  EXPECT_NEAR(ratio(asked_for(1 << 20), Option::serial), 1, 1e-9);
  const double modelled = *analytic_time(asked.form, machine_with_gpu(), Option::cuda, Target::whole);
  EXPECT_LT(std::exp(predictor.predict(asked)[at(Option::cuda)].total.log_time), 1.2 * modelled);
}

TEST(Predictor, ThreadsThatTakeTurnsWaitForACacheLineForEachItem) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  const Predictor predictor = with(model, machine_with_gpu());
  Asked asked = asked_for(1 << 20);
  asked.resident = true;
  asked.threads_take_turns = true;
  EXPECT_LT(std::exp(predictor.predict(asked)[at(Option::openmp)].total.log_time), 1e-3);
  asked.form.traits = {};
  EXPECT_NEAR(std::exp(predictor.predict(asked)[at(Option::openmp)].total.log_time),
              model.constants.line_hop * (1 << 20), 1e-9);
  asked.threads_take_turns = false;
  EXPECT_LT(std::exp(predictor.predict(asked)[at(Option::openmp)].total.log_time), 1e-3);
}

TEST(Predictor, ExpectsNothingThatNoMachineReaches) {
  AdviceModel model = constant_model(three, 0.2, 0.7);
  model.constants.code_memory = model.constants.gpu_memory = 100;  // every time is 100 times too short
  const Profile machine = machine_with_gpu();
  const Form form = copy_form(1 << 20);
  const Prediction prediction = with(model, machine).predict(asked_for(1 << 20));
  for (const Option option : three)
    EXPECT_GT(std::exp(prediction[at(option)].call.log_time), 0.49 * least_time(form, machine, option))
        << name_of(option);
  EXPECT_NEAR(least_time(form, machine, Option::serial), 8.0 * (1 << 20) / 1e10, 1e-9);
  EXPECT_NEAR(least_time(form, machine, Option::cuda), 8.0 * (1 << 20) / 1e12, 1e-9);
}

TEST(Predictor, RatiosOfUnknownKernelsAreSurerThanTheirTimes) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  const Prediction unknown = with(model, machine_with_gpu()).predict(asked_for(1 << 18));
  EXPECT_DOUBLE_EQ(half_width_between(unknown, Option::serial, Option::openmp),
                   0.7);  // half of the variance is common to both
  EXPECT_DOUBLE_EQ(half_width_between(unknown, Option::serial, Option::cuda), 0.7 * std::sqrt(2.0));
  EXPECT_EQ(half_width_between(unknown, Option::cuda, Option::cuda), 0);
  const Prediction nearby = with(model, machine_with_gpu(), measured(machine_with_gpu(), 1 << 17, 1, 1, 1))
                                .predict(asked_for(1 << 18));
  const double serial = nearby[at(Option::serial)].total.half_width,
               openmp = nearby[at(Option::openmp)].total.half_width;
  EXPECT_NEAR(std::pow(half_width_between(nearby, Option::serial, Option::openmp), 2),
              serial * serial + openmp * openmp - 2 * Relation().same_device * serial * openmp, 1e-12);
}

// A problem class of a program has no N, but a number of items.
TEST(Predictor, RemembersProblemsWithoutASizeByTheirItems) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  DataSet data = measured(machine_with_gpu(), 1 << 17, 10, 1, 1);
  Form& form = data.problems[0].known.form;
  form.n = data.problems[0].what.problem.n = 0;
  const Predictor predictor = with(model, machine_with_gpu(), data);
  Asked asked = asked_for(1 << 26);
  asked.form.n = 0;
  EXPECT_NEAR(predictor.predict(asked)[at(Option::serial)].total.log_time, std::log(10 * 512.0), 0.01);
}

TEST(Predictor, OfWhatTheModelNeverSawKnowsPhysicsAndTheWidestInterval) {
  AdviceModel model = constant_model({Option::serial, Option::openmp, Option::cuda}, 0.2, 0.7);
  model.calibrations[at(Option::openmp)][0].quantile = 2;
  const Prediction prediction = with(model, machine_with_gpu()).predict(asked_for(1 << 17));
  EXPECT_EQ(prediction[at(Option::cpu_library)].basis, Basis::analytic);
  EXPECT_DOUBLE_EQ(prediction[at(Option::cpu_library)].total.half_width, 2);
  EXPECT_TRUE(prediction[at(Option::cpu_library)].few_groups);
  EXPECT_EQ(prediction[at(Option::openacc)].basis, Basis::nothing);  // no launch cost was measured
}

TEST(Predictor, SaysNothingOfAGpuThatIsNotThere) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  Profile profile = machine_with_gpu();
  profile.gpu.reset();
  const Prediction prediction = with(model, profile).predict(asked_for(1 << 17));
  EXPECT_EQ(prediction[at(Option::cuda)].basis, Basis::nothing);
  EXPECT_EQ(outlooks_of(prediction, {true, true, true, true, true, true}).size(), 3u);
}

TEST(Predictor, NamesWhatLiesBeyondItsTraining) {
  const AdviceModel model = constant_model(three, 0.2, 0.7);
  const Predictor predictor = with(model, machine_with_gpu());
  EXPECT_TRUE(predictor.outside(copy_form(1 << 20)).empty());
  Form busy = copy_form(1 << 20);
  busy.work.flops *= 1'000'000;
  const std::vector<std::string> outside = predictor.outside(busy);
  EXPECT_EQ(std::count(outside.begin(), outside.end(), "flops"), 1);
  EXPECT_EQ(std::count(outside.begin(), outside.end(), "items"), 0);
}

TEST(Model, ComesBackFromItsText) {
  AdviceModel model = constant_model(three, 0.2, 0.7);
  model.machines = {"A Processor, 4 threads", "Another, 8 threads"};
  model.of_sizes[at(Option::cuda)][1] = {1.25, 300, false, 0.91, 0.6};
  model.constants.diverging = 1.0 / 3;
  model.relations[1].same_device = 0.75, model.relations[1].other_device = 0.125;
  model.relations[1].lasting = {0.25, 0.5, 0.5, 0.5, 1, 0};
  const AdviceModel back = read_model(to_text(model), "a file");
  EXPECT_EQ(back.constants.diverging, 1.0 / 3);
  EXPECT_EQ(back.ranges.size(), model.ranges.size());
  EXPECT_EQ(back.relations[0].lasting, Relation().lasting);
  EXPECT_EQ(back.relations[1].lasting, model.relations[1].lasting);
  EXPECT_EQ(back.relations[1].same_device, 0.75);
  EXPECT_EQ(back.relations[1].other_device, 0.125);
  EXPECT_EQ(back.of_size(Option::cuda, Target::whole).quantile, 1.25);
  EXPECT_EQ(back.of_size(Option::cuda, Target::whole).groups, 300u);
  EXPECT_EQ(back.of_size(Option::cuda, Target::call).groups, 0u);
  EXPECT_EQ(back.machines, model.machines);
  const Calibration& calibration = back.calibration(Option::cuda, Target::whole);
  EXPECT_EQ(calibration.quantile, 0.7);
  EXPECT_EQ(calibration.groups, 12u);
  EXPECT_EQ(calibration.spread, 0.2);
  EXPECT_FALSE(calibration.few_groups);
  EXPECT_EQ(back.calibration(Option::openacc, Target::call).groups, 0u);
  EXPECT_EQ(to_text(back), to_text(model));
}

testing::AssertionResult refused(const std::string& text, const std::vector<std::string>& parts) {
  const std::string message = sextant::test::refusal([&] { read_model(text, "FILE"); });
  for (const std::string& part : parts)
    if (message.find(part) == std::string::npos)
      return testing::AssertionFailure() << message << " without " << part;
  return testing::AssertionSuccess();
}

TEST(Model, IsRefusedIfDamagedOrOfOtherConstants) {
  const std::string text = to_text(constant_model(three, 0.2, 0.7));
  std::string damaged = text;
  damaged[text.find("0.7")] = '9';
  for (const auto& [bad, why] : {std::pair<std::string, const char*>{damaged, "damaged"},
                                 {text.substr(0, text.size() - 9), "damaged"},
                                 {"kernel,variant\n", "not an advice model"},
                                 {"sextant advice 9 x\n", "version"}})
    EXPECT_TRUE(refused(bad, {"FILE: ", why, "sextant train"}));
  const auto with_lines = [&](std::string rest) { return "sextant advice 5 " + sha256(rest) + "\n" + rest; };
  std::string rest = text.substr(text.find('\n') + 1);
  const std::size_t first = rest.find("constant "), end = rest.find('\n', first);
  EXPECT_TRUE(refused(with_lines(rest.substr(0, first) + rest.substr(end + 1)), {"FILE: ", "constant"}));
  EXPECT_TRUE(refused(with_lines("machine m\n"), {"FILE: ", "the model lacks constants"}));
  EXPECT_TRUE(refused(with_lines(rest + "colour 3\n"), {"FILE: ", "begins with `colour`"}));
  EXPECT_TRUE(refused(with_lines(rest + "range items 3 2\n"), {"FILE: ", "`range` is not valid"}));
}

TEST(ShippedModel, IsSmallAndKnowsTheModelsOfTheStudy) {
  EXPECT_LT(detail::shipped_model_text().size(), std::size_t{300} << 10);
  const AdviceModel& model = shipped_model();
  EXPECT_FALSE(model.machines.empty());
  for (const Option option : {Option::serial, Option::openmp, Option::openacc, Option::cuda})
    for (const Target target : all_targets)
      EXPECT_GT(model.calibration(option, learnt_as(option, target)).groups, 1u)
          << name_of(option) << ' ' << name_of(target);
}

}  // namespace
}  // namespace sextant::predict
