// Tests of the decoupled look-back scan: its sums in successive launches, and that waiting for a tile that
// does not run ends.
#include <gtest/gtest.h>

#include <vector>

#include "gpu_fixture.hpp"
#include "toolbox/cuda/lookback.cuh"

namespace sextant {
namespace {

// Tile i contributes i + 1. before[i] becomes the sum of all earlier tiles.
template <typename T>
__global__ void look_back(lookback::DescriptorArray<T> descriptors, T* before) {
  lookback::Tile tile{};
  if (threadIdx.x == 0) tile = lookback::take(descriptors);
  tile.number = __shfl_sync(~0u, tile.number, 0);
  tile.epoch = __shfl_sync(~0u, tile.epoch, 0);
  const T sum = lookback::sum_before(descriptors, tile, static_cast<T>(tile.number + 1));
  if (threadIdx.x == 0) before[tile.number] = sum;
}

template <typename T>
class Lookback : public test::WithGpu {
 protected:
  // Launches `blocks` blocks on descriptors for `tiles` tiles, `launches` times.
  std::vector<T> sums(lookback::DescriptorArray<T> descriptors, unsigned tiles, unsigned blocks,
                      int launches) {
    T* before = nullptr;
    EXPECT_EQ(cudaMalloc(&before, tiles * sizeof(T)), cudaSuccess);
    cudaMemset(before, 0xFF, tiles * sizeof(T));
    for (int i = 0; i < launches; ++i) look_back<<<blocks, 32>>>(descriptors, before);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<T> values(tiles);
    cudaMemcpy(values.data(), before, tiles * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(before);
    return values;
  }

  static void expect_sums(const std::vector<T>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], static_cast<T>(i * (i + 1) / 2)) << "tile " << i;
  }
};
using Values = testing::Types<float, double, std::int32_t>;
TYPED_TEST_SUITE(Lookback, Values);

TYPED_TEST(Lookback, AddsUpWhatIsBeforeLaunchAfterLaunch) {
  for (const unsigned tiles : {1u, 2u, 31u, 32u, 33u, 65u, 1000u, 5000u}) {
    lookback::Tickets tickets;
    ASSERT_EQ(tickets.make(tiles, sizeof(TypeParam)), cudaSuccess);
    this->expect_sums(this->sums(tickets.descriptors<TypeParam>(), tiles, tiles, 5));
    EXPECT_EQ(tickets.failure(), nullptr);
  }
}

TYPED_TEST(Lookback, CountsLaunchesPastTheLastNumber) {
  lookback::Tickets tickets;
  ASSERT_EQ(tickets.make(100, sizeof(TypeParam)), cudaSuccess);
  const lookback::DescriptorArray<TypeParam> descriptors = tickets.descriptors<TypeParam>();
  const unsigned long long last = static_cast<unsigned long long>(lookback::epoch_mask) << 32;
  cudaMemcpy(descriptors.ticket, &last, sizeof last, cudaMemcpyHostToDevice);
  this->expect_sums(this->sums(descriptors, 100, 100, 3));
  EXPECT_EQ(tickets.failure(), nullptr);
}

TYPED_TEST(Lookback, GivesUpWhereATileDoesNotRun) {
  lookback::Tickets tickets;
  ASSERT_EQ(tickets.make(100, sizeof(TypeParam)), cudaSuccess);
  lookback::DescriptorArray<TypeParam> descriptors = tickets.descriptors<TypeParam>();
  const unsigned long long second = (1ull << 32) + 1;  // the tile with the first ticket never runs
  cudaMemcpy(descriptors.ticket, &second, sizeof second, cudaMemcpyHostToDevice);
  descriptors.poll_limit.peeks = 1000;
  this->sums(descriptors, 100, 99, 1);
  EXPECT_STREQ(tickets.failure(), gave_up_waiting);
}

}  // namespace
}  // namespace sextant
