// Tests of complete advice: the chosen option, abstention, proposed measurements, copies, crossovers, and
// suggested variants.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "advice_model.hpp"
#include "predict/advice.hpp"

namespace sextant::predict {
namespace {

using test::constant_model;
using test::copy_form;
using test::machine_with_gpu;

const std::vector<Option> three = {Option::serial, Option::openmp, Option::cuda};
constexpr Offered offered = {true, true, false, false, true, false};

Predictor predictor_with(const AdviceModel& model) { return {model, machine_with_gpu(), {}, {}}; }

Advice advise_at(const AdviceModel& model, std::int64_t items, bool resident = false, double risk = 0.05) {
  const Asked asked = {.kernel = "copy float", .problem = {}, .form = copy_form(items), .resident = resident};
  return advise(predictor_with(model), asked, offered, risk);
}

// For 8 MiB, one core takes 0.93 ms, four cores take 0.23 ms, and the GPU takes 16 µs. Copies to and from the
// GPU take 0.84 ms.
TEST(Choice, IsSureWhereOptionsLieFarApart) {
  const AdviceModel model = constant_model(three, 0.05, 0.1);
  const Advice advice = advise_at(model, 1 << 20);
  EXPECT_EQ(advice.choice, Option::openmp);
  EXPECT_FALSE(advice.abstains);
  EXPECT_TRUE(advice.to_measure.empty());
  EXPECT_EQ(advice.resident, Option::cuda);
  EXPECT_EQ(advise_at(model, 1 << 20, true).choice, Option::cuda);
  const Gain over_serial = gain(advice, Option::openmp, Option::serial);
  EXPECT_NEAR(over_serial.factor, 4, 0.1);
  EXPECT_NEAR(over_serial.high / over_serial.factor, std::exp(0.1), 1e-9);  // correlation of the errors: 1/2
  EXPECT_NEAR(over_serial.factor / over_serial.low, std::exp(0.1), 1e-9);
  EXPECT_EQ(advice.next_best(Option::openmp), Option::cuda);
}

// Nothing was measured, so the advised variant of a user kernel, which has no traits, may be the slow one.
TEST(Choice, IsNotSureOfAUserKernelsOptionWithSeveralVariants) {
  const AdviceModel model = constant_model(three, 0.05, 0.1);
  Asked asked = {.kernel = "copy float", .problem = {}, .form = copy_form(1 << 20), .resident = true};
  asked.form.traits = {};
  asked.variants[4] = 1;  // CUDA
  const Offered two_options = {true, false, false, false, true, false};
  const Advice one = advise(predictor_with(model), asked, two_options, 0.5);
  asked.variants[4] = 2;
  const Advice two = advise(predictor_with(model), asked, two_options, 0.5);
  EXPECT_EQ(two.choice, Option::cuda);
  ASSERT_EQ(two.outside.size(), one.outside.size() + 1);
  EXPECT_EQ(two.outside.back(), "which of its 2 variants is fast");
  EXPECT_TRUE(two.abstains);
}

// Each item reads 1024 elements, and the items do not keep the GPU's 2048 threads busy.
TEST(Choice, IsNotSureOfFewLongItemsOnAGpu) {
  const AdviceModel model = constant_model(three, 0.05, 0.1);
  Asked asked = {.kernel = "copy float", .problem = {}, .form = copy_form(1 << 20), .resident = true};
  asked.form.traits = {};
  const std::string reason = "how threads share its few long items";
  const auto says = [&](std::int64_t items) {
    asked.form.work.items = items;
    const Advice advice = advise(predictor_with(model), asked, offered, 0.5);
    EXPECT_EQ(advice.choice, Option::cuda);
    return std::count(advice.outside.begin(), advice.outside.end(), reason);
  };
  EXPECT_EQ(says(1 << 10), 1);
  EXPECT_EQ(says(1 << 12), 0);
}

TEST(Choice, SaysFromHowManyUsesTheGpuPays) {
  const AdviceModel model = constant_model(three, 0.05, 0.1);
  const Advice advice = advise_at(model, 1 << 20);
  ASSERT_TRUE(advice.pays_from);
  Asked asked = {.kernel = "copy float", .problem = {}, .form = copy_form(1 << 20)};
  asked.reuse = *advice.pays_from;
  EXPECT_EQ(advise(predictor_with(model), asked, {false, true, false, false, true, false}, 1).choice,
            Option::cuda);
  asked.reuse -= 1;
  EXPECT_EQ(advise(predictor_with(model), asked, {false, true, false, false, true, false}, 1).choice,
            Option::openmp);
  EXPECT_FALSE(advise_at(model, 1 << 4).pays_from);  // a launch takes longer than the loop
}

TEST(Choice, OfAFirstCallCountsWhatItsLibraryLoads) {
  const AdviceModel model = constant_model(three, 0.05, 0.1);
  const Advice advice = advise_at(model, 1 << 20, true);
  ASSERT_EQ(advice.choice, Option::cuda);  // CUDA takes 16 µs, OpenMP 0.23 ms
  std::array<double, option_count> more = {};
  EXPECT_EQ(choice_with(advice, more), Option::cuda);
  more[static_cast<std::size_t>(Option::cuda)] = 1e-4;
  EXPECT_EQ(choice_with(advice, more), Option::cuda);
  more[static_cast<std::size_t>(Option::cuda)] = 2e-3;
  EXPECT_EQ(choice_with(advice, more), Option::openmp);
}

TEST(Choice, AbstainsAboveTheRiskAndNamesWhatToMeasure) {
  const AdviceModel model = constant_model(three, 1.5, 2);
  const Advice advice = advise_at(model, 1 << 20);
  EXPECT_TRUE(advice.abstains);
  ASSERT_FALSE(advice.to_measure.empty());
  EXPECT_LT(advice.loss_when_measured, advice.decision.loss);
  EXPECT_FALSE(advise_at(model, 1 << 20, false, 10).abstains);
}

// Of a kernel without counts and traits, only its bytes are known.
TEST(Choice, AbstainsByNameIfNoOperationsAreCounted) {
  const AdviceModel model = constant_model(three, 0.01, 0.02);
  Asked asked = {.kernel = "copy float", .problem = {}, .form = copy_form(1 << 20)};
  asked.form.work.flops = 0;
  const auto named = [&] {
    const Advice advice = advise(predictor_with(model), asked, offered, 0.05);
    return std::count_if(advice.outside.begin(), advice.outside.end(),
                         [](const std::string& one) { return one.starts_with("operations,"); });
  };
  EXPECT_EQ(named(), 0);
  asked.form.traits = {};
  EXPECT_EQ(named(), 1);
  EXPECT_TRUE(advise(predictor_with(model), asked, offered, 10).abstains);
  asked.form.work.integer_operations = 1 << 20;
  EXPECT_EQ(named(), 0);
}

// OpenMP is expected to be 4 times as fast as serial code, so the expected loss is small. But the interval of
// this ratio reaches below 1.
TEST(Choice, IsSureOnlyWhereIntervalsSeparate) {
  const AdviceModel model = constant_model({Option::serial, Option::openmp}, 0.3, 1.5);
  const Asked asked = {.kernel = "copy float", .problem = {}, .form = copy_form(1 << 20)};
  const Advice advice = advise(predictor_with(model), asked, {true, true, false, false, false, false}, 0.05);
  EXPECT_FALSE(advice.decision.abstains);
  EXPECT_TRUE(advice.abstains);
  EXPECT_FALSE(advice.to_measure.empty());
}

TEST(Choice, AbstainsBeyondWhatWasLearntUnlessItWasMeasured) {
  const AdviceModel model = constant_model(three, 0.01, 0.02);
  Asked asked = {.kernel = "copy float", .problem = {}, .form = copy_form(1 << 20)};
  asked.form.work.flops *= 1'000'000;
  const Advice advice = advise(predictor_with(model), asked, offered, 0.05);
  EXPECT_FALSE(advice.decision.abstains);
  EXPECT_TRUE(advice.abstains);
  EXPECT_FALSE(advice.outside.empty());
  ASSERT_EQ(advice.to_measure.size(), 2u);
  EXPECT_EQ(advice.to_measure.front(), advice.choice);
}

TEST(Choice, AbstainsOnAMachineThatTheModelNeverSawUnlessItSawMany) {
  AdviceModel model = constant_model(three, 0.01, 0.02);
  model.machines = {"Another Processor, 64 threads"};
  const Advice advice = advise_at(model, 1 << 20);
  EXPECT_TRUE(advice.abstains);
  EXPECT_EQ(advice.outside, std::vector<std::string>{"the machine"});
  ASSERT_EQ(advice.to_measure.size(), 2u);
  EXPECT_EQ(advice.to_measure.front(), advice.choice);
  for (int i = 1; i < 9; ++i) model.machines.push_back("Processor " + std::to_string(i));
  EXPECT_FALSE(advise_at(model, 1 << 20).abstains);
}

TEST(Choice, PartsOfMachinesAreNoOtherMachines) {
  AdviceModel model = constant_model(three, 0.01, 0.02);
  Profile other = machine_with_gpu();
  other.gpu->name = "Another GPU", other.gpu->multiprocessors = 100;
  model.machines.clear();
  for (const double threads : {1, 2, 4, 8, 16})
    other.threads = threads, model.machines.push_back(hardware_of(other));
  other.gpu->whole_multiprocessors = other.gpu->multiprocessors;
  for (const double multiprocessors : {10, 20, 30, 40, 50})
    other.gpu->multiprocessors = multiprocessors, model.machines.push_back(hardware_of(other));
  EXPECT_EQ(advise_at(model, 1 << 20).outside, std::vector<std::string>{"the machine"});
  Profile part = machine_with_gpu();
  part.threads *= 2;
  model.machines = {hardware_of(part)};
  EXPECT_FALSE(advise_at(model, 1 << 20).abstains);
}

TEST(Choice, SaysNothingWithoutAnOption) {
  const AdviceModel model = constant_model(three, 0.05, 0.1);
  const Asked asked = {.kernel = "copy float", .problem = {}, .form = copy_form(1 << 20)};
  const Advice advice = advise(predictor_with(model), asked, {}, 0.05);
  EXPECT_FALSE(advice.choice);
  EXPECT_TRUE(advice.abstains);
}

// One core takes 8 n / 9 GB/s, four cores take 1 µs plus a quarter of that. The times are equal at n = 1500.
TEST(Crossovers, LieWhereTheTimesMeetWithTheirInterval) {
  const AdviceModel model = constant_model(three, 0.05, 0.1);
  std::vector<std::pair<std::int64_t, Advice>> over_sizes;
  for (std::int64_t items = 256; items <= 1 << 16; items *= 2)
    over_sizes.emplace_back(items, advise_at(model, items));
  const std::vector<Crossover> found = crossovers(over_sizes);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].before, Option::serial);
  EXPECT_EQ(found[0].after, Option::openmp);
  EXPECT_NEAR(found[0].n, 1500, 40);
  ASSERT_TRUE(found[0].low && found[0].high);
  EXPECT_LT(*found[0].low, found[0].n);
  EXPECT_GT(*found[0].low, 1000);
  EXPECT_GT(*found[0].high, found[0].n);
  EXPECT_LT(*found[0].high, 2000);
  const AdviceModel vague = constant_model(three, 0.05, 9);
  over_sizes.clear();
  for (std::int64_t items = 256; items <= 1 << 16; items *= 2)
    over_sizes.emplace_back(items, advise_at(vague, items));
  ASSERT_EQ(crossovers(over_sizes).size(), 1u);
  EXPECT_FALSE(crossovers(over_sizes)[0].low || crossovers(over_sizes)[0].high);
}

DataRow row_of(std::size_t machine, std::size_t problem, const char* variant, double seconds) {
  DataRow row;
  row.machine = machine, row.problem = problem;
  row.what.variant = variant;
  row.option = Option::cuda;
  row.call = {seconds, seconds, seconds, seconds, 10};
  row.whole = row.call;
  return row;
}

TEST(KnownBest, IsOfTheNearestSizeHereBeforeElsewhere) {
  DataSet data;
  data.machines = {{"m", machine_with_gpu()}, {"other", machine_with_gpu()}};
  data.machines[1].profile.processor = "Another Processor";
  for (const std::int64_t n : {1000, 100'000}) {
    DataProblem problem;
    problem.what.kernel = "copy";
    problem.what.problem.n = n;
    problem.what.problem.extents.x = n;
    data.problems.push_back(problem);
  }
  data.rows = {row_of(0, 0, "cuda.small", 2), row_of(0, 0, "cuda.slow", 3), row_of(0, 1, "cuda.large", 5),
               row_of(1, 1, "cuda.elsewhere", 1)};
  Case what = data.problems[1].what;
  const std::string here = hardware_of(data.machines[0].profile);
  const auto best = [&] { return known_best(data, here, what, Option::cuda, Target::call); };
  EXPECT_EQ(best().row->what.variant, "cuda.large");
  EXPECT_TRUE(best().here && best().same_problem);
  what.problem.n = what.problem.extents.x = 3000;
  EXPECT_EQ(best().row->what.variant, "cuda.small");
  EXPECT_FALSE(best().same_problem);
  data.rows.erase(data.rows.begin(), data.rows.begin() + 3);
  EXPECT_EQ(best().row->what.variant, "cuda.elsewhere");
  EXPECT_FALSE(best().here);
  what.kernel = "add";
  EXPECT_EQ(best().row, nullptr);
}

}  // namespace
}  // namespace sextant::predict
