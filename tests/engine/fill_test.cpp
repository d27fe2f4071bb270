// Tests of `run --fill`: only the timed inputs have the numbers that the user asks for, samples have only
// these inputs, and audits have uniform ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "engine/case/case_runner.hpp"
#include "engine/case/workset.hpp"
#include "engine/parts/rank_runner.hpp"
#include "engine/parts/rank_talk.hpp"
#include "plan/fillable.hpp"
#include "record/json.hpp"
#include "record/json_text.hpp"
#include "record/keys.hpp"
#include "registry/registry.hpp"
#include "toolbox/host/fill_elements.hpp"

namespace sextant {
namespace {

constexpr std::int64_t n = 20'000;

template <typename T>
void doubled(const Problem& p, const void* const* arrays, double* const* results) {
  for (std::int64_t i = 0; i < p.extents.x; ++i)
    results[1][i] = 2 * static_cast<double>(static_cast<const T*>(arrays[0])[i]);
}

Kernel doubling() {
  Kernel kernel;
  kernel.name = "fill_doubling";
  kernel.arrays = {{"a", Role::in}, {"c", Role::out}};
  kernel.extents = [](std::int64_t elements) { return Extents{elements, 1, 1}; };
  kernel.work = [](const Problem&) { return Work{}; };
  kernel.reference = {.float32 = doubled<float>, .float64 = doubled<double>};
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  return kernel;
}

Problem problem_of(ElementType type) { return {n, type, Extents{n, 1, 1}, {}}; }

template <typename T>
std::vector<double> inputs(InputFill fill, ElementType type, Filling filling = timed_filling) {
  const Kernel kernel = doubling();
  Workset workset(kernel, problem_of(type), 7, 4096, fill);
  workset.reset(0xFF, filling);
  const auto* data = static_cast<const T*>(workset.arrays()[0].data);
  const std::vector<double> values(data, data + n);
  EXPECT_EQ(workset.reference(1)[5], 2 * values[5]);
  return values;
}

double deviation(const std::vector<double>& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0) /
                   static_cast<double>(values.size()));
}

template <typename T>
void expect_normal(ElementType type) {
  const std::vector<double> values = inputs<T>(InputFill::normal, type);
  EXPECT_NEAR(deviation(values), 0.25, 0.01);
  EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0) / n, 0, 0.01);
  EXPECT_LE(std::abs(*std::max_element(values.begin(), values.end())), 1);
  EXPECT_LE(std::abs(*std::min_element(values.begin(), values.end())), 1);
  // 4.55 % of normal numbers are beyond 2 standard deviations, 5.8 % of uniform ones beyond 1.63
  const auto beyond = std::count_if(values.begin(), values.end(), [](double x) { return std::abs(x) > 0.5; });
  EXPECT_NEAR(static_cast<double>(beyond) / n, 0.0455, 0.01);
  EXPECT_EQ(values, inputs<T>(InputFill::normal, type)) << "the seed decides";
}

TEST(Fill, IsThatOfTheTimedInputs) {
  expect_normal<float>(ElementType::float32);
  expect_normal<double>(ElementType::float64);
  std::set<double> integers;
  for (const double x : inputs<float>(InputFill::small_integers, ElementType::float32)) integers.insert(x);
  EXPECT_EQ(integers, (std::set<double>{-1, 0, 1}));
  const std::vector<double> values = inputs<double>(InputFill::small_integers, ElementType::float64);
  for (const double one : {-1, 0, 1})
    EXPECT_NEAR(static_cast<double>(std::count(values.begin(), values.end(), one)) / n, 1.0 / 3, 0.02);
  EXPECT_EQ(inputs<float>(InputFill::zeros, ElementType::float32), std::vector<double>(n, 0.0));
  EXPECT_NEAR(deviation(inputs<float>(InputFill::uniform, ElementType::float32)), std::sqrt(1.0 / 3), 0.01);
}

TEST(Fill, LeavesOtherInputsTheirSignificands) {
  for (const InputFill fill : {InputFill::normal, InputFill::small_integers, InputFill::zeros}) {
    const std::vector<double> values = inputs<float>(fill, ElementType::float32, 1);
    EXPECT_NEAR(deviation(values), std::sqrt(1.0 / 3), 0.01) << name_of(fill);
    const auto odd =
        std::count_if(values.begin(), values.end(), [](double x) { return std::fmod(x * 0x1p23, 2) != 0; });
    EXPECT_NEAR(static_cast<double>(odd) / n, 0.5, 0.02) << "the last bit counts";
  }
}

TEST(Fill, OfNormalNumbersIsInEveryFloatingType) {
  for (const std::int64_t i : {0, 1, 77}) {
    const double exact = normal_element<double>(3, i);
    EXPECT_NEAR(normal_element<float>(3, i), exact, 1e-7);
    EXPECT_NEAR(static_cast<double>(static_cast<float>(normal_element<Float16>(3, i))), exact, 1e-3);
    EXPECT_NEAR(static_cast<double>(static_cast<float>(normal_element<BFloat16>(3, i))), exact, 1e-2);
  }
}

TEST(Fill, LeavesOtherInputsOfAKernelAlone) {
  const auto refusal = [](const Kernel& kernel) {
    return why_not_filled(kernel, problem_of(ElementType::float32));
  };
  Kernel kernel = doubling();
  EXPECT_EQ(refusal(kernel), nullptr);
  kernel.arrays.push_back({"index", Role::in, ElementType::int32});
  EXPECT_EQ(refusal(kernel), nullptr);
  EXPECT_FALSE(is_fillable(kernel, problem_of(ElementType::float32), 2));
  kernel.arrays[0].role = Role::inout;
  EXPECT_STREQ(refusal(kernel), "inputs that calls change");
  kernel.arrays[0].role = Role::out;
  EXPECT_STREQ(refusal(kernel), "no floating-point inputs");
  kernel = doubling();
  kernel.initialise.float32 = [](const Problem&, int, std::uint64_t, void*) {};
  EXPECT_STREQ(refusal(kernel), "inputs that are not uniform numbers");
  EXPECT_EQ(why_not_filled(kernel, problem_of(ElementType::float64)), nullptr);
  kernel.fillable = [](const Problem& p, int) { return p.n > 100; };
  EXPECT_EQ(refusal(kernel), nullptr);
}

void sleep_ms(int time) { std::this_thread::sleep_for(std::chrono::milliseconds(time)); }

void doubles(const Call& call) {
  const float* a = call.array<const float>(0);
  float* c = call.array<float>(1);
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) c[i] = 2 * a[i];
}

bool has_zeros(const Call& call) { return call.array<const float>(0)[0] == 0; }

std::vector<float> partition[2];  // the arrays of the only rank

// The variant of one rank, which is faster on zeros, and on inputs that it has just seen.
Variant of_ranks() {
  Variant variant;
  variant.name = "openmp.one_rank";
  variant.model = Model::openmp;
  variant.memory_space = MemorySpace::partitioned;
  variant.parts.needs_mpi = true;
  variant.parts.scatter = [](const Call& call) {
    for (int i = 0; i < 2; ++i)
      partition[i].assign(call.array<const float>(i), call.array<const float>(i) + call.problem.extents.x);
  };
  variant.parts.gather = [](const Call& call) {
    std::copy(partition[1].begin(), partition[1].end(), call.array<float>(1));
  };
  variant.launch.float32 = [](const Call&) {
    static float last = 0;
    const float first = partition[0][0];
    sleep_ms(first == 0 ? 1 : first == last ? 4 : 8);
    last = first;
    for (std::size_t i = 0; i < partition[0].size(); ++i) partition[1][i] = 2 * partition[0][i];
  };
  return variant;
}

// Variants that are faster on zeros, as GPUs are that draw less power.
const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = [] {
    std::vector<Variant> made(4);
    made[0].name = "serial.short";
    made[0].launch.float32 = [](const Call& call) { sleep_ms(has_zeros(call) ? 1 : 4), doubles(call); };
    made[1].name = "serial.long";
    made[1].launch.float32 = [](const Call& call) { sleep_ms(has_zeros(call) ? 70 : 250), doubles(call); };
    made[2].name = "serial.wrong";  // right on zeros
    made[2].launch.float32 = [](const Call& call) {
      std::fill_n(call.array<float>(1), call.problem.extents.x, 0.0f);
    };
    made[3].name = "serial.long_wrong";
    made[3].launch.float32 = [](const Call& call) {
      sleep_ms(70);
      std::fill_n(call.array<float>(1), call.problem.extents.x, 0.0f);
    };
    made.push_back(of_ranks());
    made.emplace_back().name = "serial.learns";  // faster where it has just seen the inputs
    made.back().launch.float32 = [](const Call& call) {
      static float last = 0;
      const float first = call.array<const float>(0)[0];
      sleep_ms(first == 0 ? 1 : first == last ? 4 : 8);
      last = first;
      doubles(call);
    };
    made.emplace_back().name = "serial.remembers";  // copies an answer that it has
    made.back().launch.float32 = [](const Call& call) {
      static std::vector<float> inputs, answer;
      const float *begin = call.array<const float>(0), *end = begin + call.problem.extents.x;
      float* c = call.array<float>(1);
      if (!std::equal(begin, end, inputs.begin(), inputs.end())) {
        sleep_ms(40);
        inputs.assign(begin, end);
        doubles(call);
        answer.assign(c, c + call.problem.extents.x);
      }
      std::copy(answer.begin(), answer.end(), c);
    };
    return made;
  }();
  return all;
}

void add_kernels() {
  static const bool added = [] {
    add_to_registry({doubling(), variants()});
    Kernel own = doubling();
    own.name = "fill_own";
    own.initialise.float32 = [](const Problem& p, int, std::uint64_t seed, void* data) {
      fill_uniform(seed, p.n, static_cast<float*>(data));
    };
    add_to_registry({own, variants()});
    return true;
  }();
  (void)added;
}

Case case_of(const char* variant, InputFill fill, const char* kernel = "fill_doubling") {
  add_kernels();
  Case what;
  what.kernel = kernel;
  what.variant = variant;
  what.problem = problem_of(ElementType::float32);
  what.device = "cpu";
  what.fill = fill;
  return what;
}

Settings timing() {
  Settings settings;
  settings.case_seconds = 0.1;
  settings.all_samples = true;
  settings.min_samples = 5;
  return settings;
}

Measurement measured(const Case& what) {
  CaseRunner runner([](Stage) {});
  return runner.run(what, timing());
}

Measurement measured(const char* variant, InputFill fill) { return measured(case_of(variant, fill)); }

double fastest(const Measurement& m) { return *std::min_element(m.call_times.begin(), m.call_times.end()); }
double slowest(const Measurement& m) { return *std::max_element(m.call_times.begin(), m.call_times.end()); }

TEST(Fill, IsThatOfAllSamples) {
  const Measurement quick = measured("serial.short", InputFill::zeros);
  ASSERT_EQ(quick.status, Status::ok) << quick.reason;
  EXPECT_LT(fastest(quick), 4e-3);
  EXPECT_TRUE(quick.seen_times.empty());
  EXPECT_GE(fastest(measured("serial.short", InputFill::uniform)), 4e-3);
  const Measurement slow = measured("serial.long", InputFill::zeros);
  ASSERT_EQ(slow.status, Status::ok) << slow.reason;
  EXPECT_GE(slow.call_times.size(), 3u);
  EXPECT_LT(slowest(slow), 0.25);
  EXPECT_TRUE(slow.seen_times.empty());
  EXPECT_GE(fastest(measured("serial.long", InputFill::uniform)), 0.25);
}

// Times of calls on fresh inputs, which are uniform, would say what the data cost.
TEST(Fill, IsNotThatOfTimesOfFreshInputs) {
  const Measurement m = measured("serial.learns", InputFill::zeros);
  ASSERT_EQ(m.status, Status::ok) << m.reason;
  EXPECT_LT(fastest(m), 4e-3);
  EXPECT_TRUE(m.seen_times.empty());
}

TEST(Fill, DoesNotHideThatAVariantKeepsAnswers) {
  const auto take = [] { return measured("serial.remembers", InputFill::zeros); };
  Measurement m = take();
  for (int i = 0; i < 5 && m.status == Status::ok; ++i) m = take();  // a busy machine may hide it
  EXPECT_EQ(m.status, Status::wrong);
  EXPECT_NE(m.reason.find("it caches results"), std::string::npos) << m.reason;
}

TEST(Fill, IsThatOfAllSamplesOnRanks) {
  const auto take = [](InputFill fill) {
    Case what = case_of("openmp.one_rank", fill);
    what.device = "1xcpu";
    RankRunner runner(one_rank(), [](Stage) {});
    return runner.run(what, timing());
  };
  const Measurement m = take(InputFill::zeros);
  ASSERT_EQ(m.status, Status::ok) << m.reason;
  EXPECT_LT(fastest(m), 4e-3);
  EXPECT_TRUE(m.seen_times.empty());
  EXPECT_GE(fastest(take(InputFill::uniform)), 4e-3);
}

TEST(Fill, IsAuditedOnOtherInputs) {
  for (const char* variant : {"serial.wrong", "serial.long_wrong"}) {
    const Measurement m = measured(variant, InputFill::zeros);
    EXPECT_EQ(m.status, Status::wrong);
    EXPECT_TRUE(m.reason.starts_with("right when first checked, wrong on fresh inputs: c[0]")) << m.reason;
    EXPECT_TRUE(m.call_times.empty());
  }
}

TEST(Fill, IsNotThatOfACaseWithInputsOfItsOwn) {
  EXPECT_EQ(measured(case_of("serial.short", InputFill::uniform, "fill_own")).status, Status::ok);
  const Measurement m = measured(case_of("serial.short", InputFill::zeros, "fill_own"));
  EXPECT_EQ(m.status, Status::skipped);
  EXPECT_EQ(m.reason, "other numbers cannot fill its inputs: it has inputs that are not uniform numbers");
}

// The runner keeps a problem's data for its next case.
TEST(Fill, OfConsecutiveCasesDiffers) {
  Settings settings;
  settings.check_only = true;
  CaseRunner runner([](Stage) {});
  for (const InputFill fill : {InputFill::zeros, InputFill::uniform, InputFill::zeros}) {
    const Measurement m = runner.run(case_of("serial.wrong", fill), settings);
    EXPECT_EQ(m.status, fill == InputFill::zeros ? Status::ok : Status::wrong) << m.reason;
  }
}

TEST(Fill, IsPartOfACasesKeyAndText) {
  Case what;
  what.kernel = "triad";
  const std::string key = key_of(what);
  EXPECT_FALSE(to_json(what).find("fill") < to_json(what).size()) << to_json(what);
  for (const InputFill fill : all_input_fills) {
    what.fill = fill;
    EXPECT_EQ(case_from(parse_json(to_json(what))).fill, fill);
    EXPECT_EQ(key_of(what), key + (fill == InputFill::uniform ? "" : std::string("|") + name_of(fill)));
  }
  std::string text = to_json(what);
  EXPECT_THROW(case_from(parse_json(text.replace(text.find("zeros"), 5, "noise"))), UserError);
}

}  // namespace
}  // namespace sextant
