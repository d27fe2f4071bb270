#include "point.cuh"

// The kernel of `z_loop` and `z_loop_reg`: a thread computes `planes` planes one after another along z. For
// `z_loop` it reads every operand from global memory; for `z_loop_reg` (`queued`) it keeps the points along z
// in a register queue.
namespace sextant::heat3d {

template <int radius, Weights weights, bool queued, typename T>
__global__ void walk(Box box, int planes, const T* __restrict__ u, T* __restrict__ v) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= box.x) return;
  for (int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); y < box.y;
       y += gridDim.y * blockDim.y)
    for (int first = static_cast<int>(blockIdx.z) * planes; first < box.z; first += gridDim.z * planes) {
      const std::int64_t row = box.x;
      const bool rim = in_rim<radius>(x, box.x) || in_rim<radius>(y, box.y);
      const T* const column = u + y * row + x;
      T queue[2 * radius + 1];  // planes z-R … z+R; elements outside the box are not used
      if (queued)
#pragma unroll
        for (int k = 0; k < 2 * radius; ++k) {
          const int z = first + k - radius;
          queue[k + 1] = z >= 0 && z < box.z ? column[z * box.plane] : T{};
        }
      for (int z = first; z < min(first + planes, box.z); ++z) {
        const T* const own = column + z * box.plane;
        if (queued) {
#pragma unroll
          for (int k = 0; k < 2 * radius; ++k) queue[k] = queue[k + 1];
          queue[2 * radius] = z + radius < box.z ? own[radius * box.plane] : T{};
        }
        const T centre = queued ? queue[radius] : own[0];
        v[z * box.plane + y * row + x] =
            rim || in_rim<radius>(z, box.z)
                ? centre
                : weighted<radius, weights>(
                      centre, [&](int k) { return own[-k]; }, [&](int k) { return own[k]; },
                      [&](int k) { return own[-k * row]; }, [&](int k) { return own[k * row]; },
                      [&](int k) { return queued ? queue[radius - k] : own[-k * box.plane]; },
                      [&](int k) { return queued ? queue[radius + k] : own[k * box.plane]; });
      }
    }
}

struct Walkers {
  int block_x = 32, block_y = 8, planes = 64;
};

inline const char* refuse_walk(const Problem&, const Walkers& walkers) {
  return refuse_block({}, walkers.block_x, walkers.block_y, 1);
}

template <bool queued, typename T>
void launch_walk(const Call& call) {
  const Extents& extents = call.problem.extents;
  const auto walkers = call.tuned<Walkers>();
  const dim3 block(walkers.block_x, walkers.block_y),
      grid = grid_of(extents, walkers.block_x, walkers.block_y, walkers.planes);
  launch_steps<T>(call, [&]<int radius, Weights weights>(const T* from, T* to) {
    walk<radius, weights, queued>
        <<<grid, block, 0, stream_of(call)>>>(Box(extents), walkers.planes, from, to);
  });
}

template <bool queued>
Variant walk_variant(const char* description) {
  Variant variant = device_variant(description);
  variant.tunables = tunables<Walkers>({{"block_x", &Walkers::block_x, {32, 64, 128, 256}},
                                        {"block_y", &Walkers::block_y, {1, 2, 4, 8, 16}},
                                        // With 2048 planes, one thread covers the full height of the largest
                                        // box of the documented runs.
                                        {"planes", &Walkers::planes, {8, 16, 32, 64, 128, 256, 2048}}});
  variant.launch = {.float32 = launch_walk<queued, float>, .float64 = launch_walk<queued, double>};
  variant.constraint = by_name<refuse_walk>;
  return variant;
}

}  // namespace sextant::heat3d

// The kernel of `base` and `ldg`: one point per thread, with all operands read from global memory.
namespace sextant::heat3d {

// With `read_only`, loads use the read-only path (ld.global.nc). The pointers have no __restrict__, because
// with it the compiler would choose that path for `base` as well.
template <int radius, Weights weights, bool read_only, typename T>
__global__ void direct(Box box, const T* u, T* v) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= box.x) return;
  const auto load = [u](std::int64_t i) {
    if constexpr (read_only)
      return __ldg(u + i);
    else
      return u[i];
  };
  for (int z = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z); z < box.z;
       z += gridDim.z * blockDim.z)
    for (int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); y < box.y;
         y += gridDim.y * blockDim.y) {
      const std::int64_t i = z * box.plane + static_cast<std::int64_t>(y) * box.x + x;
      const T centre = load(i);
      v[i] = in_rim<radius>(x, box.x) || in_rim<radius>(y, box.y) || in_rim<radius>(z, box.z)
                 ? centre
                 : weighted<radius, weights>(
                       centre, [&](int k) { return load(i - k); }, [&](int k) { return load(i + k); },
                       [&](int k) { return load(i - static_cast<std::int64_t>(k) * box.x); },
                       [&](int k) { return load(i + static_cast<std::int64_t>(k) * box.x); },
                       [&](int k) { return load(i - k * box.plane); },
                       [&](int k) { return load(i + k * box.plane); });
    }
}

struct DirectBlock {
  int block_x = 64, block_y = 4, block_z = 1;
};

inline const char* refuse_direct(const Problem&, const DirectBlock& block) {
  return refuse_block({}, block.block_x, block.block_y, block.block_z);
}

template <bool read_only, typename T>
void launch_direct(const Call& call) {
  const Extents& extents = call.problem.extents;
  const auto [x, y, z] = call.tuned<DirectBlock>();
  const dim3 block(x, y, z), grid = grid_of(extents, x, y, z);
  launch_steps<T>(call, [&]<int radius, Weights weights>(const T* from, T* to) {
    direct<radius, weights, read_only><<<grid, block, 0, stream_of(call)>>>(Box(extents), from, to);
  });
}

template <bool read_only>
Variant direct_variant(const char* description) {
  Variant variant = device_variant(description);
  variant.tunables = tunables<DirectBlock>({{"block_x", &DirectBlock::block_x, {32, 64, 128, 256}},
                                            {"block_y", &DirectBlock::block_y, {1, 2, 4, 8, 16}},
                                            {"block_z", &DirectBlock::block_z, {1, 2, 4}}});
  variant.launch = {.float32 = launch_direct<read_only, float>, .float64 = launch_direct<read_only, double>};
  variant.constraint = by_name<refuse_direct>;
  return variant;
}

}  // namespace sextant::heat3d

namespace sextant {
namespace {

// COMP strategy of the paper (docs/explanation/programs/heat-stencil.md). A block has one thread per point.
// It copies a tile of an x-y plane into shared memory, with R halo points on each side. After a barrier each
// thread reads its x and y neighbours from shared memory and its z neighbours from global memory. A second
// barrier protects the tile until all threads have read it.
// Each value of the plane is thus loaded once per block, but the 2R values along z are loaded for every
// point.
namespace shared {

// Computes one step. The tile in shared memory includes the halo but not the halo's corners. If the box has
// more tiles than the grid has blocks, a block computes several tiles, one grid size apart.
template <int radius, heat3d::Weights weights, typename T>
__global__ void shared(heat3d::Box box, const T* __restrict__ u, T* __restrict__ v) {
  extern __shared__ __align__(16) unsigned char memory[];
  const int block_x = static_cast<int>(blockDim.x), block_y = static_cast<int>(blockDim.y);
  const int column = static_cast<int>(threadIdx.x), line = static_cast<int>(threadIdx.y);
  const int width = block_x + 2 * radius;
  // `tile` points at the tile's first point, which follows the halo.
  T* const tile = reinterpret_cast<T*>(memory) + radius * width + radius;
  const int x = static_cast<int>(blockIdx.x) * block_x + column;
  const std::int64_t row = box.x;
  for (int z = static_cast<int>(blockIdx.z); z < box.z; z += gridDim.z)
    for (int top = static_cast<int>(blockIdx.y) * block_y; top < box.y; top += gridDim.y * block_y) {
      const int y = top + line;
      const T* const plane = u + z * box.plane;
      for (int j = line - radius; j < block_y + radius; j += block_y)
        if (x < box.x && top + j >= 0 && top + j < box.y)
          tile[j * width + column] = plane[(top + j) * row + x];
      for (int i = column; i < 2 * radius;
           i += block_x) {  // Loads columns -R … -1, then block_x … block_x + R - 1.
        const int beside = i < radius ? i - radius : block_x + i - radius, at = x - column + beside;
        if (y < box.y && at >= 0 && at < box.x) tile[line * width + beside] = plane[y * row + at];
      }
      __syncthreads();
      if (x < box.x && y < box.y) {
        const T* const own = tile + line * width + column;
        const std::int64_t i = z * box.plane + y * row + x;
        const bool rim = heat3d::in_rim<radius>(x, box.x) || heat3d::in_rim<radius>(y, box.y) ||
                         heat3d::in_rim<radius>(z, box.z);
        v[i] = rim ? own[0]
                   : heat3d::weighted<radius, weights>(
                         own[0], [&](int k) { return own[-k]; }, [&](int k) { return own[k]; },
                         [&](int k) { return own[-k * width]; }, [&](int k) { return own[k * width]; },
                         [&](int k) { return u[i - k * box.plane]; },
                         [&](int k) { return u[i + k * box.plane]; });
      }
      __syncthreads();
    }
}

struct Tile {
  int block_x = 32, block_y = 8;
};

std::size_t bytes_of(const Problem& problem, const Tile& tile) {
  const int halo = 2 * heat3d::radius_of(problem);
  return static_cast<std::size_t>(tile.block_x + halo) * static_cast<std::size_t>(tile.block_y + halo) *
         element_size(problem.type);
}

const char* constraint(const Problem& problem, const Tile& tile) {
  return refuse_block({}, tile.block_x, tile.block_y, 1, bytes_of(problem, tile));
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const auto tile = call.tuned<Tile>();
  const dim3 block(tile.block_x, tile.block_y);
  const dim3 grid = heat3d::grid_of(extents, tile.block_x, tile.block_y, 1);
  const std::size_t bytes = bytes_of(call.problem, tile);
  heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
    shared<radius, weights><<<grid, block, bytes, stream_of(call)>>>(heat3d::Box(extents), from, to);
  });
}

Variant form() {
  Variant variant = heat3d::device_variant(
      "the paper's COMP: x-y tile with halo in shared memory; z neighbours from global memory");
  variant.tunables = tunables<Tile>(
      {{"block_x", &Tile::block_x, {32, 64, 128, 256}}, {"block_y", &Tile::block_y, {1, 2, 4, 8, 16, 32}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  return variant;
}

}  // namespace shared

}  // namespace

std::vector<Variant> heat3d_cuda() {
  return {
      // The paper's BASE strategy: the plain loop, one point per thread, one launch per step. A thread reads
      // its 6R + 1 operands from global memory. Caches serve most of the reads, because neighbouring threads
      // read the same lines. The cost is the number of loads: the L2 cache delivers 4.5 (R = 1) to 11.4 (R =
      // 4) times the array (docs/explanation/programs/heat-stencil.md).
      named("base", heat3d::direct_variant<false>("the plain form, the paper's BASE: one point per thread; "
                                                  "every operand read from global memory")),
      // The paper's CSL strategy: `base` with every read through the read-only path (__ldg, ld.global.nc),
      // which was the texture cache of older GPUs. Since Pascal this path and the L1 cache share one memory,
      // so the cost should equal that of `base`. `base` avoids the path so that the two can be compared.
      named("ldg", heat3d::direct_variant<true>(
                       "the paper's CSL: `base` with every read through the read-only cache (__ldg)")),
      named("shared", shared::form()),
      // A thread computes `planes` planes one after another along z and reads all operands from global memory
      // as in `base`. A block reads a plane again R planes later, when the L1 cache may still hold it. The L2
      // cache then delivers a third to half of what it delivers for `base`. The cost is fewer threads with
      // more work each.
      named("z_loop",
            heat3d::walk_variant<false>(
                "the paper's z loop: a thread marches along z; every operand read from global memory")),
      // As `z_loop`, but each thread keeps its points z-R … z+R in a register queue that shifts by one per
      // plane. Each value along z is loaded once, which saves 2R loads per point. The x and y neighbours
      // still come from global memory, usually out of the L1 cache. The cost is 2R + 1 registers and as many
      // moves per point.
      named("z_loop_reg",
            heat3d::walk_variant<true>(
                "the paper's z loop: a thread marches along z; z neighbours in a register queue")),
  };
}

}  // namespace sextant
