// Tests of `run --skip-hopeless`, which removes cases that cannot win from a plan.
#include "cli/advise/pruning.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "advice_model.hpp"
#include "cli/files/machine_session.hpp"
#include "plan/plan.hpp"
#include "predict/shipped_model.hpp"

namespace sextant {
namespace {

using predict::Option;
using predict::Predictor;

std::vector<Case> planned(const std::string& kernel, std::int64_t n,
                          const std::vector<std::string>& variants) {
  Selection selection;
  selection.kernels = {kernel};
  selection.variants = variants;
  selection.sizes = {n};
  selection.types = {ElementType::float32};
  std::vector<std::string> notes;
  return plan(selection, &notes);
}

bool has(const std::vector<Case>& cases, const std::string& variant) {
  return std::any_of(cases.begin(), cases.end(), [&](const Case& one) { return one.variant == variant; });
}

// Returns `like` with another variant and device, which this build may lack.
Case case_of(const Case& like, const std::string& variant, const std::string& device) {
  Case one = like;
  one.variant = variant, one.device = device, one.tuning.clear();
  return one;
}

// Returns serial, OpenMP and GPU cases of `scale`, which has two arrays of n / 2 floats.
std::vector<Case> copies(std::int64_t n) {
  std::vector<Case> cases = planned("scale", n, {"serial.baseline", "serial.native", "openmp.simd"});
  cases.push_back(case_of(cases.front(), "cuda.vector", "gpu0"));
  cases.push_back(case_of(cases.front(), "target.packed", "gpu0"));
  return cases;
}

PromisingCases promising_cases(const std::vector<Option>& options, const std::vector<Case>& cases) {
  const predict::AdviceModel model = predict::test::constant_model(options, 0.05, 0.1);
  predict::Profile profile = predict::test::machine_with_gpu();
  for (Ceiling& ceiling : profile.ceilings)
    if (ceiling.name == "launch_cuda") ceiling.value = 13e-6;
  digest(&profile);
  return sextant::promising_cases(Predictor(model, profile, {}, {}), cases);
}

const std::vector<Option> three = {Option::serial, Option::openmp, Option::cuda};

// On one core, 512 floats take 1.0 µs. A launch takes 13 µs without copies and 33 µs with copies.
TEST(Pruning, LeavesOutWhatIsTenTimesSlowerInBothUses) {
  const PromisingCases promising = promising_cases(three, copies(1 << 10));
  EXPECT_FALSE(has(promising.cases, "cuda.vector"));
  EXPECT_TRUE(has(promising.cases, "serial.baseline"));
  EXPECT_TRUE(has(promising.cases, "serial.native"));
  EXPECT_TRUE(has(promising.cases, "openmp.simd"));
  EXPECT_TRUE(has(promising.cases, "target.packed")) << "advice has no option for it";
  ASSERT_EQ(promising.notes.size(), 1u);
  EXPECT_NE(promising.notes[0].find("leaves out 1 cuda case of scale"), std::string::npos)
      << promising.notes[0];
}

// On one core, 2048 floats take 4.1 µs, so the launch is less than ten times slower.
TEST(Pruning, KeepsWhatIsLessThanTenTimesSlower) {
  EXPECT_EQ(promising_cases(three, copies(1 << 12)).cases.size(), copies(1 << 12).size());
}

// For 2^20 floats, the GPU is 100 times as fast as one core without copies, but slower with copies.
TEST(Pruning, KeepsWhatOneOfTheUsesSpeaksFor) {
  const PromisingCases promising = promising_cases(three, copies(1 << 21));
  EXPECT_EQ(promising.cases.size(), copies(1 << 21).size());
  EXPECT_TRUE(promising.notes.empty());
}

TEST(Pruning, KeepsFormsThatTheModelDoesNotKnow) {
  std::vector<Case> cases = copies(1 << 6);
  EXPECT_EQ(promising_cases(three, cases).cases.size(), cases.size());
}

// For matrices of 1774 x 1774, one CPU core is several thousand times as slow as an H200 GPU.
TEST(Pruning, LeavesOutSlowLoopsButNeverTheBaseline) {
  std::vector<Case> cases = planned("matmul", 9437184, {"serial", "openmp"});
  cases.push_back(case_of(cases.front(), "cuda.register_tile", "gpu0"));
  const Predictor predictor(
      predict::shipped_model(),
      predict::profile_of(stored_session(SEXTANT_SOURCE_DIR "/data/h200/study.sextant")), {}, {});
  const PromisingCases promising = sextant::promising_cases(predictor, cases);
  EXPECT_TRUE(has(cases, "serial.native"));
  EXPECT_FALSE(has(promising.cases, "serial.native"));
  EXPECT_TRUE(has(promising.cases, "serial.baseline"));
  EXPECT_TRUE(has(promising.cases, "cuda.register_tile"));
}

}  // namespace
}  // namespace sextant
