// Tests of the patterns (histogram, sort, transpose, …): their sizes and inputs match the documentation.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "../../patterns/blackscholes/host.hpp"
#include "../../patterns/nbody/newton.hpp"
#include "../../patterns/sha256/loop.hpp"
#include "../../patterns/softmax/exponential.hpp"
#include "../../patterns/spmv/loop.hpp"
#include "registry/registry.hpp"
#include "toolbox/carving.hpp"

namespace sextant {
namespace {

const Kernel& kernel_of(const char* name) { return find_kernel(name)->kernel; }

Problem problem_of(const Kernel& kernel, std::int64_t n) {
  return {n, ElementType::int32, kernel.extents(n), kernel.standard_parameters()};
}

std::vector<std::int32_t> whole_input(const Kernel& kernel, const Problem& problem, std::uint64_t seed) {
  std::vector<std::int32_t> input(static_cast<std::size_t>(kernel.elements(problem, 0)));
  kernel.initialise.int32(problem, 0, seed, input.data());
  return input;
}

// Returns the default value of a variant's tunable.
int default_of(const char* kernel, const char* form, const char* tunable, const Problem& problem) {
  const Variant& variant = *find_variant(*find_kernel(kernel), form);
  std::vector<int> tuning;
  int value = -1;
  for (const Tunable& one : variant.tunables) tuning.push_back(one.preferred);
  if (variant.adapt) variant.adapt(problem, tuning.data());
  for (std::size_t i = 0; i < tuning.size(); ++i)
    if (variant.tunables[i].name == std::string(tunable)) value = tuning[i];
  return value;
}

TEST(Transpose, ShearedTilesGrowWithTheMatrix) {
  if (!find_variant(*find_kernel("transpose"), "cuda.vector")) GTEST_SKIP() << "built without CUDA";
  for (const auto& [side, type, groups] : {std::tuple{809, ElementType::float32, 8},
                                           {809, ElementType::float64, 8},
                                           {2173, ElementType::float32, 16},
                                           {4097, ElementType::float32, 16},
                                           {2174, ElementType::float32, 16},
                                           {3071, ElementType::float64, 16},
                                           {8191, ElementType::float32, 32},
                                           {11585, ElementType::float64, 32},
                                           // rows are whole vectors
                                           {512, ElementType::float32, 16},
                                           {510, ElementType::float64, 16},
                                           {8192, ElementType::float32, 16},
                                           {8190, ElementType::float64, 16}}) {
    const Kernel& kernel = kernel_of("transpose");
    const Problem problem{std::int64_t{side} * side, type, {side, side, 1}, kernel.standard_parameters()};
    EXPECT_EQ(default_of("transpose", "cuda.vector", "tile_vectors", problem), groups)
        << side << " " << name_of(type);
  }
}

TEST(Transpose, LetsMostOfAMatrixThatNoCacheHoldsGoByTheCache) {
  if (!find_variant(*find_kernel("transpose"), "cuda.vector")) GTEST_SKIP() << "built without CUDA";
  const auto stay = [](std::int64_t side, ElementType type) {
    const Problem problem{
        2 * side * side, type, {side, side, 1}, kernel_of("transpose").standard_parameters()};
    return default_of("transpose", "cuda.vector", "l2_keep_mib", problem);
  };
  EXPECT_EQ(stay(2172, ElementType::float64), 16);
  EXPECT_GT(stay(2172, ElementType::float32), 1000);  // 19 MB fit in the L2 cache
  EXPECT_EQ(stay(8192, ElementType::float32), 0);
  EXPECT_GT(stay(11585, ElementType::float32), 1000);  // rows are not whole vectors
}

TEST(Segmented, PacksAndStretchesGrowWithTheElements) {
  if (!find_variant(*find_kernel("segmented_short"), "cuda.packs")) GTEST_SKIP() << "built without CUDA";
  const auto value = [](const char* kernel, const char* form, const char* tunable, std::int64_t n,
                        ElementType type) {
    Problem problem = problem_of(kernel_of(kernel), n);
    problem.type = type;
    return default_of(kernel, form, tunable, problem);
  };
  EXPECT_EQ(value("segmented_short", "cuda.packs", "vectors_per_thread", 1310720, ElementType::float32), 4);
  EXPECT_EQ(value("segmented_short", "cuda.packs", "vectors_per_thread", 9437184, ElementType::float32), 2);
  EXPECT_EQ(value("segmented_short", "cuda.packs", "vectors_per_thread", 9437184, ElementType::float64), 4);
  EXPECT_EQ(value("segmented_ruler", "cuda.warps", "elements_per_warp", 130560, ElementType::float64), 256);
  EXPECT_EQ(value("segmented_ruler", "cuda.warps", "elements_per_warp", 1310720, ElementType::float64), 512);
  EXPECT_EQ(value("segmented_ruler", "cuda.warps", "elements_per_warp", 9437184, ElementType::float32), 2048);
  for (const auto type : {ElementType::float32, ElementType::float64})
    EXPECT_EQ(value("segmented_ruler", "cuda.warps", "elements_per_warp", 1 << 28, type), 4096)
        << name_of(type);
}

// A lane (thread of a warp) holds 8 rows of a system, or 16 if 32 lanes could not hold the system otherwise.
// More gangs run at once in double than in float.
TEST(Tridiagonal, LanesHaveAsManyRowsAsASystemNeeds) {
  const Variant* const lanes = find_variant(*find_kernel("tridiagonal"), "openacc.lanes");
  if (!lanes) GTEST_SKIP() << "built without OpenACC";
  const auto system = [](std::int64_t length, ElementType type) {
    Problem made = problem_of(kernel_of("tridiagonal"), 1 << 20);
    made.parameters[0] = length, made.type = type;
    return made;
  };
  for (const auto type : {ElementType::float32, ElementType::float64})
    for (const auto& [length, rows] : {std::pair{1, 8}, {256, 8}, {257, 16}, {512, 16}, {513, 16}}) {
      const Problem problem = system(length, type);
      const int gangs = default_of("tridiagonal", "openacc.lanes", "num_gangs", problem);
      EXPECT_EQ(gangs, type == ElementType::float32 ? 792 : 1056);
      EXPECT_EQ(default_of("tridiagonal", "openacc.lanes", "rows", problem), rows) << length;
      EXPECT_EQ(lanes->constraint(problem, std::vector<int>{gangs, rows}.data()) == nullptr, length <= 512)
          << length;
    }
}

// openacc.ends stores only each segment's last element, so it rejects data with empty segments.
TEST(Segmented, EndsAreOfSegmentsThatHaveElements) {
  const Variant* const ends = find_variant(*find_kernel("segmented_ruler"), "openacc.ends");
  if (!ends) GTEST_SKIP() << "built without OpenACC";
  const std::vector<int> tuning = {ends->tunables[0].preferred, ends->tunables[1].preferred};
  EXPECT_FALSE(ends->constraint(problem_of(kernel_of("segmented_ruler"), 7936), tuning.data()));
  EXPECT_TRUE(ends->constraint(problem_of(kernel_of("segmented_short"), 7936), tuning.data()));
}

TEST(Histogram, HasItsBinsBesideItsKeys) {
  for (const char* name : {"histogram_uniform", "histogram_skewed"})
    for (const std::int64_t n : {1, 255, 256, 257, 258, 7936, 1 << 28}) {
      const Problem problem = problem_of(kernel_of(name), n);
      EXPECT_EQ(problem.extents.x, n > 256 ? n - 256 : 0) << name << " " << n;
      EXPECT_EQ(kernel_of(name).elements(problem, 1), 256);
    }
  const Kernel& wide = kernel_of("histogram_wide");
  EXPECT_EQ(problem_of(wide, 1).extents.x, 0);
  for (const std::int64_t n : {2, 3, 7936, 7937, 1 << 28}) {
    EXPECT_EQ(problem_of(wide, n).extents.x, (n + 1) / 2);
    EXPECT_EQ(wide.elements(problem_of(wide, n), 1), n / 2);
  }
}

TEST(Histogram, DrawsEachKeyAsOftenAsItSays) {
  constexpr std::int64_t n = 1 << 20;
  for (const auto& [name, share_of_0, share_of_255] :
       {std::tuple{"histogram_uniform", 1 / 256.0, 1 / 256.0}, std::tuple{"histogram_skewed", 0.776, 0.0}}) {
    const Problem problem = problem_of(kernel_of(name), n + 256);
    std::vector<double> share(256);
    for (const std::int32_t key : whole_input(kernel_of(name), problem, 5)) {
      ASSERT_TRUE(key >= 0 && key < 256) << name;
      share[static_cast<std::size_t>(key)] += 1.0 / n;
    }
    EXPECT_NEAR(share[0], share_of_0, 0.002) << name;
    EXPECT_NEAR(share[255], share_of_255, 0.0005) << name;
  }
}

TEST(Histogram, DrawsWideKeysFromAllBins) {
  const Kernel& kernel = kernel_of("histogram_wide");
  const Problem problem = problem_of(kernel, 1 << 20);
  constexpr std::int64_t bins = 1 << 19;
  std::vector<int> eighths(8);
  for (const std::int32_t key : whole_input(kernel, problem, 5)) {
    ASSERT_TRUE(key >= 0 && key < bins);
    ++eighths[static_cast<std::size_t>(key / (bins / 8))];
  }
  for (const int count : eighths) EXPECT_NEAR(count, bins / 8, bins / 400);
}

// Thread counts that do not divide the number of keys, blocks that do not divide the bins, and more threads
// than blocks.
TEST(Histogram, OfPiecesCountsEachKeyOnceHoweverManyThreadsThereAre) {
  const RegisteredKernel& registered = *find_kernel("histogram_wide");
  const Variant& variant = *find_variant(registered, "openmp.partitioned");
  const int before = omp_get_max_threads();
  for (const int threads : {1, 3, 32})
    for (const std::int64_t n : {2, 3, 100, 70001}) {
      const Problem problem = problem_of(registered.kernel, n);
      std::vector<std::int32_t> keys = whole_input(registered.kernel, problem, 5);
      std::vector<std::int32_t> counted(static_cast<std::size_t>(registered.kernel.elements(problem, 1)), -1),
          expected(counted.size(), 0);
      for (const std::int32_t key : keys) ++expected[static_cast<std::size_t>(key)];
      ArrayAt arrays[] = {keys.data(), counted.data()};
      Call call;
      call.problem = problem, call.arrays = arrays;
      omp_set_num_threads(threads);
      ASSERT_EQ(variant.prepare(call, &call.state), nullptr);
      for (int again = 0; again < 2; ++again) {
        std::fill(counted.begin(), counted.end(), -1);
        variant.launch.int32(call);
        EXPECT_EQ(counted, expected) << threads << " threads, n = " << n;
      }
      variant.release(call.state);
    }
  omp_set_num_threads(before);
}

TEST(Sort, HasRoomForWhatItReadsAndWrites) {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 7936, 1 << 28}) {
    EXPECT_EQ(problem_of(kernel_of("sort_keys"), n).extents.x, n / 2);
    EXPECT_EQ(problem_of(kernel_of("sort_pairs"), n).extents.x, n / 4);
  }
}

TEST(Sort, SetsEachBitOfSkewedKeysMoreSeldom) {
  const Kernel& kernel = kernel_of("sort_keys");
  Problem problem = problem_of(kernel, 1 << 18);
  for (problem.parameters[0] = 0; problem.parameters[0] <= 4; ++problem.parameters[0]) {
    std::vector<double> share(32);
    const std::vector<std::int32_t> keys = whole_input(kernel, problem, 5);
    for (const std::int32_t key : keys)
      for (std::size_t bit = 0; bit < 32; ++bit)
        share[bit] += (static_cast<std::uint32_t>(key) >> bit & 1) / static_cast<double>(keys.size());
    for (const double one : share)
      EXPECT_NEAR(one, std::ldexp(1.0, -1 - static_cast<int>(problem.parameters[0])), 0.01);
  }
}

TEST(Sort, RefusesSkewForKeysThatAreNoWholeNumbers) {
  Problem problem = problem_of(kernel_of("sort_keys"), 100);
  problem.parameters[0] = 1;
  EXPECT_EQ(kernel_of("sort_keys").refuse(problem), nullptr);
  problem.type = ElementType::float32;
  EXPECT_NE(kernel_of("sort_keys").refuse(problem), nullptr);
}

// Onesweep counts up to 2^30 - 1 keys. For more keys, the error message names another variant.
TEST(Sort, OnesweepRefusesMoreKeysThanItsLettersCount) {
  const RegisteredKernel& entry = *find_kernel("sort_keys");
  const Variant *onesweep = find_variant(entry, "cuda.onesweep"), *radix = find_variant(entry, "cuda.radix");
  if (!onesweep) GTEST_SKIP() << "built without CUDA";
  const auto refusal = [](const Variant& variant, std::int64_t keys) -> std::string {
    const Problem problem{2 * keys, ElementType::int32, {keys, 1, 1}, {0}};
    std::vector<int> tuning;
    for (const Tunable& tunable : variant.tunables) tuning.push_back(tunable.preferred);
    const char* reason = variant.refusal(problem, tuning.data());
    return reason ? reason : "";
  };
  constexpr std::int64_t limit = std::int64_t{1} << 30;
  EXPECT_EQ(refusal(*onesweep, limit - 1), "");
  EXPECT_NE(refusal(*onesweep, limit).find("use cuda.radix"), std::string::npos);
  EXPECT_EQ(refusal(*radix, limit), "");
}

// Onesweep has compiled kernels for some tunings only. It rejects other tunings and never chooses them.
TEST(Sort, OnesweepPicksWhatItHasKernelsFor) {
  for (const char* name : {"sort_keys", "sort_pairs"}) {
    const Kernel& kernel = kernel_of(name);
    const Variant* onesweep = find_variant(*find_kernel(name), "cuda.onesweep");
    if (!onesweep) GTEST_SKIP() << "built without CUDA";
    for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32}) {
      if (!kernel.initialise[type]) continue;
      for (std::int64_t n = 1; n <= std::int64_t{1} << 30; n *= 2) {
        const Problem problem{n, type, kernel.extents(n), kernel.standard_parameters()};
        std::vector<int> tuning;
        for (const Tunable& tunable : onesweep->tunables) tuning.push_back(tunable.preferred);
        onesweep->adapt(problem, tuning.data());
        EXPECT_EQ(onesweep->constraint(problem, tuning.data()), nullptr) << name << " " << n;
        const bool pairs = kernel.arrays.size() == 4, eights = type == ElementType::float64;
        const auto has = [&](int block, int items) {
          tuning[0] = block, tuning[1] = items;
          return onesweep->constraint(problem, tuning.data()) == nullptr;
        };
        for (const int block : {256, 384, 512}) {
          EXPECT_EQ(has(block, 8), eights && block < 512) << name << " " << block;
          EXPECT_TRUE(has(block, 16)) << name << " " << block;
          for (const int items : {24, 28})
            EXPECT_EQ(has(block, items), pairs && block == 384) << name << " " << items;
          EXPECT_EQ(has(block, 32), !pairs && block == 384) << name << " " << block;
        }
      }
    }
  }
}

// Data that fit in the L2 cache stay there. Of larger data, 16 MiB stay. If the data are much larger,
// everything goes through the cache.
TEST(Rounds, KeepsAPartOfWhatTheCacheHasNoRoomFor) {
  for (const char* name : {"compact", "inclusive_scan"}) {
    const Kernel& kernel = kernel_of(name);
    const Variant* rounds = find_variant(*find_kernel(name), "cuda.rounds");
    if (!rounds) GTEST_SKIP() << "built without CUDA";
    const auto stay_mib = [&](std::int64_t elements) {
      const Problem problem{elements, ElementType::float64, {elements, 1, 1}, kernel.standard_parameters()};
      std::vector<int> tuning;
      for (const Tunable& tunable : rounds->tunables) tuning.push_back(tunable.preferred);
      rounds->adapt(problem, tuning.data());
      return tuning.back();
    };
    constexpr std::int64_t mib = (1 << 20) / 8;
    EXPECT_GE(stay_mib(32 * mib), 32) << name;
    EXPECT_EQ(stay_mib(33 * mib), 16) << name;
    EXPECT_EQ(stay_mib(1023 * mib), 16) << name;
    EXPECT_GE(stay_mib(1024 * mib), 1024) << name;
  }
}

// Exchanging the values of two equal keys makes the result wrong.
TEST(Sort, KeepsTheOrderOfEqualKeys) {
  const Kernel& kernel = kernel_of("sort_pairs");
  Problem problem = problem_of(kernel, 4000);
  problem.parameters[0] = 4;
  const std::vector<std::int32_t> keys = whole_input(kernel, problem, 5);
  std::vector<std::int32_t> values(keys.size());
  kernel.initialise.int32(problem, 1, 6, values.data());
  std::vector<double> sorted(keys.size()), sorted_values(keys.size());
  const void* in[] = {keys.data(), values.data(), nullptr, nullptr};
  double* out[] = {nullptr, nullptr, sorted.data(), sorted_values.data()};
  kernel.reference.int32(problem, in, out);
  int equal = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    ASSERT_LE(sorted[i - 1], sorted[i]);
    if (sorted[i - 1] != sorted[i]) continue;
    EXPECT_LT(sorted_values[i - 1], sorted_values[i]);
    ++equal;
  }
  EXPECT_GT(equal, 100);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    EXPECT_EQ(sorted[i], keys[static_cast<std::size_t>(sorted_values[i])]);
}

const std::vector<const char*> sparse = {"spmv_banded", "spmv_uniform", "spmv_powerlaw"};

Problem sparse_problem(const char* name, std::int64_t n) {
  Problem problem = problem_of(kernel_of(name), n);
  problem.type = ElementType::float32;
  return problem;
}

template <typename T>
std::vector<T> input(const char* name, const Problem& problem, int index, std::uint64_t seed = 5) {
  std::vector<T> values(static_cast<std::size_t>(kernel_of(name).elements(problem, index)));
  kernel_of(name).initialise.float32(problem, index, seed, values.data());
  return values;
}

TEST(Spmv, HasTheMostRowsThatFit) {
  const auto elements = [](const char* name, const Problem& problem) {
    std::int64_t sum = 0;
    for (int i = 0; i < 5; ++i) sum += kernel_of(name).elements(problem, i);
    return sum;
  };
  for (const char* name : sparse) {
    for (const std::int64_t n : {6, 7, 30, 560, 561, 7936, 99991, 1 << 20, 1 << 28}) {
      Problem problem = sparse_problem(name, n);
      EXPECT_LE(elements(name, problem), n) << name;
      ++problem.extents.x;
      EXPECT_GT(elements(name, problem), n) << name;
    }
    EXPECT_EQ(sparse_problem(name, 5).extents.x, 0);
  }
  EXPECT_EQ(sparse_problem("spmv_banded", 1 << 28).extents.x, ((1 << 28) - 1) / 35);
}

// Returns the length of a row, which depends on the trailing zeros of row + 1 (ruler sequence).
std::int64_t length_by_ruler(std::int64_t row) {
  constexpr std::int64_t lengths[] = {4, 6, 10, 16, 25, 40, 64, 101, 161, 256, 406, 645, 1024};
  int mark = 0;
  for (std::int64_t place = row + 1; place % 2 == 0; place /= 2) ++mark;
  return lengths[mark];
}

TEST(Spmv, HasRowsOfTheLengthsItSays) {
  for (const char* name : sparse)
    for (const std::int64_t n : {6, 30, 400, 1000, 60000}) {
      const Problem problem = sparse_problem(name, n);
      const std::int64_t m = problem.extents.x;
      const auto row = input<std::int32_t>(name, problem, 0);
      ASSERT_EQ(static_cast<std::int64_t>(row.size()), m + 1);
      EXPECT_EQ(row[0], 0);
      for (std::int64_t r = 0; r < m; ++r) {
        const std::int64_t length = std::string(name) == "spmv_powerlaw" ? length_by_ruler(r) : 16;
        EXPECT_EQ(row[static_cast<std::size_t>(r) + 1] - row[static_cast<std::size_t>(r)],
                  std::min(length, m))
            << name << " " << n << " row " << r;
      }
      EXPECT_EQ(row.back(), kernel_of(name).elements(problem, 1));
    }
}

TEST(Spmv, HasAscendingColumnsEachInItsRange) {
  double within = 0, entries = 0;  // sum of the relative positions (0 to 1) within their ranges, and number
                                   // of nonzeros of spmv_uniform
  for (const char* name : sparse)
    for (const std::int64_t n : {6, 30, 400, 1000, 60000}) {
      const Problem problem = sparse_problem(name, n);
      const std::int64_t m = problem.extents.x;
      const auto row = input<std::int32_t>(name, problem, 0), col = input<std::int32_t>(name, problem, 1);
      for (std::int64_t r = 0; r < m; ++r) {
        const std::int64_t begin = row[static_cast<std::size_t>(r)],
                           k = row[static_cast<std::size_t>(r) + 1] - begin;
        for (std::int64_t q = 0; q < k; ++q) {
          const auto at = static_cast<std::size_t>(begin + q);
          const double low = static_cast<double>(q) / static_cast<double>(k),
                       high = static_cast<double>(q + 1) / static_cast<double>(k);
          const auto free = static_cast<double>(m - k);
          const double drawn = static_cast<double>(col[at] - q);  // index among the remaining columns
          ASSERT_TRUE(col[at] >= 0 && col[at] < m && (q == 0 || col[at] > col[at - 1])) << name << " " << r;
          if (std::string(name) == "spmv_uniform") {
            if (const double wide = free / static_cast<double>(k); wide > 50)
              within += (drawn - free * low) / wide, ++entries;
            ASSERT_TRUE(drawn > free * low - 1 && drawn <= free * high) << r << " " << q;
          } else if (std::string(name) == "spmv_powerlaw") {
            ASSERT_TRUE(drawn > free * low * low * low - 1 && drawn <= free * high * high * high + 1e-6)
                << r << " " << q;
          } else {
            ASSERT_EQ(col[at], std::max<std::int64_t>(0, std::min(r - 8, m - k)) + q);
          }
        }
      }
    }
  EXPECT_GT(entries, 10000);
  EXPECT_NEAR(within / entries, 0.5, 0.02);
}

TEST(Spmv, HasTheSameStructureInEveryRun) {
  for (const char* name : sparse) {
    const Problem problem = sparse_problem(name, 5000);
    for (const int index : {0, 1})
      EXPECT_EQ(input<std::int32_t>(name, problem, index, 5), input<std::int32_t>(name, problem, index, 6));
    for (const int index : {2, 3})
      EXPECT_NE(input<float>(name, problem, index, 5), input<float>(name, problem, index, 6));
  }
}

// Half of a row's nonzeros lie in the first eighth of the columns.
TEST(Spmv, PrefersLowColumnsInThePowerLaw) {
  const Problem problem = sparse_problem("spmv_powerlaw", 200000);
  const auto col = input<std::int32_t>("spmv_powerlaw", problem, 1);
  const auto low =
      std::count_if(col.begin(), col.end(), [&](std::int32_t c) { return c < problem.extents.x / 8; });
  EXPECT_NEAR(static_cast<double>(low), 0.5 * static_cast<double>(col.size()),
              0.03 * static_cast<double>(col.size()));
}

TEST(Spmv, ReferenceIsTheProductOfTheWholeMatrix) {
  for (const char* name : sparse)
    for (const std::int64_t n : {6, 100, 3000}) {
      const Problem problem = sparse_problem(name, n);
      const auto m = static_cast<std::size_t>(problem.extents.x);
      const auto row = input<std::int32_t>(name, problem, 0), col = input<std::int32_t>(name, problem, 1);
      const auto val = input<float>(name, problem, 2), x = input<float>(name, problem, 3);
      std::vector<double> whole(m * m), got(m);
      for (std::size_t r = 0; r < m; ++r)
        for (auto e = static_cast<std::size_t>(row[r]); e < static_cast<std::size_t>(row[r + 1]); ++e) {
          EXPECT_TRUE(((val[e] >= -4 && val[e] < 4) || (val[e] >= 1 << 14 && val[e] < 1 << 15)) &&
                      val[e] == std::round(val[e]));
          whole[r * m + static_cast<std::size_t>(col[e])] = val[e];
        }
      const void* in[] = {row.data(), col.data(), val.data(), x.data(), nullptr};
      double* out[] = {nullptr, nullptr, nullptr, nullptr, got.data()};
      kernel_of(name).reference.float32(problem, in, out);
      for (std::size_t r = 0; r < m; ++r) {
        double want = 0;
        for (std::size_t c = 0; c < m; ++c) want += whole[r * m + c] * x[c];
        EXPECT_EQ(got[r], want) << name << " " << n << " row " << r;
      }
    }
}

// Follows the merge path: a step takes the next nonzero, or ends a row that has no more.
TEST(Spmv, FindsThePlacesOfAWalkAlongTheMergePath) {
  for (const std::vector<std::int32_t>& ends : std::initializer_list<std::vector<std::int32_t>>{
           {1}, {0}, {3, 3, 7, 8}, {0, 0, 5}, {16, 32, 48, 64}}) {
    const std::int64_t m = static_cast<std::int64_t>(ends.size()), entries = ends.back();
    std::int64_t rows = 0, taken = 0;
    for (std::int64_t steps = 0; steps <= m + entries; ++steps) {
      const auto place = spmv::place_on_path(steps, m, entries, ends.data());
      EXPECT_EQ(place.rows, rows) << steps;
      EXPECT_EQ(place.entries, taken) << steps;
      if (rows < m && taken == ends[static_cast<std::size_t>(rows)])
        ++rows;
      else
        ++taken;
    }
  }
}

TEST(Spmv, SlabsAreLargeWhereXIs) {
  if (!find_variant(*find_kernel("spmv_uniform"), "cuda.slabs")) GTEST_SKIP() << "built without CUDA";
  for (const auto& [kernel, n, type, slab, tile] :
       {std::tuple{"spmv_uniform", 9437184, ElementType::float32, 96, 16384},
        {"spmv_powerlaw", 1 << 20, ElementType::float32, 96, 12288},
        {"spmv_uniform", 1 << 25, ElementType::float32, 96, 8192},
        {"spmv_uniform", 1 << 28, ElementType::float32, 192, 16384},
        {"spmv_uniform", 1 << 28, ElementType::float64, 192, 12288},
        {"spmv_powerlaw", 1 << 25, ElementType::float32, 96, 8192},
        {"spmv_powerlaw", 1 << 28, ElementType::float32, 192, 16384},
        {"spmv_powerlaw", 1 << 28, ElementType::float64, 192, 8192}}) {
    Problem problem = sparse_problem(kernel, n);
    problem.type = type;
    EXPECT_EQ(default_of(kernel, "cuda.slabs", "slab_kib", problem), slab) << kernel << " " << n;
    EXPECT_EQ(default_of(kernel, "cuda.slabs", "tile", problem), tile) << kernel << " " << n;
    const Variant& variant = *find_variant(*find_kernel(kernel), "cuda.slabs");
    std::vector<int> tuning;
    for (const Tunable& one : variant.tunables)
      tuning.push_back(default_of(kernel, "cuda.slabs", one.name, problem));
    EXPECT_EQ(variant.constraint(problem, tuning.data()), nullptr) << kernel << " " << n;
  }
}

TEST(Spmv, HasMoreEntriesAWarpTheMoreThereAre) {
  const Variant* warps = find_variant(*find_kernel("spmv_powerlaw"), "cuda.warps");
  if (!warps) GTEST_SKIP() << "built without CUDA";
  ASSERT_EQ(warps->tunables.size(), 5u);
  constexpr ElementType floats = ElementType::float32, doubles = ElementType::float64;
  for (const auto& [kernel, n, type, tuning] :
       {std::tuple{"spmv_powerlaw", 130560, floats, std::vector<int>{512, 1, 64, 1, 0}},
        {"spmv_powerlaw", 1310720, floats, {1024, 1, 256, 1, 0}},
        {"spmv_powerlaw", 1310720, doubles, {256, 1, 256, 1, 0}},
        {"spmv_powerlaw", 9437184, floats, {1024, 1, 2048, 0, 192}},
        {"spmv_powerlaw", 9437184, doubles, {512, 1, 1024, 0, 0}},
        {"spmv_powerlaw", 1 << 25, doubles, {1024, 1, 2048, 0, 192}},
        {"spmv_powerlaw", 1 << 28, doubles, {256, 1, 1024, 0, 0}},
        {"spmv_uniform", 1 << 25, doubles, {256, 1, 1024, 0, 0}}}) {
    Problem problem = sparse_problem(kernel, n);
    problem.type = type;
    std::vector<int> standard;
    for (const Tunable& one : warps->tunables)
      standard.push_back(default_of(kernel, "cuda.warps", one.name, problem));
    EXPECT_EQ(standard, tuning) << kernel << " " << n;
    EXPECT_EQ(warps->constraint(problem, standard.data()), nullptr) << kernel << " " << n;
  }
  const int both[] = {256, 1, 1024, 1, 192};
  EXPECT_NE(warps->constraint(sparse_problem("spmv_powerlaw", 1310720), both), nullptr);
}

TEST(Spmv, HasSmallTilesOfThePathWhereRowsAreFew) {
  if (!find_variant(*find_kernel("spmv_powerlaw"), "cuda.merge")) GTEST_SKIP() << "built without CUDA";
  const auto items = [](const char* kernel, std::int64_t n) {
    return default_of(kernel, "cuda.merge", "items_per_thread", sparse_problem(kernel, n));
  };
  EXPECT_EQ(items("spmv_powerlaw", 9437184), 4);
  EXPECT_EQ(items("spmv_powerlaw", 1 << 25), 8);
  EXPECT_EQ(items("spmv_banded", 1310720), 8);
}

TEST(Spmv, CountsWorkAsByHand) {
  // 226 rows of 16 nonzeros are the most with 35 * m + 1 <= 7936.
  const Problem problem = sparse_problem("spmv_banded", 7936);
  ASSERT_EQ(problem.extents.x, 226);
  const Work work = kernel_of("spmv_banded").work(problem);
  EXPECT_EQ(work.bytes_read, 3616 * 8 + 227 * 4 + 226 * 4);
  EXPECT_EQ(work.bytes_written, 226 * 4);
  EXPECT_EQ(work.flops, 2 * 3616);
  EXPECT_EQ(work.items, 226);
}

Problem softmax_problem(std::int64_t n, std::int64_t row, ElementType type = ElementType::float32) {
  Problem problem = problem_of(kernel_of("softmax"), n);
  problem.parameters[0] = row;
  problem.type = type;
  return problem;
}

TEST(Softmax, HasWholeRowsOfTheLengthThatIsAsked) {
  const Kernel& kernel = kernel_of("softmax");
  struct Row {
    std::int64_t n, row, elements;
  };
  for (const Row& one : std::initializer_list<Row>{{1, 1024, 0},
                                                   {2, 1024, 1},
                                                   {41, 1024, 20},
                                                   {2048, 1024, 1024},
                                                   {4095, 1024, 1024},
                                                   {4096, 1024, 2048},
                                                   {4096, 7, 2044},
                                                   {4096, 1, 2048},
                                                   {1 << 28, 1 << 18, 1 << 27}}) {
    const Problem problem = softmax_problem(one.n, one.row);
    if (one.elements == 0)
      EXPECT_EQ(problem.extents.count(), 0);
    else
      for (const int index : {0, 1}) EXPECT_EQ(kernel.elements(problem, index), one.elements) << one.n;
  }
  EXPECT_EQ(kernel.work(softmax_problem(4096, 7)).bytes_read, 4 * 2044);
  EXPECT_EQ(kernel.work(softmax_problem(4096, 7)).flops, 5 * 2044);
}

// Each of 32 lanes holds 32 elements in registers, so rows have at most 1024 elements.
TEST(Softmax, OpenAccRegistersAreForRowsOf1024Floats) {
  const Variant* const registers = find_variant(*find_kernel("softmax"), "openacc.registers");
  if (!registers) GTEST_SKIP() << "built without OpenACC";
  const int workers = registers->tunables[0].preferred;
  EXPECT_FALSE(registers->constraint(softmax_problem(1 << 20, 1024), &workers));
  EXPECT_TRUE(registers->constraint(softmax_problem(1 << 20, 1025), &workers));
  EXPECT_FALSE(registers->launch.float64);
}

// The values of a row are far from 0, so exp alone would overflow. They differ by at most 2.
TEST(Softmax, HasRowsThatExpAloneCannotTake) {
  const Problem problem = softmax_problem(2 * 400 * 25, 25);
  std::vector<float> x(10000);
  kernel_of("softmax").initialise.float32(problem, 0, 5, x.data());
  std::vector<int> middles(7);
  for (std::size_t r = 0; r < 400; ++r) {
    const double middle = 1024 * std::round(x[25 * r] / 1024);
    for (std::size_t c = 0; c < 25; ++c) ASSERT_LE(std::abs(x[25 * r + c] - middle), 1.001);
    ++middles[static_cast<std::size_t>(middle / 1024 + 3)];
  }
  EXPECT_EQ(middles[3], 0);
  for (const std::size_t middle : {0, 1, 2, 4, 5, 6}) EXPECT_NEAR(middles[middle], 400 / 6.0, 35);
}

// Computes e^x / (sum of e^x) by the definition in long double. A shift of the values avoids overflow.
TEST(Softmax, ReferenceIsTheDefinition) {
  const Kernel& kernel = kernel_of("softmax");
  for (const std::int64_t row : {1, 3, 25, 1000}) {
    const Problem problem = softmax_problem(6000, row, ElementType::float64);
    const auto count = static_cast<std::size_t>(kernel.elements(problem, 0)),
               columns = static_cast<std::size_t>(row);
    std::vector<double> x(count), y(count);
    kernel.initialise.float64(problem, 0, 7, x.data());
    const void* in[] = {x.data(), nullptr};
    double* out[] = {nullptr, y.data()};
    kernel.reference.float64(problem, in, out);
    for (std::size_t first = 0; first < count; first += columns) {
      long double sum = 0;
      for (std::size_t c = 0; c < columns; ++c) sum += std::exp(static_cast<long double>(x[first + c]));
      for (std::size_t c = 0; c < columns; ++c) {
        const long double want = std::exp(static_cast<long double>(x[first + c])) / sum;
        EXPECT_NEAR(y[first + c], static_cast<double>(want), 1e-15 * static_cast<double>(want));
      }
    }
  }
}

TEST(Softmax, AllowsRoundingByTheLengthOfRows) {
  const Kernel& kernel = kernel_of("softmax");
  EXPECT_DOUBLE_EQ(kernel.tolerance(softmax_problem(1 << 20, 1024)).relative, 128 * 0x1p-24);
  EXPECT_DOUBLE_EQ(kernel.tolerance(softmax_problem(1 << 20, 1024, ElementType::float64)).relative,
                   128 * 0x1p-53);
  EXPECT_DOUBLE_EQ(kernel.tolerance(softmax_problem(32, 1024)).relative, 72 * 0x1p-24);
}

template <typename T>
void expect_exponential(double least) {
  const double unit = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
  for (int i = 0; i <= 20000; ++i) {
    const T x = static_cast<T>(i < 10000 ? -i / 4000.0 : least * (i - 10000) / 10000);
    const auto want = static_cast<double>(std::exp(static_cast<long double>(x)));
    EXPECT_NEAR(static_cast<double>(softmax::exponential(x)), want, 6 * unit * want) << x;
  }
  EXPECT_EQ(softmax::exponential(T(0)), T(1));
  EXPECT_LT(softmax::exponential(static_cast<T>(-1e6)), 1e-37);
}

TEST(Softmax, HasAnExponentialByArithmeticAlone) {
  expect_exponential<float>(-87);
  expect_exponential<double>(-708);
}

std::int64_t elements_of_all(const Kernel& kernel, const Problem& problem) {
  std::int64_t sum = 0;
  for (int i = 0; i < static_cast<int>(kernel.arrays.size()); ++i) sum += kernel.elements(problem, i);
  return sum;
}

TEST(Segmented, HasAsManySegmentsAsFit) {
  for (const char* name : {"segmented_short", "segmented_ruler"}) {
    const Kernel& kernel = kernel_of(name);
    std::vector<std::int64_t> sizes = {7936, 130560, 1 << 28, std::int64_t{1} << 40};
    for (std::int64_t n = 0; n < 400; ++n) sizes.push_back(n);
    for (const std::int64_t n : sizes) {
      Problem problem = problem_of(kernel, n);
      if (problem.extents.x > 0) {
        EXPECT_LE(elements_of_all(kernel, problem), n) << name;
      }
      if (++problem.extents.x < 1 << 28) {
        EXPECT_GT(elements_of_all(kernel, problem), n) << name;
      }
    }
  }
  EXPECT_EQ(problem_of(kernel_of("segmented_short"), 1 << 28).extents.x, 26843545);
  EXPECT_NE(
      kernel_of("segmented_short").refuse(problem_of(kernel_of("segmented_short"), std::int64_t{1} << 33)),
      nullptr);
}

TEST(Segmented, HasTheLengthsThatItSays) {
  const Kernel& few = kernel_of("segmented_short");
  const Problem problem = problem_of(few, 1 << 18);
  const std::int64_t m = problem.extents.x;
  const std::vector<std::int32_t> o = whole_input(few, problem, 5);
  EXPECT_EQ(o, whole_input(few, problem, 6)) << "structure is no matter of the seed";
  ASSERT_EQ(static_cast<std::int64_t>(o.size()), m + 1);
  EXPECT_EQ(o.front(), 0);
  EXPECT_EQ(o.back(), 8 * m);
  EXPECT_EQ(few.elements(problem, 1), o.back());
  std::vector<double> share(17);
  for (std::size_t j = 0; j + 1 < o.size(); ++j) {
    ASSERT_TRUE(o[j] <= o[j + 1] && o[j + 1] - o[j] <= 16);
    share[static_cast<std::size_t>(o[j + 1] - o[j])] += 1 / static_cast<double>(m);
  }
  for (int length = 0; length <= 16; ++length)  // the difference of two random numbers out of nine, plus 8
    EXPECT_NEAR(share[static_cast<std::size_t>(length)], (9 - std::abs(length - 8)) / 81.0, 0.006);
}

TEST(Segmented, HasTheLengthsOfARuler) {
  const Kernel& ruler = kernel_of("segmented_ruler");
  const std::vector<std::int32_t> o = whole_input(ruler, problem_of(ruler, 1 << 18), 5);
  for (std::size_t j = 0; j + 1 < o.size(); ++j) {
    std::int64_t length = 4,
                 cube = 64;  // the cube root of 2^(6 + 2 t), where t is the number of trailing zeros of j + 1
    for (std::size_t row = j + 1; row % 2 == 0; row /= 2) cube *= 4;
    while ((length + 1) * (length + 1) * (length + 1) <= cube) ++length;
    ASSERT_EQ(o[j + 1] - o[j], length) << j;
  }
}

TEST(Segmented, SumsEachSegment) {
  for (const char* name : {"segmented_short", "segmented_ruler"})
    for (const std::int64_t n : {11, 12, 101, 7936}) {
      const Kernel& kernel = kernel_of(name);
      const Problem problem = problem_of(kernel, n);
      const std::vector<std::int32_t> o = whole_input(kernel, problem, 5);
      std::vector<std::int32_t> a(static_cast<std::size_t>(kernel.elements(problem, 1)));
      kernel.initialise.int32(problem, 1, 6, a.data());
      std::vector<double> y(static_cast<std::size_t>(problem.extents.x));
      const void* in[] = {o.data(), a.data(), nullptr};
      double* out[] = {nullptr, nullptr, y.data()};
      kernel.reference.int32(problem, in, out);
      std::vector<std::int64_t> upto = {0};  // prefix sums of all elements
      for (const std::int32_t value : a) {
        EXPECT_TRUE(value % 2 != 0 && (std::abs(value) <= 7 || (value >= 1 << 17 && value < 1 << 18)));
        upto.push_back(upto.back() + value);
      }
      for (std::size_t j = 0; j < y.size(); ++j)
        EXPECT_EQ(y[j], static_cast<double>(upto[static_cast<std::size_t>(o[j + 1])] -
                                            upto[static_cast<std::size_t>(o[j])]))
            << name << " " << n << " " << j;
    }
}

std::vector<std::int32_t> places_of(const Kernel& kernel, const Problem& problem, std::uint64_t seed) {
  std::vector<std::int32_t> places(static_cast<std::size_t>(problem.extents.x));
  kernel.initialise.float32(problem, 0, seed, places.data());
  return places;
}

TEST(GatherAndScatter, VisitEachPlaceOnce) {
  for (const char* name : {"gather_random", "gather_near", "scatter_random", "scatter_near"})
    for (const std::int64_t n : {3, 6, 1000, 3 * 4096, 3 * 4097, 100000}) {
      const Kernel& kernel = kernel_of(name);
      const Problem problem = problem_of(kernel, n);
      ASSERT_EQ(problem.extents.x, n / 3);
      std::vector<int> visits(static_cast<std::size_t>(n / 3));
      std::int64_t i = 0, far = 0;
      for (const std::int32_t place : places_of(kernel, problem, 5)) {
        ASSERT_TRUE(place >= 0 && place < n / 3);
        ++visits[static_cast<std::size_t>(place)];
        far += place / 4096 != i++ / 4096;
      }
      for (const int count : visits) ASSERT_EQ(count, 1) << name << " " << n;
      if (std::string(name).ends_with("near")) {
        EXPECT_EQ(far, 0);
      } else if (n == 100000) {
        EXPECT_GT(far, n / 4);
      }
    }
}

// Each window of 4096 indices has a different random order.
TEST(GatherAndScatter, DrawWindowsAnew) {
  const Kernel& kernel = kernel_of("gather_near");
  const std::vector<std::int32_t> places = places_of(kernel, problem_of(kernel, 3 * 8192), 5);
  int same = 0;
  for (std::size_t i = 0; i < 4096; ++i) same += places[i] == places[i + 4096] - 4096;
  EXPECT_LT(same, 20);
  EXPECT_NE(places, places_of(kernel, problem_of(kernel, 3 * 8192), 6));
}

// A gather followed by a scatter with the same indices restores the input.
TEST(GatherAndScatter, UndoEachOther) {
  for (const char* order : {"random", "near"}) {
    const Kernel& gather = kernel_of((std::string("gather_") + order).c_str());
    const Kernel& scatter = kernel_of((std::string("scatter_") + order).c_str());
    const Problem problem = problem_of(gather, 20000);
    const auto n = static_cast<std::size_t>(problem.extents.x);
    const std::vector<std::int32_t> places = places_of(gather, problem, 5);
    EXPECT_EQ(places, places_of(scatter, problem, 5));
    std::vector<double> a(n), gathered(n), scattered(n);
    gather.initialise.float64(problem, 1, 6, a.data());
    const void* in[] = {places.data(), a.data(), nullptr};
    double* out[] = {nullptr, nullptr, gathered.data()};
    gather.reference.float64(problem, in, out);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(gathered[i], a[static_cast<std::size_t>(places[i])]);
    in[1] = gathered.data(), out[2] = scattered.data();
    scatter.reference.float64(problem, in, out);
    EXPECT_EQ(scattered, a);
  }
}

TEST(GatherAndScatter, WindowsAreForNearPlaces) {
  for (const auto& [kernel, form] : {std::pair{"gather", "cuda.windows"},
                                     {"gather", "openacc.windows"},
                                     {"scatter", "cuda.windows"},
                                     {"scatter", "openacc.windows"}})
    for (const std::string order : {"_random", "_near"}) {
      const RegisteredKernel& registered = *find_kernel(kernel + order);
      const Variant* variant = find_variant(registered, form);
      if (!variant) continue;  // built without this model
      const Problem problem = problem_of(registered.kernel, 100000);
      std::vector<int> tuning;
      for (const Tunable& one : variant->tunables) tuning.push_back(one.preferred);
      ASSERT_TRUE(variant->constraint) << kernel << " " << form;
      EXPECT_EQ(variant->constraint(problem, tuning.data()) == nullptr, order == "_near")
          << kernel << " " << form;
    }
}

Problem convolution(std::int64_t n, std::int64_t radius, ElementType type = ElementType::float32) {
  Problem problem = problem_of(kernel_of("conv2d"), n);
  problem.parameters[0] = radius;
  problem.type = type;
  return problem;
}

TEST(Conv2d, HasTheLargestSquaresBesideItsWeights) {
  for (const std::int64_t n : {51, 56, 57, 130560, 1 << 28}) {
    const std::int64_t side = convolution(n, 3).extents.x;
    EXPECT_LE(2 * side * side + 49, n);
    EXPECT_GT(2 * (side + 1) * (side + 1) + 49, n);
  }
  EXPECT_EQ(convolution(50, 3).extents.x, 0);
  EXPECT_EQ(convolution(130560, 3).extents.x, 255);
  EXPECT_EQ(kernel_of("conv2d").elements(convolution(1000, 7), 1), 225);
}

// The inputs x and w and the reference result y of a convolution.
struct Convolved {
  std::vector<float> x, w;
  std::vector<double> y;

  explicit Convolved(const Problem& problem) {
    const Kernel& kernel = kernel_of("conv2d");
    x.resize(static_cast<std::size_t>(kernel.elements(problem, 0)));
    w.resize(static_cast<std::size_t>(kernel.elements(problem, 1)));
    y.resize(x.size());
    kernel.initialise.float32(problem, 0, 5, x.data());
    kernel.initialise.float32(problem, 1, 6, w.data());
    const void* in[] = {x.data(), w.data(), nullptr};
    double* out[] = {nullptr, nullptr, y.data()};
    kernel.reference.float32(problem, in, out);
  }
};

// Computes the convolution on a grid with a border of zeros, which needs no bounds checks.
TEST(Conv2d, ReferenceIsTheSumOverAGridWithARim) {
  for (const std::int64_t radius : {1, 2, 3, 7})
    for (const std::int64_t n : {51, 57, 200, 1000}) {
      const Problem problem = convolution(n, radius);
      const Convolved data(problem);
      const auto side = static_cast<std::size_t>(problem.extents.x), R = static_cast<std::size_t>(radius),
                 wide = side + 2 * R, width = 2 * R + 1;
      std::vector<double> rimmed(wide * wide);
      for (std::size_t j = 0; j < side; ++j)
        for (std::size_t i = 0; i < side; ++i) rimmed[(j + R) * wide + i + R] = data.x[j * side + i];
      for (std::size_t j = 0; j < side; ++j)
        for (std::size_t i = 0; i < side; ++i) {
          double want = 0;
          for (std::size_t tap = 0; tap < width * width; ++tap)
            want += data.w[tap] * rimmed[(j + tap / width) * wide + i + tap % width];
          EXPECT_NEAR(data.y[j * side + i], want, 1e-15) << radius << " " << side << ": " << j << " " << i;
        }
    }
}

TEST(Conv2d, NoticesProductsOfElevenBits) {
  const Problem problem = convolution(8000, 3);
  const Convolved data(problem);
  const auto shortened = [](float value) {
    int exponent = 0;
    const float significand = std::frexp(value, &exponent);
    return std::ldexp(std::nearbyint(significand * 0x1p11f) * 0x1p-11f, exponent);
  };
  const auto side = static_cast<std::size_t>(problem.extents.x);
  const double allowed = kernel_of("conv2d").tolerance(problem).absolute;
  double worst = 0, worst_shortened = 0;
  for (std::size_t j = 3; j + 3 < side; ++j)
    for (std::size_t i = 3; i + 3 < side; ++i) {
      float whole = 0, cut = 0;
      for (std::size_t tap = 0; tap < 49; ++tap) {
        const float x = data.x[(j + tap / 7 - 3) * side + i + tap % 7 - 3];
        whole += data.w[tap] * x;
        cut += shortened(data.w[tap]) * shortened(x);
      }
      worst = std::max(worst, std::abs(whole - data.y[j * side + i]));
      worst_shortened = std::max(worst_shortened, std::abs(cut - data.y[j * side + i]));
    }
  EXPECT_LE(worst, allowed);
  EXPECT_GT(worst_shortened, 5 * allowed);
}

TEST(Conv2d, CountsWorkAsByHand) {
  const Work work = kernel_of("conv2d").work(convolution(130560, 3));
  EXPECT_EQ(work.bytes_read, 4 * (255 * 255 + 49));
  EXPECT_EQ(work.bytes_written, 4 * 255 * 255);
  EXPECT_EQ(work.flops, 2 * 49 * 255 * 255);
  EXPECT_EQ(work.items, 255 * 255);
}

Problem polynomial(std::int64_t n, std::int64_t degree, ElementType type = ElementType::float32) {
  Problem problem = problem_of(kernel_of("horner"), n);
  problem.parameters[0] = degree;
  problem.type = type;
  return problem;
}

TEST(Horner, HasPlacesBesideItsCoefficients) {
  for (const std::int64_t n : {1, 65, 66, 67, 68, 130560, 1 << 28})
    EXPECT_EQ(polynomial(n, 64).extents.x, n < 67 ? 0 : (n - 65) / 2) << n;
  EXPECT_EQ(kernel_of("horner").elements(polynomial(1000, 4096), 0), 4097);
  EXPECT_EQ(kernel_of("horner").elements(polynomial(1000, 4096), 1), 467);
  const Work work = kernel_of("horner").work(polynomial(130560, 300));
  EXPECT_EQ(work.bytes_read, 4 * (65247 + 301));
  EXPECT_EQ(work.bytes_written, 4 * 65247);
  EXPECT_EQ(work.flops, 600 * 65247);
  EXPECT_EQ(work.items, 65247);
}

// Sums the powers one by one. Also tests that a missing coefficient is detected.
TEST(Horner, ReferenceIsTheSumOfPowers) {
  const Kernel& kernel = kernel_of("horner");
  for (const std::int64_t degree : {1, 2, 15, 64, 1000}) {
    const Problem problem = polynomial(1000, degree, ElementType::float64);
    std::vector<double> c(static_cast<std::size_t>(degree + 1)), x(467), y(467);
    kernel.initialise.float64(problem, 0, 5, c.data());
    kernel.initialise.float64(problem, 1, 6, x.data());
    const void* in[] = {c.data(), x.data(), nullptr};
    double* out[] = {nullptr, nullptr, y.data()};
    kernel.reference.float64(problem, in, out);
    double seen = 0;  // effect of omitting the middle coefficient
    for (std::size_t i = 0; i < x.size(); ++i) {
      long double sum = 0, power = 1;
      for (const double coefficient : c) sum += coefficient * power, power *= static_cast<long double>(x[i]);
      EXPECT_NEAR(y[i], static_cast<double>(sum), 2e-16) << degree;
      EXPECT_LE(std::abs(y[i]), 1);
      const std::size_t middle = c.size() / 2;
      seen = std::max(seen, std::abs(c[middle] * std::pow(x[i], static_cast<double>(middle))));
    }
    EXPECT_GT(seen, 10 * kernel.tolerance(polynomial(1000, degree)).absolute) << degree;
  }
}

Problem options_of(std::int64_t n, ElementType type) {
  Problem problem = problem_of(kernel_of("blackscholes"), n);
  problem.type = type;
  return problem;
}

TEST(BlackScholes, CountsWorkAsByHand) {
  for (const std::int64_t n : {1, 4, 5, 9, 10, 130560}) {
    const Problem problem = options_of(n, ElementType::float32);
    EXPECT_EQ(problem.extents.x, n / 5);
    const Work work = kernel_of("blackscholes").work(problem);
    EXPECT_EQ(work.bytes_read, n / 5 * 12);
    EXPECT_EQ(work.bytes_written, n / 5 * 8);
    EXPECT_EQ(work.flops, n / 5 * 22);
  }
}

// The normal distribution function, integrated by Simpson's rule.
double normal_by_integral(double d) {
  constexpr int steps = 2000;
  const double low = -12, width = (std::clamp(d, -12.0, 12.0) - low) / steps;
  double sum = 0;
  for (int s = 0; s <= steps; ++s) {
    const double x = low + s * width;
    sum += (s == 0 || s == steps ? 1 : s % 2 == 1 ? 4 : 2) * std::exp(-x * x / 2);
  }
  return sum * width / 3 / std::sqrt(2 * std::acos(-1.0));
}

TEST(BlackScholes, ReferenceIsTheFormulaWithAnIntegral) {
  const Kernel& kernel = kernel_of("blackscholes");
  const Problem problem = options_of(1000, ElementType::float64);
  std::vector<double> p(200), k(200), t(200), calls(200), puts(200);
  kernel.initialise.float64(problem, 0, 5, p.data());
  kernel.initialise.float64(problem, 1, 6, k.data());
  kernel.initialise.float64(problem, 2, 7, t.data());
  const void* in[] = {p.data(), k.data(), t.data(), nullptr, nullptr};
  double* out[] = {nullptr, nullptr, nullptr, calls.data(), puts.data()};
  kernel.reference.float64(problem, in, out);
  for (std::size_t i = 0; i < p.size(); ++i) {
    ASSERT_TRUE(p[i] >= 5 && p[i] < 30 && k[i] >= 1 && k[i] < 100 && t[i] >= 0.25 && t[i] < 10);
    const double spread = 0.3 * std::sqrt(t[i]), kept = k[i] * std::exp(-0.02 * t[i]);
    const double d1 = (std::log(p[i] / k[i]) + (0.02 + 0.3 * 0.3 / 2) * t[i]) / spread;
    const double call = p[i] * normal_by_integral(d1) - kept * normal_by_integral(d1 - spread);
    EXPECT_NEAR(calls[i], call, 1e-9);
    EXPECT_NEAR(puts[i], kept * normal_by_integral(spread - d1) - p[i] * normal_by_integral(-d1), 1e-9);
  }
}

// Tests the elementary functions of those variants that compute them by arithmetic only.
template <typename T>
void holds_to_a_few_units(double unit) {
  for (double x = 0; x < 20; x += 0.0037) {
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0));
    const T s = (static_cast<T>(x) - 4) / (static_cast<T>(x) + 4);
    EXPECT_NEAR(density * static_cast<double>(blackscholes::mills(s)), std::erfc(x / std::sqrt(2.0)) / 2,
                unit)
        << x;
  }
  for (double a = 0.7; a < 1000; a *= 1.01)
    for (const double b : {0.01, 1.0, 1.37, 99.9}) {
      const T top = static_cast<T>(a), bottom = static_cast<T>(b);
      const double want = std::log(static_cast<double>(top) / static_cast<double>(bottom));
      EXPECT_NEAR(static_cast<double>(blackscholes::logarithm_of_ratio(top, bottom)), want,
                  unit * (1 + std::abs(want)))
          << a << " " << b;
    }
}

TEST(BlackScholes, ArithmeticHoldsToAFewUnits) {
  holds_to_a_few_units<float>(2 * 0x1p-23);
  holds_to_a_few_units<double>(4 * 0x1p-53);
}

Problem bodies(std::int64_t n, ElementType type = ElementType::float64) {
  Problem problem = problem_of(kernel_of("nbody"), 7 * n);
  problem.type = type;
  return problem;
}

TEST(NBody, CountsWorkAndRefusesWhatTakesTooLong) {
  const Kernel& kernel = kernel_of("nbody");
  const Work work = kernel.work(bodies(1000, ElementType::float32));
  EXPECT_EQ(work.bytes_read, 16000);
  EXPECT_EQ(work.bytes_written, 12000);
  EXPECT_EQ(work.flops, 20000000);
  EXPECT_EQ(work.items, 1000);
  EXPECT_EQ(kernel.refuse(bodies(1 << 20)), nullptr);
  EXPECT_NE(kernel.refuse(bodies((1 << 20) + 1)), nullptr);
}

// The acceleration is the gradient of -m/sqrt(d^2 + 1/64), computed by differences. Also tests that a missing
// body is detected.
TEST(NBody, ReferenceIsTheGradientOfThePotential) {
  const Kernel& kernel = kernel_of("nbody");
  for (const std::size_t n : {1u, 2u, 100u}) {
    const Problem problem = bodies(static_cast<std::int64_t>(n));
    std::vector<double> in[4], out[3];
    for (int a = 0; a < 4; ++a) {
      in[a].resize(n);
      kernel.initialise.float64(problem, a, 5 + static_cast<std::uint64_t>(a), in[a].data());
    }
    for (auto& axis : out) axis.resize(n);
    const void* arrays[] = {in[0].data(), in[1].data(), in[2].data(), in[3].data(),
                            nullptr,      nullptr,      nullptr};
    double* results[] = {nullptr, nullptr, nullptr, nullptr, out[0].data(), out[1].data(), out[2].data()};
    kernel.reference.float64(problem, arrays, results);
    const auto potential = [&](std::size_t i, std::size_t axis, long double step) {
      long double sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (j == i) continue;
        long double r2 = 1 / 64.0L;
        for (std::size_t a = 0; a < 3; ++a) {
          const long double d = static_cast<long double>(in[a][j]) - in[a][i] - (a == axis ? step : 0);
          r2 += d * d;
        }
        sum -= in[3][j] / std::sqrt(r2);
      }
      return sum;
    };
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        constexpr long double step = 1e-5L;
        const long double gradient = (potential(i, axis, step) - potential(i, axis, -step)) / (2 * step);
        EXPECT_NEAR(out[axis][i], static_cast<double>(-gradient), 1e-6) << n << " " << i;
      }
  }
}

TEST(NBody, RootsByArithmeticHoldToTwoUnits) {
  for (double x = 1 / 64.0; x < 13; x *= 1.003) {
    const float single = static_cast<float>(x);
    const double want = 1 / std::sqrt(static_cast<double>(single));
    EXPECT_NEAR(nbody::NewtonRoot::reciprocal_root(single), want, 2 * 0x1p-23 * want);
    EXPECT_NEAR(nbody::NewtonRoot::reciprocal_root(x), 1 / std::sqrt(x), 2 * 0x1p-52 / std::sqrt(x));
  }
}

// The constants by their definition in FIPS 180-4.
TEST(Sha256, ConstantsAreFractionsOfRootsOfPrimes) {
  int found = 0;
  for (int number = 2; found < 64; ++number) {
    bool prime = true;
    for (int divisor = 2; divisor * divisor <= number; ++divisor) prime = prime && number % divisor != 0;
    if (!prime) continue;
    const auto bits = [](long double root) {
      return static_cast<std::uint32_t>((root - std::floor(root)) * 0x1p32L);
    };
    EXPECT_EQ(sha256::round_constant(found), bits(std::cbrt(static_cast<long double>(number)))) << found;
    if (found < 8) {
      EXPECT_EQ(sha256::initial(found), bits(std::sqrt(static_cast<long double>(number))));
    }
    ++found;
  }
}

TEST(Sha256, ReferenceIsTheStandard) {
  const Kernel& kernel = kernel_of("sha256");
  const Problem problem = problem_of(kernel, 47);
  ASSERT_EQ(problem.extents.x, 2);
  EXPECT_EQ(kernel.work(problem).bytes_read, 64);
  EXPECT_EQ(kernel.work(problem).bytes_written, 64);
  EXPECT_EQ(kernel.work(problem).integer_operations, 2 * 1384);
  std::vector<std::uint32_t> message(16);  // zeros, followed by the bytes 0, 1, 2, ...
  for (std::uint32_t t = 0; t < 8; ++t) message[8 + t] = 0x00010203 + t * 0x04040404;
  std::vector<double> digest(16);
  const void* in[] = {message.data(), nullptr};
  double* out[] = {nullptr, digest.data()};
  kernel.reference.int32(problem, in, out);
  const std::uint32_t want[] = {0x66687aad, 0xf862bd77, 0x6c8fc18b, 0x8e9f8e20, 0x08971485, 0x6ee233b3,
                                0x902a591d, 0x0d5f2925, 0x630dcd29, 0x66c43366, 0x91125448, 0xbbb25b4f,
                                0xf412a49c, 0x732db2c8, 0xabc1b858, 0x1bd710dd};
  for (std::size_t t = 0; t < 16; ++t)
    EXPECT_EQ(static_cast<std::uint32_t>(static_cast<std::int32_t>(digest[t])), want[t]) << t;
}

// The view (input) and the iteration counts (result) of a grid of pixels.
struct Grid {
  std::vector<std::int32_t> view = std::vector<std::int32_t>(3);
  std::vector<double> count;
  std::size_t side = 0;

  Grid(std::int64_t n, std::int64_t limit) {
    const Kernel& kernel = kernel_of("mandelbrot");
    Problem problem = problem_of(kernel, n);
    problem.parameters[0] = limit;
    side = static_cast<std::size_t>(problem.extents.x);
    count.resize(side * side);
    kernel.initialise.int32(problem, 0, 5, view.data());
    const void* in[] = {view.data(), nullptr};
    double* out[] = {nullptr, count.data()};
    kernel.reference.int32(problem, in, out);
  }
};

TEST(Mandelbrot, HasTheLargestSquareBesideItsView) {
  const Kernel& kernel = kernel_of("mandelbrot");
  EXPECT_EQ(problem_of(kernel, 3).extents.count(), 0);
  EXPECT_EQ(kernel.refuse(problem_of(kernel, (std::int64_t{1} << 36) + 3)), nullptr);
  EXPECT_NE(kernel.refuse(problem_of(kernel, std::int64_t{1} << 37)), nullptr);
  for (const std::int64_t n : {4, 6, 7, 8, 130560, 1 << 28}) {
    const std::int64_t side = problem_of(kernel, n).extents.x;
    EXPECT_LE(side * side + 3, n);
    EXPECT_GT((side + 1) * (side + 1) + 3, n);
    std::vector<std::int32_t> view(3);
    kernel.initialise.int32(problem_of(kernel, n), 0, 5, view.data());
    EXPECT_EQ(view[2], 3 * (std::int64_t{1} << 28) / side);
    EXPECT_TRUE(view[0] >= -(1 << 29) && view[0] < -(1 << 29) + view[2]);
    EXPECT_TRUE(view[1] >= -3 * (1 << 27) && view[1] < -3 * (1 << 27) + view[2]);
  }
}

// In long double, all but a few pixels have the same count. The reported work is close to the real one.
TEST(Mandelbrot, ReferenceIsTheIteration) {
  const Grid grid(10000, 256);
  std::size_t other = 0;
  double steps = 0;
  for (std::size_t y = 0; y < grid.side; ++y)
    for (std::size_t x = 0; x < grid.side; ++x) {
      const long double cr = (grid.view[0] + static_cast<long double>(x) * grid.view[2]) * 0x1p-28L,
                        ci = (grid.view[1] + static_cast<long double>(y) * grid.view[2]) * 0x1p-28L;
      long double zr = 0, zi = 0;
      int k = 0;
      for (; k < 256 && zr * zr + zi * zi <= 4; ++k) {
        const long double next = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = next;
      }
      other += grid.count[y * grid.side + x] != k;
      steps += grid.count[y * grid.side + x];
    }
  EXPECT_LT(other, grid.count.size() / 200);
  const Kernel& kernel = kernel_of("mandelbrot");
  EXPECT_NEAR(static_cast<double>(kernel.work(problem_of(kernel, 10000)).integer_operations), 16 * steps,
              0.05 * 16 * steps);
}

TEST(Carving, ArraysBeginAtMultiplesOf256BytesBehindEachOther) {
  Carving room(std::uintptr_t{4096});
  double* first = nullptr;
  std::int32_t* second = nullptr;
  std::uint8_t* third = nullptr;
  room.take(first, 33);  // 33 doubles
  room.take(second, 0);
  room.take(third, 1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first), 4096u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second), 4096u + 512);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(third), 4096u + 512);
  EXPECT_EQ(room.bytes(), 768);
}

}  // namespace
}  // namespace sextant
