// A thread marches along z: it owns a column of `planes_per_thread` planes, 16 bytes wide, and holds the planes
// z-R … z+R of its own points in registers, so that each is loaded once; rows before and behind come out of the
// caches, where the threads beside brought them. Nobody waits for anybody. A compute region a step. Costs
// 4R + 1 loads a point of neighbours in the plane, and 2R planes read twice for each column.
#include "directives.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

constexpr int lanes = 32;  // threads along x

using ThreadsY = Choices<2, 4, 8, 16>;

struct Columns {
  int threads_y = 8, planes_per_thread = 32;
};

// `sum`, the centre's part of the new value at `own`, and its neighbours': those along z are in `queue` (z-R … z+R), and at
// the `end` of a row nothing lies beside.
template <int radius, heat3d::Weights weights, int width, typename T>
SEXTANT_INLINE T with_neighbours(T sum, const T* own, std::int64_t nx,
                                 const T (&queue)[2 * radius + 1][width], int j, bool end) {
  if constexpr (weights == heat3d::Weights::by_point) {
    constexpr heat3d::PointCoefficients<radius, T> c;
#pragma GCC unroll 4
    for (int k = 1; k <= radius; ++k) {
      const T beside = end ? T{} : c.at[0][k] * own[-k] + c.at[1][k] * own[k];
      sum += (beside + (c.at[2][k] * own[-k * nx] + c.at[3][k] * own[k * nx])) +
             (c.at[4][k] * queue[radius - k][j] + c.at[5][k] * queue[radius + k][j]);
    }
  } else {
    constexpr heat3d::Coefficients<radius, T> c;
#pragma GCC unroll 4
    for (int k = 1; k <= radius; ++k) {
      const T beside = end ? T{} : own[-k] + own[k];
      sum +=
          c.at[k] * ((beside + (own[-k * nx] + own[k * nx])) + (queue[radius - k][j] + queue[radius + k][j]));
    }
  }
  return sum;
}

// One step, as bands of `planes` planes: `blocks_y` times `blocks_x` blocks of threads in each of them. A thread
// has a column of `width` points; blocks, rows of a block and lanes are loops, so that a row of a block is one
// warp (collapse deals iterations out in order).
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
            T queue[2 * radius + 1][width];  // planes beyond the box: its outermost, which go unused
#pragma GCC unroll 8
            for (int k = 0; k < 2 * radius; ++k) {
              const std::int64_t z = first + k - radius;
              openacc::load<width>(column + (z < 0 ? 0 : z < nz ? z : nz - 1) * plane, queue[k + 1]);
            }
            for (std::int64_t z = first; z < last; ++z) {
#pragma GCC unroll 8
              for (int k = 0; k < 2 * radius; ++k)
#pragma GCC unroll 4
                for (int j = 0; j < width; ++j) queue[k][j] = queue[k + 1][j];
              openacc::load<width>(column + (z + radius < nz ? z + radius : nz - 1) * plane,
                                   queue[2 * radius]);
              const bool rim = rim_y || heat3d::in_rim<radius>(z, nz);
              T out[width];
              if (rim) {
#pragma GCC unroll 4
                for (int j = 0; j < width; ++j) out[j] = queue[radius][j];
              } else {
                constexpr T centre = static_cast<T>(heat3d::centre_coefficient(radius, weights));
                const T* const own = column + z * plane;
#pragma GCC unroll 4
                for (int j = 0; j < width; ++j) {
                  const bool end = heat3d::in_rim<radius>(x + j, nx);
                  const T sum =
                      with_neighbours<radius, weights>(centre * queue[radius][j], own + j, nx, queue, j, end);
                  out[j] = end ? queue[radius][j] : sum;
                }
              }
              openacc::store<width>(to + z * plane, out);
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
  constexpr int width = openacc::pack_width<T>;
  ThreadsY::with(columns.threads_y, [&]<int Y>() {
    if (call.problem.extents.x % width == 0)
      launch_columns<Y, width, T>(call, columns.planes_per_thread);
    else  // rows start anywhere: plain accesses
      launch_columns<Y, 1, T>(call, columns.planes_per_thread);
  });
}

}  // namespace

Variant heat3d_openacc_march() {
  Variant variant =
      heat3d::mapped_variant("a 16-byte column marches along z, its neighbours along z in registers");
  variant.tunables =
      tunables<Columns>({{"threads_y", &Columns::threads_y, ThreadsY::list()},
                         {"planes_per_thread", &Columns::planes_per_thread, {8, 16, 32, 64, 128}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
