// Tests of OpenACC on a GPU: regions must run there, and arrays must be mapped correctly. kernels_gpu_test
// checks the variants' results. Without a GPU, most tests are skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "device/device.hpp"
#include "device/openacc/directives.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

// The only OpenACC device of the tests; null without a GPU.
Device* gpu() {
  static std::string why_not;
  static const std::unique_ptr<Device> device = open_device(MemorySpace::openacc, 0, &why_not);
  return device.get();
}

#define REQUIRE_GPU() \
  if (!gpu()) GTEST_SKIP() << "no GPU for OpenACC"

std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

// If CUDA sees a GPU, OpenACC must use it. If GCC's offload plugin is missing or does not match libgomp,
// regions silently run on the host.
TEST(Openacc, RegionsRunOnTheGpuThatCudaSees) {
  std::string why_not;
  const std::unique_ptr<Device> cuda = open_device(MemorySpace::cuda, 0, &why_not);
  if (cuda) {
    ASSERT_NE(gpu(), nullptr);
    EXPECT_GT(openacc::gpu_count(), 0);
  }
  EXPECT_EQ(openacc::compute_region_runs_on_gpu(), openacc::gpu_count() > 0);
}

TEST(Openacc, AnArrayIsPresentFromMapToUnmap) {
  REQUIRE_GPU();
  std::vector<float> values = numbers(1000);
  const std::size_t bytes = values.size() * sizeof(float);
  EXPECT_FALSE(openacc::is_present(values.data(), bytes));
  void* device_copy = gpu()->map(values.data(), bytes);
  EXPECT_EQ(device_copy, values.data());
  EXPECT_TRUE(openacc::is_present(values.data(), bytes));
  EXPECT_TRUE(openacc::is_present(values.data() + 100, bytes - 800));
  EXPECT_FALSE(openacc::is_present(values.data() + 100, bytes));
  gpu()->unmap(device_copy, bytes);
  EXPECT_FALSE(openacc::is_present(values.data(), bytes));
}

TEST(Openacc, NeighboursInOneAllocationAreMappedApart) {
  REQUIRE_GPU();
  std::vector<float> values = numbers(2000);
  const std::size_t bytes = 1000 * sizeof(float);
  float *first = values.data(), *second = first + 1000;
  gpu()->map(first, bytes);
  gpu()->map(second, bytes);
  gpu()->copy_in(first, first, bytes);
  gpu()->copy_in(second, second, bytes);
  gpu()->unmap(first, bytes);
  EXPECT_FALSE(openacc::is_present(first, bytes));
  EXPECT_TRUE(openacc::is_present(second, bytes));
  std::fill(values.begin(), values.end(), 0.0f);
  gpu()->copy_out(second, second, bytes);
  gpu()->unmap(second, bytes);
  EXPECT_EQ(values[999], 0.0f);
  for (int i = 1000; i < 2000; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)], static_cast<float>(i + 1));
}

// The device has its own copy. Changes by the host or by the device are visible to the other only after a
// copy.
TEST(Openacc, HostAndDeviceCopiesAreApart) {
  REQUIRE_GPU();
  std::vector<float> values = numbers(1000);
  const std::size_t bytes = values.size() * sizeof(float);
  void* device_copy = gpu()->map(values.data(), bytes);
  gpu()->copy_in(device_copy, values.data(), bytes);
  std::fill(values.begin(), values.end(), -1.0f);
  gpu()->synchronise();
  EXPECT_EQ(values[0], -1.0f);
  gpu()->copy_out(values.data(), device_copy, bytes);
  gpu()->unmap(device_copy, bytes);
  EXPECT_EQ(values, numbers(1000));
}

// A launch gets a pointer into a mapped array and must not touch the guard zones around its elements.
TEST(Openacc, ALaunchInsideAMappingLeavesItsGuardZones) {
  REQUIRE_GPU();
  const RegisteredKernel* copy = find_kernel("copy");
  ASSERT_NE(copy, nullptr);
  constexpr std::size_t guard = 64, count = 1003, total = 2 * guard + count;
  for (const Variant& variant : copy->variants) {
    if (variant.memory_space != MemorySpace::openacc) continue;
    std::vector<float> b = numbers(total), c(total, -7.0f);
    for (std::vector<float>* array : {&b, &c}) {
      gpu()->map(array->data(), total * sizeof(float));
      gpu()->copy_in(array->data(), array->data(), total * sizeof(float));
    }
    const ArrayAt arrays[] = {b.data() + guard, c.data() + guard};
    std::vector<int> tuning;
    for (const Tunable& tunable : variant.tunables) tuning.push_back(tunable.preferred);
    variant.launch.float32({{2 * count, ElementType::float32, {static_cast<std::int64_t>(count), 1, 1}, {}},
                            tuning.data(),
                            arrays});
    gpu()->synchronise();
    EXPECT_EQ(c[guard], -7.0f) << variant.name << " wrote to the host's array";
    for (std::vector<float>* array : {&b, &c}) {
      gpu()->copy_out(array->data(), array->data(), total * sizeof(float));
      gpu()->unmap(array->data(), total * sizeof(float));
    }
    for (std::size_t i = 0; i < total; ++i) {
      const bool inside = i >= guard && i < guard + count;
      ASSERT_EQ(c[i], inside ? b[i] : -7.0f) << variant.name << " at " << i;
    }
  }
}

}  // namespace
}  // namespace sextant
