// Tests that a partition of a GPU runs its kernels on its own multiprocessors only.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <vector>

#include "device/device.hpp"
#include "toolbox/cuda/attributes.cuh"

namespace sextant {
namespace {

constexpr int threads = 1024;

// Records the multiprocessor (SM) of each block. The barrier keeps all blocks running at once.
__global__ void note_places(unsigned* places) {
  unsigned place = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(place));
  if (threadIdx.x == 0) places[blockIdx.x] = place;
  cooperative_groups::this_grid().sync();
}

__global__ void scale(double* x, int n) {
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x))
    x[i] = 3 * x[i] + 1;
}

class Part : public testing::TestWithParam<const char*> {
 protected:
  Part() { setenv("SEXTANT_MULTIPROCESSORS", GetParam(), 1); }
  ~Part() override { unsetenv("SEXTANT_MULTIPROCESSORS"); }
  void SetUp() override {
    std::string why_not;
    device_ = open_device(MemorySpace::cuda, 0, &why_not);
    if (!device_) GTEST_SKIP() << why_not;
  }
  std::unique_ptr<Device> device_;
};

TEST_P(Part, HasTheMultiprocessorsAskedForAndNoOthers) {
  const int asked = std::atoi(GetParam());
  ASSERT_EQ(multiprocessors(), asked);
  int resident = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, note_places, threads, 0), cudaSuccess);
  std::vector<unsigned> places(static_cast<std::size_t>(asked * resident), 9999);
  const std::size_t bytes = places.size() * sizeof places[0];
  void* device_copy = device_->map(places.data(), bytes);
  auto* list = static_cast<unsigned*>(device_copy);
  void* arguments[] = {&list};
  const auto launch = [&](std::size_t blocks) {
    return cudaLaunchCooperativeKernel(note_places, dim3(static_cast<unsigned>(blocks)), dim3(threads),
                                       arguments, 0, static_cast<cudaStream_t>(device_->stream()));
  };
  EXPECT_EQ(launch(places.size() + 1), cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
  ASSERT_EQ(launch(places.size()), cudaSuccess);
  device_->synchronise();
  device_->copy_out(places.data(), device_copy, bytes);
  device_->unmap(device_copy, bytes);
  const std::set<unsigned> seen(places.begin(), places.end());
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(asked));
  EXPECT_LT(*seen.rbegin(), 9999u);
}

TEST_P(Part, ComputesOnItsOwnStreamAndOnTheDefaultOne) {
  std::vector<double> x(1 << 20);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  const std::size_t bytes = x.size() * sizeof x[0];
  void* device_copy = device_->map(x.data(), bytes);
  device_->copy_in(device_copy, x.data(), bytes);
  for (const cudaStream_t stream : {static_cast<cudaStream_t>(device_->stream()), cudaStream_t{nullptr}}) {
    scale<<<8 * multiprocessors(), 256, 0, stream>>>(static_cast<double*>(device_copy), 1 << 20);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  }
  device_->copy_out(x.data(), device_copy, bytes);
  device_->unmap(device_copy, bytes);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], 9 * static_cast<double>(i) + 4);
}

INSTANTIATE_TEST_SUITE_P(Of, Part, testing::Values("16", "66"));

// Requesting more multiprocessors than the GPU has is an error, even if the driver cannot partition GPUs.
TEST(NoPart, IsLargerThanTheGpu) {
  setenv("SEXTANT_MULTIPROCESSORS", "9000", 1);
  std::string why_not;
  EXPECT_EQ(open_device(MemorySpace::cuda, 0, &why_not), nullptr);
  EXPECT_NE(why_not, "");
  unsetenv("SEXTANT_MULTIPROCESSORS");
}

}  // namespace
}  // namespace sextant
