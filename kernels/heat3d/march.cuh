// Launch shapes and helpers for the variants that march along z (`march`, `skewed`, `bulk`, `temporal`), and
// the kernel of `march`.
#pragma once

#include "point.cuh"
#include "recorded.cuh"
#include "toolbox/cuda/overlap.cuh"

// Each launch covers the box with tiles along x and y and splits the planes into chunks along z. A block
// computes the planes of its chunk one after another.
namespace sextant::heat3d {

// Returns the number of blocks in `waves` waves. A wave is all blocks that the device can hold at once.
template <typename Kernel>
std::int64_t blocks_of_waves(int waves, Kernel kernel, int threads, std::size_t shared_bytes) {
  int resident = 1;  // blocks per multiprocessor
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared_bytes);
  return std::int64_t{waves} * std::max(resident, 1) * multiprocessors();
}

// Returns the number of planes per chunk if `blocks` blocks compute `tiles` tiles of `planes` planes each.
inline std::int64_t planes_of_part(std::int64_t planes, std::int64_t tiles, std::int64_t blocks) {
  const std::int64_t parts = std::max<std::int64_t>(1, blocks / tiles);
  return (planes + parts - 1) / parts;
}

// Sets the block's chunk [begin, end) of planes in a sweep from u to v. `plane` is the distance between
// planes in elements. Neighbouring chunks march in opposite directions, so that adjacent blocks read their
// common planes at the same time. `turn` alternates between 0 and 1 from sweep to sweep, so that each sweep
// starts where the previous one ended.
// A downward march is an upward march in the mirrored box. u and v then point at the box's last plane, and
// `plane` is negative.
template <typename T>
__device__ __forceinline__ void march_by_turns(const Box& box, int turn, int& begin, int& end,
                                               std::int64_t& plane, const T* __restrict__& u,
                                               T* __restrict__& v) {
  if ((blockIdx.z + static_cast<unsigned>(turn)) & 1) {
    const int mirrored = box.z - end;
    end = box.z - begin;
    begin = mirrored;
    u += (box.z - 1) * plane;
    v += (box.z - 1) * plane;
    plane = -plane;
  }
}

// Launch parameters of the sweep that marches along z, used by `march`, `skewed` and `bulk`. Only
// cuda.march.cu compiles the kernels.

using MarchRows = Choices<1, 2>;

// Tunables of the sweep: threads per block along x and y, rows per thread, whether the loop is unrolled so
// that the register queue rotates, waves of blocks, and whether launches overlap.
struct MarchShape {
  int block_x = 64, block_y = 8, rows = 1, unroll_queue = 0, waves = 1, overlap = 0;
};

// Returns the tunables of a struct that is MarchShape or extends it.
template <typename Shape>
std::vector<TunableMember<Shape>> march_members() {
  return {
      {"block_x", &Shape::block_x, {32, 64, 128}}, {"block_y", &Shape::block_y, {1, 2, 4, 6, 8, 12, 16, 32}},
      {"rows", &Shape::rows, MarchRows::list()},   {"unroll_queue", &Shape::unroll_queue, {0, 1}},
      {"waves", &Shape::waves, {1, 2, 4}},         {"overlap", &Shape::overlap, {0, 1}}};
}

// Maximum threads per block for which the register file suffices.
constexpr int march_threads(int radius, int rows) {
  if (rows == 1) return radius == 1 ? 1024 : radius == 2 ? 768 : 512;
  return radius == 1 ? 768 : radius == 2 ? 512 : 384;
}

inline const char* refuse_march(const Problem& problem, const MarchShape& shape) {
  if (const char* reason = refuse_by_point(problem)) return reason;
  const std::int64_t block_y = shape.block_y;
  if (shape.block_x * block_y > march_threads(radius_of(problem), shape.rows))
    return "too many threads per block for the register file";
  if (problem.extents.y > 65535 * block_y) return "more than 65535 blocks along y";
  return nullptr;
}

// Sets the launch parameters that were fastest on an H200, in boxes of 256 x 256 points per plane.
inline void adapt_march(const Problem& problem, MarchShape& shape) {
  const auto choose = [&shape](int block_y, int rows, int rotate) {
    shape.block_y = block_y, shape.rows = rows, shape.unroll_queue = rotate;
  };
  const int radius = radius_of(problem);
  const std::int64_t size = static_cast<std::int64_t>(element_size(problem.type)),
                     bytes = problem.extents.count() * size, megabyte = 1'000'000;
  // Here both arrays stay in the L2 cache, and launch overhead dominates.
  if (bytes <= 20 * megabyte) {
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
  if (problem.extents.x * size <= 32 * 16) {  // one warp covers a row
    shape.block_x = 32;
    shape.block_y *= 2;
  }
}

// The sweep that a call uses, with the kernel selected.
struct March {
  // Launches the sweep of planes [first, last). `turn` should alternate between 0 and 1 from sweep to sweep.
  void (*sweep)(const March& march, const void* from, void* to, std::int64_t first, std::int64_t last,
                int turn);
  Extents box;
  MarchShape shape;
  std::int64_t blocks;  // number of blocks that fill the waves
  bool overlap;
  cudaStream_t stream;
};

March march_of(const Call& call, const MarchShape& shape);

// Launches all steps of a call, one sweep of the whole box per step. The call's state must be a Recorded.
template <typename T>
void march_steps(const Call& call, const MarchShape& shape) {
  const std::int64_t steps = steps_of(call.problem);
  const March march = march_of(call, shape);
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto [from, to] = sweep_of(call, workspace_of<T>(call), step, steps);
    march.sweep(march, from, to, 0, march.box.z, static_cast<int>(step & 1));
  }
}

// The kernel of `march` and `skewed`: one sweep at memory bandwidth over any range of planes.
//
// A thread computes a column of `rows` vectors along z (cuda.march.cu explains the method). It first fills
// its queue of planes. Then, for each plane, it requests the next plane, loads the neighbours and stores the
// sums. Separate threads and loops copy the rows and planes of the boundary. The march itself
// therefore tests for the boundary only at the ends of rows.

// Number of elements that a thread reads on either side of its vector along x. It is rounded up to whole
// vectors.
template <int radius, int length>
inline constexpr int beside = (radius + length - 1) / length* length;

// Division of a plane's rows into groups of `rows` rows between the boundaries along y. Each boundary row
// forms an additional group of its own.
template <int radius, int rows>
struct RowGroups {
  int inner, all;
  __host__ __device__ explicit RowGroups(int ny)
      : inner(ny > 2 * radius ? (ny - 2 * radius + rows - 1) / rows : 0),
        all(inner + (ny < 2 * radius ? ny : 2 * radius)) {}
  __host__ __device__ int first_row(int group, int ny) const {
    if (group < inner) return radius + group * rows;
    const int row = group - inner;
    return row < radius || inner == 0 ? row : ny - 2 * radius + row;
  }
};

// A thread's column of vectors, which marches along z between the boundaries along y and z. If fewer than
// `rows` rows remain, the missing rows are read but not stored. These reads end at most one row into the next
// plane. The planes held in registers are arguments of each step instead of members. Next to an array, the
// compiler would keep the other members in local memory. The arguments are:
//   queue    planes z-R … z+R and, if it rotates, the next plane z+R+1
//   coming   plane z+R+1 if the queue does not rotate
//   fixed    marks elements on the boundary along x, which keep their values
//
// With `rotate`, the loop over z is unrolled over one full rotation of the queue, so that no value is moved.
// Otherwise it is unrolled over four planes, after which the queue shifts.
template <int radius, int length, int rows, bool rotate, typename T>
struct Column {
  using Row = Vector<T, length>;
  using Rows = Row[rows];
  static constexpr int reach = 2 * radius, side = beside<radius, length>, period = rotate ? reach + 2 : 4;
  static constexpr int slots = rotate ? period : reach + period;

  const std::int64_t pitch, plane;  // elements from row to row, and from plane to plane
  const int own_rows;
  T* to;           // destination of this plane's results
  const T* ahead;  // address of the next plane to load
  const T* here;   // address of the plane that is computed

  // Marks in `fixed` the elements of the vector at x that lie on the boundary along x.
  static __device__ __forceinline__ void find_rim(const Box& box, const int& x, bool (&fixed)[length]) {
#pragma unroll
    for (int e = 0; e < length; ++e)
      fixed[e] = length < radius ? in_rim<radius>(x + e, box.x)
                                 : (e < radius && x == 0) || (e >= length - radius && x == box.x - length);
  }

  // Moves the column to plane `begin` and loads planes begin-R … begin+R+1. It skips planes that no plane
  // before `end` needs. u and v point at the column's points in plane 0.
  __device__ __forceinline__ void prime(const T* u, T* v, int begin, int end, Rows (&queue)[slots],
                                        Rows& coming) {
    ahead = u + (begin - radius) * plane;
#pragma unroll
    for (int k = 0; k <= reach; ++k) {
      if (begin - radius + k < end + radius)
#pragma unroll
        for (int j = 0; j < rows; ++j)
          (rotate || k < reach ? queue[k % slots] : coming)[j] = load<length>(ahead + j * pitch);
      ahead += plane;
    }
    here = u + begin * plane;
    to = v + begin * plane;
  }

  // Computes one plane. `phase` is the plane's position in the rotation of the queue: 0 is the state that
  // `prime` leaves. `more` tells whether another plane follows.
  __device__ __forceinline__ void advance(Rows (&queue)[slots], Rows& coming, const bool (&fixed)[length],
                                          int phase, bool more) {
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      if (!rotate) queue[(reach + phase) % slots][j] = coming[j];
      if (more) (rotate ? queue[(phase + reach + 1) % slots] : coming)[j] = load<length>(ahead + j * pitch);
    }
    const Rows& centre = queue[(phase + radius) % slots];
    Row column[rows + reach];  // the rows of this plane that the stencil needs
#pragma unroll
    for (int i = 0; i < rows + reach; ++i)
      column[i] = i >= radius && i < radius + rows ? centre[i < radius || i >= radius + rows ? 0 : i - radius]
                                                   : load<length>(here + (i - radius) * pitch);
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      const Row sum = sum_of(queue, column, fixed, phase, j);
      if (j == 0 || j < own_rows) *reinterpret_cast<Row*>(to + j * pitch) = sum;
    }
    ahead += plane;
    here += plane;
    to += plane;
  }

  // Returns the new values of row j.
  __device__ __forceinline__ Row sum_of(const Rows (&queue)[slots], const Row (&column)[rows + reach],
                                        const bool (&fixed)[length], int phase, int j) const {
    constexpr Coefficients<radius, T> c;
    const Rows& centre = queue[(phase + radius) % slots];
    T line[length + 2 * side];  // row j with its neighbours along x
#pragma unroll
    for (int i = -side; i < length + side; i += length) {
      const Row part = i == 0 ? centre[j] : load<length>(here + j * pitch + i);
#pragma unroll
      for (int e = 0; e < length; ++e) line[side + i + e] = part[e];
    }
    Row sum;
#pragma unroll
    for (int e = 0; e < length; ++e) {
      sum[e] = c.at[0] * centre[j][e];
#pragma unroll
      for (int k = 1; k <= radius; ++k)
        sum[e] += c.at[k] *
                  (((line[side + e - k] + line[side + e + k]) +
                    (column[radius + j - k][e] + column[radius + j + k][e])) +
                   (queue[(phase + radius - k) % slots][j][e] + queue[(phase + radius + k) % slots][j][e]));
      if (fixed[e]) sum[e] = centre[j][e];
    }
    return sum;
  }

  // Computes planes [begin, end). The loop is unrolled by `period` planes; the last round may be shorter.
  __device__ __forceinline__ void run(const int& begin, const int& end, Rows (&queue)[slots], Rows& coming,
                                      const bool (&fixed)[length]) {
    int z = begin;
    for (; z + period < end; z += period) {
#pragma unroll
      for (int phase = 0; phase < period; ++phase) advance(queue, coming, fixed, phase, true);
      shift(queue);
    }
    for (; z < end; z += period) {
#pragma unroll
      for (int phase = 0; phase < period; ++phase) {
        if (z + phase >= end) break;
        advance(queue, coming, fixed, phase, z + phase + 1 < end);
      }
      shift(queue);
    }
  }

  // Shifts the queue by `period` planes.
  static __device__ __forceinline__ void shift(Rows (&queue)[slots]) {
#pragma unroll
    for (int k = 0; !rotate && k < reach; ++k)
#pragma unroll
      for (int j = 0; j < rows; ++j) queue[k][j] = queue[(k + period) % slots][j];
  }
};

// Computes planes [first, last) of v from u. The blocks with the same blockIdx.z compute a chunk of `planes`
// planes.
template <int radius, int length, int rows, bool rotate, typename T>
__global__ void __launch_bounds__(march_threads(radius, rows))
    march(Box box, int first, int last, int planes, int turn, const T* __restrict__ u, T* __restrict__ v) {
  using Row = Vector<T, length>;
  using Marching = Column<radius, length, rows, rotate, T>;
  const RowGroups<radius, rows> groups(box.y);
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * length;
  const int group = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int bottom = first + static_cast<int>(blockIdx.z) * planes;
  int end = min(bottom + planes, last), begin = bottom;
  if (x >= box.x || group >= groups.all || begin >= end) return;
  wait_for_last_launch();
  std::int64_t plane = box.plane;
  march_by_turns(box, turn, begin, end, plane, u, v);
  const int y = groups.first_row(group, box.y);
  const std::int64_t pitch = box.x, at = y * pitch + x;
  u += at;
  v += at;
  const int own_rows = group < groups.inner ? min(rows, box.y - radius - y) : 1;
  const auto keep = [&](int from, int to) {
    for (int j = 0; j < own_rows; ++j)
#pragma unroll 1
      for (int z = from; z < to; ++z)
        *reinterpret_cast<Row*>(v + z * plane + j * pitch) = load<length>(u + z * plane + j * pitch);
  };
  if (group >= groups.inner) return keep(begin, end);
  keep(begin, min(end, radius));
  keep(max(begin, box.z - radius), end);
  begin = max(begin, radius);
  end = min(end, box.z - radius);

  typename Marching::Rows queue[Marching::slots], coming;
  bool fixed[length];
  Marching column{pitch, plane, own_rows};
  column.prime(u, v, begin, end, queue, coming);
  Marching::find_rim(box, x, fixed);
  column.run(begin, end, queue, coming, fixed);
}

}  // namespace sextant::heat3d
