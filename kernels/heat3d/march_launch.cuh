// How the marching sweep is launched: what its two variants share. The kernels themselves are compiled in
// cuda.march.cu alone.
#pragma once

#include "point.cuh"

namespace sextant::heat3d {

// Planes in flight: two of 16 rows are 37 KB, and 4.3 TB/s need 23 KB a multiprocessor at 700 ns.
inline constexpr int ahead = 2;

inline constexpr int march_threads_x = 64;  // 256 points of floats
using MarchRows = Choices<1, 2, 4>;

// With four rows a thread holds too much for more than 256 threads.
constexpr int march_threads(int rows) { return rows == 4 ? 256 : 512; }

struct MarchTile {
  int width, height;  // points along x and y
  std::size_t shared_bytes;
};

inline MarchTile march_tile(const Problem& problem, const int* tuning) {
  const int size = static_cast<int>(element_size(problem.type)), length = 16 / size,
            radius = radius_of(problem);
  const int side = (radius + length - 1) / length * length;
  MarchTile tile{tuning[0] * length, tuning[1] * tuning[2], 0};
  tile.shared_bytes = static_cast<std::size_t>(radius + 1 + ahead) *
                      static_cast<std::size_t>(tile.height + 2 * radius) *
                      static_cast<std::size_t>(tile.width + 2 * side) * static_cast<std::size_t>(size);
  return tile;
}

// The marching sweep with a call's tuning: threads along x and y, rows a thread, waves of blocks.
struct March {
  // Launches planes [first, last).
  void (*sweep)(const March& march, const void* from, void* to, std::int64_t first, std::int64_t last);
  const Call* call;
  MarchTile tile;
  std::int64_t blocks;  // that fill the waves
};

March march_of(const Call& call);

inline std::vector<Tunable> march_tunables() {
  return {{"block_x", {march_threads_x}, march_threads_x},
          {"block_y", {2, 4, 8, 16}, 8},
          {"rows", MarchRows::list(), 2},
          {"waves", {1, 2, 4, 8}, 1}};
}

inline const char* refuse_march(const Problem& problem, const int* tuning) {
  if (tuning[0] * tuning[1] > march_threads(tuning[2]))
    return "too many threads for the registers that each needs";
  if (march_tile(problem, tuning).shared_bytes > most_shared_memory)
    return "more than 227 KiB of shared memory a block";
  return nullptr;
}

// The tallest tile that fits, 16 rows at most.
inline void adapt_march(const Problem& problem, int* tuning) {
  while (tuning[1] > 2 && refuse_march(problem, tuning)) tuning[1] /= 2;
}

}  // namespace sextant::heat3d
