// Tests of increment (one loop) and increment2 (two loops), which share a definition. kernels_test checks the
// variants.
#include <gtest/gtest.h>

#include "engine/case/check.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

Problem problem_of(const Kernel& kernel, std::int64_t n, ElementType type) {
  return {n, type, kernel.extents(n), kernel.parameters};
}

TEST(Increment, TwoKernelsShareTheirVariants) {
  const RegisteredKernel* once = find_kernel("increment");
  const RegisteredKernel* twice = find_kernel("increment2");
  ASSERT_TRUE(once && twice);
  EXPECT_EQ(once->kernel.parameters[0], 1);
  EXPECT_EQ(twice->kernel.parameters[0], 2);
  EXPECT_EQ(once->folder, twice->folder);
  EXPECT_EQ(once->variants.size(), twice->variants.size());
}

TEST(Increment, AddsOneForEachLoop) {
  for (const auto& [name, added] : {std::pair("increment", 1), std::pair("increment2", 2)}) {
    const Kernel& kernel = find_kernel(name)->kernel;
    Workset workset(kernel, problem_of(kernel, 1000, ElementType::int32), 3);
    const auto* a = static_cast<const std::int32_t*>(workset.arrays()[0].data);
    for (std::size_t i = 0; i < 1000; ++i)
      ASSERT_EQ(workset.reference(0)[i], a[i] + added) << name << " element " << i;
  }
}

TEST(Increment, WorkIsOnePassHoweverManyLoops) {
  for (const char* name : {"increment", "increment2"}) {
    const Kernel& kernel = find_kernel(name)->kernel;
    const Work work = kernel.work(problem_of(kernel, 1000, ElementType::float64));
    EXPECT_EQ(work.bytes_read, 8000) << name;
    EXPECT_EQ(work.bytes_written, 8000) << name;
    EXPECT_EQ(work.flops, 1000 * kernel.parameters[0]) << name;
    EXPECT_EQ(kernel.work(problem_of(kernel, 1000, ElementType::int32)).flops, 0) << name;
  }
}

// One increment too few or too many is detected in every type.
TEST(Increment, ToleranceNoticesAMissingLoop) {
  const Kernel& kernel = find_kernel("increment2")->kernel;
  Workset workset(kernel, problem_of(kernel, 100, ElementType::float32), 3);
  auto* a = static_cast<float*>(workset.arrays()[0].data);
  workset.reference(0);
  Deviation error;
  for (int i = 0; i < 100; ++i) a[i] = a[i] + 1.0f + 1.0f;
  EXPECT_EQ(workset.compare(&error), "");
  a[50] -= 1;
  EXPECT_NE(workset.compare(&error), "");
}

}  // namespace
}  // namespace sextant
