// A sweep in one launch. A block takes a tile of rows along x, a thread a row, and goes along them: a thread is a point behind those
// before it in y and in z, so that what its point needs of theirs was made a step ago and is in shared memory, and what it needs
// of its own row in registers. A barrier a step.
//
// What a tile's last rows make for the next tiles' first rows goes through global memory as doubles that bear the sweep's number.
// A warp of its own receives it, a step ahead, while the others compute: nobody else ever waits for another block. Blocks take tiles
// in an order in which those that a tile waits for come before it. So they were taken by blocks that run or have ended,
// however many run at a time, and all that is waited for comes. Nobody looks for ever all the same (patience.cuh).
//
// Neighbours need no state of a point, but what it makes for them (blocks.hpp), so that the sweep down can change the state as it goes.
#pragma once

#include "skewed.cuh"
#include "toolbox/cuda/patience.cuh"
#include "toolbox/cuda/posted.cuh"

namespace sextant::npb_lu {

inline constexpr int receivers = 32;  // threads
inline constexpr int ahead = 8;       // steps, of what is fetched to the L2 cache

// Tiles of rows_y x rows_z rows.
template <int rows_y, int rows_z>
struct Tiles {
  static constexpr int rows = rows_y * rows_z, threads = rows + receivers;
  static constexpr int blocks =
      threads <= 192 ? 2 : 1;  // a multiprocessor; leaves a thread 168 registers at least
  static constexpr int from_y = components * rows_z,
                       received = from_y + components * rows_y;        // doubles, a step
  static constexpr int each = (received + receivers - 1) / receivers;  // of them a receiver's

  int inner, count_y, count_z;
  __host__ __device__ explicit Tiles(std::int64_t n)
      : inner(static_cast<int>(n) - 2),
        count_y((inner + rows_y - 1) / rows_y),
        count_z((inner + rows_z - 1) / rows_z) {}
  __host__ __device__ int count() const { return count_y * count_z; }
  // Steps of any tile: its last row begins after its first.
  __host__ __device__ int steps() const { return inner + rows_y + rows_z - 2; }
  // What a tile receives, step by step.
  __host__ __device__ std::int64_t slots() const { return std::int64_t{count()} * steps() * received; }
};

// What a launch shares among its blocks.
struct Sharing {
  const int2* order;  // of tiles
  unsigned* taken;    // tiles, of all sweeps since the counter was cleared
  Posted* mail;
  Patience patience;
};

// What a step makes for the next one's rows beside: the first row and plane are the receivers'.
template <int rows_y, int rows_z>
struct Made {
  double along_y[2][components][rows_z][rows_y + 1], along_z[2][components][rows_z + 1][rows_y];
};

// The receivers' part of a step: what the tile's first rows need at step `step`.
template <int rows_y, int rows_z>
__device__ __forceinline__ void receive(const Tiles<rows_y, rows_z>& tiles, const int2& tile,
                                        const Posted* mail, const Patience& patience, unsigned round,
                                        int step, bool& gave_up, Made<rows_y, rows_z>& made) {
  using T = Tiles<rows_y, rows_z>;
  const int lane = static_cast<int>(threadIdx.x) - T::rows, buffer = step & 1;
  double values[T::each] = {};
  bool wanted[T::each], missing = false;
  const Posted* from[T::each];
#pragma unroll
  for (int x = 0; x < T::each; ++x) {
    const int e = lane + x * receivers;
    const bool is_y = e < T::from_y;
    const int row = is_y ? e % rows_z : (e - T::from_y) % rows_y;  // from the tile's first, along the edge
    const int p = 1 + step - row, others = is_y ? tile.y * rows_z : tile.x * rows_y;
    wanted[x] = e < T::received && (is_y ? tile.x : tile.y) > 0 && p >= 1 && p <= tiles.inner &&
                others + row < tiles.inner;
    missing |= wanted[x];
    from[x] = mail + std::int64_t{step} * T::received + (wanted[x] ? e : 0);
  }
  // All that are looked at are under way at once, wanted or not.
  for (int looks = 0; missing; ++looks) {
    bool has_come[T::each];
#pragma unroll
    for (int x = 0; x < T::each; ++x) has_come[x] = peek(from[x], round, values[x]);
    missing = false;
#pragma unroll
    for (int x = 0; x < T::each; ++x) missing |= wanted[x] && !has_come[x];
    if (gave_up) break;
    if (missing && looks + 1 >= patience.peeks) gave_up = true, patience.give_up();
  }
#pragma unroll
  for (int x = 0; x < T::each; ++x)
    if (!wanted[x]) values[x] = 0;
#pragma unroll
  for (int x = 0; x < T::each; ++x) {
    const int e = lane + x * receivers;
    if (e < T::from_y)
      made.along_y[buffer][e / rows_z][e % rows_z][0] = values[x];
    else if (e < T::received)
      made.along_z[buffer][(e - T::from_y) / rows_y][0][(e - T::from_y) % rows_y] = values[x];
  }
}

// One sweep: changes v, or in the one down the state. Blocks are as many as tiles.
template <bool upper, int rows_y, int rows_z>
__global__ void __launch_bounds__(Tiles<rows_y, rows_z>::threads, Tiles<rows_y, rows_z>::blocks)
    sweep(SkewedGrid g, Weights w, double* u, double* v, Sharing sharing, unsigned round) {
  using T = Tiles<rows_y, rows_z>;
  __shared__ Made<rows_y, rows_z> made;
  __shared__ int2 tile_of_block;
  const T tiles(g.n);
  const auto thread = static_cast<int>(threadIdx.x);
  if (thread == 0)
    tile_of_block =
        sharing.order[atomicAdd(sharing.taken, 1u) - (round - 1) * static_cast<unsigned>(tiles.count())];
  __syncthreads();
  const int2 tile = tile_of_block;
  const std::int64_t slots = std::int64_t{tiles.steps()} * T::received;  // a tile's
  Posted* const mail = sharing.mail + (std::int64_t{tile.y} * tiles.count_y + tile.x) * slots;
  const int steps = tiles.steps();
  const int y = thread % rows_y, z = thread / rows_y;
  const int q = 1 + tile.x * rows_y + y, r = 1 + tile.y * rows_z + z;
  const bool is_row = thread < T::rows && q <= tiles.inner && r <= tiles.inner;
  const bool sends_y = y == rows_y - 1 && tile.x + 1 < tiles.count_y,
             sends_z = z == rows_z - 1 && tile.y + 1 < tiles.count_z;
  Posted *const to_y = mail + slots + z, *const to_z = mail + slots * tiles.count_y + T::from_y + y;
  constexpr int sign = upper ? 1 : -1;
  const std::int64_t size = g.size(), forward = upper ? -g.pitch : g.pitch;
  // Of point p = 0, whose step is y + z - 1.
  const std::int64_t first = is_row ? (upper ? g.at(g.n - 1, g.n - 1 - q, g.n - 1 - r) : g.at(0, q, r)) : 0;
  double state[components] = {}, value[components] = {}, along_x[components] = {};
  bool gave_up = false;
  for (int step = -1; step < steps; ++step) {
    const int p = 1 + step - y - z;
    if (thread >= T::rows) {
      if (step + 1 < steps)
        receive<rows_y, rows_z>(tiles, tile, mail, sharing.patience, round, step + 1, gave_up, made);
    } else if (is_row && p >= 0 && p <= tiles.inner) {
      const std::int64_t here = first + p * forward;
      double next_state[components] = {}, next_value[components] = {};
      if (p < tiles.inner) {
#pragma unroll
        for (int m = 0; m < components; ++m) {
          next_state[m] = u[m * size + here + forward];
          next_value[m] = v[m * size + here + forward];
        }
      }
      if (p + ahead <= tiles.inner) {
#pragma unroll
        for (int m = 0; m < components; ++m) {
          fetch_ahead(u + m * size + here + ahead * forward);
          fetch_ahead(v + m * size + here + ahead * forward);
        }
      }
      if (p >= 1) {
        const Point<double> point = point_of<double>(state);
        const Own<double> own = own_of(w, point);
        double sum[components], along_y[components], along_z[components];
#pragma unroll
        for (int m = 0; m < components; ++m)
          sum[m] = along_x[m] + made.along_y[step & 1][m][z][y] + made.along_z[step & 1][m][z][y];
        relax<upper>(w, own, sum, value);
        product<1, sign>(w, point, value, along_y);
        product<2, sign>(w, point, value, along_z);
        const int buffer = (step + 1) & 1;
#pragma unroll
        for (int m = 0; m < components; ++m) {
          made.along_y[buffer][m][z][y + 1] = along_y[m];
          made.along_z[buffer][m][z + 1][y] = along_z[m];
          // The row beyond is at this point as many steps after it began as z or y says.
          if (sends_y) post(to_y + std::int64_t{p - 1 + z} * T::received + m * rows_z, along_y[m], round);
          if (sends_z) post(to_z + std::int64_t{p - 1 + y} * T::received + m * rows_y, along_z[m], round);
        }
        product<0, sign>(w, point, value, along_x);
#pragma unroll
        for (int m = 0; m < components; ++m) {
          if (upper)
            u[m * size + here] = state[m] + step_factor * value[m];
          else
            v[m * size + here] = value[m];
        }
      }
#pragma unroll
      for (int m = 0; m < components; ++m) state[m] = next_state[m], value[m] = next_value[m];
    }
    __syncthreads();
  }
}

}  // namespace sextant::npb_lu
