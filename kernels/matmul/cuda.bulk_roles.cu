// architecture: 90a
// Variant cuda.bulk_roles: as cuda.roles, but bulk tensor copies load A and B. One thread requests them,
// eight warps multiply.
#include "bulk_pipeline.cuh"
#include "roles_shapes.cuh"
#include "suite/tunables.hpp"
#include "toolbox/cuda/overlap.cuh"
#include "wgmma.cuh"

// The kernel of `bulk_roles`. As in roles.cuh, each block computes a tile of C, or the blocks of a cluster
// divide a tile's inner dimension. One thread requests rectangles ("boxes") of A and B as bulk tensor copies.
// Float matrices A are transposed first, as for `bulk_tile`. If rows do not start at multiples of 16 bytes,
// the matrices are first copied to rows that do.
namespace sextant::matmul {

// Tile shape for floats. The operands of the next inner step are read while the current ones are multiplied,
// across stages too.
template <int tile_m_, int tile_n_, int thread_m_, int thread_n_, int slices_, int stages_>
struct BulkRolesTile : RolesTile<tile_m_, tile_n_, thread_m_, thread_n_, slices_, stages_, 1, 0> {
  using Base = RolesTile<tile_m_, tile_n_, thread_m_, thread_n_, slices_, stages_, 1, 0>;
  using Base::depth, Base::sums, Base::stage_bytes, Base::tile_m, Base::tile_n;
  static constexpr bool turned = true, b_groups = false;
  static constexpr int pitch_unit = 4, copying_registers = 56, multiplying_registers = 224;
  static constexpr int a_bytes = depth * tile_m * 4;
  static constexpr Box a_box = {tile_m_, depth, Swizzle::none}, b_box = {tile_n_, depth, Swizzle::none};

  __device__ static __forceinline__ void bring(unsigned char* stage, const CUtensorMap* a,
                                               const CUtensorMap* b, int row, int column, int k,
                                               ArrivalBarrier come) {
    copy_box(stage, a, row, k, come);
    copy_box(stage + a_bytes, b, column, k, come);
  }

  struct Operands {
    Neighbours<float> a[thread_m_ / 4], b[thread_n_ / 4];
  };
  // Reads the thread's operands for inner step number `step` of its slice.
  __device__ static __forceinline__ void read(const float* a, const float* b, int step, Operands& operands) {
    Base::template read_fours<thread_m_ / 4, 16>(a + step * tile_m, operands.a);
    Base::template read_fours<thread_n_ / 4, 32>(b + step * tile_n, operands.b);
  }
  __device__ static __forceinline__ void multiply_all(const Ring& ring, int steps, float (&c)[sums]) {
    constexpr int own = depth / slices_;  // inner steps of a stage that each slice of threads processes
    static_assert(own % 2 == 0);
    const auto at = Base::place();
    const int slice = static_cast<int>(threadIdx.x) / Base::group;
    const int a_first = slice * own * tile_m + at.m, b_first = depth * tile_m + slice * own * tile_n + at.n;
    RingPlace<BulkRolesTile> place(ring);
    const auto add_products = [&](const Operands& o) { Base::add_products(o.a, o.b, c); };
    const float *a = nullptr, *b = nullptr;
    const auto enter = [&] {
      const float* stage = reinterpret_cast<const float*>(place.wait());
      a = stage + a_first;
      b = stage + b_first;
    };
    Operands even, odd;
    enter();
    read(a, b, 0, even);
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
#pragma unroll 1
      for (int k = 2; k < own; k += 2) {
        read(a, b, 1, odd);
        add_products(even);
        read(a, b, 2, even);
        add_products(odd);
        a += 2 * tile_m;
        b += 2 * tile_n;
      }
      read(a, b, 1, odd);
      add_products(even);
      place.leave();
      if (step + 1 < steps) {
        enter();
        read(a, b, 0, even);
      }
      add_products(odd);
    }
  }
};

// Tile shape for doubles. Operands of A stay in registers for 16 inner steps. Operands of B are read 16
// columns at a time while the previous columns are multiplied. A warp can therefore cover a large part of the
// tile. It multiplies with mma instructions of 16 by 8 by 16.
template <int tile_m_, int tile_n_, int warp_m_, int warp_n_, int stages_>
struct BulkRolesTensor : RolesTensor<tile_m_, tile_n_, warp_m_, warp_n_, stages_> {
  using Base = RolesTensor<tile_m_, tile_n_, warp_m_, warp_n_, stages_>;
  using Lanes = typename Base::Lanes;
  using Base::sums, Base::across, Base::down;
  static constexpr bool turned = false, b_groups = true;
  static constexpr int pitch_unit = 16, copying_registers = 40, multiplying_registers = 232;
  static constexpr int depth = 16, stage_bytes = Lanes::stage_bytes;
  static constexpr Box a_box = Lanes::a_box, b_box = Lanes::b_box;
  static_assert(across % 2 == 0);

  __device__ static __forceinline__ void bring(unsigned char* stage, const CUtensorMap* a,
                                               const CUtensorMap* b, int row, int column, int k,
                                               ArrivalBarrier come) {
    Lanes::bring(stage, a, b, row, column, k, come);
  }

  __device__ static __forceinline__ void multiply_all(const Ring& ring, int steps, double (&c)[sums]) {
    const auto at = Lanes::place();
    const int row = Lanes::row_of(at.g), a_row = (at.m + row) * Lanes::a_row;
    const int a_places[2] = {a_row + ((at.t ^ row) << 4), a_row + (((at.t + 4) ^ row) << 4)};
    const int b_first = Lanes::a_bytes + at.n / 16 * Lanes::b_bytes + 2 * at.t * Lanes::b_row;
    const int b_places[2] = {b_first + ((at.g ^ (2 * at.t)) << 4),
                             b_first + Lanes::b_row + ((at.g ^ (2 * at.t + 1)) << 4)};
    RingPlace<BulkRolesTensor> place(ring);
    const unsigned char* stage = nullptr;
    const auto pair = [&](int offset) { return *reinterpret_cast<const double2*>(stage + offset); };
    double2 a[down][2], b[2][4];
    const auto read_a = [&](int m) {
#pragma unroll
      for (int i = 0; i < 2; ++i) a[m][i] = pair(a_places[i] + m * 8 * Lanes::a_row);
    };
    const auto read_b = [&](int j) {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        b[j % 2][i] = pair(b_places[i % 2] + j * Lanes::b_bytes + i / 2 * 8 * Lanes::b_row);
    };
    const auto add_products = [&](int m, int j) {
      multiply_16x8x16(*reinterpret_cast<double(*)[4]>(c + (m * across + j) * 4), b[j % 2], a[m]);
    };
    stage = place.wait();
#pragma unroll
    for (int m = 0; m < down; ++m) read_a(m);
    read_b(0);
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
#pragma unroll
      for (int j = 0; j < across - 1; ++j) {
        read_b(j + 1);
#pragma unroll
        for (int m = 0; m < down; ++m) add_products(m, j);
      }
      unsigned word = 0;
#pragma unroll
      for (int i = 0; i < 4; ++i) word |= static_cast<unsigned>(__double2loint(b[(across - 1) % 2][i].x));
      place.leave(word);
      // After the last step, `stage` is the current slot of the ring buffer. It is read once more, and the
      // values are not used.
      stage = step + 1 < steps ? place.wait() : place.stage();
      read_b(0);
#pragma unroll
      for (int m = 0; m < down; ++m) {
        add_products(m, across - 1);
        read_a(m);
      }
    }
  }
};

template <typename K>
__device__ __forceinline__ void bring_steps(const Ring& ring, const CUtensorMap* a, const CUtensorMap* b,
                                            const Share& share) {
  int slot = 0, parity = 1;
#pragma unroll 1
  for (int step = share.first; step < share.end; ++step) {
    ArrivalBarrier(ring.done + slot).wait(parity);
    const ArrivalBarrier come(ring.come + slot);
    come.expect(K::stage_bytes);
    K::bring(ring.stages + slot * K::stage_bytes, a, b, share.row, share.column, step * K::depth, come);
    if (++slot == K::stages) slot = 0, parity ^= 1;
  }
}

// Like roles_product, but only one thread of the copying warp group requests copies.
template <typename K, int parts, int width, bool divides>
__global__ void __launch_bounds__(K::threads + copying_threads, 1)
    bulk_roles_product(int n, const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                       typename K::T* __restrict__ c, Tiles tiles, TileDistribution distribution) {
  if constexpr (have_warp_groups) {
    extern __shared__ __align__(1024) unsigned char ring_memory[];
    auto* come = reinterpret_cast<std::uint64_t*>(ring_memory + roles_buffer<K, parts>);
    const Ring ring{ring_memory, come, come + K::stages};
    if (threadIdx.x == 0) {
      for (int s = 0; s < K::stages; ++s) {
        ArrivalBarrier(ring.come + s).start(1);
        ArrivalBarrier(ring.done + s).start(K::threads / 32);
      }
      publish_barriers();
    }
    const Part part = part_of_block<parts, divides>(distribution);
    const Share share = share_of<K>(n, tiles, part);
    __syncthreads();
    if (threadIdx.x >= K::threads) {
      give_registers<K::copying_registers>();
      wait_for_last_launch();
      if (threadIdx.x == K::threads) bring_steps<K>(ring, &a, &b, share);
      __syncwarp();
      // A cluster barrier waits for all threads. The copying threads therefore pass as many of these barriers
      // as the multiplying threads.
      if constexpr (parts > 1) {
        meet_cluster();
        meet_cluster();
      }
    } else {
      take_registers<K::multiplying_registers>();
      typename K::T sum[K::sums] = {};
      K::multiply_all(ring, share.end - share.first, sum);
      if constexpr (K::moves_sums) move_sums(n, sum);
      if constexpr (divides)
        if (part.parts > 1 && !add_parts<K>(distribution, part, reinterpret_cast<int*>(ring_memory), sum))
          return;
      store_tile<K, parts, width, divides>(ring_memory, sum, share, n, c);
    }
  }
}

// ---- host code

template <typename K, int parts, bool divides>
auto bulk_roles_kernel(std::int64_t n) {
  constexpr int width = Neighbours<typename K::T>::count;
  return n % width == 0 ? bulk_roles_product<K, parts, width, divides>
                        : bulk_roles_product<K, parts, 1, divides>;
}

template <typename K, int parts>
auto bulk_roles_kernel(std::int64_t n) {
  if constexpr (may_divide<K, parts>)
    if (distribution_of<K, parts>(n).divided() > 0) return bulk_roles_kernel<K, parts, true>(n);
  return bulk_roles_kernel<K, parts, false>(n);
}

template <typename K, int parts>
std::int64_t bulk_roles_workspace(std::int64_t n) {
  return copy_bytes<K>(n, 0) + copy_bytes<K>(n, 1) + roles_workspace<K, parts>(n);
}

// Returns a null pointer on success, otherwise the reason for the failure.
template <typename K, int parts>
const char* prepare_bulk_roles(const Call& call, BulkState& state) {
  const std::int64_t n = call.problem.extents.x;
  if (const char* problem = prepare_shares<K, parts>(n, bulk_roles_kernel<K, parts>(n), &state.parts))
    return problem;
  if (!allocate(copy_bytes<K>(n, 0), &state.copies[0]) || !allocate(copy_bytes<K>(n, 1), &state.copies[1]))
    return "no device memory for the workspace";
  return describe_arrays<K>(call, state) ? nullptr
                                         : "the driver could not encode tensor maps of the matrices";
}

template <typename K, int parts>
void launch_bulk_roles(const Call& call, BulkState& state) {
  make_copies<K>(call, state);
  if (state.arrays[0] != call.address(0) || state.arrays[1] != call.address(1))
    describe_arrays<K>(call, state);
  const std::int64_t n = call.problem.extents.x;
  launch_shares<K, parts>(n, state.parts, state.copies[0] || state.copies[1],
                          static_cast<cudaStream_t>(call.stream), bulk_roles_kernel<K, parts>(n), state.a,
                          state.b, call.array<typename K::T>(2));
}

}  // namespace sextant::matmul

namespace sextant {
namespace {

using matmul::BulkRolesTensor;
using matmul::BulkRolesTile;
using matmul::BulkState;
using matmul::ShapeCost;

struct Tile {
  int tile_m = 128, tile_n = 128;
  int split_k = 1;  // number of blocks that share a tile's inner dimension
};

template <int parts>
struct Parts {};

// Calls function(shape, Parts) with the compiled tile shape that matches the tuning. Returns false if no
// compiled shape matches.
template <typename T, typename Function>
bool with_shape(const Tile& tile, Function&& function) {
  const auto is = [&](int m, int n, int parts) {
    return tile.tile_m == m && tile.tile_n == n && tile.split_k == parts;
  };
  if constexpr (sizeof(T) == 4) {
    if (is(64, 128, 1)) return function(BulkRolesTile<64, 128, 16, 8, 4, 6>{}, Parts<1>{}), true;
    if (is(128, 128, 2)) return function(BulkRolesTile<128, 128, 16, 8, 2, 5>{}, Parts<2>{}), true;
    if (is(192, 128, 1)) return function(BulkRolesTile<192, 128, 12, 8, 1, 4>{}, Parts<1>{}), true;
    if (is(256, 128, 1)) return function(BulkRolesTile<256, 128, 16, 8, 1, 4>{}, Parts<1>{}), true;
  } else {
    if (is(64, 64, 2)) return function(BulkRolesTensor<64, 64, 16, 32, 8>{}, Parts<2>{}), true;
    if (is(96, 128, 1)) return function(BulkRolesTensor<96, 128, 48, 32, 7>{}, Parts<1>{}), true;
    if (is(128, 64, 1)) return function(BulkRolesTensor<128, 64, 32, 32, 8>{}, Parts<1>{}), true;
    if (is(128, 128, 1)) return function(BulkRolesTensor<128, 128, 32, 64, 7>{}, Parts<1>{}), true;
  }
  return false;
}

template <typename T>
const char* prepare_for(const Call& call, BulkState& state) {
  const char* problem = nullptr;
  with_shape<T>(call.tuned<Tile>(), [&]<typename S, int parts>(S, Parts<parts>) {
    problem = matmul::prepare_bulk_roles<S, parts>(call, state);
  });
  return problem;
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new BulkState;
  const char* problem = call.problem.type == ElementType::float32 ? prepare_for<float>(call, *mine)
                                                                  : prepare_for<double>(call, *mine);
  if (problem) {
    cudaGetLastError();  // Clears the error; a later check would report it.
    delete mine;
    return problem;
  }
  *state = mine;
  return nullptr;
}

template <typename T>
void launch(const Call& call) {
  with_shape<T>(call.tuned<Tile>(), [&]<typename S, int parts>(S, Parts<parts>) {
    matmul::launch_bulk_roles<S, parts>(call, *static_cast<BulkState*>(call.state));
  });
}

const char* constraint(const Problem& problem, const Tile& tile) {
  if (problem.extents.x <= matmul::roles_depth * (tile.split_k - 1))
    return "the inner dimension has fewer steps than split_k";
  const auto nothing = [](auto, auto) {};
  if (problem.type == ElementType::float32)
    return with_shape<float>(tile, nothing)
               ? nullptr
               : "tile_m x tile_n must be 64x128, 192x128 or 256x128 with split_k=1, "
                 "or 128x128 with split_k=2";
  return with_shape<double>(tile, nothing)
             ? nullptr
             : "in double, tile_m x tile_n must be 128x64, 96x128 or 128x128 with split_k=1, or 64x64 with "
               "split_k=2";
}

// Candidate shapes with their costs, measured on an H100 (docs/explanation/kernels/matmul.md).
void adapt(const Problem& problem, Tile& tile) {
  constexpr ShapeCost in_float[] = {
      {64, 128, 1, 5.6}, {128, 128, 2, 5.75}, {192, 128, 1, 5.1}, {256, 128, 1, 5.0}};
  constexpr ShapeCost in_double[] = {
      {64, 64, 2, 6.0}, {128, 64, 1, 4.35}, {96, 128, 1, 4.3}, {128, 128, 1, 4.2}};
  const auto cost = [](const ShapeCost& shape) { return shape.cost; };
  const std::int64_t n = problem.extents.x;
  const ShapeCost chosen =
      problem.type == ElementType::float32
          ? matmul::cheapest_shape(in_float, n, {.whole_tiles = false, .divides = false}, cost)
          : matmul::cheapest_shape(in_double, n, {.whole_tiles = false, .divides = true}, cost);
  tile = {chosen.tile_m, chosen.tile_n, chosen.parts};
}

std::int64_t workspace(const Problem& problem, const Tile& tile) {
  std::int64_t bytes = 0;
  const auto count = [&]<typename S, int parts>(S, Parts<parts>) {
    bytes = matmul::bulk_roles_workspace<S, parts>(problem.extents.x);
  };
  if (problem.type == ElementType::float32)
    with_shape<float>(tile, count);
  else
    with_shape<double>(tile, count);
  return bytes;
}

}  // namespace

std::vector<Variant> matmul_cuda_bulk_roles() {
  return {{.name = "bulk_roles",
           .description = "specialised warps: one thread requests bulk tensor copies, eight warps multiply",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Tile>({{"tile_m", &Tile::tile_m, {64, 96, 128, 192, 256}},
                                       {"tile_n", &Tile::tile_n, {64, 128}},
                                       {"split_k", &Tile::split_k, {1, 2}}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = by_name<constraint>,
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<BulkState*>(state); },
           .workspace = by_name<workspace>,
           .unavailable = matmul::warp_groups_unavailable}};
}

}  // namespace sextant
