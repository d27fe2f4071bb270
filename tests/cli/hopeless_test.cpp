// Tests of `run --skip-hopeless`: cases that it removes from a plan, and cases that it must keep.
#include "cli/advise/hopeless.hpp"

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

// A case of a variant that this build may lack.
Case case_of(const Case& like, const std::string& variant, const std::string& device) {
  Case one = like;
  one.variant = variant, one.device = device, one.tuning.clear();
  return one;
}

// Serial, OpenMP and CUDA cases of scale over two arrays of `n` / 2 floats.
std::vector<Case> copies(std::int64_t n) {
  std::vector<Case> cases = planned("scale", n, {"serial.baseline", "serial.native", "openmp.simd"});
  cases.push_back(case_of(cases.front(), "cuda.vector", "gpu0"));
  cases.push_back(case_of(cases.front(), "target.packed", "gpu0"));
  return cases;
}

Hopeful without_hopeless(const std::vector<Option>& options, const std::vector<Case>& cases) {
  const predict::AdviceModel model = predict::test::constant_model(options, 0, 0.05, 0.1);
  predict::Profile profile = predict::test::machine_with_gpu();
  for (Ceiling& ceiling : profile.ceilings)
    if (ceiling.name == "launch_cuda") ceiling.value = 13e-6;
  digest(&profile);
  return sextant::without_hopeless(Predictor(model, profile, {}, {}), cases);
}

const std::vector<Option> three = {Option::serial, Option::openmp, Option::cuda};

// 512 floats take 1.0 µs on one core. A launch takes 13 µs, or 33 µs with copies.
TEST(Hopeless, LeavesOutWhatIsTenTimesSlowerInBothUses) {
  const Hopeful hopeful = without_hopeless(three, copies(1 << 10));
  EXPECT_FALSE(has(hopeful.cases, "cuda.vector"));
  EXPECT_TRUE(has(hopeful.cases, "serial.baseline"));
  EXPECT_TRUE(has(hopeful.cases, "serial.native"));
  EXPECT_TRUE(has(hopeful.cases, "openmp.simd"));
  EXPECT_TRUE(has(hopeful.cases, "target.packed")) << "advice has no option for it";
  ASSERT_EQ(hopeful.notes.size(), 1u);
  EXPECT_NE(hopeful.notes[0].find("1 cuda of scale"), std::string::npos) << hopeful.notes[0];
}

// 2048 floats take 4.1 µs on one core.
TEST(Hopeless, KeepsWhatIsLessThanTenTimesSlower) {
  EXPECT_EQ(without_hopeless(three, copies(1 << 12)).cases.size(), copies(1 << 12).size());
}

// For 2^20 floats, the GPU is 100 times as fast as a core, but only without copies.
TEST(Hopeless, KeepsWhatOneOfTheUsesSpeaksFor) {
  const Hopeful hopeful = without_hopeless(three, copies(1 << 21));
  EXPECT_EQ(hopeful.cases.size(), copies(1 << 21).size());
  EXPECT_TRUE(hopeful.notes.empty());
}

TEST(Hopeless, KeepsFormsThatTheModelDoesNotKnow) {
  std::vector<Case> cases = copies(1 << 6);
  EXPECT_EQ(without_hopeless(three, cases).cases.size(), cases.size());
}

// The product of 1774 x 1774 matrices: a core takes several thousand times as long as an H200.
TEST(Hopeless, LeavesOutSlowLoopsButNeverTheBaseline) {
  std::vector<Case> cases = planned("matmul", 9437184, {"serial", "openmp"});
  cases.push_back(case_of(cases.front(), "cuda.register_tile", "gpu0"));
  const Predictor predictor(
      predict::shipped_model(),
      predict::profile_of(stored_session(SEXTANT_SOURCE_DIR "/data/h200/study.sextant")), {}, {});
  const Hopeful hopeful = sextant::without_hopeless(predictor, cases);
  EXPECT_TRUE(has(cases, "serial.native"));
  EXPECT_FALSE(has(hopeful.cases, "serial.native"));
  EXPECT_TRUE(has(hopeful.cases, "serial.baseline"));
  EXPECT_TRUE(has(hopeful.cases, "cuda.register_tile"));
}

}  // namespace
}  // namespace sextant
