// Tests of the kernels with many small matrices, systems or transforms: sizes and references must match the
// documentation.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "../../patterns/fft1d/beside.hpp"
#include "../../patterns/fft1d/merged.hpp"
#include "../../patterns/tridiagonal/rows.hpp"
#include "registry/registry.hpp"
#include "toolbox/host/lane_sums.hpp"
#include "toolbox/host/turn.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

const Kernel& kernel_of(const char* name) { return find_kernel(name)->kernel; }

// Returns a problem. `parameter` sets the kernel's only parameter, if there is one.
Problem problem_of(const char* name, std::int64_t n, std::int64_t parameter,
                   ElementType type = ElementType::float64) {
  const Kernel& kernel = kernel_of(name);
  Problem problem = {n, type, kernel.extents(n), kernel.standard_parameters()};
  if (!kernel.parameter_list.empty()) problem.parameters[0] = parameter;
  return problem;
}

// The input arrays as T, and the reference of the last array.
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

// With two tiles per warp, matrix A is read half as often. That pays only if A is in the L2 cache. Otherwise,
// memory reads A once in any case, and one tile per warp gives more warps.
TEST(GemmBatched, MatrixUnitsHaveTwoTilesAWarpWhereTheCacheHoldsAll) {
  const Variant* form = find_variant(*find_kernel("gemm_batched"), "cuda.matrix_units");
  if (!form) GTEST_SKIP() << "built without CUDA";
  const auto wide = [&](std::int64_t n, std::int64_t size) {
    std::vector<int> tuning;
    for (const Tunable& one : form->tunables) tuning.push_back(one.preferred);
    form->adapt(problem_of("gemm_batched", n, size), tuning.data());
    return tuning[1];
  };
  EXPECT_EQ(wide(130560, 16), 1);
  EXPECT_EQ(wide(1310720, 16), 2);
  EXPECT_EQ(wide(9437184, 16), 1);
  EXPECT_EQ(wide(9437184, 64), 2);
}

TEST(GemmBatched, MatrixUnitsTakeRowsOfMultiplesOfEight) {
  const Variant* form = find_variant(*find_kernel("gemm_batched"), "cuda.matrix_units");
  if (!form) GTEST_SKIP() << "built without CUDA";
  const int tuning[] = {64, 1};
  for (const std::int64_t size : {8, 16, 24, 120})
    EXPECT_EQ(form->constraint(problem_of("gemm_batched", 1310720, size), tuning), nullptr) << size;
  for (const std::int64_t size : {2, 7, 12, 31})
    EXPECT_NE(form->constraint(problem_of("gemm_batched", 1310720, size), tuning), nullptr) << size;
}

TEST(Tridiagonal, BlocksHaveFourRowsAThreadWhereThatIsASystem) {
  const Variant* form = find_variant(*find_kernel("tridiagonal"), "cuda.block");
  if (!form) GTEST_SKIP() << "built without CUDA";
  const auto shape = [&](std::int64_t length) {
    std::vector<int> tuning;
    for (const Tunable& one : form->tunables) tuning.push_back(one.preferred);
    form->adapt(problem_of("tridiagonal", 1 << 24, length), tuning.data());
    return tuning;
  };
  EXPECT_EQ(shape(256), (std::vector<int>{64, 4}));
  EXPECT_EQ(shape(257), (std::vector<int>{64, 8}));
  EXPECT_EQ(shape(2048), (std::vector<int>{256, 8}));
  EXPECT_EQ(shape(4096), (std::vector<int>{256, 16}));
}

TEST(Tridiagonal, BulkCopiesBringSystemsOfWholeVectorsThatABlockHasRoomFor) {
  const Variant* form = find_variant(*find_kernel("tridiagonal"), "cuda.bulk_block");
  if (!form) GTEST_SKIP() << "built without CUDA";
  const auto refused = [&](std::int64_t length, ElementType type) {
    const Problem problem = problem_of("tridiagonal", 1 << 24, length, type);
    std::vector<int> tuning;
    for (const Tunable& one : form->tunables) tuning.push_back(one.preferred);
    form->adapt(problem, tuning.data());
    return form->constraint(problem, tuning.data()) != nullptr;
  };
  for (const std::int64_t length : {2, 254, 256, 4096, 6144})
    EXPECT_FALSE(refused(length, ElementType::float64)) << length;
  for (const std::int64_t length : {255, 6146, 8192})
    EXPECT_TRUE(refused(length, ElementType::float64)) << length;
  EXPECT_FALSE(refused(8192, ElementType::float32));
  EXPECT_TRUE(refused(254, ElementType::float32));
}

template <typename T>
void expect_turned() {
  constexpr int rows = 16, columns = 64, across = columns + 3, stride = rows + 5;
  std::vector<T> from(rows * across), to(columns * stride, T(-1));
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i);
  turn_squares<rows, columns>(from.data(), across, to.data(), stride);
  for (int k = 0; k < columns; ++k)
    for (int r = 0; r < stride; ++r)
      EXPECT_EQ(to[static_cast<std::size_t>(k * stride + r)],
                r < rows ? static_cast<T>(r * across + k) : T(-1));
}

TEST(Turn, BlocksAreTurnedInRegisters) {
  expect_turned<float>();
  expect_turned<double>();
}

template <typename T>
void expect_sums() {
  constexpr int lanes = Square<T>::lanes;
  Square<T> square;
  for (int r = 0; r < lanes; ++r)
    for (int k = 0; k < lanes; ++k) square.rows[r][k] = static_cast<T>(r * r + k);
  const auto sums = sums_of_lanes(square);
  for (int r = 0; r < lanes; ++r) EXPECT_EQ(sums[r], lanes * r * r + lanes * (lanes - 1) / 2) << r;
}

TEST(Turn, SumsOfLanesAreInTheOrderOfTheirVectors) {
  expect_sums<float>();
  expect_sums<double>();
  expect_sums<std::int32_t>();
}

TEST(Tridiagonal, HasWholeSystemsOfTheLengthThatIsAsked) {
  struct Fit {
    std::int64_t n, length, elements;
  };
  for (const Fit& one : std::initializer_list<Fit>{{4, 256, 0},
                                                   {5, 256, 1},
                                                   {5 * 255, 256, 255},
                                                   {5 * 256 + 1279, 256, 256},
                                                   {1000, 7, 196},
                                                   {130560, 256, 102 * 256}}) {
    const Problem problem = problem_of("tridiagonal", one.n, one.length);
    if (one.elements == 0)
      EXPECT_EQ(problem.extents.count(), 0);
    else
      for (const int index : {0, 1, 2, 3, 4})
        EXPECT_EQ(kernel_of("tridiagonal").elements(problem, index), one.elements) << one.n;
  }
}

TEST(Tridiagonal, CouplesNoSystemToAnother) {
  const Data<float> data(kernel_of("tridiagonal"), problem_of("tridiagonal", 5000, 10, ElementType::float32));
  for (std::size_t i = 0; i < data.result.size(); ++i) {
    EXPECT_EQ(data.arrays[0][i] == 0, i % 10 == 0) << i;
    EXPECT_EQ(data.arrays[2][i] == 0, i % 10 == 9) << i;
    EXPECT_TRUE(data.arrays[1][i] >= 3 && data.arrays[1][i] < 4) << i;
    EXPECT_TRUE(std::abs(data.arrays[0][i]) <= 1 && std::abs(data.arrays[2][i]) <= 1) << i;
  }
}

// Substitutes the solution into the equations.
TEST(Tridiagonal, ReferenceSolvesTheSystems) {
  for (const std::int64_t length : {2, 7, 256, 1000}) {
    const Data<double> data(kernel_of("tridiagonal"), problem_of("tridiagonal", 5000, length));
    for (std::size_t i = 0; i < data.result.size(); ++i) {
      double left = data.arrays[1][i] * data.result[i];
      if (data.arrays[0][i] != 0) left += data.arrays[0][i] * data.result[i - 1];
      if (data.arrays[2][i] != 0) left += data.arrays[2][i] * data.result[i + 1];
      EXPECT_NEAR(left, data.arrays[3][i], 1e-15) << length << " " << i;
      EXPECT_LE(std::abs(data.result[i]), 1);
    }
  }
}

// Joins segments of four rows into one. Also solves them by parallel cyclic reduction, as the threads of a
// GPU do.
TEST(Tridiagonal, SegmentsKeepWhatTheirRowsSay) {
  constexpr std::size_t K = 4, count = 8;
  const Data<double> data(kernel_of("tridiagonal"), problem_of("tridiagonal", 5 * K * count, K * count));
  std::vector<tridiagonal::Rows<K, double>> rows(count);
  std::vector<tridiagonal::Reduced<double>> ends;
  tridiagonal::Segment<double> all{};
  for (std::size_t s = 0; s < count; ++s) {
    const auto from = [&](std::size_t array) { return data.arrays[array].data() + K * s; };
    rows[s].eliminate(from(0), from(1), from(2), from(3));
    all = s == 0 ? rows[s].segment() : joined(all, rows[s].segment());
  }
  EXPECT_NEAR(data.result.front() + all.of_first[1] * data.result.back(), all.of_first[2], 1e-15);
  EXPECT_NEAR(data.result.back(), all.of_last[2], 1e-15);
  for (const tridiagonal::Rows<K, double>& one : rows) {
    const auto behind = &one < &rows.back() ? (&one + 1)->segment() : tridiagonal::Segment<double>{};
    ends.push_back(tridiagonal::reduced(one.segment().of_last, behind.of_first));
  }
  for (std::size_t step = 1; step < count; step *= 2) {
    const auto before = ends;
    for (std::size_t s = 0; s < count; ++s)
      ends[s] = between(s >= step ? before[s - step] : tridiagonal::Reduced<double>{}, before[s],
                        s + step < count ? before[s + step] : tridiagonal::Reduced<double>{});
  }
  for (std::size_t s = 0; s < count; ++s) {
    double x[K];
    rows[s].finish(s > 0 ? ends[s - 1].right : 0, ends[s].right, x);
    for (std::size_t i = 0; i < K; ++i) EXPECT_NEAR(x[i], data.result[K * s + i], 1e-15) << s << " " << i;
  }
}

// Solves four rows between two known unknowns. The last block extends two rows beyond the system.
TEST(Tridiagonal, SolvesRowsBetweenTwoKnownUnknowns) {
  constexpr std::size_t K = 4, length = 4 * K - 2;
  const Data<double> data(kernel_of("tridiagonal"), problem_of("tridiagonal", 5 * length, length));
  for (std::size_t row = 0; row < length; row += K) {
    double of[4][K], x[K];
    const auto known = [&](std::size_t at) { return at < length ? data.result[at] : 0; };
    for (std::size_t array = 0; array < 4; ++array)
      for (std::size_t i = 0; i < K; ++i)
        of[array][i] = row + i < length ? data.arrays[array][row + i] : array == 1 ? 1 : 0;
    tridiagonal::solve_between<K>(of[0], of[1], of[2], of[3], row == 0 ? 0 : known(row - 1),
                                  known(row + K - 1), x);
    for (std::size_t i = 0; i < K; ++i) EXPECT_NEAR(x[i], known(row + i), 1e-15) << row << " " << i;
  }
}

TEST(Tridiagonal, CountsWorkAsByHand) {
  const Work work = kernel_of("tridiagonal").work(problem_of("tridiagonal", 130560, 256));
  EXPECT_EQ(work.bytes_read, 4 * 8 * 102 * 256);
  EXPECT_EQ(work.bytes_written, 8 * 102 * 256);
  EXPECT_EQ(work.flops, 8 * 102 * 256);
  EXPECT_EQ(work.items, 102 * 256);
}

TEST(Fft1d, HasWholeTransformsOfPowersOfTwo) {
  struct Fit {
    std::int64_t n, length, elements;
  };
  for (const Fit& one : std::initializer_list<Fit>{{3, 1024, 0},
                                                   {4, 1024, 1},
                                                   {31, 1024, 4},
                                                   {4 * 1023, 1024, 512},
                                                   {4 * 2047, 1024, 1024},
                                                   {1000, 8, 248},
                                                   {130560, 1024, 31 * 1024}}) {
    const Problem problem = problem_of("fft1d", one.n, one.length);
    EXPECT_EQ(problem.extents.count() == 0, one.elements == 0) << one.n;
    if (one.elements == 0) continue;
    for (const int index : {0, 1})
      EXPECT_EQ(kernel_of("fft1d").elements(problem, index), 2 * one.elements) << one.n;
  }
  EXPECT_EQ(kernel_of("fft1d").refuse(problem_of("fft1d", 1000, 64)), nullptr);
  EXPECT_NE(kernel_of("fft1d").refuse(problem_of("fft1d", 1000, 65)), nullptr);
}

// Computes the transform as a direct sum with separately computed factors.
TEST(Fft1d, ReferenceIsTheDefinition) {
  const long double turn = -2 * std::acos(-1.0L);
  for (const std::int64_t length : {2, 8, 64}) {
    const Data<double> data(kernel_of("fft1d"), problem_of("fft1d", 1024, length));
    const auto L = static_cast<std::size_t>(length);
    for (std::size_t at = 0; at < data.result.size() / 2; ++at) {
      long double re = 0, im = 0;
      for (std::size_t j = 0; j < L; ++j) {
        const long double angle =
            turn * static_cast<long double>(j * (at % L) % L) / static_cast<long double>(L);
        const long double of_re = data.arrays[0][2 * (at / L * L + j)],
                          of_im = data.arrays[0][2 * (at / L * L + j) + 1];
        re += of_re * std::cos(angle) - of_im * std::sin(angle);
        im += of_re * std::sin(angle) + of_im * std::cos(angle);
      }
      EXPECT_NEAR(data.result[2 * at], static_cast<double>(re), 1e-14) << length << " " << at;
      EXPECT_NEAR(data.result[2 * at + 1], static_cast<double>(im), 1e-14) << length << " " << at;
    }
  }
}

// A Fourier transform in the passes of a thread block. Threads run one after another here, and exchange all
// elements between passes.
template <int length, int points, int done = 1>
void transform_by_merged_passes(const fft1d::Complex<double>* table, std::vector<fft1d::Complex<double>>& X) {
  if constexpr (done < length) {
    constexpr fft1d::PassShape pass(length, points, done);
    const auto from = X;
    for (int t = 0; t < pass.threads; ++t) {
      double re[points], im[points];
      for (int e = 0; e < points; ++e) {
        re[e] = from[static_cast<std::size_t>(t + e * pass.threads)].re;
        im[e] = from[static_cast<std::size_t>(t + e * pass.threads)].im;
      }
      if constexpr (done == 1) {
        butterfly<pass.radix>(re, im);
      } else {
        fft1d::Complex<double> base[pass.stages];
        for (int s = 0; s < pass.stages; ++s)
          base[s] = table[fft1d::table_before(length, points, done) + s * pass.keys + t % pass.keys];
        fft1d::Merged<points, pass.stages, double>(base).pass(re, im);
      }
      constexpr int butterflies = points / pass.radix;
      for (int e = 0; e < points; ++e) {
        const int j = t + e % butterflies * pass.threads, k = j % done;
        X[static_cast<std::size_t>((j - k) * pass.radix + k + e / butterflies * done)] = {re[e], im[e]};
      }
    }
    transform_by_merged_passes<length, points, done * pass.radix>(table, X);
  }
}

template <int length, int points>
void expect_merged_passes_transform() {
  const Data<double> data(kernel_of("fft1d"), problem_of("fft1d", 4 * length, length));
  const std::vector<fft1d::Complex<double>> table = fft1d::merged_table<double>(length, points);
  EXPECT_EQ(static_cast<int>(table.size()), fft1d::table_before(length, points, length));
  std::vector<fft1d::Complex<double>> X(length);
  for (std::size_t j = 0; j < X.size(); ++j) X[j] = {data.arrays[0][2 * j], data.arrays[0][2 * j + 1]};
  transform_by_merged_passes<length, points>(table.data(), X);
  const double near = 40 * std::ldexp(1.0, -53) * std::sqrt(length / 3.0);
  for (std::size_t j = 0; j < X.size(); ++j) {
    EXPECT_NEAR(X[j].re, data.result[2 * j], near) << length << " " << points << " " << j;
    EXPECT_NEAR(X[j].im, data.result[2 * j + 1], near) << length << " " << points << " " << j;
  }
}

// Template arguments: length and points per thread. The last passes have every radix from 2 to `points`.
TEST(Fft1d, PassesWithMergedFactorsTransform) {
  expect_merged_passes_transform<4, 4>();
  expect_merged_passes_transform<32, 4>();
  expect_merged_passes_transform<64, 8>();
  expect_merged_passes_transform<128, 8>();
  expect_merged_passes_transform<256, 8>();
  expect_merged_passes_transform<256, 16>();
  expect_merged_passes_transform<512, 16>();
  expect_merged_passes_transform<1024, 16>();
  expect_merged_passes_transform<2048, 16>();
  expect_merged_passes_transform<1024, 32>();
  expect_merged_passes_transform<8192, 16>();
}

// For every size and every length up to 8192, the default tuning has a compiled kernel.
TEST(Fft1d, BlockPicksWhatItHasKernelsFor) {
  const Variant* block = find_variant(*find_kernel("fft1d"), "cuda.block");
  if (!block) GTEST_SKIP() << "built without CUDA";
  for (const ElementType type : {ElementType::float32, ElementType::float64})
    for (std::int64_t length = 2; length <= 16384; length *= 2)
      for (std::int64_t n = 4 * length; n <= std::int64_t{1} << 28; n *= 2) {
        const Problem problem = problem_of("fft1d", n, length, type);
        std::vector<int> tuning;
        for (const Tunable& tunable : block->tunables) tuning.push_back(tunable.preferred);
        block->adapt(problem, tuning.data());
        EXPECT_EQ(block->constraint(problem, tuning.data()) == nullptr, length <= 8192) << length << " " << n;
      }
}

// A cluster has 2 to 16 blocks of 4096 elements, in both types.
TEST(Fft1d, ClusterTakesWhatItHasKernelsFor) {
  const Variant* cluster = find_variant(*find_kernel("fft1d"), "cuda.cluster");
  if (!cluster) GTEST_SKIP() << "built without CUDA";
  std::vector<int> tuning;
  for (const Tunable& tunable : cluster->tunables) tuning.push_back(tunable.preferred);
  for (const ElementType type : {ElementType::float32, ElementType::float64})
    for (std::int64_t length = 2; length <= 1 << 18; length *= 2)
      EXPECT_EQ(cluster->constraint(problem_of("fft1d", 8 * length, length, type), tuning.data()) == nullptr,
                length >= 8192 && length <= 65536)
          << length;
}

// 21 clusters on 112 of 132 multiprocessors take 42 of 1024 transforms each. The other multiprocessors take
// the rest.
TEST(Fft1d, ClustersHaveAsManyTransformsEach) {
  EXPECT_EQ(fft1d::transforms_beside(1024, 21, 112, 20, 100), 1024 - 42 * 21);
  EXPECT_EQ(fft1d::transforms_beside(1024, 21, 112, 20, 0), 0);
  EXPECT_EQ(fft1d::transforms_beside(1024, 22, 132, 0, 100), 0);
  for (int batches = 1; batches <= 21; ++batches)
    EXPECT_EQ(fft1d::transforms_beside(batches, 21, 112, 20, 100), 0) << batches;
  for (int batches = 22; batches <= 5000; ++batches) {
    const int in_clusters = batches - fft1d::transforms_beside(batches, 21, 112, 20, 100);
    EXPECT_TRUE(in_clusters % 21 == 0 || in_clusters == batches) << batches;
    EXPECT_GE(in_clusters, batches * 112 / 131.0 - 0.001) << batches;
    EXPECT_LT(in_clusters, batches * 112 / 131.0 + 22) << batches;
  }
}

TEST(Fft1d, CountsWorkAsByHand) {
  const Work work = kernel_of("fft1d").work(problem_of("fft1d", 130560, 1024, ElementType::float32));
  EXPECT_EQ(work.bytes_read, 31 * 1024 * 8);
  EXPECT_EQ(work.bytes_written, 31 * 1024 * 8);
  EXPECT_EQ(work.flops, 5 * 31 * 1024 * 10);
  EXPECT_EQ(work.items, 31 * 1024);
}

// L times its transpose is A. L has no elements above the diagonal.
TEST(Cholesky, ReferenceMultipliesToTheMatrix) {
  for (const std::int64_t n : {2, 8, 50, 5000}) {
    const Problem problem = problem_of("cholesky", n, 0);
    const Data<double> data(kernel_of("cholesky"), problem);
    const auto side = static_cast<std::size_t>(problem.extents.x);
    EXPECT_EQ(side, static_cast<std::size_t>(std::sqrt(n / 2)));
    for (std::size_t i = 0; i < side; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        EXPECT_EQ(data.arrays[0][i * side + j], data.arrays[0][j * side + i]);
        EXPECT_EQ(data.result[j * side + i] == 0, i != j);
        double sum = 0;
        for (std::size_t k = 0; k <= j; ++k) sum += data.result[i * side + k] * data.result[j * side + k];
        EXPECT_NEAR(sum, data.arrays[0][i * side + j], 1e-15) << side << ": " << i << " " << j;
      }
  }
}

TEST(Cholesky, CountsWorkAsByHand) {
  const Work work = kernel_of("cholesky").work(problem_of("cholesky", 18, 0, ElementType::float32));
  EXPECT_EQ(work.bytes_read, 4 * 9);
  EXPECT_EQ(work.flops, 2 * 4 + 3 + 3);  // 4 subtracted products, 3 divisions, 3 roots
}

}  // namespace
}  // namespace sextant
