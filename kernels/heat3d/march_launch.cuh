// How the marching sweep is launched: what its two variants share. The kernels themselves are compiled in
// cuda.march.cu alone.
#pragma once

#include "point.cuh"

namespace sextant::heat3d {

using MarchRows = Choices<1, 2>;

// Threads of a block at most, for the registers that each needs.
constexpr int march_threads(int radius, int rows) {
  if (rows == 1) return radius == 1 ? 1024 : radius == 2 ? 768 : 512;
  return radius == 1 ? 768 : radius == 2 ? 512 : 384;
}

// Where launches overlap: the next one may start, and this one waits until all that the last one wrote is
// there (CUDA C++ Programming Guide, programmatic dependent launch; from compute capability 9.0 on).
__device__ __forceinline__ void wait_for_last_launch() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Launches a kernel that begins with wait_for_last_launch; `overlap`: before the last one of the stream has
// ended.
template <typename... Parameters, typename... Arguments>
void launch_next(cudaLaunchConfig_t config, bool overlap, void (*kernel)(Parameters...),
                 Arguments... arguments) {
  cudaLaunchAttribute may_overlap = {};
  may_overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  may_overlap.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &may_overlap;
  config.numAttrs = overlap && compute_capability() >= 9 ? 1 : 0;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

// The marching sweep with a call's tuning.
struct March {
  // Launches planes [first, last); sweeps one after another should have turns 0 and 1 alternately.
  void (*sweep)(const March& march, const void* from, void* to, std::int64_t first, std::int64_t last,
                int turn);
  const Call* call;
  std::int64_t blocks;  // that fill the waves
};

March march_of(const Call& call);

// In this order at the beginning of the variants' tunings.
namespace march_at {
enum { block_x, block_y, rows, rotate, waves, overlap, end };
}

inline std::vector<Tunable> march_tunables() {
  return {{"block_x", {32, 64, 128}, 64}, {"block_y", {1, 2, 4, 6, 8, 12, 16, 32}, 8},
          {"rows", MarchRows::list(), 1}, {"rotate", {0, 1}, 0},
          {"waves", {1, 2, 4}, 1},        {"overlap", {0, 1}, 0}};
}

inline const char* refuse_march(const Problem& problem, const int* tuning) {
  const std::int64_t block_y = tuning[march_at::block_y];
  if (tuning[march_at::block_x] * block_y > march_threads(radius_of(problem), tuning[march_at::rows]))
    return "too many threads for the registers that each needs";
  if (problem.extents.y > 65535 * block_y) return "more than 65535 blocks along y";
  return nullptr;
}

// What was fastest on an H200, in boxes of 256 x 256 points a plane.
inline void adapt_march(const Problem& problem, int* tuning) {
  const auto choose = [tuning](int block_y, int rows, int rotate) {
    tuning[march_at::block_y] = block_y, tuning[march_at::rows] = rows, tuning[march_at::rotate] = rotate;
  };
  const int radius = radius_of(problem);
  const std::int64_t size = static_cast<std::int64_t>(element_size(problem.type)),
                     bytes = problem.extents.count() * size, megabyte = 1'000'000;
  if (bytes <= 20 * megabyte) {  // both arrays stay in the second-level cache, and launches are what counts
    choose(8, 1, 0);
    tuning[march_at::overlap] = bytes <= (radius == 4 ? 20 : 10) * megabyte;
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
    tuning[march_at::block_x] = 32;
    tuning[march_at::block_y] *= 2;
  }
}

}  // namespace sextant::heat3d
