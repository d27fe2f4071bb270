#include <cstdlib>
#include <limits>

#include "loop.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/half.hpp"
#include "toolbox/openacc/tile.hpp"

// Helpers that the OpenACC variants of the heat stencil share.
namespace sextant::heat3d {

// The second array w and its device copy. Steps alternate between the call's arrays and w.
struct MappedArray {
  char* data;
  std::int64_t bytes;
};

static inline const char* prepare_mapped(const Call& call, void** state) {
  const std::int64_t bytes = workspace_bytes(call.problem);
  if (bytes == 0) return nullptr;
  char* data = static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes)));
  if (!data) return "no host memory for the second array of the time steps";
#pragma acc enter data create(data [0:bytes])
  *state = new MappedArray{data, bytes};
  return nullptr;
}

static inline void release_mapped(void* state) {
  const auto* mapped = static_cast<MappedArray*>(state);
  if (!mapped) return;
  char* data = mapped->data;
  const std::int64_t bytes = mapped->bytes;
#pragma acc exit data delete (data [0:bytes])
  std::free(data);
  delete mapped;
}

static inline Variant mapped_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.memory_space = MemorySpace::openacc;
  variant.workspace = [](const Problem& problem, const int*) { return workspace_bytes(problem); };
  variant.prepare = prepare_mapped;
  variant.release = release_mapped;
  return variant;
}

// Computes all steps with one compute region each. Calls sweep.operator()<radius, weights>(from, to).
template <typename T, typename SweepOnce>
static void launch_steps(const Call& call, SweepOnce sweep) {
  const auto* mapped = static_cast<const MappedArray*>(call.state);
  sweep_steps(call, mapped ? reinterpret_cast<T*>(mapped->data) : nullptr, sweep);
}

}  // namespace sextant::heat3d

namespace sextant {
namespace {

// One point per iteration. The three loops are collapsed into one, whose iterations are distributed in order
// to gangs of `vector_length` threads. Every operand is read from global memory, mostly out of the caches,
// because neighbouring threads read the same lines. There is one compute region per step. The cost is 6R + 1
// loads per point and the divisions that recover x, y and z from the iteration number.
namespace collapse {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 256;
};

template <int radius, heat3d::Weights weights, typename T, typename Index, int vector_length_>
void sweep(Index nx, Index ny, Index nz, const T* u, T* v) {
  const std::int64_t row = nx, plane = row * ny, count = plane * nz;
#pragma acc parallel loop gang vector collapse(3) present(u [0:count], v [0:count]) \
    vector_length(vector_length_)
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x) {
        const std::int64_t i = z * plane + y * row + x;
        const bool rim =
            heat3d::in_rim<radius>(x, nx) || heat3d::in_rim<radius>(y, ny) || heat3d::in_rim<radius>(z, nz);
        v[i] = rim ? u[i] : heat3d::point<radius, weights>(u, row, plane, i);
      }
}

template <typename T>
void launch(const Call& call) {
  const Extents& box = call.problem.extents;
  with_index(call.problem, [&]<typename Index>() {
    VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
      heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
        sweep<radius, weights, T, Index, V>(static_cast<Index>(box.x), static_cast<Index>(box.y),
                                            static_cast<Index>(box.z), from, to);
      });
    });
  });
}

Variant form() {
  Variant variant = heat3d::mapped_variant("gang vector over the three loops, collapsed");
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace collapse

// One point per iteration, distributed by tiles. `tile(Tx,Ty,4)` gives a gang the points of a small box. Most
// neighbours that its threads read are points of the same box and lie in the L1 cache. Every operand is a
// load from global memory. There is one compute region per step. GCC distributes tiles as contiguous runs of
// the collapsed range; `carry` corrects the indices (toolbox/openacc/tile.hpp).
namespace tile {

using TilesX = Choices<16, 32, 64>;
using TilesY = Choices<1, 4, 8>;

struct Tile {
  int tile_x = 32, tile_y = 4;
};

template <int radius, heat3d::Weights weights, typename T, typename Index, int tile_x, int tile_y, int tile_z>
void sweep(Index nx, Index ny, Index nz, const T* u, T* v) {
  const std::int64_t row = nx, plane = row * ny, count = plane * nz;
#pragma acc parallel loop gang vector tile(tile_x, tile_y, tile_z) present(u [0:count], v [0:count]) \
    vector_length(openacc::tile_threads(tile_x* tile_y* tile_z))
  for (Index first_z = 0; first_z < nz; ++first_z)
    for (Index first_y = 0; first_y < ny; ++first_y)
      for (Index first_x = 0; first_x < nx; ++first_x) {
        Index x = first_x, y = first_y, z = first_z;
        openacc::carry(nx, x, y);
        openacc::carry(ny, y, z);
        const std::int64_t i = z * plane + y * row + x;
        const bool rim =
            heat3d::in_rim<radius>(x, nx) || heat3d::in_rim<radius>(y, ny) || heat3d::in_rim<radius>(z, nz);
        v[i] = rim ? u[i] : heat3d::point<radius, weights>(u, row, plane, i);
      }
}

template <typename T>
void launch(const Call& call) {
  const Extents& box = call.problem.extents;
  const auto tile = call.tuned<Tile>();
  with_index(call.problem, [&]<typename Index>() {
    TilesX::with(tile.tile_x, [&]<int X>() {
      TilesY::with(tile.tile_y, [&]<int Y>() {
        heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
          sweep<radius, weights, T, Index, X, Y, 4>(static_cast<Index>(box.x), static_cast<Index>(box.y),
                                                    static_cast<Index>(box.z), from, to);
        });
      });
    });
  });
}

Variant form() {
  Variant variant = heat3d::mapped_variant("tile(Tx,Ty,4)");
  variant.tunables =
      tunables<Tile>({{"tile_x", &Tile::tile_x, TilesX::list()}, {"tile_y", &Tile::tile_y, TilesY::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace tile

// A thread computes a column of `planes_per_thread` planes along z, 16 bytes wide. It keeps planes z-R … z+R
// of its points in registers, so that each is loaded once. The neighbouring rows along y come as 16-byte
// packs out of the caches, into which neighbouring threads loaded them. There is one compute region per step.
namespace march {

constexpr int lanes = 32;  // number of threads along x

using ThreadsY = Choices<2, 4, 8>;

struct Columns {
  int threads_y = 8, planes_per_thread = 32;
};

// The neighbours of a thread's points within a plane. They are the packs left and right in the same row, and
// the R rows on either side along y.
template <int radius, int width, typename T>
struct Plane {
  static constexpr int margin = (radius + width - 1) / width * width;  // elements on each side along x
  T row[2 * margin + width], before[radius][width], behind[radius][width];

  SEXTANT_INLINE void load(const T* own, const T (&centre)[width], std::int64_t nx) {
#pragma GCC unroll 8
    for (int k = 0; k < margin; k += width) {
      openacc::aligned::load<width>(own - margin + k, row + k);
      openacc::aligned::load<width>(own + width + k, row + margin + width + k);
    }
#pragma GCC unroll 4
    for (int j = 0; j < width; ++j) row[margin + j] = centre[j];
#pragma GCC unroll 4
    for (int k = 1; k <= radius; ++k) {
      openacc::aligned::load<width>(own - k * nx, before[k - 1]);
      openacc::aligned::load<width>(own + k * nx, behind[k - 1]);
    }
  }
};

// Returns `sum` plus the contributions of the neighbours of point j. `sum` must be the contribution of the
// point itself. `queue` has planes z-R … z+R. `end` marks a point at the end of a row, whose neighbours along
// x are skipped.
template <int radius, heat3d::Weights weights, int width, typename T>
SEXTANT_INLINE T with_neighbours(T sum, const Plane<radius, width, T>& plane,
                                 const T (&queue)[2 * radius + 1][width], int j, bool end) {
  const T* const row = plane.row + plane.margin + j;
  if constexpr (weights == heat3d::Weights::by_point) {
    constexpr heat3d::PointCoefficients<radius, T> c;
#pragma GCC unroll 4
    for (int k = 1; k <= radius; ++k) {
      const T beside = end ? T{} : c.at[0][k] * row[-k] + c.at[1][k] * row[k];
      sum += (beside + (c.at[2][k] * plane.before[k - 1][j] + c.at[3][k] * plane.behind[k - 1][j])) +
             (c.at[4][k] * queue[radius - k][j] + c.at[5][k] * queue[radius + k][j]);
    }
  } else {
    constexpr heat3d::Coefficients<radius, T> c;
#pragma GCC unroll 4
    for (int k = 1; k <= radius; ++k) {
      const T beside = end ? T{} : row[-k] + row[k];
      sum += c.at[k] * ((beside + (plane.before[k - 1][j] + plane.behind[k - 1][j])) +
                        (queue[radius - k][j] + queue[radius + k][j]));
    }
  }
  return sum;
}

// Computes one step in bands of `planes` planes. A band has `blocks_y` times `blocks_x` thread blocks, and a
// thread computes a column of `width` points. Blocks, the rows of a block, and lanes are separate loops. GCC
// distributes collapsed iterations in order, so each row of a block is one warp.
template <int radius, heat3d::Weights weights, int threads_y, int width, typename T>
void sweep(std::int64_t nx, std::int64_t ny, std::int64_t nz, int planes, int bands, int blocks_y,
           int blocks_x, int gangs, const T* u, T* v) {
  const std::int64_t plane = nx * ny, count = plane * nz;
  constexpr int threads = lanes * threads_y;
#pragma acc parallel loop gang(static : 1) vector collapse(5) present(u [0:count], v [0:count]) \
    vector_length(threads) num_gangs(gangs)
  for (int band = 0; band < bands; ++band)
    for (int block_y = 0; block_y < blocks_y; ++block_y)
      for (int block_x = 0; block_x < blocks_x; ++block_x)
        for (int thread_y = 0; thread_y < threads_y; ++thread_y)
          for (int lane = 0; lane < lanes; ++lane) {
            const std::int64_t x = (std::int64_t{block_x} * lanes + lane) * width;
            const std::int64_t y = std::int64_t{block_y} * threads_y + thread_y,
                               first = std::int64_t{band} * planes;
            if (x >= nx || y >= ny) continue;
            const std::int64_t last = first + planes < nz ? first + planes : nz;
            const bool rim_y = heat3d::in_rim<radius>(y, ny);
            const T* const column = u + y * nx + x;
            T* const to = v + y * nx + x;
            // Planes outside the box are replaced by the outermost plane, whose values are not used.
            T queue[2 * radius + 1][width];
#pragma GCC unroll 8
            for (int k = 0; k < 2 * radius; ++k) {
              const std::int64_t z = first + k - radius;
              openacc::aligned::load<width>(column + (z < 0 ? 0 : z < nz ? z : nz - 1) * plane, queue[k + 1]);
            }
            for (std::int64_t z = first; z < last; ++z) {
#pragma GCC unroll 8
              for (int k = 0; k < 2 * radius; ++k)
#pragma GCC unroll 4
                for (int j = 0; j < width; ++j) queue[k][j] = queue[k + 1][j];
              openacc::aligned::load<width>(column + (z + radius < nz ? z + radius : nz - 1) * plane,
                                            queue[2 * radius]);
              const bool rim = rim_y || heat3d::in_rim<radius>(z, nz);
              T out[width];
              if (rim) {
#pragma GCC unroll 4
                for (int j = 0; j < width; ++j) out[j] = queue[radius][j];
              } else {
                constexpr T centre = static_cast<T>(heat3d::centre_coefficient(radius, weights));
                Plane<radius, width, T> beside;
                beside.load(column + z * plane, queue[radius], nx);
#pragma GCC unroll 4
                for (int j = 0; j < width; ++j) {
                  const bool end = heat3d::in_rim<radius>(x + j, nx);
                  const T sum =
                      with_neighbours<radius, weights>(centre * queue[radius][j], beside, queue, j, end);
                  out[j] = end ? queue[radius][j] : sum;
                }
              }
              openacc::aligned::store<width>(to + z * plane, out);
            }
          }
}

template <int threads_y, int width, typename T>
void launch_columns(const Call& call, int planes) {
  const Extents& box = call.problem.extents;
  const auto parts = [](std::int64_t n, int size) { return static_cast<int>((n + size - 1) / size); };
  const int bands = parts(box.z, planes), blocks_y = parts(box.y, threads_y),
            blocks_x = parts(box.x, lanes * width);
  constexpr int threads = lanes * threads_y;
  const int gangs = openacc::gangs_for(std::int64_t{bands} * blocks_y * blocks_x * threads, threads);
  heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
    sweep<radius, weights, threads_y, width>(box.x, box.y, box.z, planes, bands, blocks_y, blocks_x, gangs,
                                             from, to);
  });
}

template <typename T>
void launch(const Call& call) {
  const auto columns = call.tuned<Columns>();
  ThreadsY::with(columns.threads_y, [&]<int Y>() {
    openacc::aligned::with_width<T>(call.problem.extents.x, [&]<int width>() {
      launch_columns<Y, width, T>(call, columns.planes_per_thread);
    });
  });
}

Variant form() {
  Variant variant =
      heat3d::mapped_variant("a thread marches a 16-byte column along z; z neighbours in registers");
  variant.tunables =
      tunables<Columns>({{"threads_y", &Columns::threads_y, ThreadsY::list()},
                         {"planes_per_thread", &Columns::planes_per_thread, {8, 16, 32, 64, 128}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace march

}  // namespace

std::vector<Variant> heat3d_openacc() {
  return {
      named("collapse", collapse::form()),
      named("tile", tile::form()),
      named("march", march::form()),
  };
}

}  // namespace sextant
