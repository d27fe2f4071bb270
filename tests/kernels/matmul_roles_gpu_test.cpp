// Tests all tile shapes of matmul's `cuda.roles` and `cuda.bulk_roles` at sizes that reuse each pipeline
// stage several times. The sizes in kernels_test are too small for that.
#include <cuda_runtime.h>

#include "../../kernels/matmul/tile_distribution.cuh"
#include "gpu_fixture.hpp"
#include "registry/registry.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/random.hpp"

namespace sextant::test {
namespace {

// Returns small integers, whose sums are exact in any order.
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

// Returns all combinations of the values of all tunables.
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
  ArrayAt on_device[3];
  Arrays(const std::vector<T>& a, const std::vector<T>& b) : bytes(a.size() * sizeof(T)) {
    for (ArrayAt& array : on_device) EXPECT_EQ(cudaMalloc(&array.base, bytes), cudaSuccess);
    cudaMemcpy(on_device[0].base, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(on_device[1].base, b.data(), bytes, cudaMemcpyHostToDevice);
  }
  ~Arrays() {
    for (const ArrayAt& array : on_device) cudaFree(array.base);
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
    std::string values = std::string(variant.name) + ", n = " + std::to_string(n) + ", tuning";
    for (const int value : tuning) values += " " + std::to_string(value);
    const char* reason = variant.prepare(call, &call.state);
    ASSERT_EQ(reason, nullptr) << values;
    for (int launch = 0; launch < 2; ++launch) {  // the second launch reuses the workspace of the first
      cudaMemset(arrays.on_device[2].base, 0xff, arrays.bytes);
      variant.launch[type](call);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess) << values;
      std::vector<T> c(right.size());
      cudaMemcpy(c.data(), arrays.on_device[2].base, arrays.bytes, cudaMemcpyDeviceToHost);
      ASSERT_TRUE(c == right) << values << ", launch " << launch;
    }
    variant.release(call.state);
    ++shapes;
  }
  EXPECT_GT(shapes, 1);
}

struct MeasuredBest {
  std::int64_t n;
  std::vector<int> in_float, in_double;  // tile_m, tile_n, parts per tile; empty if not measured
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

// The fastest shapes on an H200 and on an H100 (docs/explanation/kernels/matmul.md). Needs no GPU.
TEST(MatmulRoles, DefaultsAreTheShapesThatWereMeasuredBest) {
  expect_defaults("cuda.roles", {{512, {32, 64, 1}, {64, 64, 2}},
                                 {600, {48, 64, 1}, {64, 64, 1}},
                                 {661, {64, 64, 1}, {64, 64, 1}},
                                 {773, {80, 64, 1}, {96, 64, 1}},
                                 {1024, {64, 128, 1}, {128, 64, 1}},
                                 {1100, {160, 64, 1}, {128, 64, 1}},
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
                                      {3072, {192, 128, 1}, {128, 128, 1}},
                                      {8192, {256, 128, 1}, {128, 128, 1}}});
}

// Expects that each part of each tile belongs to one block, and that no tile has more parts than steps.
void expect_distributed_once(const matmul::TileDistribution& distribution, int tiles, int steps) {
  std::vector<int> parts_there(static_cast<std::size_t>(tiles));
  for (int block = 0; block < distribution.blocks(); ++block) {
    const auto [tile, part, parts] = distribution.part_of(block);
    ASSERT_TRUE(tile >= 0 && tile < tiles) << tile;
    ASSERT_EQ(parts, tile < distribution.whole ? 1 : distribution.parts);
    ASSERT_LE(parts, steps);
    ASSERT_EQ(part, parts_there[static_cast<std::size_t>(tile)]++) << "parts of a tile come in their order";
  }
  for (int tile = 0; tile < tiles; ++tile)
    ASSERT_EQ(parts_there[static_cast<std::size_t>(tile)],
              tile < distribution.whole ? 1 : distribution.parts);
}

// This test and the next one need no GPU.
TEST(MatmulDeal, EveryPartOfEveryTileIsABlocks) {
  for (const int at_once : {7, 16, 132})
    for (const int steps : {2, 6, 17, 256})
      for (int tiles = 1; tiles < 3 * at_once; ++tiles) {
        SCOPED_TRACE(std::to_string(tiles) + " tiles of " + std::to_string(steps) + " steps, " +
                     std::to_string(at_once) + " blocks at once");
        const matmul::TileDistribution distribution = matmul::distribute_divided(tiles, steps, at_once);
        expect_distributed_once(distribution, tiles, steps);
        EXPECT_EQ(distribution.divided() > 0 ? distribution.whole % at_once : 0, 0)
            << "a full round is not divided";
        EXPECT_LE(distribution.divided() * distribution.parts, at_once) << "parts take one round";
        for (const int cluster : {1, 2})
          expect_distributed_once(matmul::distribute_to_clusters(tiles, cluster), tiles, steps);
      }
}

TEST(MatmulDeal, TilesOfALastRoundThatIsHalfEmptyAreDivided) {
  EXPECT_EQ(matmul::distribute_divided(324, 35, 132).parts, 2);     // 60 tiles are left for the last wave
  EXPECT_EQ(matmul::distribute_divided(4096, 512, 132).parts, 16);  // 4 tiles are left
  EXPECT_EQ(matmul::distribute_divided(331, 35, 132).parts, 1);     // 67 tiles are left
  EXPECT_EQ(matmul::distribute_divided(60, 35, 132).parts, 1);      // there is only one wave
  EXPECT_DOUBLE_EQ(matmul::rounds_of(matmul::distribute_divided(331, 35, 132), 35, 132), 3);
  EXPECT_DOUBLE_EQ(matmul::rounds_of(matmul::distribute_to_clusters(66, 2), 35, 132), 1);
  const double divided = matmul::rounds_of(matmul::distribute_divided(324, 35, 132), 35, 132);
  EXPECT_TRUE(divided > 2.5 && divided < 3) << divided;
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

// At n = 800 in double, the tiles of the last wave of blocks are divided.
TEST_F(MatmulRolesGpu, EveryShapeIsRightWhereStagesGoRound) {
  expect_every_shape_right("cuda.roles", {331, 516, 800});
}

// At n = 528, rows of doubles are multiples of 16 columns, so bulk copies read the matrices directly. At n =
// 1100, the tiles of the last wave are divided.
TEST_F(MatmulRolesGpu, EveryShapeFedByBulkCopiesIsRight) {
  expect_every_shape_right("cuda.bulk_roles", {331, 516, 528, 1100});
}

}  // namespace
}  // namespace sextant::test
