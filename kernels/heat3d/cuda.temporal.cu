// Several steps a pass over memory, within a multiprocessor. A block owns a tile of x and y that is larger
// than what it stores, and marches along z with a pipeline of stages: stage 1 takes planes from a ring in
// shared memory and computes step 1; stage k keeps what stage k - 1 gave it in registers, planes z-R … z+R of
// its own columns, shows its centre plane to the other threads through shared memory, and computes step k, R
// planes behind. Each stage loses R points at those edges of the tile that are not the box's (overlapped
// tiling: they are computed by the neighbouring block, too). One barrier a plane: what is shown is
// double-buffered.
//
// The scheme, 2.5-D streaming of fused steps, is that of AN5D (K. Matsumura et al., CGO 2020) and EBISU (L.
// Zhang et al., ICS 2023).
#include "plane_sum.cuh"
#include "recorded.cuh"

namespace sextant {
namespace {

// Points of a tile along x: the whole of the paper's box, so that no halo is needed there, unless the ring,
// 2R + 2 planes, would leave shared memory for too few rows.
constexpr int tile_width(int radius, int element_bytes) { return radius * element_bytes > 16 ? 128 : 256; }

template <int radius, typename T>
constexpr int threads_x = tile_width(radius, sizeof(T)) / vector_length<T>;

// Threads for which the registers suffice: queues, sums and operands of a vector each, and addresses.
constexpr int most_threads(int radius, int steps, int rows, int threads_across) {
  const int registers = ((steps - 1) * (2 * radius + 1) + 2) * 4 * rows + 48;
  return std::min(1024, 65536 / ((registers + 7) / 8 * 8)) / threads_across * threads_across;
}

// With more, a tile whose ring fits in shared memory is nearly all halo, or a thread's queues do not fit in
// registers.
constexpr int most_steps(int radius) { return radius == 1 ? 4 : radius <= 3 ? 2 : 1; }

using Rows = Choices<2, 4>;
using Steps = Choices<1, 2, 3, 4>;

// Where tiles of `size` points along an axis of n begin, whose outermost `halo` points at inner edges are not
// stored.
struct Tiling {
  int stride, count;
  Tiling(std::int64_t n, int size, int halo)
      : stride(size - 2 * halo),
        count(n <= size    ? 1
              : stride > 0 ? static_cast<int>((n - size + stride - 1) / stride) + 1
                           : 0) {}
};

template <int radius, int steps, int rows, typename T>
__global__ void __launch_bounds__(most_threads(radius, steps, rows, threads_x<radius, T>))
    fused(heat3d::Box box, int active, int planes, int stride_x, int stride_y, const T* __restrict__ u,
          T* __restrict__ v) {
  constexpr int length = vector_length<T>, width = tile_width(radius, sizeof(T)), ring = 2 * radius + 2;
  using Row = Vector<T, length>;
  extern __shared__ __align__(16) unsigned char memory[];
  const int thread_x = static_cast<int>(threadIdx.x), thread_y = static_cast<int>(threadIdx.y);
  const int height = static_cast<int>(blockDim.y) * rows, tile = (height + 2 * radius) * width;
  // R rows before, which a centre plane's first rows read and do not use; the centre planes, two a stage; the
  // ring.
  T* const centres = reinterpret_cast<T*>(memory) + radius * width + length;
  T* const tiles = centres + 2 * (steps - 1) * height * width;
  const int left = static_cast<int>(blockIdx.x) * stride_x, top = static_cast<int>(blockIdx.y) * stride_y;
  const int begin = static_cast<int>(blockIdx.z) * planes, end = min(begin + planes, box.z);
  const int lag = (active - 1) * radius;  // planes that the last stage is behind the first
  const bool whole = box.x % length == 0;
  const int x = left + thread_x * length, y = top + thread_y * rows;
  const int own = thread_y * rows * width + thread_x * length;
  constexpr int margin = heat3d::margin<radius, T>;
  // What this block stores: all but the halo at the tile's inner edges.
  const int halo_x = active == 1 ? margin : (active * radius + length - 1) / length * length;
  const bool stores_x =
      x < box.x && (left == 0 || x >= left + halo_x) && (left + width >= box.x || x < left + width - halo_x);
  const int first_row = top == 0 ? 0 : top + lag,
            last_row = top + height >= box.y ? box.y : top + height - lag;

  const int base = begin - lag - radius;  // the first plane that the ring takes; may lie outside the box
  const auto fetch = [&](int z) {
    if (z < 0 || z >= min(end + lag + radius, box.z)) return;
    T* const to = tiles + (z - base) % ring * tile;
    for (int j = thread_y; j < height + 2 * radius; j += static_cast<int>(blockDim.y)) {
      const int row = top + j - radius;
      if (row >= 0 && row < box.y)
        heat3d::copy_row_async<threads_x<radius, T>, width>(
            u + z * box.plane + static_cast<std::int64_t>(row) * box.x, left, box.x, whole, thread_x,
            to + j * width);
    }
  };
  const auto take = [&](int z, Row(&to)[rows]) {
    const T* const from = tiles + (z - base) % ring * tile + radius * width + own;
#pragma unroll
    for (int j = 0; j < rows; ++j) to[j] = load<length>(from + j * width);
  };
  for (int z = base; z <= base + 2 * radius; ++z) fetch(z);
  __pipeline_commit();

  Row queue[steps > 1 ? steps - 1 : 1][2 * radius + 1][rows] = {};  // of stages 2 …
  int parity = 0;
  for (int z = begin - lag; z < end + lag; ++z, parity ^= 1) {
    __pipeline_wait_prior(0);
    __syncthreads();  // plane z + R is here, and plane z - R - 1 is no longer read
    fetch(z + radius + 1);
    __pipeline_commit();
    Row out[rows];
#pragma unroll
    for (int stage = 1; stage <= steps; ++stage) {
      if (stage > active) break;
      const int at = z - (stage - 1) * radius, reach = (active - stage) * radius;
      Row centre[rows];
      const T* shown;
      if (stage == 1) {
        take(at, centre);
        shown = tiles + (at - base) % ring * tile + radius * width + own;
      } else {
        auto& own_queue = queue[stage > 1 ? stage - 2 : 0];
#pragma unroll
        for (int k = 0; k < 2 * radius; ++k)
#pragma unroll
          for (int j = 0; j < rows; ++j) own_queue[k][j] = own_queue[k + 1][j];
#pragma unroll
        for (int j = 0; j < rows; ++j) own_queue[2 * radius][j] = out[j];
        T* const pair = centres + 2 * (stage - 2) * height * width + own;
        shown = pair + parity * height * width;
#pragma unroll
        for (int j = 0; j < rows; ++j) {
          centre[j] = own_queue[radius][j];
          // What is this stage's centre when the next plane has come.
          *reinterpret_cast<Row*>(pair + (parity ^ 1) * height * width + j * width) =
              own_queue[radius + 1][j];
        }
      }
      if (at < begin - reach || at >= end + reach) continue;  // not needed for what the block stores
      Row sum[rows];
      const bool rim = heat3d::in_rim<radius>(at, box.z);
      if (!rim) {
        heat3d::sum_plane<radius, rows, width>(centre, shown, sum);
#pragma unroll
        for (int k = 1; k <= radius; ++k) {
          if (stage == 1) {
            Row below[rows], above[rows];
            take(at - k, below);
            take(at + k, above);
            heat3d::add_planes<radius, rows>(k, below, above, sum);
          } else {
            auto& own_queue = queue[stage > 1 ? stage - 2 : 0];
            heat3d::add_planes<radius, rows>(k, own_queue[radius - k], own_queue[radius + k], sum);
          }
        }
      }
#pragma unroll
      for (int j = 0; j < rows; ++j) {
        if (rim || heat3d::in_rim<radius>(y + j, box.y))
          sum[j] = centre[j];
        else
          heat3d::keep_ends<radius>(x, box.x, centre[j], sum[j]);
        if (stage == active && stores_x && y + j >= first_row && y + j < last_row)
          heat3d::store_vector(v + at * box.plane + static_cast<std::int64_t>(y + j) * box.x, x, box.x, whole,
                               sum[j]);
        out[j] = sum[j];
      }
    }
  }
}

int tile_width(const Problem& problem) {
  return tile_width(heat3d::radius_of(problem), static_cast<int>(element_size(problem.type)));
}

std::size_t shared_bytes(const Problem& problem, const int* tuning) {
  const int radius = heat3d::radius_of(problem), height = tuning[0] * tuning[1];
  const int tile_rows = (2 * radius + 2) * (height + 2 * radius) + 2 * (tuning[2] - 1) * height + 2 * radius;
  return static_cast<std::size_t>(tile_rows + 1) * static_cast<std::size_t>(tile_width(problem)) *
         element_size(problem.type);
}

// The halo of a pass of `active` steps along x, where a tile holds none, and y, where the ring has the first
// step's.
Tiling tiling_x(const Problem& problem, int active) {
  const int length = 16 / static_cast<int>(element_size(problem.type));
  return {problem.extents.x, tile_width(problem),
          (active * heat3d::radius_of(problem) + length - 1) / length * length};
}
Tiling tiling_y(const Problem& problem, const int* tuning, int active) {
  return {problem.extents.y, tuning[0] * tuning[1], (active - 1) * heat3d::radius_of(problem)};
}

template <int radius, int steps, int rows, typename T>
void launch_passes(const Call& call) {
  const auto kernel = fused<radius, steps, rows, T>;
  const Problem& problem = call.problem;
  const std::int64_t all = heat3d::steps_of(problem), passes = (all + steps - 1) / steps;
  const std::size_t bytes = shared_bytes(problem, call.tuning);
  const dim3 block(threads_x<radius, T>, call.tuning[0]);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  int resident = 1;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, static_cast<int>(block.x * block.y),
                                                bytes);
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    const int active = static_cast<int>(std::min<std::int64_t>(steps, all - pass * steps));
    const Tiling x = tiling_x(problem, active), y = tiling_y(problem, call.tuning, active);
    const std::int64_t blocks =
        std::int64_t{call.tuning[3]} * std::max(resident, 1) * heat3d::multiprocessors();
    const std::int64_t parts = std::max<std::int64_t>(1, blocks / (std::int64_t{x.count} * y.count)),
                       planes = (problem.extents.z + parts - 1) / parts;
    const dim3 grid(x.count, y.count, blocks_for(problem.extents.z, planes));
    const auto [from, to] = heat3d::sweep_of(call.array<const T>(0), call.array<T>(1),
                                             heat3d::workspace_of<T>(call), pass, passes);
    kernel<<<grid, block, bytes, stream_of(call)>>>(heat3d::Box(problem.extents), active,
                                                    static_cast<int>(planes), x.stride, y.stride, from, to);
  }
}

template <typename T>
void launch_all(const Call& call) {
  heat3d::Radii::with(heat3d::radius_of(call.problem), [&]<int radius>() {
    Steps::with(call.tuning[2], [&]<int steps>() {
      Rows::with(call.tuning[1], [&]<int rows>() {
        if constexpr (steps <= most_steps(radius)) launch_passes<radius, steps, rows, T>(call);
      });
    });
  });
}

template <typename T>
void launch(const Call& call) {
  heat3d::play_or(call, launch_all<T>);
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t passes = (heat3d::steps_of(call.problem) + call.tuning[2] - 1) / call.tuning[2];
  return call.problem.type == ElementType::float64
             ? heat3d::prepare_recorded<double>(call, state, passes, launch_all<double>)
             : heat3d::prepare_recorded<float>(call, state, passes, launch_all<float>);
}

const char* constraint(const Problem& problem, const int* tuning) {
  const int radius = heat3d::radius_of(problem), steps = tuning[2];
  const int across = tile_width(problem) * static_cast<int>(element_size(problem.type)) / 16;
  if (steps > most_steps(radius)) return "more steps a pass than this radius has a kernel for";
  if (across * tuning[0] > most_threads(radius, steps, tuning[1], across))
    return "too many threads for the registers that each needs";
  if (shared_bytes(problem, tuning) > heat3d::most_shared_memory)
    return "more than 227 KiB of shared memory a block";
  for (int active = 1; active <= steps; ++active)
    if (tiling_x(problem, active).count == 0 || tiling_y(problem, tuning, active).count == 0)
      return "the tile is all halo";
  if (tiling_y(problem, tuning, steps).count > 65535) return "more than 65535 blocks along y";
  return nullptr;
}

// The tallest tile that fits with the most steps that pay: a halo of (steps - 1) R rows on either side of it.
void adapt(const Problem& problem, int* tuning) {
  const int radius = heat3d::radius_of(problem);
  tuning[1] = 4;
  tuning[2] = radius <= 2 ? 2 : 1;
  for (; tuning[2] > 1; --tuning[2])
    for (const int threads_y : {8, 7, 6, 5, 4, 3, 2}) {
      tuning[0] = threads_y;
      if (!constraint(problem, tuning)) return;
    }
  for (const int threads_y : {8, 7, 6, 5, 4, 3, 2, 1}) {
    tuning[0] = threads_y;
    if (!constraint(problem, tuning)) return;
  }
}

}  // namespace

// Floor with two steps a pass: 4 bytes of memory a point and step, 1075 G points/s of floats; shared memory,
// 22 to 26 bytes, allows 1300. Expected 750 and 550 for R = 1 and 2; docs/heat-stencil.md has the counts.
Variant heat3d_cuda_temporal() {
  Variant variant = heat3d::device_variant(
      "several steps a pass over memory, fused in a multiprocessor: overlapped tiles march along z");
  variant.tunables = {{"block_y", {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16}, 8},
                      {"rows", Rows::list(), 4},
                      {"steps_per_pass", Steps::list(), 2},
                      {"waves", {1, 2, 4}, 1}};
  variant.adapt = adapt;
  variant.constraint = constraint;
  variant.prepare = prepare;
  variant.release = heat3d::release_recorded;
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
