// Tests that cuda.resident never hangs: a box of nodes whose neighbour does not run ends and reports failure.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "../../programs/lbm_d3q15/resident.cuh"
#include "gpu_fixture.hpp"

namespace sextant {
namespace {

// Two adjacent boxes of fluid at rest, periodic along all axes, without walls.
template <int per_thread, typename T>
struct TwoBoxes {
  static constexpr Extents size{16, 8, 4 * per_thread};
  static constexpr std::size_t nodes = 16 * 8 * 4 * per_thread;
  static constexpr std::size_t box_slots = static_cast<std::size_t>(Crew<per_thread, T>::box_slots);
  T* f = nullptr;
  Links* links = nullptr;
  Word<T>* mail = nullptr;
  WaitFlag waits;

  TwoBoxes() {
    std::vector<T> rest(directions * nodes);
    for (std::size_t k = 0; k < directions; ++k)
      for (std::size_t i = 0; i < nodes; ++i)
        rest[k * nodes + i] = static_cast<T>(k == 0 ? 2.0 / 9 : k < 7 ? 1.0 / 9 : 1.0 / 72);
    cudaMalloc(&f, rest.size() * sizeof(T));
    cudaMalloc(&links, nodes * sizeof(Links));
    cudaMalloc(&mail, 2 * box_slots * sizeof(Word<T>));
    cudaMemcpy(f, rest.data(), rest.size() * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemset(links, 0, nodes * sizeof(Links));
    cudaMemset(mail, 0, 2 * box_slots * sizeof(Word<T>));
    waits.make();
  }
  ~TwoBoxes() {
    cudaFree(f);
    cudaFree(links);
    cudaFree(mail);
  }

  // Launches the first `blocks` boxes and waits for them.
  cudaError_t run_boxes(unsigned blocks, int peeks) {
    const Problem problem{
        size.count(), sizeof(T) == 8 ? ElementType::float64 : ElementType::float32, size, {5, 800, 0, 3}};
    PollLimit poll_limit = waits.poll_limit();
    poll_limit.peeks = peeks;
    const Resident<T> r = {
        links, mail, f, size, {8, 8, 4 * per_thread}, {2, 1, 1}, 5, rates_of<T>(problem), poll_limit};
    const auto kernel = run<per_thread, T>;
    const std::size_t shared = box_slots * sizeof(Word<T>);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
    kernel<<<dim3(blocks), 8 * 8 * 4, shared>>>(r);
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
  }

  std::vector<T> result() const {
    std::vector<T> values(directions * nodes);
    cudaMemcpy(values.data(), f, values.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
};

template <typename Boxes>
class LbmWaits : public test::WithGpu {};
using Forms = testing::Types<TwoBoxes<1, float>, TwoBoxes<1, double>, TwoBoxes<2, float>>;
TYPED_TEST_SUITE(LbmWaits, Forms);

TYPED_TEST(LbmWaits, GiveUpWhereANeighbourDoesNotRun) {
  TypeParam boxes;
  ASSERT_EQ(boxes.run_boxes(1, 1000), cudaSuccess);
  EXPECT_STREQ(boxes.waits.failure(), gave_up_waiting);
  EXPECT_TRUE(std::isnan(boxes.result().front())) << "a result that may be taken for one";
}

TYPED_TEST(LbmWaits, LastWhereAllBoxesRun) {
  TypeParam boxes;
  ASSERT_EQ(boxes.run_boxes(2, most_peeks), cudaSuccess);
  EXPECT_EQ(boxes.waits.failure(), nullptr);
  const auto f = boxes.result();
  for (std::size_t i = 0; i < TypeParam::nodes; ++i) ASSERT_NEAR(f[i], 2.0 / 9, 1e-6);  // still at rest
}

}  // namespace
}  // namespace sextant
