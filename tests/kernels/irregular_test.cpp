// Tests of the kernels with indirect accesses (automata, graphs, meshes): sizes, inputs and references must
// match the documentation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../patterns/mesh/runs.hpp"
#include "../../patterns/mesh/tiles.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

const Kernel& kernel_of(const char* name) { return find_kernel(name)->kernel; }

Problem problem_of(const char* name, std::int64_t n, ElementType type = ElementType::int32) {
  const Kernel& kernel = kernel_of(name);
  return {n, type, kernel.extents(n), kernel.standard_parameters()};
}

std::int64_t elements_of(const char* name, const Problem& problem) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < kernel_of(name).arrays.size(); ++i)
    sum += kernel_of(name).elements(problem, static_cast<int>(i));
  return sum;
}

// Returns an input array as elements of type T.
template <typename T>
std::vector<T> input(const char* name, const Problem& problem, int index, std::uint64_t seed = 5) {
  std::vector<T> values(static_cast<std::size_t>(kernel_of(name).elements(problem, index)));
  kernel_of(name).initialise[problem.type](problem, index, seed, values.data());
  return values;
}

const std::vector<const char*> automata = {"dfa_converging", "dfa_permuting"};

const unsigned char* bytes_of(const std::vector<std::int32_t>& words) {
  return reinterpret_cast<const unsigned char*>(words.data());
}

TEST(Dfa, HasTheMostTextThatFits) {
  for (const char* name : automata) {
    EXPECT_EQ(problem_of(name, 1040).extents.count(), 0);
    EXPECT_EQ(problem_of(name, 1041).extents.x, 16);
    for (const std::int64_t n : {1041, 1042, 1056, 1057, 1058, 7936, 130560, 1 << 28}) {
      Problem problem = problem_of(name, n);
      EXPECT_LE(elements_of(name, problem), n);
      ++problem.extents.x;
      EXPECT_GT(elements_of(name, problem), n) << name << " " << n;
    }
  }
}

// Returns the number of different states that the 16 start states lead to after `count` bytes.
std::size_t states_left(const unsigned char* table, const unsigned char* text, int count) {
  std::set<int> left;
  for (int q = 0; q < 16; ++q) {
    int state = q;
    for (int i = 0; i < count; ++i) state = table[16 * text[i] + state];
    left.insert(state);
  }
  return left.size();
}

TEST(Dfa, StatesBecomeOneInOneTableAndNeverInTheOther) {
  int ones = 0;
  for (const char* name : automata) {
    const Problem problem = problem_of(name, 1 << 16);
    const auto table = input<std::int32_t>(name, problem, 0), text = input<std::int32_t>(name, problem, 1);
    for (int byte = 0; byte < 256; ++byte)
      for (int q = 0; q < 16; ++q) EXPECT_LT(bytes_of(table)[16 * byte + q], 16);
    for (int from = 0; from < 200 * 64; from += 64) {
      const std::size_t left = states_left(bytes_of(table), bytes_of(text) + from, 64);
      if (std::string(name) == "dfa_permuting") {
        EXPECT_EQ(left, 16);
      } else if (left == 1) {
        ++ones;
      }
    }
  }
  EXPECT_GT(ones, 180);
  EXPECT_LT(ones, 200);
}

TEST(Dfa, TheTableIsTheSameInEveryRunAndTheTextIsNot) {
  for (const char* name : automata) {
    const Problem problem = problem_of(name, 7936);
    EXPECT_EQ(input<std::int32_t>(name, problem, 0, 1), input<std::int32_t>(name, problem, 0, 2));
    EXPECT_NE(input<std::int32_t>(name, problem, 1, 1), input<std::int32_t>(name, problem, 1, 2));
  }
}

// Compares the reference, which works in chunks, with a byte-by-byte run of the automaton.
TEST(Dfa, ReferenceIsAWalk) {
  for (const char* name : automata) {
    const Problem problem = problem_of(name, 200000);
    const auto table = input<std::int32_t>(name, problem, 0), text = input<std::int32_t>(name, problem, 1);
    std::vector<double> states(static_cast<std::size_t>(problem.extents.x / 16), -1);
    const void* in[] = {table.data(), text.data(), nullptr};
    double* out[] = {nullptr, nullptr, states.data()};
    kernel_of(name).reference.int32(problem, in, out);
    int state = 0;
    for (std::size_t i = 0; i < states.size() * 64; ++i) {
      state = bytes_of(table)[16 * bytes_of(text)[i] + state];
      if (i % 64 == 63) {
        ASSERT_EQ(states[i / 64], state) << name << " " << i;
      }
    }
  }
}

TEST(Dfa, CountsWorkAsByHand) {
  const Work work = kernel_of("dfa_permuting").work(problem_of("dfa_permuting", 1024 + 34));
  EXPECT_EQ(work.bytes_read, 4096 + 4 * 32);
  EXPECT_EQ(work.bytes_written, 8);
  EXPECT_EQ(work.items, 128);
  EXPECT_EQ(work.flops, 0);
}

const std::vector<const char*> graphs = {"bfs_rmat", "bfs_grid"};

TEST(Bfs, HasTheMostVerticesThatFit) {
  EXPECT_EQ(problem_of("bfs_rmat", 34).extents.count(), 0);
  EXPECT_EQ(problem_of("bfs_grid", 16).extents.count(), 0);
  EXPECT_EQ(problem_of("bfs_grid", 17).extents.x, 4);
  for (const char* name : graphs)
    for (const std::int64_t n : {35, 36, 68, 69, 102, 103, 7936, 130560, 1 << 28}) {
      Problem problem = problem_of(name, n);
      EXPECT_LE(elements_of(name, problem), n);
      const auto side = static_cast<std::int64_t>(std::llround(std::sqrt(problem.extents.x)));
      problem.extents.x = std::string(name) == "bfs_grid" ? (side + 1) * (side + 1) : problem.extents.x + 1;
      EXPECT_GT(elements_of(name, problem), n) << name << " " << n;
    }
}

TEST(Bfs, GraphsHaveEveryEdgeFromBothEndsInOrder) {
  for (const char* name : graphs) {
    const Problem problem = problem_of(name, 20000);
    const auto row = input<std::int32_t>(name, problem, 0), adjacent = input<std::int32_t>(name, problem, 1);
    ASSERT_EQ(row.front(), 0);
    ASSERT_EQ(row.back(), static_cast<std::int32_t>(adjacent.size()));
    std::multiset<std::pair<std::int32_t, std::int32_t>> directed;
    for (std::int32_t v = 0; v + 1 < static_cast<std::int32_t>(row.size()); ++v)
      for (std::int32_t e = row[static_cast<std::size_t>(v)]; e < row[static_cast<std::size_t>(v) + 1]; ++e) {
        const std::int32_t w = adjacent[static_cast<std::size_t>(e)];
        ASSERT_TRUE(w >= 0 && w < problem.extents.x);
        directed.insert({v, w});
        if (e > row[static_cast<std::size_t>(v)]) {
          EXPECT_LE(adjacent[static_cast<std::size_t>(e) - 1], w);
        }
      }
    for (const auto& [v, w] : directed) EXPECT_EQ(directed.count({v, w}), directed.count({w, v}));
    EXPECT_EQ(row, input<std::int32_t>(name, problem, 0, 6));
    EXPECT_EQ(adjacent, input<std::int32_t>(name, problem, 1, 6));
  }
}

std::vector<double> levels_of(const char* name, const Problem& problem) {
  const auto row = input<std::int32_t>(name, problem, 0), adjacent = input<std::int32_t>(name, problem, 1);
  std::vector<double> level(row.size() - 1);
  const void* in[] = {row.data(), adjacent.data(), nullptr};
  double* out[] = {nullptr, nullptr, level.data()};
  kernel_of(name).reference.int32(problem, in, out);
  return level;
}

TEST(Bfs, GridLevelsAreSumsOfPlaces) {
  for (const std::int64_t k : {2, 3, 36, 147}) {
    const Problem problem = problem_of("bfs_grid", 6 * k * k - 4 * k + 1);
    ASSERT_EQ(problem.extents.x, k * k);
    const std::vector<double> level = levels_of("bfs_grid", problem);
    for (std::int64_t v = 0; v < k * k; ++v)
      ASSERT_EQ(level[static_cast<std::size_t>(v)], static_cast<double>(v % k + v / k));
  }
}

// BFS levels are right if three conditions hold. Neighbours differ by at most one level. Every vertex but the
// source has a neighbour one level below. Level -1 (not reached) has only neighbours of level -1.
TEST(Bfs, ScaleFreeLevelsAreOnesOfShortestPaths) {
  const Problem problem = problem_of("bfs_rmat", 8192 * 34 + 1);
  const auto row = input<std::int32_t>("bfs_rmat", problem, 0),
             adjacent = input<std::int32_t>("bfs_rmat", problem, 1);
  const std::vector<double> level = levels_of("bfs_rmat", problem);
  int reached = 0, sources = 0;
  double most = 0;
  for (std::size_t v = 0; v < level.size(); ++v) {
    reached += level[v] >= 0 ? 1 : 0;
    sources += level[v] == 0 ? 1 : 0;
    most = std::max(most, level[v]);
    bool has_one_below = level[v] <= 0;
    for (std::int32_t e = row[v]; e < row[v + 1]; ++e) {
      const double other = level[static_cast<std::size_t>(adjacent[static_cast<std::size_t>(e)])];
      has_one_below |= other == level[v] - 1;
      EXPECT_EQ(level[v] < 0, other < 0);
      EXPECT_LE(std::abs(level[v] - other), 1);
    }
    EXPECT_TRUE(has_one_below) << v;
  }
  EXPECT_EQ(sources, 1);
  EXPECT_NEAR(reached / 8192.0, 0.8, 0.03);
  EXPECT_LE(most, 7);
}

TEST(Bfs, CountsWorkAsByHand) {
  const Work rmat = kernel_of("bfs_rmat").work(problem_of("bfs_rmat", 341));
  EXPECT_EQ(rmat.bytes_read, 4 * (10 + 1 + 320));
  EXPECT_EQ(rmat.bytes_written, 40);
  EXPECT_EQ(rmat.items, 160);
  const Work grid = kernel_of("bfs_grid").work(problem_of("bfs_grid", 43));
  EXPECT_EQ(grid.bytes_read, 4 * (9 + 1 + 24));
  EXPECT_EQ(grid.bytes_written, 36);
  EXPECT_EQ(grid.items, 12);
}

const std::vector<const char*> meshes = {"mesh_ordered", "mesh_shuffled"};

TEST(Mesh, HasTheMostVerticesThatFit) {
  for (const char* name : meshes) {
    EXPECT_EQ(problem_of(name, 22, ElementType::float32).extents.count(), 0);
    EXPECT_EQ(problem_of(name, 23, ElementType::float32).extents.x, 4);
    for (const std::int64_t n : {23, 65, 66, 67, 7936, 130560, 1 << 28}) {
      Problem problem = problem_of(name, n, ElementType::float32);
      EXPECT_LE(elements_of(name, problem), n);
      const auto side = static_cast<std::int64_t>(std::llround(std::sqrt(problem.extents.x)));
      problem.extents.x = (side + 1) * (side + 1);
      EXPECT_GT(elements_of(name, problem), n) << name << " " << n;
    }
  }
}

// Compares the number of vertices of each degree with that of a k x k triangle mesh. The numbering of the
// vertices does not matter.
TEST(Mesh, IsOfTriangles) {
  constexpr std::int64_t k = 9;
  for (const char* name : meshes) {
    const Problem problem = problem_of(name, 11 * k * k - 12 * k + 3, ElementType::float64);
    ASSERT_EQ(problem.extents.x, k * k);
    const auto ends = input<std::int32_t>(name, problem, 0);
    ASSERT_EQ(ends.size(), static_cast<std::size_t>(2 * (3 * k * k - 4 * k + 1)));
    std::vector<int> degrees(static_cast<std::size_t>(k * k));
    std::set<std::pair<std::int32_t, std::int32_t>> edges;
    for (std::size_t e = 0; e < ends.size(); e += 2) {
      edges.insert(std::minmax(ends[e], ends[e + 1]));
      ++degrees[static_cast<std::size_t>(ends[e])];
      ++degrees[static_cast<std::size_t>(ends[e + 1])];
    }
    EXPECT_EQ(edges.size(), ends.size() / 2);
    EXPECT_EQ(std::count(degrees.begin(), degrees.end(), 2), 2);
    EXPECT_EQ(std::count(degrees.begin(), degrees.end(), 3), 2);
    EXPECT_EQ(std::count(degrees.begin(), degrees.end(), 4), 4 * (k - 2));
    EXPECT_EQ(std::count(degrees.begin(), degrees.end(), 6), (k - 2) * (k - 2));
    EXPECT_EQ(ends, input<std::int32_t>(name, problem, 0, 6));
    if (std::string(name) == "mesh_ordered") {
      EXPECT_EQ((std::vector<std::int32_t>(ends.begin(), ends.begin() + 4)),
                (std::vector<std::int32_t>{0, 1, 1, 2}));
      EXPECT_EQ((std::vector<std::int32_t>(ends.end() - 2, ends.end())), (std::vector<std::int32_t>{70, 80}));
    }
  }
}

// With equal weights and a linear q, the flows cancel at inner vertices.
TEST(Mesh, ReferenceAddsWhatFlowsAtBothEnds) {
  constexpr std::int64_t k = 7;
  const Problem problem = problem_of("mesh_ordered", 11 * k * k - 12 * k + 3, ElementType::float64);
  const auto ends = input<std::int32_t>("mesh_ordered", problem, 0);
  std::vector<double> w(ends.size() / 2, 3), q(k * k), r(k * k, -1);
  for (std::size_t v = 0; v < q.size(); ++v) q[v] = static_cast<double>(v % k + 10 * (v / k));
  const void* in[] = {ends.data(), w.data(), q.data(), nullptr};
  double* out[] = {nullptr, nullptr, nullptr, r.data()};
  kernel_of("mesh_ordered").reference.float64(problem, in, out);
  double sum = 0;
  for (std::size_t v = 0; v < r.size(); ++v) {
    sum += r[v];
    const std::size_t x = v % k, y = v / k;
    if (x > 0 && x < k - 1 && y > 0 && y < k - 1) {
      EXPECT_EQ(r[v], 0) << v;
    }
  }
  EXPECT_EQ(sum, 0);
  EXPECT_EQ(r[0], 3 * (1 + 10 + 11));
  EXPECT_EQ(r[1], 3 * (-1 + 1 + 10 + 11));
}

TEST(Mesh, ColoursDoNotMeet) {
  for (const char* name : meshes) {
    const Problem problem = problem_of(name, 20000, ElementType::float32);
    const auto ends = input<std::int32_t>(name, problem, 0);
    const auto edges = static_cast<std::int64_t>(ends.size() / 2);
    const mesh::Colours colours = mesh::colour(problem.extents.x, edges, ends.data());
    EXPECT_LE(colours.count(), 11U);
    std::set<std::int32_t> all;
    for (std::size_t c = 0; c < colours.count(); ++c) {
      std::set<std::int32_t> met;
      for (std::int32_t at = colours.begin[c]; at < colours.begin[c + 1]; ++at) {
        const auto e = static_cast<std::size_t>(colours.order[static_cast<std::size_t>(at)]);
        all.insert(static_cast<std::int32_t>(e));
        EXPECT_TRUE(met.insert(ends[2 * e]).second);
        EXPECT_TRUE(met.insert(ends[2 * e + 1]).second);
      }
    }
    EXPECT_EQ(all.size(), static_cast<std::size_t>(edges));
  }
}

// Each end of each edge is added once, by the part that owns the vertex, after the vertex was zeroed. In an
// ordered mesh, consecutive edges form long runs.
TEST(Mesh, RunsOfPartsHaveEachEndOnce) {
  for (const char* name : meshes) {
    const Problem problem = problem_of(name, 20000, ElementType::float32);
    const auto ends = input<std::int32_t>(name, problem, 0);
    const auto edges = static_cast<std::int64_t>(ends.size() / 2);
    std::vector<int> seen(ends.size());
    std::size_t count = 0;
    for (const mesh::Part& part : mesh::parts_of(problem.extents.x, edges, ends.data(), 3, 100)) {
      std::int64_t zeroed = part.begin;
      const auto add = [&](const mesh::Runs& runs, bool first, bool second) {
        count += runs.size();
        for (const mesh::Run& run : runs)
          for (std::int32_t t = 0; t < run.count; ++t) {
            const auto e = static_cast<std::size_t>(run.edge + t);
            const std::int32_t i = run.i + t, j = run.j + t;
            ASSERT_TRUE(ends[2 * e] == i && ends[2 * e + 1] == j);
            ASSERT_TRUE(!first || (i >= part.begin && i < zeroed));
            ASSERT_TRUE(!second || (j >= part.begin && j < zeroed));
            seen[2 * e] += first;
            seen[2 * e + 1] += second;
          }
      };
      for (const mesh::Block& block : part.blocks) {
        zeroed = std::max(zeroed, block.touched);
        add(block.runs, true, true);
      }
      EXPECT_LE(zeroed, part.end);
      zeroed = part.end;
      add(part.first_end, true, false);
      add(part.second_end, false, true);
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size())) << name;
    if (std::string(name) == "mesh_ordered") {
      EXPECT_LT(count, static_cast<std::size_t>(edges) / 8);
    }
  }
}

// Every vertex belongs to one tile, and every edge is in the tiles of both its ends. Edges of a round run in
// parallel, so no two of them may share an owned vertex.
TEST(Mesh, TilesHaveAllEdgesInRoundsThatDoNotMeet) {
  constexpr int size = 128, threads = 64;
  for (const char* name : meshes) {
    const Problem problem = problem_of(name, 30000, ElementType::float32);
    const auto ends = input<std::int32_t>(name, problem, 0);
    const auto edges = static_cast<std::int64_t>(ends.size() / 2);
    const mesh::Tiles tiles = mesh::make_tiles(problem.extents.x, size, threads,
                                               mesh::incidence_of(problem.extents.x, edges, ends.data()));
    std::vector<int> owners(static_cast<std::size_t>(problem.extents.x)), seen(ends.size());
    const std::size_t count = tiles.first_vertex.size() - 1;
    for (std::size_t t = 0; t < count; ++t) {
      const auto begin = static_cast<std::size_t>(tiles.first_vertex[t]);
      const std::size_t owned = std::min<std::size_t>(size, owners.size() - t * size);
      for (std::size_t p = 0; p < owned; ++p) ++owners[static_cast<std::size_t>(tiles.vertices[begin + p])];
      for (auto round = static_cast<std::size_t>(tiles.first_round[t]);
           round < static_cast<std::size_t>(tiles.first_round[t + 1]); ++round) {
        std::set<std::uint32_t> met;
        for (std::size_t at = round * threads; at < (round + 1) * threads; ++at) {
          if (tiles.ends[at] == ~0U) continue;
          for (const std::uint32_t p : {tiles.ends[at] & 0xFFFF, tiles.ends[at] >> 16}) {
            if (p >= owned) continue;
            EXPECT_TRUE(met.insert(p).second);
            const std::int32_t v = tiles.vertices[begin + p];
            const auto e = static_cast<std::size_t>(tiles.edges[at]);
            ASSERT_TRUE(ends[2 * e] == v || ends[2 * e + 1] == v);
            ++seen[2 * e + (ends[2 * e] == v ? 0 : 1)];
          }
        }
      }
    }
    EXPECT_EQ(std::count(owners.begin(), owners.end(), 1), static_cast<std::ptrdiff_t>(owners.size()));
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size()));
    // A compact tile of 128 vertices has about 384 edges, and 60 more cross its boundary. They fill rounds of
    // 64 edges.
    EXPECT_LT(tiles.edges.size(), static_cast<std::size_t>(edges) * 7 / 4) << name;
  }
}

TEST(Mesh, CountsWorkAsByHand) {
  const Work work = kernel_of("mesh_ordered").work(problem_of("mesh_ordered", 23, ElementType::float64));
  EXPECT_EQ(work.bytes_read, 5 * 16 + 4 * 8);
  EXPECT_EQ(work.bytes_written, 4 * 8);
  EXPECT_EQ(work.flops, 20);
  EXPECT_EQ(work.items, 5);
}

}  // namespace
}  // namespace sextant
