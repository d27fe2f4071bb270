// Transpose with 16-byte accesses to both matrices.
//
// Each thread reads a block of w x w elements as w vectors and transposes it in registers. Threads exchange
// vectors through shared memory, so that neighbouring threads write neighbouring vectors. Swizzling avoids
// bank conflicts: vector k of row j is in slot k xor (j / w).
//
// If rows of a or y are not whole vectors, single elements are moved. Tiles are then sheared: a tile's part
// of each row of y starts at a 32-byte sector boundary, so that whole sectors are written.
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/load_leaving.cuh"

namespace sextant {
namespace {

using Groups = Choices<8, 16, 32>;

constexpr int all_stay = 1 << 20;

struct Shape {
  int tile_vectors = 16;  // number of vectors per side of a tile
  // Amount of `a`, in MiB, that may stay in the L2 cache; the rest is evicted first. Has no effect if rows
  // are not whole vectors.
  int l2_keep_mib = all_stay;
};

// A square tile of a, with sides of `groups` vectors of w elements. Each thread of the block handles w x w
// elements.
template <int groups, typename T>
class Tile {
 public:
  static constexpr int w = vector_length<T>, side = groups * w, threads = groups * groups;
  static constexpr int high = side, wide = side, overlap = 0;

  // Reads the tile that starts at row i0 and column j0 of a. If `stays`, the data may remain in the L2 cache
  // for the next launch.
  __device__ void read(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0, const T* a,
                       bool stays) {
    const int group_j = static_cast<int>(threadIdx.x) % groups,
              group_i = static_cast<int>(threadIdx.x) / groups;
    const std::int64_t i = i0 + group_i * w, j = j0 + group_j * w;
    Vector<T, w> block[w] = {};
#pragma unroll
    for (int r = 0; r < w; ++r)
      if (j < columns && i + r < rows) {
        const T* from = a + (i + r) * columns + j;
        block[r] = stays ? load<w>(from) : load_leaving_first<w>(from);
      }
#pragma unroll
    for (int k = 0; k < w; ++k) {
      Vector<T, w> turned;
#pragma unroll
      for (int r = 0; r < w; ++r) turned[r] = block[r][k];
      at_[slot(group_j * w + k, group_i)] = turned;
    }
  }

  // Writes the tile to y. A barrier between `read` and `write` is required.
  __device__ void write(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0,
                        T* y) const {
    const int k = static_cast<int>(threadIdx.x) % groups, first = static_cast<int>(threadIdx.x) / groups;
#pragma unroll
    for (int step = 0; step < w; ++step) {
      const int j = step * groups + first;
      if (i0 + k * w < rows && j0 + j < columns)
        store_streaming(y + (j0 + j) * rows + i0 + k * w, at_[slot(j, k)]);
    }
  }

 private:
  static __device__ __forceinline__ int slot(int j, int k) { return j * groups + (k ^ (j / w)); }
  Vector<T, w> at_[side * groups];
};

// A tile for rows that are not whole vectors. It has `wide` rows of y, with `high` elements each, which start
// at sector boundaries. Row j of y starts lead(j) elements after a boundary, so its part of the tile is
// shifted by lead(j) rows of a. The tile holds all rows of a that any of its columns needs. A column of
// padding avoids bank conflicts. A thread writes rows of y with few distinct values of `lead`, which are
// computed once.
template <int high_, int wide_, int threads_, typename T>
class ShearedTile {
 public:
  static constexpr int high = high_, wide = wide_, threads = threads_;
  static constexpr int sector = 32 / static_cast<int>(sizeof(T)), overlap = sector - 1;

  __device__ void read(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0,
                       const T* a) {
    if (inside(rows, columns, i0, j0))
      read<true>(rows, columns, i0, j0, a);
    else
      read<false>(rows, columns, i0, j0, a);
  }
  __device__ void write(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0,
                        T* y) const {
    if (inside(rows, columns, i0, j0))
      write<true>(rows, columns, i0, j0, y);
    else
      write<false>(rows, columns, i0, j0, y);
  }

 private:
  static __device__ __forceinline__ bool inside(std::int64_t rows, std::int64_t columns, std::int64_t i0,
                                                std::int64_t j0) {
    return i0 >= overlap && i0 + high <= rows && j0 + wide <= columns;
  }

  // Returns the number of elements between the last sector boundary before row j of y and the start of that
  // row.
  static __device__ __forceinline__ int lead(std::int64_t j, std::int64_t rows, const T* y) {
    const auto before =
        reinterpret_cast<std::uintptr_t>(y) / sizeof(T) + static_cast<std::uintptr_t>(j * rows);
    return static_cast<int>(before % sector);
  }

  template <bool all>
  __device__ __forceinline__ void read(std::int64_t rows, std::int64_t columns, std::int64_t i0,
                                       std::int64_t j0, const T* a) {
    constexpr int at_once = threads / wide, steps = (held + at_once - 1) / at_once;
    const int x = static_cast<int>(threadIdx.x) % wide, first = static_cast<int>(threadIdx.x) / wide;
    const std::int64_t i = i0 - overlap + first;
    const T* from = a + i * columns + j0 + x;
    T mine[steps];
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      const bool has = (step + 1) * at_once <= held || first + step * at_once < held;
      const std::int64_t row = i + step * at_once;
      if (has && (all || (row >= 0 && row < rows && j0 + x < columns))) mine[step] = *from;
      from += at_once * columns;
    }
#pragma unroll
    for (int step = 0; step < steps; ++step)
      if ((step + 1) * at_once <= held || first + step * at_once < held)
        at_[first + step * at_once][x] = mine[step];
  }

  template <bool all>
  __device__ __forceinline__ void write(std::int64_t rows, std::int64_t columns, std::int64_t i0,
                                        std::int64_t j0, T* y) const {
    constexpr int at_once = threads / high, leads = sector > at_once ? sector / at_once : 1;
    const int x = static_cast<int>(threadIdx.x) % high, first = static_cast<int>(threadIdx.x) / high;
    const std::int64_t i = i0 + x;
    int leads_of[leads];
#pragma unroll
    for (int l = 0; l < leads; ++l) leads_of[l] = lead(j0 + first + l * at_once, rows, y);
    T* to = y + (j0 + first) * rows + i;
#pragma unroll
    for (int step = 0; step < wide / at_once; ++step) {
      const int k = first + step * at_once, higher = leads_of[step % leads];
      if (all || (j0 + k < columns && i >= higher && i - higher < rows))
        *(to - higher) = at_[overlap + x - higher][k];
      to += at_once * rows;
    }
  }

  static constexpr int held = high + overlap;  // number of rows of a that the tile holds
  T at_[held][wide + 1];
};

// Transposes one tile per block. Tiles are numbered along the rows of y. So neighbouring tiles, which share
// sectors of y, are written at about the same time.
template <typename Tile, typename T>
__global__ void __launch_bounds__(Tile::threads)
    turn(std::int64_t rows, std::int64_t columns, std::int64_t staying, unsigned down,
         const T* __restrict__ a, T* __restrict__ y) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  auto& tile = *reinterpret_cast<Tile*>(shared_bytes);
  const std::int64_t i0 = std::int64_t{blockIdx.x % down} * Tile::high,
                     j0 = std::int64_t{blockIdx.x / down} * Tile::wide;
  if constexpr (Tile::overlap == 0)
    tile.read(rows, columns, i0, j0, a, i0 * columns < staying);
  else
    tile.read(rows, columns, i0, j0, a);
  __syncthreads();
  tile.write(rows, columns, i0, j0, y);
}

template <typename Tile, typename T>
void launch_turn(const Call& call) {
  const Extents& extents = call.problem.extents;
  const unsigned across = blocks_for(extents.x, Tile::wide),
                 down = blocks_for(extents.y + Tile::overlap, Tile::high);
  if (sizeof(Tile) > 48 * 1024)
    cudaFuncSetAttribute(turn<Tile, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(sizeof(Tile)));
  const std::int64_t staying =
      (std::int64_t{call.tuned<Shape>().l2_keep_mib} << 20) / static_cast<std::int64_t>(sizeof(T));
  turn<Tile, T><<<across * down, Tile::threads, sizeof(Tile), stream_of(call)>>>(
      extents.y, extents.x, staying, down, call.array<const T>(0), call.array<T>(1));
}

// Sheared tiles of 32 x 32, 32 x 64 or 64 x 64 elements. Tiles with fewer rows of a read more of a twice.
template <int groups, typename T>
using Sheared = ShearedTile<groups == 32 ? 64 : 32, groups == 8 ? 32 : 64, groups == 32 ? 512 : 256, T>;

bool whole_vectors(const Problem& problem) {
  const auto w = std::int64_t{16} / static_cast<std::int64_t>(element_size(problem.type));
  return problem.extents.x % w == 0 && problem.extents.y % w == 0;
}

template <typename T>
void launch(const Call& call) {
  Groups::with(call.tuned<Shape>().tile_vectors, [&]<int groups>() {
    if (whole_vectors(call.problem))
      launch_turn<Tile<groups, T>, T>(call);
    else
      launch_turn<Sheared<groups, T>, T>(call);
  });
}

// Chosen from timings on an H200. Its L2 cache can keep about 16 MiB of one launch's input for the next
// launch, if all other data are evicted first.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t bytes = problem.extents.count() * static_cast<std::int64_t>(element_size(problem.type));
  if (whole_vectors(problem)) {
    if (bytes > std::int64_t{32} << 20) shape.l2_keep_mib = bytes < std::int64_t{160} << 20 ? 16 : 0;
    return;
  }
  if (bytes < std::int64_t{8} << 20) shape.tile_vectors = 8;
  if (bytes > std::int64_t{128} << 20) shape.tile_vectors = 32;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  const std::int64_t side =
      whole_vectors(problem) ? shape.tile_vectors * 16 / static_cast<std::int64_t>(element_size(problem.type))
                             : 32;  // smallest possible side of a sheared tile
  const auto tiles = [side](std::int64_t length) { return (length + 7 + side - 1) / side; };
  return tiles(problem.extents.x) * tiles(problem.extents.y) > INT32_MAX
             ? "more tiles than a grid can have blocks"
             : nullptr;
}

}  // namespace

std::vector<Variant> transpose_cuda_vector() {
  return {{.name = "vector",
           .description =
               "16-byte accesses to both matrices, transposed in registers and swizzled shared memory; "
               "single elements if rows are not whole vectors",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Shape>({{"tile_vectors", &Shape::tile_vectors, Groups::list()},
                                        {"l2_keep_mib", &Shape::l2_keep_mib, {0, 16, 24, all_stay}}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = by_name<refuse>,
           .adapt = by_name<adapt>}};
}

}  // namespace sextant
