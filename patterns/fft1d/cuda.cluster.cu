#include "beside.hpp"
#include "device_state.cuh"
#include "in_cache_state.cuh"
#include "merged.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/bulk_copy.cuh"
#include "toolbox/cuda/bulk_tensor.cuh"
#include "toolbox/cuda/overlap.cuh"
#include "toolbox/cuda/vector.cuh"

// Four-step FFT in persistent clusters of 2 to 16 blocks, 4096 elements per block. Memory is read and written
// once. Requires compute capability 9.0.
//
// A transform is a row-major matrix of 256 rows. Each block transforms 16 columns, sends the results to the
// blocks that own the rows, and transforms its own rows. Meanwhile, bulk tensor copies load the next columns.
// Threads wait for other blocks before reading received data, and before sending into buffers that may still
// be read.
namespace sextant::fft1d {

template <int blocks_, typename T>
struct InCluster {
  static constexpr int blocks = blocks_, points = 16, threads = 256,
                       elements = points * threads;  // `elements`: number of elements per block
  static constexpr int length = elements * blocks, columns = 16 * blocks,
                       rows = 256 / blocks;      // `rows`: number of rows that each block transforms
  static constexpr int slots = points / blocks;  // elements that a thread sends to one block
  static constexpr int resident = sizeof(T) == 4 ? 3 : 1;  // blocks per multiprocessor
};

template <typename Plan, typename T>
struct alignas(1024) ClusterRoom {
  Complex<T> received[Plan::elements], next[Plan::elements];
  // Tables of twiddle factors. For each thread there are four: w^1, w^2, w^4 and w^8. `second` and `third`
  // serve the second and third pass; the product of `far` and `near` serves the last one.
  Complex<T> second[4][16], third[4][Plan::rows], far[4][Plan::blocks], near[4][Plan::rows];
  // Barriers. `sent` completes when this block has received all its data, `came` when its next columns are
  // loaded.
  std::uint64_t sent, came;

  __device__ __forceinline__ void fill(int rank, const Complex<T>* __restrict__ factors) {
    constexpr int length = Plan::length;
    const int i = static_cast<int>(threadIdx.x), first_row = rank * Plan::rows;
    const auto powers = [&](auto& base, int power) {
#pragma unroll
      for (int s = 0; s < 4; ++s) base[s][i] = factors[(power << s) & (length - 1)];
    };
    if (i < 16) powers(second, (i + 16 * Plan::slots * rank) * (length / 256));
    if (i < Plan::blocks) powers(far, i * 256);
    if (i < Plan::rows) {
      powers(third, (first_row + i) * Plan::blocks);
      powers(near, first_row + i);
    }
  }
};

// Number of columns that one tensor copy (box) loads, with 128 bytes per row.
template <typename T>
inline constexpr int columns_of_box = 128 / static_cast<int>(sizeof(Complex<T>));

// Index of element (row, column) in the loaded columns, which are stored box by box. Within a row, 16-byte
// units are swizzled by the row number to avoid bank conflicts.
template <typename T>
__device__ __forceinline__ int place_in_part(int row, int column) {
  constexpr int of_vector = 16 / static_cast<int>(sizeof(Complex<T>)), wide = columns_of_box<T>;
  return column / wide * (256 * wide) + row * wide + (column % wide ^ row % 8 * of_vector);
}

// Creates a tensor map of the rows of all transforms. A row has `columns` elements, a box 256 rows. Returns
// false if the driver refuses the map.
template <typename T>
bool describe_parts(const Complex<T>* x, int columns, std::int64_t batches, CUtensorMap* map) {
  const auto encode = tensor_copies::tensor_map_encoder();
  if (!encode) return false;
  constexpr cuuint64_t words = sizeof(Complex<T>) / 8;
  const cuuint64_t extents[2] = {static_cast<cuuint64_t>(columns) * words,
                                 static_cast<cuuint64_t>(batches) * 256};
  const cuuint64_t strides[1] = {extents[0] * 8};
  const cuuint32_t sides[2] = {16, 256}, steps[2] = {1, 1};
  return encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 2, const_cast<Complex<T>*>(x), extents, strides, sides,
                steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

// Returns `value`, but hides its origin from the compiler. Expressions that use it are then recomputed in
// each iteration, which saves registers.
template <typename Number>
__device__ __forceinline__ Number anew(Number value) {
  asm volatile("" : "+r"(value));
  return value;
}

// Returns the address in shared memory of block `block` of the cluster that corresponds to `at` in this
// block.
__device__ __forceinline__ unsigned in_block(unsigned at, int block) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"(block));
  return there;
}
// Stores a number in another block's shared memory. `barrier`, in that block, counts the received bytes.
__device__ __forceinline__ void send(unsigned to, unsigned barrier, float re, float im) {
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];" ::"r"(to),
      "f"(re), "f"(im), "r"(barrier)
      : "memory");
}
__device__ __forceinline__ void send(unsigned to, unsigned barrier, double re, double im) {
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.f64 [%0], {%1, %2}, [%3];" ::"r"(to),
      "d"(re), "d"(im), "r"(barrier)
      : "memory");
}

// One pass of radix 16. The twiddle factors are entries `i` of the four tables.
template <int places, typename T>
__device__ __forceinline__ void pass_by(const Complex<T> (&table)[4][places], int i, T (&re)[16],
                                        T (&im)[16]) {
  const Complex<T> base[4] = {table[0][i], table[1][i], table[2][i], table[3][i]};
  Merged<16, 4, T>(base).pass(re, im);
}

// Announces to the cluster that this block has finished reading received data. The fence orders these reads.
// Written data need no fence, because the mbarriers announce them.
__device__ __forceinline__ void arrive_in_cluster() {
  asm volatile("fence.acq_rel.cta;\nbarrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
__device__ __forceinline__ void arrive_with_all() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ __forceinline__ void wait_in_cluster() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

template <typename Plan, typename T>
__global__ void __launch_bounds__(Plan::threads, Plan::resident)
    transform_in_clusters(int batches, const __grid_constant__ CUtensorMap map,
                          const Complex<T>* __restrict__ factors, Complex<T>* __restrict__ X) {
  if constexpr (bulk::available) {
    constexpr int points = Plan::points, elements = Plan::elements, blocks = Plan::blocks,
                  slots = Plan::slots, rows = Plan::rows, of_block = elements / blocks,
                  size = elements * static_cast<int>(sizeof(Complex<T>));
    extern __shared__ __align__(1024) unsigned char cluster_bytes[];
    auto& room = *reinterpret_cast<ClusterRoom<Plan, T>*>(cluster_bytes);
    const int thread = static_cast<int>(threadIdx.x), rank = static_cast<int>(blockIdx.x) % blocks,
              clusters = static_cast<int>(gridDim.x) / blocks;
    constexpr int of_vector = 16 / static_cast<int>(sizeof(Complex<T>));
    const int column = thread / (16 * of_vector) * of_vector + thread % of_vector,
              t = thread / of_vector % 16, row = thread % rows, t_of_row = thread / rows;
    const auto ask_for = [&](int batch) {  // loads the block's columns of a transform; called by one thread
      if (batch >= batches) return;
      constexpr int wide = columns_of_box<T>, words = static_cast<int>(sizeof(Complex<T>)) / 8;
      bulk::expect(&room.came, size);
#pragma unroll
      for (int box = 0; box < 16 / wide; ++box)
        tensor_copies::copy_box(room.next + box * 256 * wide, &map, (rank * 16 + box * wide) * words,
                                batch * 256, ArrivalBarrier(&room.came));
    };
    let_next_launch_begin();  // The next kernel uses multiprocessors on which no cluster fits.
    if (thread == 0) {
      bulk::start(&room.sent, 1);
      bulk::start(&room.came, 1);
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
      bulk::expect(&room.sent, size);
    }
    __syncthreads();
    int batch = static_cast<int>(blockIdx.x) / blocks, parity = 0;
    if (thread == 0) ask_for(batch);
    room.fill(rank, factors);
    __syncthreads();
    arrive_with_all();
    wait_in_cluster();
    arrive_with_all();
    const int place = row / 16 * 256 + row % 16, in_row = place + t_of_row * 16;
    const unsigned here = bulk::shared_address(room.received + rank * of_block + column * 16 + t),
                   sent = bulk::shared_address(&room.sent);
    for (; batch < batches; batch += clusters, parity ^= 1) {
      T re[points], im[points];
      const auto read = [&](const Complex<T>* from, int e) { re[e] = from->re, im[e] = from->im; };
      constexpr int of_rows = 16 * columns_of_box<T>;
      const int home = anew(place_in_part<T>(t, column));
      bulk::wait(&room.came, parity);
#pragma unroll
      for (int e = 0; e < points; ++e) read(room.next + home + e * of_rows, e);
      butterfly<points>(re, im);
      // The 16 threads of a column exchange their elements.
      constexpr auto turned = [](int e) { return place_in_part<T>(e, 0); };
      __syncwarp();
#pragma unroll
      for (int e = 0; e < points; ++e) room.next[(home ^ turned(e)) + e * of_rows] = {re[e], im[e]};
      __syncwarp();
#pragma unroll
      for (int e = 0; e < points; ++e) read(room.next + (home ^ turned(e)) + t * of_rows, e);
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      __syncthreads();  // All threads have read `next`, which is overwritten below.
      if (thread == 0) ask_for(batch + clusters);
      pass_by(room.second, t, re, im);
      const unsigned mine = anew(here);
      wait_in_cluster();
#pragma unroll
      for (int e = 0; e < points; ++e) {
        const int to = (e / slots + rank) % blocks;
        send(in_block(mine + e % slots * 256 * static_cast<int>(sizeof(Complex<T>)), to), in_block(sent, to),
             re[e], im[e]);
      }
      bulk::wait(&room.sent, parity);
      if (thread == 0) bulk::expect(&room.sent, size);
#pragma unroll
      for (int e = 0; e < points; ++e)
        read(room.received + in_row + e / slots * of_block + e % slots * blocks * 16, e);
      pass_by(room.third, row, re, im);
#pragma unroll
      for (int e = 0; e < points; ++e)
        room.received[in_row + e / slots * of_block + e % slots * blocks * 16] = {re[e], im[e]};
      __syncthreads();
      const int by_row = anew(t_of_row);
#pragma unroll
      for (int e = 0; e < points; ++e) {
        const int of = by_row + e % slots * blocks;  // index among the elements of thread e / slots
        read(room.received + place + e / slots * 16 + of / slots * of_block + of % slots * blocks * 16, e);
      }
      arrive_in_cluster();
      Complex<T> base[4];
#pragma unroll
      for (int s = 0; s < 4; ++s) {
        const Complex<T> far = room.far[s][t_of_row], near = room.near[s][row];
        base[s] = {far.re * near.re - far.im * near.im, far.re * near.im + far.im * near.re};
      }
      Merged<points, log2_of(blocks), T>(base).pass(re, im);
      Complex<T>* const to =
          X + static_cast<std::int64_t>(batch) * Plan::length + rank * rows + row + 256 * t_of_row;
#pragma unroll
      for (int e = 0; e < points; ++e) {
        const Vector<T, 2> out = {re[e], im[e]};
        store_streaming(reinterpret_cast<T*>(to + e * 256 * blocks), out);
      }
    }
    wait_in_cluster();  // Until here, other blocks may read this block's shared memory and send to it.
  }
}

}  // namespace sextant::fft1d

namespace sextant {
namespace {

using fft1d::Complex;
using Lengths = Choices<8192, 16384, 32768, 65536>;

// Calls function.template operator()<Plan>() for the call's length.
template <typename T, typename Function>
void with_plan(const Problem& problem, const Function& function) {
  Lengths::with(static_cast<int>(fft1d::length_of(problem)),
                [&]<int length>() { function.template operator()<fft1d::InCluster<length / 4096, T>>(); });
}

// Clusters of 8 and 16 blocks leave some multiprocessors unused. These compute some of the transforms in two
// passes through the L2 cache. The tunable scales the number of these transforms, in percent.
struct Shape {
  int concurrent_percent = 100;
};

template <typename Plan, typename T>
using Beside = fft1d::TwoPasses<fft1d::log2_of(Plan::length), T>;

struct State {
  fft1d::InCacheState shared;  // state of the transforms that are computed outside clusters
  void* factors = nullptr;
  // `clusters`: number of clusters that run at once; `free`: number of multiprocessors that they leave free.
  int clusters = 0, free = 0;
  int beside = 0;  // number of transforms that are computed outside clusters
  ~State() { cudaFree(factors); }
};

// Returns the launch configuration for `clusters` clusters. It points to `attribute`, which must outlive it.
template <typename Plan, typename T>
cudaLaunchConfig_t launch_of(int clusters, cudaLaunchAttribute& attribute) {
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(Plan::blocks), 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(clusters * Plan::blocks));
  config.blockDim = dim3(Plan::threads);
  config.dynamicSmemBytes = sizeof(fft1d::ClusterRoom<Plan, T>);
  config.attrs = &attribute;
  config.numAttrs = 1;
  return config;
}

template <typename T>
void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  with_plan<T>(call.problem, [&]<typename Plan>() {
    const auto* const x = call.array<const Complex<T>>(0);
    auto* const X = call.array<Complex<T>>(1);
    const int batches = static_cast<int>(fft1d::batches_of(call.problem)) - state.beside;
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = launch_of<Plan, T>(std::min(batches, state.clusters), attribute);
    config.stream = stream_of(call);
    CUtensorMap map;
    fft1d::describe_parts(x, Plan::columns, batches, &map);
    cudaLaunchKernelEx(&config, fft1d::transform_in_clusters<Plan, T>, batches, map,
                       static_cast<const Complex<T>*>(state.factors), X);
    const std::int64_t first = std::int64_t{batches} * Plan::length;
    using Two = Beside<Plan, T>;
    if (state.beside > 0)
      state.shared.launch<Two>(state.beside, state.free * Two::resident * 6 / 5, true, config.stream,
                               x + first, state.factors, X + first);
  });
}

// Determines how many clusters run at once and how many transforms are computed outside clusters. Sets the
// kernel's attributes.
template <typename T>
cudaError_t make(const Call& call, State& state) {
  cudaError_t error = cudaSuccess;
  with_plan<T>(call.problem, [&]<typename Plan>() {
    const auto kernel = fft1d::transform_in_clusters<Plan, T>;
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(sizeof(fft1d::ClusterRoom<Plan, T>)));
    if (error == cudaSuccess && Plan::blocks > 8)
      error = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    cudaLaunchAttribute attribute = {};
    const cudaLaunchConfig_t config = launch_of<Plan, T>(1, attribute);
    if (error == cudaSuccess) error = cudaOccupancyMaxActiveClusters(&state.clusters, kernel, &config);
    if (error != cudaSuccess || Plan::blocks < 8) return;
    const int taken = state.clusters * Plan::blocks / Plan::resident;
    state.free = std::max(multiprocessors() - taken, 0);
    state.beside = fft1d::transforms_beside(fft1d::batches_of(call.problem), state.clusters, taken,
                                            state.free, call.tuned<Shape>().concurrent_percent);
    if (state.beside > 0) error = state.shared.make<Beside<Plan, T>, T>(state.beside);
  });
  return error;
}

// Returns true if the driver accepts a tensor map for the call's rows.
template <typename T>
bool can_describe(const Call& call) {
  CUtensorMap map;
  return fft1d::describe_parts(call.array<const Complex<T>>(0), 256, 1, &map);
}

const char* prepare(const Call& call, void** state) {
  if (!(call.problem.type == ElementType::float64 ? can_describe<double>(call) : can_describe<float>(call)))
    return "the driver rejected the tensor map of the rows";
  auto* mine = new State;
  const cudaError_t error =
      call.problem.type == ElementType::float64 ? make<double>(call, *mine) : make<float>(call, *mine);
  const char* problem =
      error == cudaSuccess && mine->clusters > 0
          ? fft1d::prepare_factors(call, fft1d::factor_bytes(call.problem, nullptr), &mine->factors)
          : fft1d::why_not_made(error,
                                "this GPU does not provide the shared memory or the cluster size that "
                                "this length needs");
  if (!problem) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // clear the error, so that a later check does not report it
  delete mine;
  return problem;
}

const char* unavailable() {
  return compute_capability() < 9 ? "thread-block clusters need compute capability 9.0 or later" : nullptr;
}

const char* refuse(const Problem& problem, const Shape&) {
  const std::int64_t length = fft1d::length_of(problem);
  if (length < 8192 || length > 65536) return "only for transforms of 8192 to 65536 elements";
  return fft1d::batches_of(problem) > INT32_MAX / 2 ? "2^30 or more transforms" : nullptr;
}

std::int64_t workspace(const Problem& problem, const int*) {
  return fft1d::factor_bytes(problem, nullptr) + fft1d::InCacheState::bytes(fft1d::batches_of(problem));
}

}  // namespace

std::vector<Variant> fft1d_cuda_cluster() {
  return {
      {.name = "cluster",
       .description =
           "8192 to 65536 elements in the shared memory of a persistent cluster; one read and one write of "
           "memory",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Shape>({{"concurrent_percent", &Shape::concurrent_percent, {0, 80, 100, 120}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(launch),
       .constraint = by_name<refuse>,
       .prepare = prepare,
       .release = [](void* state) { delete static_cast<State*>(state); },
       .workspace = workspace,
       .unavailable = unavailable}};
}

}  // namespace sextant
