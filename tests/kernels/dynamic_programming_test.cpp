// Tests of the dynamic programming kernels against their documentation: sizes, inputs and references.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

// The input arrays as T, and the reference of the last array.
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
    EXPECT_TRUE(length >= 1 && length < 1 << 16 && length % 2 == 1) << at;
    ++edges, lengths += length;
  }
  EXPECT_NEAR(static_cast<double>(edges), 159600 / 8.0, 500);
  EXPECT_NEAR(static_cast<double>(lengths) / static_cast<double>(edges), 1 << 15, 700);
}

// Computes all shortest paths by repeated squaring: paths of at most 1, 2, 4, ... edges.
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

// Each vertex lies on the only shortest path of some pair, so skipping any vertex is detected.
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

TEST(NeedlemanWunsch, HasAsManyLettersAsLeaveRoomForScores) {
  struct Fit {
    std::int64_t n, letters;
  };
  for (const Fit& one : std::initializer_list<Fit>{
           {1, 0}, {5, 0}, {6, 1}, {12, 1}, {13, 2}, {7936, 87}, {130560, 359}, {1 << 28, 16382}}) {
    const Problem problem = problem_of("needleman_wunsch", one.n);
    const Kernel& kernel = kernel_of("needleman_wunsch");
    EXPECT_EQ(problem.extents.x, one.letters) << one.n;
    if (one.letters == 0) {
      EXPECT_EQ(problem.extents.count(), 0) << one.n;
      continue;
    }
    const std::int64_t more = one.letters + 1;
    EXPECT_LE(kernel.elements(problem, 0) + kernel.elements(problem, 1) + kernel.elements(problem, 2), one.n);
    EXPECT_GT(2 * more + (more + 1) * (more + 1), one.n);
  }
}

TEST(NeedlemanWunsch, DrawsFourLettersAlikeOften) {
  const Data<std::int32_t> data(kernel_of("needleman_wunsch"), problem_of("needleman_wunsch", 1 << 22));
  for (const int array : {0, 1})
    for (const std::int32_t letter : {0, 1, 2, 3}) {
      const auto& letters = data.arrays[static_cast<std::size_t>(array)];
      const double share = static_cast<double>(std::count(letters.begin(), letters.end(), letter)) /
                           static_cast<double>(letters.size());
      EXPECT_NEAR(share, 0.25, 0.05) << array << " " << letter;
    }
  EXPECT_NE(data.arrays[0], data.arrays[1]);
}

// Returns the best alignment score of two prefixes by trying all alignments.
std::int32_t best_match(const std::int32_t* a, const std::int32_t* b, std::int64_t i, std::int64_t j) {
  if (i == 0 || j == 0) return static_cast<std::int32_t>(-2 * (i + j));
  const std::int32_t both = best_match(a, b, i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 2 : -1);
  return std::max({both, best_match(a, b, i - 1, j) - 2, best_match(a, b, i, j - 1) - 2});
}

TEST(NeedlemanWunsch, ReferenceIsTheBestOfAllWays) {
  for (const std::int64_t letters : {1, 2, 3, 7}) {
    const Problem problem = problem_of("needleman_wunsch", (letters + 2) * (letters + 2) - 3);
    ASSERT_EQ(problem.extents.x, letters);
    const Data<std::int32_t> data(kernel_of("needleman_wunsch"), problem);
    for (std::int64_t i = 0; i <= letters; ++i)
      for (std::int64_t j = 0; j <= letters; ++j)
        EXPECT_EQ(data.result[static_cast<std::size_t>(i * (letters + 1) + j)],
                  best_match(data.arrays[0].data(), data.arrays[1].data(), i, j))
            << letters << ": " << i << " " << j;
  }
}

TEST(NeedlemanWunsch, CountsWorkAsByHand) {
  const Kernel& kernel = kernel_of("needleman_wunsch");
  const Work work = kernel.work(problem_of("needleman_wunsch", 22));
  EXPECT_EQ(work.bytes_read, 2 * 4 * 3);
  EXPECT_EQ(work.bytes_written, 4 * 16);
  EXPECT_EQ(work.items, 9);
  EXPECT_EQ(work.integer_operations, 54);
  EXPECT_EQ(work.flops, 0);
}

Problem decoding(std::int64_t n, std::int64_t states, std::int64_t length) {
  Problem problem = problem_of("viterbi", n);
  problem.parameters[0] = states;
  problem.parameters[1] = length;
  return problem;
}

TEST(Viterbi, HasStatesAndSequencesThatFit) {
  struct Fit {
    std::int64_t n, states, length, has_states, observations;
  };
  const Kernel& kernel = kernel_of("viterbi");
  EXPECT_EQ(problem_of("viterbi", 71).extents.count(), 0);
  for (const Fit& one : std::initializer_list<Fit>{{72, 32, 256, 2, 18},
                                                   {1000, 32, 256, 15, 256},
                                                   {7936, 32, 256, 32, 12 * 256},
                                                   {130560, 32, 256, 32, 252 * 256},
                                                   {130560, 1024, 1000, 247, 32 * 1000},
                                                   {1 << 28, 1024, 1 << 15, 1024, 4079 * (1 << 15)}}) {
    const Problem problem = decoding(one.n, one.states, one.length);
    EXPECT_EQ(kernel.elements(problem, 0), one.has_states * one.has_states) << one.n;
    EXPECT_EQ(kernel.elements(problem, 1), one.has_states * 16) << one.n;
    EXPECT_EQ(kernel.elements(problem, 2), one.observations) << one.n;
    EXPECT_EQ(kernel.elements(problem, 3), one.observations) << one.n;
  }
}

// Tries all paths and returns the first of the best ones, ordered by their last states.
std::vector<std::int32_t> best_path(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& e,
                                    const std::int32_t* o, std::size_t states, std::size_t length) {
  std::vector<std::int32_t> path(length), best;
  std::int64_t most = INT64_MIN;
  const auto count = static_cast<std::int64_t>(std::pow(states, length));
  for (std::int64_t number = 0; number < count; ++number) {
    std::int64_t left = number, score = 0;
    for (std::size_t t = 0; t < length; ++t, left /= static_cast<std::int64_t>(states))
      path[t] = static_cast<std::int32_t>(left % static_cast<std::int64_t>(states));
    for (std::size_t t = 0; t < length; ++t) {
      const auto state = static_cast<std::size_t>(path[t]);
      score += e[state * 16 + static_cast<std::size_t>(o[t])];
      if (t > 0) score += a[static_cast<std::size_t>(path[t - 1]) * states + state];
    }
    if (score > most) most = score, best = path;
  }
  return best;
}

TEST(Viterbi, ReferenceIsTheBestOfAllPaths) {
  for (const std::size_t states : {2, 3, 5})
    for (const std::size_t length : {2, 3, 6}) {
      const Problem problem =
          decoding(400, static_cast<std::int64_t>(states), static_cast<std::int64_t>(length));
      const Data<std::int32_t> data(kernel_of("viterbi"), problem);
      ASSERT_EQ(data.arrays[0].size(), states * states);
      for (std::size_t b = 0; b < data.result.size() / length; ++b) {
        const auto want =
            best_path(data.arrays[0], data.arrays[1], data.arrays[2].data() + b * length, states, length);
        for (std::size_t t = 0; t < length; ++t)
          EXPECT_EQ(data.result[b * length + t], want[t]) << states << " " << length << ": " << b << " " << t;
      }
    }
}

// If all scores are equal, all paths are equally good, and the reference takes the smallest states.
TEST(Viterbi, ReferenceTakesTheSmallestOfEqualStates) {
  const Problem problem = decoding(1000, 4, 10);
  const std::vector<std::int32_t> a(16, -3), e(64, -5), o(1000, 1);
  std::vector<double> path(1000, -1);
  const void* in[] = {a.data(), e.data(), o.data(), nullptr};
  double* out[] = {nullptr, nullptr, nullptr, path.data()};
  kernel_of("viterbi").reference.int32(problem, in, out);
  for (std::int64_t i = 0; i < kernel_of("viterbi").elements(problem, 3); ++i)
    EXPECT_EQ(path[static_cast<std::size_t>(i)], 0) << i;
}

TEST(Viterbi, DrawsNumbersInTheirRanges) {
  const Data<std::int32_t> data(kernel_of("viterbi"), decoding(100000, 32, 256));
  for (const int array : {0, 1})
    for (const std::int32_t value : data.arrays[static_cast<std::size_t>(array)])
      EXPECT_TRUE(value >= -1000 && value <= -1) << array;
  for (const std::int32_t symbol : data.arrays[2]) EXPECT_TRUE(symbol >= 0 && symbol < 16);
}

TEST(Viterbi, CountsWorkAsByHand) {
  const Work work = kernel_of("viterbi").work(decoding(130560, 32, 256));
  EXPECT_EQ(work.items, 252 * 256);
  EXPECT_EQ(work.bytes_read, 4 * (252 * 256 + 32 * 32 + 16 * 32));
  EXPECT_EQ(work.bytes_written, 4 * 252 * 256);
  EXPECT_EQ(work.integer_operations, std::int64_t{2} * 32 * 32 * 252 * 256);
}

}  // namespace
}  // namespace sextant
