// Tests of the kernels whose steps depend on each other: sizes, inputs and references must match the
// documentation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../../patterns/nqueens/nodes.hpp"
#include "../../patterns/nqueens/packed.hpp"
#include "../../patterns/pointer_chase/loop.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

const Kernel& kernel_of(const char* name) { return find_kernel(name)->kernel; }

Problem problem_of(const char* name, std::int64_t n, std::vector<std::int64_t> parameters = {}) {
  const Kernel& kernel = kernel_of(name);
  Problem problem = {n, ElementType::int32, kernel.extents(n), kernel.standard_parameters()};
  std::copy(parameters.begin(), parameters.end(), problem.parameters.begin());
  return problem;
}

// The input arrays as T, and the reference of the last array.
template <typename T>
struct Data {
  std::vector<std::vector<T>> arrays;
  std::vector<double> result;

  Data(const char* name, const Problem& problem, std::uint64_t seed = 5) {
    const Kernel& kernel = kernel_of(name);
    std::vector<const void*> in;
    std::vector<double*> out;
    for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
      const int index = static_cast<int>(i);
      arrays.emplace_back(static_cast<std::size_t>(kernel.elements(problem, index)));
      if (kernel.arrays[i].role == Role::in && kernel.initialise[problem.type])
        kernel.initialise[problem.type](problem, index, seed + i, arrays[i].data());
    }
    result.resize(arrays.back().size());
    for (const auto& array : arrays) in.push_back(array.data()), out.push_back(nullptr);
    out.back() = result.data();
    kernel.reference[problem.type](problem, in.data(), out.data());
  }
};

TEST(PointerChase, HasAsManyPlacesAsChainsLeave) {
  struct Fit {
    std::int64_t n, chains, has_chains, places;
  };
  EXPECT_EQ(problem_of("pointer_chase", 3).extents.count(), 0);
  for (const Fit& one : std::initializer_list<Fit>{{4, 1, 1, 2},
                                                   {4096, 1, 1, 4094},
                                                   {4096, 1000, 1000, 2096},
                                                   {4097, 5000, 1024, 2049},
                                                   {1 << 30, 1 << 20, 1 << 20, (1 << 30) - (1 << 21)}}) {
    const Problem problem = problem_of("pointer_chase", one.n, {one.chains});
    const Kernel& kernel = kernel_of("pointer_chase");
    EXPECT_EQ(kernel.elements(problem, 0), one.places) << one.n;
    EXPECT_EQ(kernel.elements(problem, 1), one.has_chains) << one.n;
    EXPECT_EQ(kernel.elements(problem, 2), one.has_chains) << one.n;
  }
  const Kernel& kernel = kernel_of("pointer_chase");
  EXPECT_EQ(kernel.refuse(problem_of("pointer_chase", INT32_MAX)), nullptr);
  EXPECT_NE(kernel.refuse(problem_of("pointer_chase", std::int64_t{INT32_MAX} + 1)), nullptr);
  EXPECT_EQ(kernel.sizes.front(), 1 << 12);
  EXPECT_EQ(kernel.sizes.back(), 1 << 28);
}

TEST(PointerChase, TableIsOneCycleThroughAllPlaces) {
  for (const std::int64_t n : {4, 5, 100, 1030, 4099, 40000}) {
    const Data<std::int32_t> data("pointer_chase", problem_of("pointer_chase", n));
    const auto& next = data.arrays[0];
    std::vector<bool> seen(next.size());
    auto at = static_cast<std::size_t>(data.arrays[1][0]);
    for (std::size_t step = 0; step < next.size(); ++step) {
      EXPECT_FALSE(seen[at]) << n << " " << step;
      seen[at] = true;
      ASSERT_LT(static_cast<std::size_t>(next[at]), next.size());
      at = static_cast<std::size_t>(next[at]);
    }
    EXPECT_EQ(at, static_cast<std::size_t>(data.arrays[1][0])) << n;
  }
}

// The chain jumps by a third of the table on average, which no prefetcher can predict.
TEST(PointerChase, CycleLeadsAnywhere) {
  const Data<std::int32_t> data("pointer_chase", problem_of("pointer_chase", 100000));
  double way = 0, near = 0;
  for (std::size_t j = 0; j < data.arrays[0].size(); ++j) {
    const double one = std::abs(static_cast<double>(data.arrays[0][j]) - static_cast<double>(j));
    way += one, near += one <= 16;
  }
  const auto places = static_cast<double>(data.arrays[0].size());
  EXPECT_NEAR(way / places, places / 3, places / 100);
  EXPECT_LT(near / places, 0.001);
}

TEST(PointerChase, ReferenceIsTheWalk) {
  for (const std::int64_t n : {4, 9, 1000, 5003})
    for (const std::int64_t chains : {1, 3, 250})
      for (const std::int64_t steps : {1, 17, 4096}) {
        const Problem problem = problem_of("pointer_chase", n, {chains, steps});
        Data<std::int32_t> data("pointer_chase", problem);
        ArrayAt arrays[] = {data.arrays[0].data(), data.arrays[1].data(), data.arrays[2].data()};
        Call call;
        call.problem = problem;
        call.arrays = arrays;
        pointer_chase::loop<std::int32_t>(call);
        EXPECT_TRUE(std::equal(data.result.begin(), data.result.end(), data.arrays[2].begin()))
            << n << " " << chains << " " << steps;
      }
}

// Chains start as far apart on the cycle as possible, so no chain reads what another one has just read.
TEST(PointerChase, ChainsBeginFarApart) {
  const Problem problem = problem_of("pointer_chase", 5000, {40});
  const Data<std::int32_t> data("pointer_chase", problem);
  const auto places = data.arrays[0].size();
  for (std::size_t c = 0; c < 40; ++c) {
    auto at = static_cast<std::size_t>(data.arrays[1][c]);
    for (std::size_t step = 0; step < (c + 1) * places / 40 - c * places / 40; ++step)
      at = static_cast<std::size_t>(data.arrays[0][at]);
    EXPECT_EQ(at, static_cast<std::size_t>(data.arrays[1][(c + 1) % 40])) << c;
  }
}

TEST(PointerChase, CountsWorkAsByHand) {
  const Kernel& kernel = kernel_of("pointer_chase");
  const Work few = kernel.work(problem_of("pointer_chase", 100000, {10, 100}));
  EXPECT_EQ(few.bytes_read, 4 * (1000 + 10));
  EXPECT_EQ(few.bytes_written, 40);
  EXPECT_EQ(few.items, 1000);
  EXPECT_EQ(few.integer_operations, 0);
  // An element that several steps visit is counted once.
  EXPECT_EQ(kernel.work(problem_of("pointer_chase", 1000, {10, 4096})).bytes_read, 4 * (980 + 10));
}

// The inputs of N queens (columns, left and right diagonals of each board) and the reference's counts.
struct Boards : Data<std::int32_t> {
  Problem problem;

  Boards(std::int64_t n, std::int64_t board, std::int64_t placed)
      : Boards(problem_of("nqueens", 4 * n, {board, placed})) {}
  explicit Boards(const Problem& of) : Data("nqueens", of), problem(of) {}
  nqueens::Set set(int array, std::size_t i) const {
    return static_cast<nqueens::Set>(arrays[static_cast<std::size_t>(array)][i]);
  }
};

TEST(Nqueens, HasAQuarterOfTheElementsAsBoards) {
  EXPECT_EQ(problem_of("nqueens", 3).extents.count(), 0);
  EXPECT_EQ(problem_of("nqueens", 4).extents, (Extents{1, 1, 1}));
  EXPECT_EQ(problem_of("nqueens", 130560).extents, (Extents{32640, 1, 1}));
}

// Counts the ways to place non-attacking queens in the remaining rows, one queen at a time.
int ways_of(int board, std::vector<int>* columns) {
  const int row = static_cast<int>(columns->size());
  if (row == board) return 1;
  int ways = 0;
  for (int column = 0; column < board; ++column) {
    bool free = true;
    for (int above = 0; above < row; ++above) {
      const int other = (*columns)[static_cast<std::size_t>(above)];
      free &= other != column && std::abs(other - column) != row - above;
    }
    if (!free) continue;
    columns->push_back(column);
    ways += ways_of(board, columns);
    columns->pop_back();
  }
  return ways;
}

TEST(Nqueens, SearchesHaveTheKnownNumbersOfWays) {
  const int known[] = {1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200};
  for (int board = 1; board <= 12; ++board) {
    const nqueens::Set all = (1u << board) - 1;
    const int want = known[board - 1];
    EXPECT_EQ(nqueens::ways(all, 0, 0, 0), want) << board;
    EXPECT_EQ(nqueens::ways_by_stack(all, 0, 0, 0), want) << board;
    EXPECT_EQ(nqueens::ways_packed(all, board, 0, 0, 0), want) << board;
  }
  std::vector<int> none;
  EXPECT_EQ(ways_of(8, &none), 92);
}

TEST(Nqueens, SearchesAgreeOnBoardsThatAreBegun) {
  for (const auto& [board, placed] : {std::pair{14, 5}, {8, 1}, {8, 7}, {8, 8}, {12, 4}, {20, 8}}) {
    const Boards boards(board == 20 ? 5 : 50, board, placed);
    const nqueens::Set all = nqueens::all_of(boards.problem);
    for (std::size_t i = 0; i < boards.result.size(); ++i) {
      const nqueens::Set columns = boards.set(0, i), left = boards.set(1, i), right = boards.set(2, i);
      EXPECT_EQ(nqueens::ways_by_stack(all, columns, left, right), boards.result[i]) << board << " " << i;
      EXPECT_EQ(nqueens::ways_packed(all, board - placed, columns, left, right), boards.result[i])
          << board << " " << i;
    }
  }
}

// Each board must come from some placement of non-attacking queens. The test tries all placements.
TEST(Nqueens, BoardsAreOfQueensThatDoNotAttackEachOther) {
  constexpr int board = 8, placed = 3;
  const Boards boards(100, board, placed);
  for (std::size_t i = 0; i < boards.result.size(); ++i) {
    int found = -1;
    for (int number = 0; number < board * board * board && found < 0; ++number) {
      std::vector<int> columns;
      nqueens::Set all = 0, left = 0, right = 0;
      for (int queen = 0, rest = number; queen < placed; ++queen, rest /= board) {
        const nqueens::Set bit = 1u << rest % board;
        if ((all | left | right) & bit) break;
        columns.push_back(rest % board);
        all |= bit, left = (left | bit) << 1, right = (right | bit) >> 1;
      }
      if (columns.size() == placed && all == boards.set(0, i) && (left & 0xFF) == boards.set(1, i) &&
          right == boards.set(2, i))
        found = ways_of(board, &columns);
    }
    EXPECT_EQ(found, boards.result[i]) << i;
  }
}

TEST(Nqueens, BoardsAreTheSameInEveryRun) {
  const Problem problem = problem_of("nqueens", 4000);
  const Data<std::int32_t> one("nqueens", problem, 5), other("nqueens", problem, 6);
  EXPECT_EQ(one.arrays[0], other.arrays[0]);
  EXPECT_EQ(one.arrays[1], other.arrays[1]);
  EXPECT_NE(one.arrays[0], one.arrays[1]);
}

std::int64_t queens_placed(nqueens::Set all, nqueens::Set columns, nqueens::Set left, nqueens::Set right) {
  std::int64_t sum = 0;
  for (nqueens::Set free = all & ~(columns | left | right); free; free &= free - 1) {
    const nqueens::Set bit = nqueens::lowest(free);
    sum += 1 + queens_placed(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return sum;
}

// The reported work is within a fifth of the real one.
TEST(Nqueens, CountsWorkAsItIsDone) {
  const Kernel& kernel = kernel_of("nqueens");
  for (const auto& [board, placed] :
       {std::pair{14, 5}, {8, 3}, {10, 1}, {12, 4}, {14, 7}, {14, 8}, {16, 7}, {18, 8}, {20, 8}}) {
    const Boards boards(400, board, placed);
    double queens = 0;
    for (std::size_t i = 0; i < 400; ++i)
      queens += static_cast<double>(queens_placed(nqueens::all_of(boards.problem), boards.set(0, i),
                                                  boards.set(1, i), boards.set(2, i)));
    const Work work = kernel.work(boards.problem);
    EXPECT_NEAR(static_cast<double>(work.integer_operations) / (12 * queens), 1, 0.2)
        << board << " " << placed;
    EXPECT_EQ(work.bytes_read, 4800);
    EXPECT_EQ(work.bytes_written, 1600);
    EXPECT_EQ(work.items, 400);
  }
}

TEST(Nqueens, RefusesWhatTakesDays) {
  const Kernel& kernel = kernel_of("nqueens");
  EXPECT_EQ(kernel.refuse(problem_of("nqueens", 1 << 24)), nullptr);
  EXPECT_EQ(kernel.refuse(problem_of("nqueens", 1 << 20, {20, 8})), nullptr);
  EXPECT_NE(kernel.refuse(problem_of("nqueens", 1 << 20, {20, 1})), nullptr);
  EXPECT_EQ(nqueens::refuse_many_rows(problem_of("nqueens", 1 << 20, {20, 8}), nullptr), nullptr);
  EXPECT_NE(nqueens::refuse_many_rows(problem_of("nqueens", 1 << 20, {20, 7}), nullptr), nullptr);
}

TEST(MapChain, HasAThirdOfTheElements) {
  EXPECT_EQ(problem_of("map_chain", 2).extents.count(), 0);
  EXPECT_EQ(problem_of("map_chain", 130560).extents, (Extents{43520, 1, 1}));
}

// The closed form of the result. After `steps` maps, y is y0 / 2^steps plus x times a sum of powers of -1/2.
TEST(MapChain, ReferenceIsWhatTheMapsComeTo) {
  for (const std::int64_t steps : {1, 2, 3, 37, 100}) {
    Problem problem = problem_of("map_chain", 300, {steps});
    problem.type = ElementType::float64;
    const Kernel& kernel = kernel_of("map_chain");
    std::vector<double> x(100), y0(100), y(100);
    for (std::size_t i = 0; i < 100; ++i)
      x[i] = static_cast<double>(i) / 64 - 0.7, y0[i] = 0.9 - static_cast<double>(i) / 50;
    const void* in[] = {x.data(), y0.data(), nullptr};
    double* out[] = {nullptr, nullptr, y.data()};
    kernel.reference.float64(problem, in, out);
    const double last = steps % 2 != 0 ? 1 : -1;  // sign of x in the last map
    const double factor = last * (1 - std::pow(-0.5, steps)) / 1.5;
    for (std::size_t i = 0; i < 100; ++i)
      EXPECT_NEAR(y[i], y0[i] * std::pow(0.5, steps) + factor * x[i], 1e-15) << steps << " " << i;
  }
}

TEST(MapChain, CountsWorkAsByHand) {
  Problem problem = problem_of("map_chain", 300, {37});
  problem.type = ElementType::float64;
  const Work work = kernel_of("map_chain").work(problem);
  EXPECT_EQ(work.bytes_read, 1600);
  EXPECT_EQ(work.bytes_written, 800);
  EXPECT_EQ(work.flops, 7400);
  EXPECT_EQ(work.items, 100);
}

// The tolerance covers the rounding of all maps, but is far below the effect of one map too many or too few.
TEST(MapChain, AllowsNoMapTooFew) {
  for (const ElementType type : {ElementType::float32, ElementType::float64}) {
    Problem problem = problem_of("map_chain", 300);
    problem.type = type;
    const Tolerance tolerance = kernel_of("map_chain").tolerance(problem);
    EXPECT_EQ(tolerance.absolute, type == ElementType::float32 ? 6 * 0x1p-24 : 6 * 0x1p-53);
    EXPECT_EQ(tolerance.relative, 0);
  }
}

}  // namespace
}  // namespace sextant
