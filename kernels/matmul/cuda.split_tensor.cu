// architecture: 90a
// Variant cuda.split_tensor: products of floats on the tensor cores in full float precision.
//
// Each element of A and B is split into a sum of three bfloat16 values, its parts. Six (or nine) products of
// these parts are added; split.hpp gives the error bound. A first pass computes the parts. It also searches
// for elements that cannot be split: infinities, NaN, magnitudes below 2^-110, and values whose sums might
// come near the largest float.
// If the pass finds one, `register_tile` computes the product on the CUDA cores instead. The result of the
// search stays on the device, so both kernels are launched and one of them returns at once.
#include <cuda_bf16.h>

#include "register_tile.cuh"
#include "split.hpp"
#include "suite/tunables.hpp"
#include "tiles.cuh"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/bulk_tensor.cuh"
#include "wgmma.cuh"

// The kernels of `split_tensor`. One computes the parts of A and B, another the products of the parts. A
// third one computes the plain product if some element cannot be split.
namespace sextant::matmul {

using namespace tensor_copies;

// ---- splitting the matrices into parts

// `split_width` is the number of elements that a thread splits at a time: 16 bytes per part.
inline constexpr int split_threads = 256, split_width = 8;

__device__ __forceinline__ void load_row_piece(const float* from, std::int64_t n, std::int64_t row,
                                               std::int64_t column, float (&x)[split_width]) {
  const float* piece = from + row * n + column;
  if (n % 4 == 0 && column + split_width <= n) {
    const float4 low = __ldcs(reinterpret_cast<const float4*>(piece));
    const float4 high = __ldcs(reinterpret_cast<const float4*>(piece) + 1);
    x[0] = low.x, x[1] = low.y, x[2] = low.z, x[3] = low.w;
    x[4] = high.x, x[5] = high.y, x[6] = high.z, x[7] = high.w;
    return;
  }
#pragma unroll
  for (int i = 0; i < split_width; ++i) x[i] = column + i < n ? piece[i] : 0.0f;
}

// Computes the parts of A or B, selected by blockIdx.y. The three parts of a matrix are stored one after
// another, with `pitch` bfloat16 values per row. It updates *found, which must be zero before; can_split
// decides by *found.
__global__ void __launch_bounds__(split_threads)
    split_matrices(std::int64_t n, std::int64_t pitch, const float* a, const float* b, std::uint16_t* parts,
                   Found* found) {
  const bool second = blockIdx.y == 1;
  const float* from = second ? b : a;
  const std::int64_t across = pitch / split_width, pieces = n * across, part = n * pitch;
  std::uint16_t* to = parts + (second ? parts_of_float * part : 0);
  unsigned most = 0, tiny = 0;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * split_threads + threadIdx.x; i < pieces;
       i += static_cast<std::int64_t>(gridDim.x) * split_threads) {
    const std::int64_t row = i / across, column = (i - row * across) * split_width;
    float x[split_width];
    load_row_piece(from, n, row, column, x);
    uint4 packed[parts_of_float];
    auto* words = reinterpret_cast<std::uint32_t(*)[split_width / 2]>(packed);
#pragma unroll
    for (int j = 0; j < split_width; j += 2) {
      const Parts low = parts_of(x[j]), high = parts_of(x[j + 1]);
      most = max(most, max(magnitude_bits(x[j]), magnitude_bits(x[j + 1])));
      tiny |= is_tiny(magnitude_bits(x[j])) || is_tiny(magnitude_bits(x[j + 1]));
#pragma unroll
      for (int p = 0; p < parts_of_float; ++p) words[p][j / 2] = (low.at[p] & 0xffffu) | high.at[p] << 16;
    }
#pragma unroll
    for (int p = 0; p < parts_of_float; ++p)
      *reinterpret_cast<uint4*>(to + p * part + row * pitch + column) = packed[p];
  }
  most = __reduce_max_sync(~0u, most);
  tiny = __reduce_or_sync(~0u, tiny);
  __shared__ unsigned of_warp[split_threads / 32];
  if (threadIdx.x % 32 == 0) {
    of_warp[threadIdx.x / 32] = most;
    if (tiny) found->tiny = 1;
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (const unsigned one : of_warp) most = max(most, one);
  atomicMax(second ? &found->most_b : &found->most_a, most);
}

// ---- products of parts

// A block has two warp groups that multiply 64 rows each, and one that requests bulk tensor copies. A
// pipeline stage holds the three bfloat16 parts of 32 columns of A and of 32 rows of B.
template <int tile_n_, int stages_>
struct SplitShape {
  static constexpr int tile_m = 128, tile_n = tile_n_, depth = 32, stages = stages_, threads = 384;
  // Bytes of one row of a box, which one tensor copy moves (`a_row`, `b_row`), and of all its rows for one of
  // the three bfloat16 parts (`a_part`, `b_part`).
  static constexpr int group_rows = 64, a_row = depth * 2, b_row = 128;
  static constexpr int a_part = tile_m * a_row, b_part = depth * b_row;
  static constexpr int a_bytes = parts_of_float * a_part, b_box = parts_of_float * b_part;
  static constexpr int b_boxes = tile_n / 64;
  static constexpr int stage_bytes = a_bytes + b_boxes * b_box;
  static constexpr int shared_bytes = stages * stage_bytes + 2 * stages * 8;
  static constexpr Box a_shape = {depth, tile_m, Swizzle::rows_of_64},
                       b_shape = {64, depth, Swizzle::rows_of_128};
};

struct SplitWork {
  int n, steps;
  Tiles tiles;
};

// The ring buffer of stages between the warp group that copies and those that multiply.
struct Ring {
  std::uint64_t* come;  // one barrier per stage, which counts the bytes that arrived
  std::uint64_t* done;  // one barrier per stage, which counts the warp groups that have read it
  int stages, slot = 0, parity;
  __device__ Ring(std::uint64_t* barriers, int stages, int parity)
      : come(barriers), done(barriers + stages), stages(stages), parity(parity) {}
  __device__ __forceinline__ void next() {
    if (++slot == stages) slot = 0, parity ^= 1;
  }
};

template <typename S>
__device__ __forceinline__ void bring_parts(const SplitWork& work, const CUtensorMap* a, const CUtensorMap* b,
                                            unsigned char* shared, Ring ring) {
  for (int tile = static_cast<int>(blockIdx.x); tile < work.tiles.count();
       tile += static_cast<int>(gridDim.x)) {
    const auto [row, column] = work.tiles.place(tile);
    for (int step = 0; step < work.steps; ++step, ring.next()) {
      ArrivalBarrier(ring.done + ring.slot).wait(ring.parity);
      const ArrivalBarrier come(ring.come + ring.slot);
      come.expect(S::stage_bytes);
      unsigned char* stage = shared + ring.slot * S::stage_bytes;
      copy_boxes(stage, a, step * S::depth, row * S::tile_m, come);
#pragma unroll
      for (int box = 0; box < S::b_boxes; ++box)
        copy_boxes(stage + S::a_bytes + box * S::b_box, b, column * S::tile_n + 64 * box, step * S::depth,
                   come);
    }
  }
}

// Sets `part` to the sum of the products of one stage. The smallest products are added first.
template <typename S, int products>
__device__ __forceinline__ void multiply_parts(unsigned stage, int group, float (&part)[S::tile_n / 2]) {
  constexpr PartProducts list;
  const std::uint64_t a =
      matrix_in_shared(stage + static_cast<unsigned>(group * S::group_rows * S::a_row), 16, 8 * S::a_row, 2);
  const std::uint64_t b = matrix_in_shared(stage + S::a_bytes, S::b_box, 8 * S::b_row, 1);
  open_products();
#pragma unroll
  for (int p = most_products - products; p < most_products; ++p)
#pragma unroll
    for (int k = 0; k < S::depth / 16; ++k)
      multiply_64x16<S::tile_n>(part, a + ((list.at[p].a * S::a_part + k * 32) >> 4),
                                b + ((list.at[p].b * S::b_part + k * 16 * S::b_row) >> 4),
                                p > most_products - products || k > 0);
  finish_products();
}

template <typename S>
__device__ __forceinline__ void store_sums(int n, std::int64_t row, int column,
                                           const float (&sum)[S::tile_n / 2], float* c) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) % 128 / 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const std::int64_t r = row + warp * 16 + lane / 4 + 8 * half;
    if (r >= n) continue;
#pragma unroll
    for (int j = 0; j < S::tile_n / 8; ++j) {
      const int at = column + 8 * j + 2 * (lane % 4);
      float* to = c + r * n + at;
      const float low = sum[4 * j + 2 * half], high = sum[4 * j + 2 * half + 1];
      if (n % 2 == 0) {
        if (at < n) *reinterpret_cast<float2*>(to) = make_float2(low, high);
      } else {
        if (at < n) to[0] = low;
        if (at + 1 < n) to[1] = high;
      }
    }
  }
}

// Computes the block's tiles. The tensor cores sum the products within a stage. Normal additions, which
// round, add the stages' sums. Tensor cores truncate instead of rounding, so a long sum on them would
// accumulate errors of one sign.
template <typename S, int products>
__device__ __forceinline__ void sum_products(const SplitWork& work, unsigned shared, int group, Ring ring,
                                             float* c) {
  float part[S::tile_n / 2];
#pragma unroll
  for (float& one : part) one = 0;
  for (int tile = static_cast<int>(blockIdx.x); tile < work.tiles.count();
       tile += static_cast<int>(gridDim.x)) {
    float sum[S::tile_n / 2];
#pragma unroll
    for (float& one : sum) one = 0;
#pragma unroll 1
    for (int step = 0; step < work.steps; ++step, ring.next()) {
      ArrivalBarrier(ring.come + ring.slot).wait(ring.parity);
      multiply_parts<S, products>(shared + static_cast<unsigned>(ring.slot * S::stage_bytes), group, part);
      if (threadIdx.x % 128 == 0) ArrivalBarrier(ring.done + ring.slot).arrive();
#pragma unroll
      for (int i = 0; i < S::tile_n / 2; ++i) sum[i] += part[i];
    }
    const auto [row, column] = work.tiles.place(tile);
    store_sums<S>(work.n, static_cast<std::int64_t>(row) * S::tile_m + group * S::group_rows,
                  column * S::tile_n, sum, c);
  }
}

template <typename S, int products>
__global__ void __launch_bounds__(S::threads, 1)
    multiply_split(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                   const SplitWork work, const Found* found, float* __restrict__ c) {
  if constexpr (have_warp_groups) {
    extern __shared__ __align__(1024) unsigned char boxes[];
    if (!can_split(*found, work.n)) return;
    auto* barriers = reinterpret_cast<std::uint64_t*>(boxes + S::stages * S::stage_bytes);
    if (threadIdx.x == 0) {
      for (int s = 0; s < S::stages; ++s) {
        ArrivalBarrier(barriers + s).start(1);
        ArrivalBarrier(barriers + S::stages + s).start(2);
      }
      publish_barriers();
    }
    __syncthreads();
    const int group = static_cast<int>(threadIdx.x) / 128;
    if (group == 2) {
      give_registers<24>();
      if (threadIdx.x == 256) bring_parts<S>(work, &a, &b, boxes, Ring(barriers, S::stages, 1));
    } else {
      take_registers<240>();
      sum_products<S, products>(work, static_cast<unsigned>(__cvta_generic_to_shared(boxes)), group,
                                Ring(barriers, S::stages, 0), c);
    }
  }
}

// ---- the plain product for elements that cannot be split

using PlainShape = Shape<float, 64, 64, 32, 8, 8, 4, 2, 2>;

template <int width>
__global__ void __launch_bounds__(PlainShape::threads, PlainShape::resident)
    multiply_unsplit(std::int64_t n, const float* __restrict__ a, const float* __restrict__ b,
                     float* __restrict__ c, const Found* found) {
  if (!can_split(*found, n)) compute_tile<PlainShape, width>(n, a, b, c);
}

}  // namespace sextant::matmul

namespace sextant {
namespace {

using namespace matmul;

struct Split {
  int products = 6, tile_n = 192, band_tiles = 8;
};

template <typename Function>
void with_kernel(const Split& split, Function&& function) {
  const auto of = [&]<typename S>(S shape) {
    if (split.products == 6)
      function(shape, multiply_split<S, 6>);
    else
      function(shape, multiply_split<S, 9>);
  };
  if (split.tile_n == 192)
    of(SplitShape<192, 3>{});
  else
    of(SplitShape<128, 4>{});
}

std::int64_t pitch_of(std::int64_t n) { return (n + split_width - 1) / split_width * split_width; }
std::int64_t part_bytes(std::int64_t n) { return n * pitch_of(n) * 2; }

struct State {
  std::uint16_t* parts = nullptr;  // three parts of A, then three of B
  Found* found = nullptr;
  CUtensorMap a, b;
};

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  cudaFree(mine->parts);
  cudaFree(mine->found);
  delete mine;
}

// Sets the kernels' shared-memory limits and encodes the tensor maps of the parts. Returns false if CUDA
// refuses any of it.
bool set_up(const Call& call, State& state) {
  const std::int64_t n = call.problem.extents.x;
  bool good = false;
  with_kernel(call.tuned<Split>(), [&]<typename S>(S, auto kernel) {
    const Matrices a{CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, state.parts, n, pitch_of(n), parts_of_float};
    Matrices b = a;
    b.first = state.parts + parts_of_float * n * pitch_of(n);
    good = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::shared_bytes) ==
               cudaSuccess &&
           describe(a, S::a_shape, &state.a) && describe(b, S::b_shape, &state.b);
  });
  for (const auto plain : {multiply_unsplit<4>, multiply_unsplit<1>})
    good = good && cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        PlainShape::shared_bytes) == cudaSuccess;
  return good;
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  const auto bytes = static_cast<std::size_t>(2 * parts_of_float * part_bytes(call.problem.extents.x));
  const char* problem = nullptr;
  if (cudaMalloc(&mine->parts, bytes) != cudaSuccess ||
      cudaMalloc(&mine->found, sizeof(Found)) != cudaSuccess)
    problem = "no device memory for the bfloat16 parts of A and B";
  else if (!set_up(call, *mine))
    problem =
        "the GPU has too little shared memory for the tile, or the driver could not encode its "
        "tensor maps";
  if (problem) {
    cudaGetLastError();  // Clears the error; a later check would report it.
    release(mine);
    return problem;
  }
  *state = mine;
  return nullptr;
}

void launch(const Call& call) {
  auto* state = static_cast<State*>(call.state);
  const auto stream = static_cast<cudaStream_t>(call.stream);
  const std::int64_t n = call.problem.extents.x;
  const float *a = call.array<const float>(0), *b = call.array<const float>(1);
  float* c = call.array<float>(2);
  const Split split = call.tuned<Split>();
  const int processors = multiprocessors();
  cudaMemsetAsync(state->found, 0, sizeof(Found), stream);
  const dim3 pieces(static_cast<unsigned>(std::min<std::int64_t>(
                        8 * processors, (n * pitch_of(n) / split_width + split_threads - 1) / split_threads)),
                    2);
  split_matrices<<<pieces, split_threads, 0, stream>>>(n, pitch_of(n), a, b, state->parts, state->found);
  with_kernel(split, [&]<typename S>(S, auto kernel) {
    const SplitWork work{static_cast<int>(n), static_cast<int>((n + S::depth - 1) / S::depth),
                         tiles_of(n, S::tile_m, S::tile_n, split.band_tiles)};
    kernel<<<std::min(processors, work.tiles.count()), S::threads, S::shared_bytes, stream>>>(
        state->a, state->b, work, state->found, c);
  });
  const auto tiles = static_cast<unsigned>((n + PlainShape::block_m - 1) / PlainShape::block_m);
  const auto plain = n % 4 == 0 ? multiply_unsplit<4> : multiply_unsplit<1>;
  plain<<<dim3(tiles, tiles), PlainShape::threads, PlainShape::shared_bytes, stream>>>(n, a, b, c,
                                                                                       state->found);
}

// Larger tiles are faster if there are enough of them to fill the GPU.
void adapt(const Problem& problem, Split& split) { split.tile_n = problem.extents.x < 2500 ? 128 : 192; }

std::int64_t workspace(const Problem& problem, const Split&) {
  return 2 * parts_of_float * part_bytes(problem.extents.x) + static_cast<std::int64_t>(sizeof(Found));
}

}  // namespace

std::vector<Variant> matmul_cuda_split_tensor() {
  return {
      {.name = "split_tensor",
       .description = "float accuracy on the tensor cores (wgmma): each float is split into three bfloat16",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Split>({{"products", &Split::products, {6, 9}},
                                    {"tile_n", &Split::tile_n, {128, 192}},
                                    {"band_tiles", &Split::band_tiles, {4, 8, 16}}}),
       .launch = {.float32 = launch},
       .adapt = by_name<adapt>,
       .prepare = prepare,
       .release = release,
       .workspace = by_name<workspace>,
       .unavailable = matmul::warp_groups_unavailable}};
}

}  // namespace sextant
