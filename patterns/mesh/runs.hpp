// Groups the edges of a mesh into runs. A run is a sequence of edges e, e + 1, … whose first ends are i, i +
// 1, … and whose second ends are j, j + 1, … . Runs are grouped by blocks of vertices, so that a block's
// results stay in cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sextant::mesh {

struct Run {
  std::int32_t edge, i, j, count;
};
using Runs = std::vector<Run>;

inline void add_edge(Runs& runs, std::int64_t e, std::int64_t i, std::int64_t j) {
  if (!runs.empty()) {
    Run& last = runs.back();
    if (last.edge + last.count == e && last.i + last.count == i && last.j + last.count == j) {
      ++last.count;
      return;
    }
  }
  runs.push_back(
      {static_cast<std::int32_t>(e), static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), 1});
}

// The edges whose lower end is in one block of a range of vertices. Their other ends are below vertex
// `touched`; r must be set to 0 up to there before the edges are added.
struct Block {
  std::int64_t touched = 0;
  Runs runs;
};

// A range of vertices. `blocks` holds the edges with both ends in it. `first_end` and `second_end` hold the
// edges with only the first or only the second end in it.
struct Part {
  std::int64_t begin = 0, end = 0;
  std::vector<Block> blocks;
  Runs first_end, second_end;
};

inline std::vector<Part> parts_of(std::int64_t vertices, std::int64_t edges, const std::int32_t* ends,
                                  std::int64_t count, std::int64_t block) {
  const std::int64_t each = std::max<std::int64_t>(1, (vertices + count - 1) / count);
  std::vector<Part> parts(static_cast<std::size_t>(count));
  for (std::int64_t p = 0; p < count; ++p) {
    Part& part = parts[static_cast<std::size_t>(p)];
    part.begin = std::min(vertices, p * each), part.end = std::min(vertices, part.begin + each);
    part.blocks.resize(static_cast<std::size_t>((part.end - part.begin + block - 1) / block));
  }
  for (std::int64_t e = 0; e < edges; ++e) {
    const std::int64_t i = ends[2 * e], j = ends[2 * e + 1];
    Part &of_i = parts[static_cast<std::size_t>(i / each)], &of_j = parts[static_cast<std::size_t>(j / each)];
    if (&of_i == &of_j) {
      Block& home = of_i.blocks[static_cast<std::size_t>((std::min(i, j) - of_i.begin) / block)];
      add_edge(home.runs, e, i, j);
      home.touched = std::max(home.touched, std::max(i, j) + 1);
    } else {
      add_edge(of_i.first_end, e, i, j);
      add_edge(of_j.second_end, e, i, j);
    }
  }
  return parts;
}

}  // namespace sextant::mesh
