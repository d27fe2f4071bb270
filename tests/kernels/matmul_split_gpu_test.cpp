// Tests matmul's `cuda.split_tensor` on harder data than the kernel's own check. Each element is compared
// with the exact one, relative to the magnitudes of its terms.
#include "gpu_fixture.hpp"
#include "matmul_split_data.hpp"
#include "registry/registry.hpp"

namespace sextant::test {
namespace {

// Launches the variant once with a poisoned C and returns C. Writes an error text to `*problem`.
Floats multiply_on_gpu(const Variant& variant, const Hard& hard, const std::vector<int>& tuning,
                       std::string* problem) {
  const auto n = static_cast<std::int64_t>(hard.n);
  const std::size_t bytes = hard.a.size() * sizeof(float);
  ArrayAt arrays[3] = {};
  for (ArrayAt& array : arrays) EXPECT_EQ(cudaMalloc(&array.base, bytes), cudaSuccess);
  cudaMemcpy(arrays[0].base, hard.a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(arrays[1].base, hard.b.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(arrays[2].base, 0xff, bytes);
  Call call;
  call.problem = {3 * n * n, ElementType::float32, {n, n, 1}, {}};
  call.tuning = tuning.data();
  call.arrays = arrays;
  Floats c(hard.a.size());
  if (const char* reason = variant.prepare(call, &call.state)) {
    *problem = reason;
  } else {
    variant.launch.float32(call);
    if (cudaDeviceSynchronize() != cudaSuccess) *problem = cudaGetErrorString(cudaGetLastError());
    cudaMemcpy(c.data(), arrays[2].base, bytes, cudaMemcpyDeviceToHost);
    variant.release(call.state);
  }
  for (const ArrayAt& array : arrays) cudaFree(array.base);
  return c;
}

class MatmulSplitGpu : public WithGpu {
 protected:
  void SetUp() override {
    WithGpu::SetUp();
    if (IsSkipped()) return;
    variant_ = find_variant(*find_kernel("matmul"), "cuda.split_tensor");
    ASSERT_NE(variant_, nullptr);
    if (const char* reason = variant_->unavailable()) GTEST_SKIP() << reason;
  }

  void expect_right(const Hard& hard, double most) {
    const Exact exact = exact_product(hard);
    for (const int products : {6, 9})
      for (const int tile_n : {128, 192}) {
        std::string problem;
        const Floats c = multiply_on_gpu(*variant_, hard, {products, tile_n, 8}, &problem);
        ASSERT_EQ(problem, "") << hard.name;
        const double worst = worst_error(hard, exact, c);
        RecordProperty(hard.name, std::to_string(worst));
        EXPECT_LE(worst, most) << hard.name << ", n = " << hard.n << ", " << products
                               << " products, tiles of " << tile_n;
      }
  }

  const Variant* variant_ = nullptr;
};

TEST_F(MatmulSplitGpu, HardDataAreAsRightAsFloatsOwnSums) {
  for (const Row n : {64, 131, 257})
    for (const Hard& hard : {same_signs(n), wide_ranges(n, 40), wide_ranges(n, 100), cancelling(n)})
      expect_right(hard, most_error);
}

// Matrices that cannot be split into narrower parts are multiplied as floats.
TEST_F(MatmulSplitGpu, WhatCannotBeSplitIsMultipliedAsFloats) {
  for (const Row n : {64, 131})
    for (const Hard& hard : {denormals(n), overflowing(n), infinities(n)})
      expect_right(hard, static_cast<double>(n));
}

}  // namespace
}  // namespace sextant::test
