// Tests of the micro-kernels' definitions against independent formulas: sizes, order of access, references,
// work and tolerances.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "../../kernels/stride/loop.hpp"
#include "../../programs/lbm_d3q15/lattice.hpp"
#include "engine/case/check.hpp"
#include "registry/registry.hpp"
#include "suite/extents.hpp"

namespace sextant {
namespace {

// Every micro-kernel with its number of dimensions.
const std::map<std::string, int> dimensions = {
    {"copy", 1},      {"scale", 1},         {"add", 1},           {"triad", 1},
    {"reduction", 1}, {"stencil1d_2pt", 1}, {"stencil2d_4pt", 2}, {"stencil3d_7pt", 3},
    {"matvec", 2},    {"matmul", 2},        {"matmul_naive", 2},  {"stride2", 1},
    {"stride4", 1},   {"stride16", 1},      {"stride64", 1},      {"rows", 2}};

const Kernel& kernel_of(const std::string& name) { return find_kernel(name)->kernel; }

Problem problem_of(const Kernel& kernel, std::int64_t n, ElementType type) {
  return {n, type, kernel.extents(n), kernel.standard_parameters()};
}

class Definition : public testing::TestWithParam<std::string> {};

// Returns the number of elements of all arrays, without the result of the reduction.
std::int64_t working_set(const Kernel& kernel, const Problem& problem) {
  std::int64_t sum = 0;
  for (int i = 0; i < static_cast<int>(kernel.arrays.size()); ++i)
    if (kernel.name != "reduction" || i == 0) sum += kernel.elements(problem, i);
  return sum;
}

TEST_P(Definition, ExtentsAreTheLargestThatFit) {
  ASSERT_NE(find_kernel(GetParam()), nullptr);
  const Kernel& kernel = kernel_of(GetParam());
  const int used = dimensions.at(GetParam());
  std::vector<std::int64_t> sizes;
  for (std::int64_t n = 1; n <= 10000; ++n) sizes.push_back(n);
  for (int exponent = 20; exponent <= 62; ++exponent)
    for (const std::int64_t offset : {-1, 0, 1}) sizes.push_back((std::int64_t{1} << exponent) + offset);
  for (const std::int64_t side :
       {1000003, 1200000007})  // for these sizes, a floating-point root is wrong by one
    for (const std::int64_t arrays : {2, 3})
      for (const std::int64_t offset : {-1, 0, 1}) sizes.push_back(arrays * side * side + offset);
  for (const std::int64_t offset : {-1, 0, 1})
    sizes.push_back(2 * std::int64_t{1290001} * 1290001 * 1290001 + offset);
  for (const std::int64_t n : sizes) {
    Problem problem = problem_of(kernel, n, ElementType::float32);
    const Extents extents = problem.extents;
    EXPECT_EQ(extents.y, used >= 2 ? extents.x : 1);
    EXPECT_EQ(extents.z, used >= 3 ? extents.x : 1);
    ASSERT_LE(working_set(kernel, problem), n) << "N=" << n;
    ++problem.extents.x;
    if (used >= 2) ++problem.extents.y;
    if (used >= 3) ++problem.extents.z;
    ASSERT_GT(working_set(kernel, problem), n) << "N=" << n;
  }
}

using Values = std::vector<long double>;
using Inputs = std::vector<Values>;

long double dot(const Inputs& in, std::int64_t a, std::int64_t a_step, std::int64_t b, std::int64_t b_step,
                std::int64_t n) {
  long double sum = 0;
  for (std::int64_t k = 0; k < n; ++k)
    sum += in[0][static_cast<std::size_t>(a + k * a_step)] * in[1][static_cast<std::size_t>(b + k * b_step)];
  return sum;
}

// Computes output element `index` by the kernel's definition, in long double.
long double expected(const std::string& name, const Problem& problem, const Inputs& in, std::int64_t index) {
  const std::int64_t n = problem.extents.x, used = dimensions.at(name);
  const auto b = [&](std::int64_t i) { return in[0][static_cast<std::size_t>(i)]; };
  const long double s = problem.type == ElementType::float32 ? static_cast<long double>(0.4f) : 0.4;
  if (name == "scale") return s * b(index);
  if (name == "add") return b(index) + in[1][static_cast<std::size_t>(index)];
  if (name == "triad") return b(index) + s * in[1][static_cast<std::size_t>(index)];
  if (name == "matvec") return dot(in, index * n, 1, 0, 1, n);
  if (name.starts_with("matmul")) return dot(in, index / n * n, 1, index % n, n, n);
  if (name == "reduction") {
    long double sum = 0;
    for (const long double value : in[0]) sum += value;
    return sum;
  }
  if (!name.starts_with("stencil")) return b(index);
  long double sum = name == "stencil3d_7pt" ? b(index) : 0;
  std::int64_t step = 1, count = name == "stencil3d_7pt" ? 1 : 0;
  for (int axis = 0; axis < used; ++axis, step *= n) {
    const std::int64_t coordinate = index / step % n;
    if (coordinate == 0 || coordinate == n - 1) return b(index);
    sum += b(index - step) + b(index + step);
    count += 2;
  }
  return sum / static_cast<long double>(count);
}

template <typename T>
Inputs inputs_of(Workset& workset) {
  Inputs inputs;
  for (std::size_t i = 0; i < workset.arrays().size(); ++i) {
    const HostArray& array = workset.arrays()[i];
    const T* data = static_cast<const T*>(array.data);
    inputs.emplace_back(data, data + array.bytes / sizeof(T));
  }
  return inputs;
}

TEST_P(Definition, ReferenceIsTheFormula) {
  const Kernel& kernel = kernel_of(GetParam());
  for (const ElementType type : {ElementType::float32, ElementType::float64})
    for (const std::int64_t n : {3, 7, 30, 100, 999, 4099, 60001}) {
      const Problem problem = problem_of(kernel, n, type);
      if (problem.extents.count() == 0) continue;
      Workset workset(kernel, problem, 7);
      const Inputs inputs =
          type == ElementType::float32 ? inputs_of<float>(workset) : inputs_of<double>(workset);
      const std::vector<double>& got = workset.reference(static_cast<int>(kernel.arrays.size()) - 1);
      // Also for float problems, the reference must have double precision.
      const double slack = kernel.tolerance(problem).absolute * (type == ElementType::float32 ? 1e-6 : 0.5);
      for (std::size_t i = 0; i < got.size(); ++i) {
        const long double want = expected(GetParam(), problem, inputs, static_cast<std::int64_t>(i));
        ASSERT_NEAR(got[i], static_cast<double>(want), slack)
            << name_of(type) << " N=" << n << " element " << i;
      }
    }
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const auto& [name, used] : dimensions) list.push_back(name);
  return list;
}

std::string title(const testing::TestParamInfo<std::string>& info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(All, Definition, testing::ValuesIn(names()), title);

TEST(Definitions, CountWorkAsByHand) {
  struct Row {
    const char* name;
    std::int64_t bytes_read, bytes_written, flops, items;
  };
  // For N = 7936 floats, an array has 3968 elements if there are two arrays and 2645 if there are three. The
  // side length n is 62 and 15 (stencils), 88 (matvec) and 51 (matmul).
  for (const Row& row : std::initializer_list<Row>{{"copy", 15872, 15872, 0, 3968},
                                                   {"scale", 15872, 15872, 3968, 3968},
                                                   {"add", 21160, 10580, 2645, 2645},
                                                   {"triad", 21160, 10580, 5290, 2645},
                                                   {"reduction", 31744, 4, 7935, 7936},
                                                   {"stencil1d_2pt", 15872, 15872, 7932, 3968},
                                                   {"stencil2d_4pt", 15376, 15376, 14400, 3844},
                                                   {"stencil3d_7pt", 13500, 13500, 15379, 3375},
                                                   {"matvec", 31328, 352, 15488, 88},
                                                   {"matmul", 20808, 10404, 265302, 2601},
                                                   {"matmul_naive", 20808, 10404, 265302, 2601},
                                                   {"stride2", 15872, 15872, 0, 3968},
                                                   {"stride64", 15872, 15872, 0, 3968},
                                                   {"rows", 15376, 15376, 0, 3844}}) {
    const Kernel& kernel = kernel_of(row.name);
    const Work work = kernel.work(problem_of(kernel, 7936, ElementType::float32));
    EXPECT_EQ(work.bytes_read, row.bytes_read) << row.name;
    EXPECT_EQ(work.bytes_written, row.bytes_written) << row.name;
    EXPECT_EQ(work.flops, row.flops) << row.name;
    EXPECT_EQ(work.items, row.items) << row.name;
    const Work wide = kernel.work(problem_of(kernel, 7936, ElementType::float64));
    EXPECT_EQ(wide.bytes_read, 2 * row.bytes_read) << row.name;
    EXPECT_EQ(wide.flops, row.flops) << row.name;
  }
}

TEST(Definitions, StrideKernelsCarryTheirStride) {
  for (const int stride : {2, 4, 16, 64})
    EXPECT_EQ(kernel_of("stride" + std::to_string(stride)).parameters[0], stride);
}

// The linker keeps one copy of a template that two files instantiate with external linkage. Both variants
// would then run code that was compiled with one file's flags.
TEST(Definitions, VariantsHaveCodeOfTheirOwn) {
  for (const RegisteredKernel& entry : registry()) {
    std::map<std::array<std::uintptr_t, 2>, std::string> owners;  // keyed by the function and its context
    for (const Variant& variant : entry.variants)
      for (const ElementType type : {ElementType::float32, ElementType::float64}) {
        if (!variant.launch[type]) continue;
        const auto [place, is_new] =
            owners.emplace(std::bit_cast<std::array<std::uintptr_t, 2>>(variant.launch[type]), variant.name);
        EXPECT_TRUE(is_new ||
                    place->second ==
                        variant.name)  // one variant may share code among types; two variants may not
            << entry.kernel.name << ": " << variant.name << " runs the code of " << place->second;
      }
  }
}

TEST(StrideOrder, IsTheOrderOfTheReferenceLoop) {
  for (std::int64_t n = 1; n <= 300; ++n)
    for (std::int64_t stride = 1; stride <= 130; ++stride) {
      const stride::Order order(n, stride);
      std::int64_t j = 0;
      for (std::int64_t lane = 0; lane < stride; ++lane)
        for (std::int64_t i = lane; i < n; i += stride)
          ASSERT_EQ(order(j++), i) << "n=" << n << " stride=" << stride;
      ASSERT_EQ(j, n);
    }
}

TEST(StrideOrder, HoldsBeyond32Bits) {
  const std::int64_t n = 10'000'000'019, stride = 2;  // sequences of 5'000'000'010 and 5'000'000'009 elements
  const stride::Order order(n, stride);
  EXPECT_EQ(order(0), 0);
  EXPECT_EQ(order(5'000'000'009), 10'000'000'018);
  EXPECT_EQ(order(5'000'000'010), 1);
  EXPECT_EQ(order(5'000'000'011), 3);
  EXPECT_EQ(order(n - 1), 10'000'000'017);
  const stride::Order many(n, 64);  // a sequence has fewer than 2^32 elements, but j is larger
  EXPECT_EQ(many(n - 1), n - 1 - (n - 64) % 64);
}

TEST(Roots, AreExactNextToPowers) {
  for (const std::int64_t root :
       std::initializer_list<std::int64_t>{1, 2, 3, 94906265, 94906266, 94906267, 3037000498, 3037000499}) {
    EXPECT_EQ(square_root(root * root), root);
    EXPECT_EQ(square_root(root * root - 1), root - 1);
  }
  EXPECT_EQ(square_root(std::numeric_limits<std::int64_t>::max()), 3037000499);
  for (const std::int64_t root :
       std::initializer_list<std::int64_t>{1, 2, 3, 208063, 208064, 208065, 2097150, 2097151}) {
    EXPECT_EQ(cube_root(root * root * root), root);
    EXPECT_EQ(cube_root(root * root * root - 1), root - 1);
  }
  EXPECT_EQ(cube_root(std::numeric_limits<std::int64_t>::max()), 2097151);
}

// A tolerance must allow rounding errors and nothing else.
TEST(Tolerance, NoticesAMissingTermOfASum) {
  const Kernel& kernel = kernel_of("reduction");
  for (const std::int64_t n : {10, 1000, 7936}) {
    Workset workset(kernel, problem_of(kernel, n, ElementType::float32), 11);
    const float* a = static_cast<const float*>(workset.arrays()[0].data);
    workset.poison_outputs(0xFF);
    float sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += a[i];
    Deviation error;
    auto* result = static_cast<float*>(workset.arrays()[1].data);
    *result = sum;
    EXPECT_EQ(workset.compare(&error), "") << n;
    *result = sum - a[n / 2];
    EXPECT_NE(workset.compare(&error), "") << n;
  }
}

// Rounds a float to 11 significant bits, as tensor cores do with TF32.
float shortened(float value) {
  int exponent = 0;
  const float significand = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(significand * 0x1p11f) * 0x1p-11f, exponent);
}

TEST(Tolerance, NoticesProductsOfShortenedFactors) {
  const Kernel& kernel = kernel_of("matmul");
  for (const std::int64_t n : {300, 7936, 130560}) {
    Workset workset(kernel, problem_of(kernel, n, ElementType::float32), 13);
    const std::int64_t side = workset.problem().extents.x;
    const float* a = static_cast<const float*>(workset.arrays()[0].data);
    const float* b = static_cast<const float*>(workset.arrays()[1].data);
    float* c = static_cast<float*>(workset.arrays()[2].data);
    for (const bool shorten : {false, true}) {
      const auto as_read = [shorten](float value) { return shorten ? shortened(value) : value; };
      workset.poison_outputs(0xFF);
      for (std::int64_t i = 0; i < side * side; ++i) {
        float sum = 0;
        for (std::int64_t k = 0; k < side; ++k)
          sum += as_read(a[i / side * side + k]) * as_read(b[k * side + i % side]);
        c[i] = sum;
      }
      Deviation error;
      EXPECT_EQ(workset.compare(&error).empty(), !shorten) << n;
    }
  }
}

// A number type that counts the operations on it.
struct Counting {
  Counting(double value_ = 0) : value(value_) {}
  double value;
  static inline std::int64_t operations = 0;
  friend Counting operator+(Counting a, Counting b) { return ++operations, a.value + b.value; }
  friend Counting operator-(Counting a, Counting b) { return ++operations, a.value - b.value; }
  friend Counting operator*(Counting a, Counting b) { return ++operations, a.value * b.value; }
  friend Counting operator/(Counting a, Counting b) { return ++operations, a.value / b.value; }
  friend Counting operator-(Counting a) { return -a.value; }
};

TEST(Lattice, ACollisionHasTheOperationsItSays) {
  constexpr int spread = 7;  // operations that broadcast sqrt(2) to a vector
  // Subexpressions that the source computes twice: 2 for two velocities, 2 for two corners, and 7 products
  // with sqrt(2).
  constexpr int written_twice = 2 + 2 + 7;
  Counting f[15];
  for (int k = 0; k < 15; ++k) f[k] = 1 + 0.01 * k;
  lbm_d3q15::collide<double, Counting>(f, lbm_d3q15::Rates<double>{0.5, 0.1, 0.05, 0});
  EXPECT_EQ(Counting::operations, lbm_d3q15::collision_flops + spread + written_twice);
}

}  // namespace
}  // namespace sextant
