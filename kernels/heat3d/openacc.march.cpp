// A thread marches along z: it owns a column of `planes_per_thread` planes, 16 bytes wide, and holds the planes
// z-R … z+R of its own points in registers, so that each is loaded once; rows before and behind come out of the
// caches, where the threads beside brought them, in packs, too. Nobody waits for anybody. A compute region a step. Costs
// 2R packs of the rows before and behind, two and more of the row itself, and 2R planes read twice for each column.
#include "directives.hpp"
#include "toolbox/openacc/half.hpp"

namespace sextant {
namespace {

constexpr int lanes = 32;  // threads along x

using ThreadsY = Choices<2, 4, 8>;

struct Columns {
  int threads_y = 8, planes_per_thread = 32;
};

// What a thread knows of a plane beside its own points: packs before and behind them in their row, and the rows before and behind.
template <int radius, int width, typename T>
struct Plane {
  static constexpr int aside = (radius + width - 1) / width * width;  // elements on each side
  T row[2 * aside + width], before[radius][width], behind[radius][width];

  SEXTANT_INLINE void load(const T* own, const T (&centre)[width], std::int64_t nx) {
#pragma GCC unroll 8
    for (int k = 0; k < aside; k += width) {
      openacc::aligned::load<width>(own - aside + k, row + k);
      openacc::aligned::load<width>(own + width + k, row + aside + width + k);
    }
#pragma GCC unroll 4
    for (int j = 0; j < width; ++j) row[aside + j] = centre[j];
#pragma GCC unroll 4
    for (int k = 1; k <= radius; ++k) {
      openacc::aligned::load<width>(own - k * nx, before[k - 1]);
      openacc::aligned::load<width>(own + k * nx, behind[k - 1]);
    }
  }
};

// `sum`, the centre's part of the new value of point j, and its neighbours': those along z are in `queue` (z-R … z+R), and at
// the `end` of a row nothing lies beside.
template <int radius, heat3d::Weights weights, int width, typename T>
SEXTANT_INLINE T with_neighbours(T sum, const Plane<radius, width, T>& plane,
                                 const T (&queue)[2 * radius + 1][width], int j, bool end) {
  const T* const row = plane.row + plane.aside + j;
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

}  // namespace

std::vector<Variant> heat3d_openacc_march() {
  Variant variant =
      heat3d::mapped_variant("a 16-byte column marches along z, its neighbours along z in registers");
  variant.name = "march";
  variant.tunables =
      tunables<Columns>({{"threads_y", &Columns::threads_y, ThreadsY::list()},
                         {"planes_per_thread", &Columns::planes_per_thread, {8, 16, 32, 64, 128}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return {variant};
}

}  // namespace sextant
