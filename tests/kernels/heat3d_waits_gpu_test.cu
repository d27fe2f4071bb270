// Tests that cuda.resident never hangs: a tile whose neighbour does not run ends and reports failure.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "../../kernels/heat3d/resident.cuh"
#include "gpu_fixture.hpp"

namespace sextant::heat3d {
namespace {

constexpr int steps = 3;

// Two adjacent tiles of a box in device memory.
template <int radius, int length, int rows, typename T>
struct TwoTiles {
  using R = Resident<radius, length, rows>;
  static constexpr int tiles = 2, z = 19;
  static constexpr Extents box{tiles * R::width, R::height, z};
  const int planes = R::planes_of(z);
  const std::size_t points = static_cast<std::size_t>(box.count()),
                    words = std::size_t{2} * tiles * R::groups * planes * R::face;
  T *u = nullptr, *v = nullptr;
  Word<T>* mail = nullptr;
  WaitFlag waits;
  const std::vector<T> ones = std::vector<T>(points, T{1});

  TwoTiles() {
    cudaMalloc(&u, points * sizeof(T));
    cudaMalloc(&v, points * sizeof(T));
    cudaMalloc(&mail, words * sizeof(T));
    cudaMemcpy(u, ones.data(), points * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemset(v, 0, points * sizeof(T));
    cudaMemset(mail, 0, words * sizeof(T));
    waits.make();
  }
  ~TwoTiles() {
    cudaFree(u);
    cudaFree(v);
    cudaFree(mail);
  }

  // Launches the first `blocks` tiles and waits for them.
  cudaError_t run(unsigned blocks, int peeks) {
    const auto kernel = resident<radius, length, rows, T>;
    const std::size_t shared = static_cast<std::size_t>(R::slots_of(planes, z)) * R::plane * sizeof(T);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
    PollLimit poll_limit = waits.poll_limit();
    poll_limit.peeks = peeks;
    kernel<<<dim3(blocks), R::threads, shared>>>(Box(box), planes, steps, u, v, mail, poll_limit);
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
  }

  std::vector<T> result() const {
    std::vector<T> values(points);
    cudaMemcpy(values.data(), v, points * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
};

template <typename Tiles>
class HeatWaits : public test::WithGpu {};
using Forms = testing::Types<TwoTiles<1, 4, 1, float>, TwoTiles<4, 4, 2, float>, TwoTiles<2, 2, 2, double>>;
TYPED_TEST_SUITE(HeatWaits, Forms);

TYPED_TEST(HeatWaits, GiveUpWhereANeighbourDoesNotRun) {
  TypeParam tiles;
  ASSERT_EQ(tiles.run(1, 1000), cudaSuccess);
  EXPECT_STREQ(tiles.waits.failure(), gave_up_waiting);
  EXPECT_TRUE(std::isnan(tiles.result().front())) << "a result that may be taken for one";
}

TYPED_TEST(HeatWaits, LastWhereAllTilesRun) {
  TypeParam tiles;
  ASSERT_EQ(tiles.run(2, most_peeks), cudaSuccess);
  EXPECT_EQ(tiles.waits.failure(), nullptr);
  for (const auto value : tiles.result()) ASSERT_NEAR(value, 1, 1e-5);  // uniform heat stays uniform
}

}  // namespace
}  // namespace sextant::heat3d
