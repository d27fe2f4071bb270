// Many small matrices and systems, and transforms: their sizes and references, held against what their pages say of them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "registry/registry.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

const Kernel& kernel_of(const char* name) { return find_kernel(name)->kernel; }

// With `parameter` for the kernel's only parameter, if it has one.
Problem problem_of(const char* name, std::int64_t n, std::int64_t parameter,
                   ElementType type = ElementType::float64) {
  const Kernel& kernel = kernel_of(name);
  Problem problem = {n, type, kernel.extents(n), kernel.standard_parameters()};
  if (!kernel.parameter_list.empty()) problem.parameters[0] = parameter;
  return problem;
}

// Inputs in T, drawn as the kernel says, and the reference of its last array.
template <typename T>
struct Data {
  std::vector<std::vector<T>> arrays;
  std::vector<double> result;

  explicit Data(const Kernel& kernel, const Problem& problem) {
    std::vector<const void*> in;
    std::vector<double*> out;
    for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
      const int index = static_cast<int>(i);
      arrays.emplace_back(static_cast<std::size_t>(kernel.elements(problem, index)));
      if (kernel.arrays[i].role == Role::in) {
        if (kernel.initialise[problem.type])
          kernel.initialise[problem.type](problem, index, 5 + i, arrays[i].data());
        else
          fill_uniform(5 + i, static_cast<std::int64_t>(arrays[i].size()), arrays[i].data());
      }
    }
    result.resize(arrays.back().size());
    for (const auto& array : arrays) in.push_back(array.data()), out.push_back(nullptr);
    out.back() = result.data();
    kernel.reference[problem.type](problem, in.data(), out.data());
  }
};

TEST(GemmBatched, HasWholeMatricesOfTheSizeThatIsAsked) {
  struct Fit {
    std::int64_t n, size, elements;
  };
  for (const Fit& one : std::initializer_list<Fit>{{2, 16, 0},
                                                   {3, 16, 1},
                                                   {3 * 255, 16, 225},
                                                   {3 * 256, 16, 256},
                                                   {3 * 256 + 767, 16, 256},
                                                   {1000, 7, 6 * 49},
                                                   {130560, 16, 170 * 256},
                                                   {1 << 28, 128, 5461 * 16384}}) {
    const Problem problem = problem_of("gemm_batched", one.n, one.size);
    if (one.elements == 0)
      EXPECT_EQ(problem.extents.count(), 0);
    else
      for (const int index : {0, 1, 2})
        EXPECT_EQ(kernel_of("gemm_batched").elements(problem, index), one.elements) << one.n;
  }
}

TEST(GemmBatched, ReferenceIsTheDefinition) {
  const Kernel& kernel = kernel_of("gemm_batched");
  for (const std::int64_t m : {2, 7, 16, 31}) {
    const Data<double> data(kernel, problem_of("gemm_batched", 6000, m));
    const auto size = static_cast<std::size_t>(m), count = size * size;
    for (std::size_t at = 0; at < data.result.size(); ++at) {
      const std::size_t first = at / count * count, i = at % count / size, j = at % size;
      long double want = 0;
      for (std::size_t k = 0; k < size; ++k)
        want += static_cast<long double>(data.arrays[0][first + i * size + k]) *
                data.arrays[1][first + k * size + j];
      EXPECT_NEAR(data.result[at], static_cast<double>(want), 4e-15) << m << " " << at;
    }
  }
}

TEST(GemmBatched, CountsWorkAsByHand) {
  const Work work =
      kernel_of("gemm_batched").work(problem_of("gemm_batched", 130560, 16, ElementType::float32));
  EXPECT_EQ(work.bytes_read, 2 * 4 * 170 * 256);
  EXPECT_EQ(work.bytes_written, 4 * 170 * 256);
  EXPECT_EQ(work.flops, 2 * 170 * 16 * 16 * 16);
  EXPECT_EQ(work.items, 170 * 256);
}

}  // namespace
}  // namespace sextant
