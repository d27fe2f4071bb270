// How the marching sweep is launched: what `march`, `skewed` and `bulk` use of it. The kernels themselves are
// compiled in cuda.march.cu alone.
#pragma once

#include "marching.cuh"
#include "recorded.cuh"

namespace sextant::heat3d {

using MarchRows = Choices<1, 2>;

// The tunables of the sweep: threads of a block; rows a thread, one above the other; whether the queue of planes
// is taken in turn (see march.cuh); waves of blocks; whether launches overlap.
struct MarchShape {
  int block_x = 64, block_y = 8, rows = 1, rotate = 0, waves = 1, overlap = 0;
};

// The tunables of a struct that is, or extends, MarchShape.
template <typename Shape>
std::vector<TunableMember<Shape>> march_members() {
  return {
      {"block_x", &Shape::block_x, {32, 64, 128}}, {"block_y", &Shape::block_y, {1, 2, 4, 6, 8, 12, 16, 32}},
      {"rows", &Shape::rows, MarchRows::list()},   {"rotate", &Shape::rotate, {0, 1}},
      {"waves", &Shape::waves, {1, 2, 4}},         {"overlap", &Shape::overlap, {0, 1}}};
}

// Threads of a block at most, for the registers that each needs.
constexpr int march_threads(int radius, int rows) {
  if (rows == 1) return radius == 1 ? 1024 : radius == 2 ? 768 : 512;
  return radius == 1 ? 768 : radius == 2 ? 512 : 384;
}

inline const char* refuse_march(const Problem& problem, const MarchShape& shape) {
  if (const char* reason = refuse_by_point(problem)) return reason;
  const std::int64_t block_y = shape.block_y;
  if (shape.block_x * block_y > march_threads(radius_of(problem), shape.rows))
    return "too many threads for the registers that each needs";
  if (problem.extents.y > 65535 * block_y) return "more than 65535 blocks along y";
  return nullptr;
}

// What was fastest on an H200, in boxes of 256 x 256 points a plane.
inline void adapt_march(const Problem& problem, MarchShape& shape) {
  const auto choose = [&shape](int block_y, int rows, int rotate) {
    shape.block_y = block_y, shape.rows = rows, shape.rotate = rotate;
  };
  const int radius = radius_of(problem);
  const std::int64_t size = static_cast<std::int64_t>(element_size(problem.type)),
                     bytes = problem.extents.count() * size, megabyte = 1'000'000;
  if (bytes <= 20 * megabyte) {  // both arrays stay in the second-level cache, and launches are what counts
    choose(8, 1, 0);
    shape.overlap = bytes <= (radius == 4 ? 20 : 10) * megabyte;
  } else if (radius == 1) {
    choose(16, 1, 0);
  } else if (radius == 2) {
    choose(4, 2, 1);
  } else if (radius == 3) {
    choose(6, 2, 0);
  } else {
    choose(8, 1, 1);
  }
  if (problem.extents.x * size <= 32 * 16) {  // a warp holds a row
    shape.block_x = 32;
    shape.block_y *= 2;
  }
}

// The marching sweep of a call, its kernel chosen.
struct March {
  // Launches planes [first, last); sweeps one after another should have turns 0 and 1 alternately.
  void (*sweep)(const March& march, const void* from, void* to, std::int64_t first, std::int64_t last,
                int turn);
  Extents box;
  MarchShape shape;
  std::int64_t blocks;  // that fill the waves
  bool overlap;
  cudaStream_t stream;
};

March march_of(const Call& call, const MarchShape& shape);

// All steps of a call whose state is Recorded, a sweep of the whole box each.
template <typename T>
void march_steps(const Call& call, const MarchShape& shape) {
  const std::int64_t steps = steps_of(call.problem);
  const March march = march_of(call, shape);
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto [from, to] = sweep_of(call, workspace_of<T>(call), step, steps);
    march.sweep(march, from, to, 0, march.box.z, static_cast<int>(step & 1));
  }
}

}  // namespace sextant::heat3d
