// Kernels of dynamic programming: their sizes, inputs and references, held against what their pages say of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "registry/registry.hpp"

namespace sextant {
namespace {

const Kernel& kernel_of(const char* name) { return find_kernel(name)->kernel; }

Problem problem_of(const char* name, std::int64_t n, ElementType type = ElementType::int32) {
  const Kernel& kernel = kernel_of(name);
  return {n, type, kernel.extents(n), kernel.standard_parameters()};
}

// Inputs in T, drawn as the kernel says, and the reference of its last array.
template <typename T>
struct Data {
  std::vector<std::vector<T>> arrays;
  std::vector<double> result;

  Data(const Kernel& kernel, const Problem& problem) {
    std::vector<const void*> in;
    std::vector<double*> out;
    for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
      const int index = static_cast<int>(i);
      arrays.emplace_back(static_cast<std::size_t>(kernel.elements(problem, index)));
      if (kernel.arrays[i].role == Role::in)
        kernel.initialise[problem.type](problem, index, 5 + i, arrays[i].data());
    }
    result.resize(arrays.back().size());
    for (const auto& array : arrays) in.push_back(array.data()), out.push_back(nullptr);
    out.back() = result.data();
    kernel.reference[problem.type](problem, in.data(), out.data());
  }
};

TEST(FloydWarshall, HasTheLargestSquareOfHalfTheElements) {
  EXPECT_EQ(problem_of("floyd_warshall", 1).extents.count(), 0);
  EXPECT_EQ(problem_of("floyd_warshall", 2).extents, (Extents{1, 1, 1}));
  EXPECT_EQ(problem_of("floyd_warshall", 7936).extents, (Extents{62, 62, 1}));
  EXPECT_EQ(problem_of("floyd_warshall", 130560).extents, (Extents{255, 255, 1}));
  EXPECT_EQ(problem_of("floyd_warshall", 1 << 25).extents, (Extents{4096, 4096, 1}));
}

TEST(FloydWarshall, HasAnEdgeInEight) {
  const Data<std::int32_t> data(kernel_of("floyd_warshall"), problem_of("floyd_warshall", 2 * 400 * 400));
  std::int64_t edges = 0, lengths = 0;
  for (std::size_t at = 0; at < data.arrays[0].size(); ++at) {
    const std::int32_t length = data.arrays[0][at];
    EXPECT_EQ(length == 0, at / 400 == at % 400) << at;
    if (length == 0 || length == 1 << 29) continue;
    EXPECT_TRUE(length >= 1 && length <= 1000) << at;
    ++edges, lengths += length;
  }
  EXPECT_NEAR(static_cast<double>(edges), 159600 / 8.0, 500);
  EXPECT_NEAR(static_cast<double>(lengths) / static_cast<double>(edges), 500.5, 10);
}

// Paths of at most 1, 2, 4, ... edges.
template <typename T>
std::vector<T> by_squares(std::vector<T> paths, std::size_t n) {
  for (std::size_t edges = 1; edges < n; edges *= 2) {
    const std::vector<T> half = paths;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k)
          paths[i * n + j] = std::min<T>(paths[i * n + j], half[i * n + k] + half[k * n + j]);
  }
  return paths;
}

template <typename T>
void expect_shortest_paths(ElementType type) {
  for (const std::size_t n : {1, 2, 5, 8, 63, 64, 65, 150}) {
    const Problem problem = problem_of("floyd_warshall", static_cast<std::int64_t>(2 * n * n), type);
    const Data<T> data(kernel_of("floyd_warshall"), problem);
    const std::vector<T> want = by_squares(data.arrays[0], n);
    for (std::size_t at = 0; at < n * n; ++at)
      ASSERT_EQ(data.result[at], static_cast<double>(want[at])) << n << ": " << at;
  }
}

TEST(FloydWarshall, ReferenceHasTheShortestPaths) {
  expect_shortest_paths<std::int32_t>(ElementType::int32);
  expect_shortest_paths<float>(ElementType::float32);
  expect_shortest_paths<double>(ElementType::float64);
}

// Each vertex is on somebody's only shortest path, so that one left out shows.
TEST(FloydWarshall, EveryVertexCounts) {
  for (const std::size_t n : {62, 255}) {
    const Data<std::int32_t> data(kernel_of("floyd_warshall"),
                                  problem_of("floyd_warshall", static_cast<std::int64_t>(2 * n * n)));
    for (const std::size_t left_out : {std::size_t{0}, n / 2, n - 1}) {
      std::vector<std::int32_t> paths = data.arrays[0];
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; k != left_out && i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            paths[i * n + j] = std::min(paths[i * n + j], paths[i * n + k] + paths[k * n + j]);
      EXPECT_FALSE(std::equal(paths.begin(), paths.end(), data.result.begin())) << n << " " << left_out;
    }
  }
}

TEST(FloydWarshall, CountsWorkAsByHand) {
  const Kernel& kernel = kernel_of("floyd_warshall");
  const Work whole = kernel.work(problem_of("floyd_warshall", 18));
  EXPECT_EQ(whole.bytes_read, 4 * 9);
  EXPECT_EQ(whole.bytes_written, 4 * 9);
  EXPECT_EQ(whole.flops, 0);
  EXPECT_EQ(whole.integer_operations, 54);
  EXPECT_EQ(whole.items, 9);
  EXPECT_EQ(kernel.work(problem_of("floyd_warshall", 18, ElementType::float64)).flops, 54);
}

}  // namespace
}  // namespace sextant
