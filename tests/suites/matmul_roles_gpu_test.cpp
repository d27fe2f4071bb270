// matmul's `cuda.roles` and `cuda.bulk_roles` in every shape they have, at sides at which their stages go round several
// times: the kernel's own test of every tuning has fewer steps than there are stages.
#include "gpu_fixture.hpp"
#include "registry/registry.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/random.hpp"

namespace sextant::test {
namespace {

// Small whole numbers: each sum is exact in any order.
template <typename T>
std::vector<T> small_numbers(std::int64_t n, std::uint64_t seed) {
  std::vector<T> values(static_cast<std::size_t>(n * n));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(static_cast<int>(random_bits(seed, i) >> 33) % 9 - 4);
  return values;
}

template <typename T>
std::vector<T> product(std::int64_t n, const std::vector<T>& a, const std::vector<T>& b) {
  const auto side = static_cast<std::size_t>(n);
  std::vector<T> c(side * side);
  for (std::size_t i = 0; i < side; ++i)
    for (std::size_t k = 0; k < side; ++k)
      for (std::size_t j = 0; j < side; ++j) c[i * side + j] += a[i * side + k] * b[k * side + j];
  return c;
}

// All values of all tunables.
std::vector<std::vector<int>> every_tuning(const Variant& variant) {
  std::vector<std::vector<int>> list = {{}};
  for (const Tunable& tunable : variant.tunables) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& begun : list)
      for (const int value : tunable.choices) {
        longer.push_back(begun);
        longer.back().push_back(value);
      }
    list = std::move(longer);
  }
  return list;
}

template <typename T>
struct Arrays {
  std::size_t bytes;
  void* on_device[3] = {};
  Arrays(const std::vector<T>& a, const std::vector<T>& b) : bytes(a.size() * sizeof(T)) {
    for (void*& array : on_device) EXPECT_EQ(cudaMalloc(&array, bytes), cudaSuccess);
    cudaMemcpy(on_device[0], a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(on_device[1], b.data(), bytes, cudaMemcpyHostToDevice);
  }
  ~Arrays() {
    for (void* array : on_device) cudaFree(array);
  }
};

template <typename T>
void expect_every_shape_right(const Variant& variant, ElementType type, std::int64_t n) {
  const std::vector<T> a = small_numbers<T>(n, 1), b = small_numbers<T>(n, 2), right = product(n, a, b);
  Arrays<T> arrays(a, b);
  int shapes = 0;
  for (const std::vector<int>& tuning : every_tuning(variant)) {
    Call call;
    call.problem = {3 * n * n, type, {n, n, 1}, {}};
    call.tuning = tuning.data();
    call.arrays = arrays.on_device;
    if (variant.constraint(call.problem, tuning.data())) continue;
    cudaMemset(arrays.on_device[2], 0xff, arrays.bytes);
    std::string values = std::string(variant.name) + ", n = " + std::to_string(n) + ", tuning";
    for (const int value : tuning) values += " " + std::to_string(value);
    const char* reason = variant.prepare(call, &call.state);
    ASSERT_EQ(reason, nullptr) << values;
    variant.launch[type](call);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess) << values;
    variant.release(call.state);
    std::vector<T> c(right.size());
    cudaMemcpy(c.data(), arrays.on_device[2], arrays.bytes, cudaMemcpyDeviceToHost);
    ASSERT_TRUE(c == right) << values;
    ++shapes;
  }
  EXPECT_GT(shapes, 1);
}

struct MeasuredBest {
  std::int64_t n;
  std::vector<int> in_float, in_double;  // tile_m, tile_n, parts; none: not measured
};

void expect_defaults(const char* name, const std::vector<MeasuredBest>& best) {
  if (multiprocessors() != 132) GTEST_SKIP() << "measured with 132 multiprocessors";
  const Variant* variant = find_variant(*find_kernel("matmul"), name);
  ASSERT_NE(variant, nullptr);
  for (const MeasuredBest& one : best)
    for (const ElementType type : {ElementType::float32, ElementType::float64}) {
      const std::vector<int>& measured = type == ElementType::float32 ? one.in_float : one.in_double;
      if (measured.empty()) continue;
      std::vector<int> tuning(3);
      variant->adapt({3 * one.n * one.n, type, {one.n, one.n, 1}, {}}, tuning.data());
      EXPECT_EQ(tuning, measured) << name_of(type) << ", n = " << one.n;
    }
}

// What was fastest on an H200 and on an H100 (docs/kernels/matmul.md). Needs no GPU.
TEST(MatmulRoles, DefaultsAreTheShapesThatWereMeasuredBest) {
  expect_defaults("cuda.roles", {{512, {32, 64, 1}, {64, 64, 2}},
                                 {600, {48, 64, 1}, {64, 64, 1}},
                                 {661, {64, 64, 1}, {64, 64, 1}},
                                 {773, {80, 64, 1}, {96, 64, 1}},
                                 {1024, {64, 128, 1}, {128, 64, 1}},
                                 {1100, {160, 64, 1}, {96, 64, 1}},
                                 {1300, {128, 128, 1}, {}},
                                 {1500, {96, 64, 1}, {96, 64, 1}},
                                 {1773, {128, 128, 2}, {128, 64, 1}},
                                 {2048, {256, 128, 1}, {128, 64, 1}},
                                 {3072, {192, 128, 1}, {128, 64, 1}}});
}

TEST(MatmulRoles, DefaultsByBulkCopiesAreTheShapesThatWereMeasuredBest) {
  expect_defaults("cuda.bulk_roles", {{512, {64, 128, 1}, {64, 64, 2}},
                                      {1024, {64, 128, 1}, {128, 64, 1}},
                                      {1773, {64, 128, 1}, {128, 64, 1}},
                                      {2048, {256, 128, 1}, {128, 128, 1}},
                                      {3072, {192, 128, 1}, {96, 128, 1}},
                                      {8192, {256, 128, 1}, {128, 128, 1}}});
}

class MatmulRolesGpu : public WithGpu {};

void expect_every_shape_right(const char* name, std::initializer_list<std::int64_t> sides) {
  const Variant* variant = find_variant(*find_kernel("matmul"), name);
  ASSERT_NE(variant, nullptr);
  if (const char* reason = variant->unavailable()) GTEST_SKIP() << reason;
  for (const std::int64_t n : sides) {
    expect_every_shape_right<float>(*variant, ElementType::float32, n);
    expect_every_shape_right<double>(*variant, ElementType::float64, n);
  }
}

TEST_F(MatmulRolesGpu, EveryShapeIsRightWhereStagesGoRound) {
  expect_every_shape_right("cuda.roles", {331, 516});
}

// 528: rows of doubles are whole groups of 16 columns, so that nothing is copied before.
TEST_F(MatmulRolesGpu, EveryShapeFedByBulkCopiesIsRight) {
  expect_every_shape_right("cuda.bulk_roles", {331, 516, 528});
}

}  // namespace
}  // namespace sextant::test
