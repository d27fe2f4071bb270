// Tests of the dot product's definition, and of the devices that its variants need. kernels_test checks the
// results.
#include <gtest/gtest.h>

#include "engine/case/case_runner.hpp"
#include "engine/case/check.hpp"
#include "engine/form/settings.hpp"
#include "plan/plan.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

const RegisteredKernel& dot() { return *find_kernel("dot"); }

Problem problem_of(std::int64_t n, ElementType type) {
  return {n, type, dot().kernel.extents(n), dot().kernel.parameters};
}

TEST(Dot, CountsBothArraysInN) {
  EXPECT_EQ(problem_of(std::int64_t{1} << 25, ElementType::float64).extents.x, 1 << 24);
  EXPECT_EQ(problem_of(7, ElementType::float64).extents.x, 3);
  EXPECT_EQ(problem_of(1, ElementType::float64).extents.count(), 0);
}

TEST(Dot, CountsWorkAsByHand) {
  const Work work = dot().kernel.work(problem_of(2000, ElementType::float64));
  EXPECT_EQ(work.bytes_read, 16000);
  EXPECT_EQ(work.bytes_written, 8);
  EXPECT_EQ(work.flops, 1999);
  EXPECT_EQ(work.items, 1000);
}

template <typename T>
void expect_formula(std::int64_t n, ElementType type) {
  Workset workset(dot().kernel, problem_of(n, type), 5);
  const T* a = static_cast<const T*>(workset.arrays()[0].data);
  const T* b = static_cast<const T*>(workset.arrays()[1].data);
  long double sum = 0;
  for (std::int64_t i = 0; i < workset.problem().extents.x; ++i)
    sum += static_cast<long double>(a[i]) * static_cast<long double>(b[i]);
  EXPECT_NEAR(workset.reference(2)[0], static_cast<double>(sum), 1e-13) << "N=" << n;
}

TEST(Dot, ReferenceIsTheFormula) {
  for (const std::int64_t n : {2, 3, 511, 512, 514, 20001}) {
    expect_formula<float>(n, ElementType::float32);
    expect_formula<double>(n, ElementType::float64);
  }
}

TEST(Dot, ToleranceNoticesAMissingProduct) {
  for (const std::int64_t n : {20, 2000, 15872}) {
    Workset workset(dot().kernel, problem_of(n, ElementType::float32), 11);
    const float* a = static_cast<const float*>(workset.arrays()[0].data);
    const float* b = static_cast<const float*>(workset.arrays()[1].data);
    const std::int64_t count = workset.problem().extents.x;
    float sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
    workset.poison_outputs(0xFF);
    auto* result = static_cast<float*>(workset.arrays()[2].data);
    Deviation error;
    *result = sum;
    EXPECT_EQ(workset.compare(&error), "") << n;
    *result = sum - a[count / 2] * b[count / 2];
    EXPECT_NE(workset.compare(&error), "") << n;
  }
}

// CUDA variants that copy the data themselves have host arrays but still need a GPU.
TEST(Dot, VariantsWithTheirOwnCopiesBelongToTheGpu) {
  int found = 0;
  for (const Variant& variant : dot().variants) {
    if (variant.memory_space != MemorySpace::host) continue;
    const bool gpu = variant.model == Model::cuda || is_offloaded(variant.model);
    EXPECT_EQ(needs_gpu(variant), gpu) << variant.name;
    EXPECT_STREQ(default_device(variant), gpu ? "gpu0" : "cpu") << variant.name;
    found += variant.model == Model::cuda;
  }
  if (find_variant(dot(), "cuda.fused")) {
    EXPECT_EQ(found, 3);
  }
}

Measurement checked(const char* variant, const char* device) {
  Case one;
  one.kernel = "dot";
  one.variant = variant;
  one.problem = problem_of(2000, ElementType::float64);
  one.device = device;
  one.tuning = default_tuning(*find_variant(dot(), variant), one.problem);
  Settings settings;
  settings.check_only = true;
  CaseRunner runner([](Stage) {});
  return runner.run(one, settings);
}

TEST(Dot, VariantsWithTheirOwnCopiesAreRefusedOnTheCpu) {
  if (!find_variant(dot(), "cuda.block_tree")) GTEST_SKIP() << "no CUDA in this build";
  const Measurement measurement = checked("cuda.block_tree", "cpu");
  EXPECT_EQ(measurement.status, Status::skipped);
  EXPECT_EQ(measurement.reason, "cuda.block_tree runs on a GPU, not on the CPU");
}

TEST(Dot, VariantsWithTheirOwnCopiesNeedAGpu) {
  if (!find_variant(dot(), "cuda.block_tree")) GTEST_SKIP() << "no CUDA in this build";
  std::string why_not;
  const bool gpu = open_device(MemorySpace::cuda, 0, &why_not) != nullptr;
  for (const char* name : {"cuda.block_tree", "cuda.pinned_overlap", "cuda.zero_copy"}) {
    const Measurement measurement = checked(name, "gpu0");
    EXPECT_EQ(measurement.status, gpu ? Status::ok : Status::skipped) << name << ": " << measurement.reason;
    if (!gpu) {
      EXPECT_EQ(measurement.reason, why_not);
    }
  }
}

}  // namespace
}  // namespace sextant
