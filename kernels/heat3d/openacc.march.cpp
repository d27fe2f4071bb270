#include "directives.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

constexpr int lanes = 32;  // threads along x

// A thread walks up a column of `planes` planes, `width` points wide, with the planes z-R … z+R in registers,
// so that each is loaded once; rows before and behind come out of the caches.
template <int radius, typename T, int threads_y, int width>
void sweep(std::int64_t nx, std::int64_t ny, std::int64_t nz, int planes, const T* u, T* v) {
  const std::int64_t plane = nx * ny, count = plane * nz;
  const int bands = static_cast<int>((nz + planes - 1) / planes);
  const int blocks_y = static_cast<int>((ny + threads_y - 1) / threads_y);
  const int blocks_x = static_cast<int>((nx + lanes * width - 1) / (lanes * width));
  constexpr int threads = lanes * threads_y;
  const int gangs = openacc::gangs_for(std::int64_t{bands} * blocks_y * blocks_x * threads, threads);
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
            T queue[2 * radius + 1]
                   [width];  // planes beyond the box are replaced by its outermost, and go unused
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
                constexpr heat3d::Coefficients<radius, T> c;
                const T* const own = column + z * plane;
#pragma GCC unroll 4
                for (int j = 0; j < width; ++j) {
                  T sum = c.at[0] * queue[radius][j];
                  const bool end = heat3d::in_rim<radius>(x + j, nx);
#pragma GCC unroll 4
                  for (int k = 1; k <= radius; ++k) {
                    const T beside = end ? T{} : own[j - k] + own[j + k];
                    sum += c.at[k] * ((beside + (own[j - k * nx] + own[j + k * nx])) +
                                      (queue[radius - k][j] + queue[radius + k][j]));
                  }
                  out[j] = end ? queue[radius][j] : sum;
                }
              }
              openacc::store<width>(to + z * plane, out);
            }
          }
}

using ThreadsY = Choices<2, 4, 8, 16>;

template <typename T>
void launch(const Call& call) {
  const Extents& box = call.problem.extents;
  ThreadsY::with(call.tuning[0], [&]<int Y>() {
    constexpr int width = openacc::pack_width<T>;
    heat3d::launch_steps<T>(call, [&]<int radius>(const T* from, T* to) {
      if (box.x % width == 0)
        sweep<radius, T, Y, width>(box.x, box.y, box.z, call.tuning[1], from, to);
      else  // rows start anywhere: plain accesses
        sweep<radius, T, Y, 1>(box.x, box.y, box.z, call.tuning[1], from, to);
    });
  });
}

}  // namespace

Variant heat3d_openacc_march() {
  Variant variant =
      heat3d::mapped_variant("a 16-byte column marches along z, its neighbours along z in registers");
  variant.tunables = {{"threads_y", ThreadsY::list(), 8}, {"planes_per_thread", {8, 16, 32, 64, 128}, 32}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
