// Sparse matrix-vector product that reads x from shared memory, one slab (range of columns) at a time.
//
// If x is large and columns are random, every nonzero reads a 32-byte sector from the L2 cache, which limits
// other variants. Here the first launch keeps one slab of x per block in shared memory. For each nonzero, it
// copies the element of x into an array that is ordered by tile of nonzeros (slabs.cuh). The second launch
// reads a tile of these elements into shared memory and sums the rows. All accesses to global memory are
// sequential: 6.5 bytes per float nonzero in the first launch, 10 in the second.
//
// A third launch adds the partial sums of rows that span tiles. Sums are whole numbers, so the order of
// additions does not matter.
#include "entries.cuh"
#include "slabs.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"

namespace sextant {
namespace {

using spmv::Cut;
using spmv::group;
using spmv::Matrix;
using spmv::Order;
using spmv::width;
using Blocks = Choices<512, 768>;
using Lanes = Choices<1, 2, 4>;
using Slabs = Choices<96, 192>;

struct Shape {
  int block_size = 512, lanes = 4;
  int tile = 8192;    // number of nonzeros per tile
  int slab_kib = 96;  // size of a slab of x, in KiB
};

constexpr int far = 16;  // rows with more nonzeros per lane than this in a tile are summed by a whole warp
// maximum bytes of a tile's elements; two blocks then fit on a multiprocessor
constexpr std::int64_t most_of_tile = 96 * 1024;

Cut cut_of(const Problem& problem, const Shape& shape) {
  return {problem, shape.tile, shape.slab_kib * 1024 / static_cast<int>(element_size(problem.type))};
}

// Launch shape of the kernel `bring`. The 228 KiB of shared memory of a multiprocessor are enough for one
// block with a large slab or two blocks with smaller slabs.
template <int slab_kib>
struct Bringers {
  static constexpr int a_multiprocessor = slab_kib > 96 ? 1 : 2, block = slab_kib > 96 ? 1024 : 768;
};

// The elements that one 16-byte access reads.
template <typename T>
using Elements = Vector<T, vector_length<T>>;
template <typename T>
using Indices = Vector<std::uint16_t, vector_length<T>>;

template <typename T>
__device__ __forceinline__ Indices<T> read_indices(const std::uint16_t* from) {
  using Bits = std::conditional_t<vector_length<T> == 4, uint2, unsigned>;
  const Bits bits = __ldcs(reinterpret_cast<const Bits*>(from));
  return reinterpret_cast<const Indices<T>&>(bits);
}
template <typename T>
__device__ __forceinline__ Elements<T> read_elements(const T* from) {
  const uint4 bits = spmv::read_once(from);
  return reinterpret_cast<const Elements<T>&>(bits);
}

template <int block, typename T>
__device__ void load_slab(const Cut& cut, int s, const T* x, T* slab) {
  constexpr int w = vector_length<T>;
  const int begin = s * cut.slab, columns = min(cut.slab, cut.rows - begin);
  for (int i = static_cast<int>(threadIdx.x) * w; i < columns; i += block * w) {
    if (i + w <= columns)
      *reinterpret_cast<uint4*>(slab + i) = __ldg(reinterpret_cast<const uint4*>(x + begin + i));
    else
      for (int k = i; k < columns; ++k) slab[k] = x[begin + k];
  }
}

// Copies the elements of x for groups from … to - 1 of nonzeros to their positions in tile order. All these
// groups belong to the slab in shared memory.
template <int block, typename T>
__device__ void bring_groups(const Order& order, std::uint32_t from, std::uint32_t to, const T* slab,
                             T* brought) {
  constexpr int w = vector_length<T>, under_way = 4;
  constexpr std::uint32_t parts = group / w;
  for (std::uint32_t p = from * parts + threadIdx.x; p < to * parts; p += under_way * block) {
    Indices<T> columns[under_way];
    std::uint32_t target[under_way];
#pragma unroll
    for (std::uint32_t u = 0; u < under_way; ++u) {
      const std::uint32_t q = p + u * block;
      if (q >= to * parts) continue;
      columns[u] = read_indices<T>(order.column + std::size_t{q} * w);
      target[u] = __ldcs(order.target + q / parts);
    }
#pragma unroll
    for (std::uint32_t u = 0; u < under_way; ++u) {
      const std::uint32_t q = p + u * block;
      if (q >= to * parts) continue;
      Elements<T> elements;
#pragma unroll
      for (int k = 0; k < w; ++k) elements[k] = slab[columns[u][k]];
      *reinterpret_cast<Elements<T>*>(brought + std::size_t{target[u]} * group + q % parts * w) = elements;
    }
  }
}

// First launch. Each block processes an equal slice of all groups of nonzeros in slab order, and loads one
// slab after the other.
template <int slab_kib, typename T>
__global__ void __launch_bounds__(Bringers<slab_kib>::block, Bringers<slab_kib>::a_multiprocessor)
    bring(Cut cut, Order order, const T* __restrict__ x, T* __restrict__ brought) {
  constexpr int block = Bringers<slab_kib>::block;
  extern __shared__ __align__(16) unsigned char bytes[];
  T* slab = reinterpret_cast<T*>(bytes);
  const std::uint64_t groups = order.by_slab[cut.pairs()];
  auto at = static_cast<std::uint32_t>(groups * blockIdx.x / gridDim.x);
  const auto to = static_cast<std::uint32_t>(groups * (blockIdx.x + 1) / gridDim.x);
  const auto begin = [&](int s) { return order.by_slab[std::int64_t{s} * cut.tiles]; };
  int s = 0;  // last slab that starts at or before the block's first group, found by binary search
  for (int high = cut.slabs - 1; s < high;) {
    const int middle = (s + high + 1) / 2;
    if (begin(middle) <= at)
      s = middle;
    else
      high = middle - 1;
  }
  for (; at < to; ++s) {
    const std::uint32_t end = min(to, begin(s + 1));
    if (end == at) continue;
    __syncthreads();
    load_slab<block>(cut, s, x, slab);
    __syncthreads();
    bring_groups<block>(order, at, end, slab, brought);
    at = end;
  }
}

// Stores the elements of x for tile t in shared memory, each at its nonzero's index in the tile.
template <int block, typename T>
__device__ void place_elements(const Cut& cut, const Order& order, int t, const T* brought, T* elements) {
  constexpr int w = vector_length<T>, under_way = 2;
  constexpr std::uint32_t parts = group / w;
  const std::uint32_t* const begin = order.by_tile + std::int64_t{t} * cut.slabs;
  const std::uint32_t to = begin[cut.slabs] * parts;
  for (std::uint32_t p = begin[0] * parts + threadIdx.x; p < to; p += under_way * block) {
    Indices<T> entries[under_way];
    Elements<T> values[under_way];
#pragma unroll
    for (std::uint32_t u = 0; u < under_way; ++u) {
      if (p + u * block >= to) continue;
      entries[u] = read_indices<T>(order.entry + std::size_t{p + u * block} * w);
      values[u] = read_elements(brought + std::size_t{p + u * block} * w);
    }
#pragma unroll
    for (std::uint32_t u = 0; u < under_way; ++u) {
      if (p + u * block >= to) continue;
#pragma unroll
      for (int k = 0; k < w; ++k)
        if (entries[u][k] < cut.tile) elements[entries[u][k]] = values[u][k];
    }
  }
}

// A tile of nonzeros begin … end - 1. `elements` holds their elements of x or, if `products` is true, the
// products with them.
template <bool products, typename T>
struct Tile {
  const Matrix<T>& a;
  int begin, end;
  T* elements;

  __device__ __forceinline__ Vector<T, width> values(int at) const {
    if (at + width <= a.entries) return spmv::read_vector(a.val + at);
    Vector<T, width> values;
#pragma unroll
    for (int k = 0; k < width; ++k) values[k] = at + k < a.entries ? a.val[at + k] : T(0);
    return values;
  }

  template <int block>
  __device__ void make_products() const {
    constexpr int under_way = sizeof(T) == 4 ? 4 : 2;
    for (int base = begin + static_cast<int>(threadIdx.x) * width; base < end;
         base += under_way * block * width) {
      Vector<T, width> values[under_way];
#pragma unroll
      for (int u = 0; u < under_way; ++u)
        if (base + u * block * width < end) values[u] = this->values(base + u * block * width);
#pragma unroll
      for (int u = 0; u < under_way; ++u) {
        const int at = base + u * block * width;
        if (at >= end) continue;
        auto& x = *reinterpret_cast<Vector<T, width>*>(elements + at - begin);
        Vector<T, width> product;
#pragma unroll
        for (int k = 0; k < width; ++k) product[k] = values[u][k] * x[k];
        x = product;
      }
    }
  }

  // Returns the sum over nonzeros at … at + width - 1, without those outside from … to - 1. `at` is a
  // multiple of `width`.
  __device__ __forceinline__ T sum(int at, int from, int to) const {
    const auto x = load<width>(elements + at - begin);
    Vector<T, width> values;
    if constexpr (!products) values = this->values(at);
    T sum = 0;
#pragma unroll
    for (int k = 0; k < width; ++k)
      sum += at + k >= from && at + k < to ? (products ? x[k] : values[k] * x[k]) : T(0);
    return sum;
  }
  // Adds up the calling lane's share of nonzeros from … to - 1, which `lanes` lanes divide.
  template <int lanes>
  __device__ __forceinline__ T sum_of_row(int from, int to, int lane) const {
    T sum = 0;
    for (int at = from / width * width + lane * width; at < to; at += lanes * width)
      sum += this->sum(at, from, to);
    return sum;
  }
};

// Prefetches `count` elements into the L2 cache.
template <typename T>
__device__ __forceinline__ void fetch(const T* from, int count) {
#if __CUDA_ARCH__ >= 900
  const auto address = reinterpret_cast<std::uintptr_t>(from) / 16 * 16;
  const auto bytes =
      static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(from + count) - address) / 16 * 16;
  if (bytes > 0)
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(address), "r"(bytes) : "memory");
#endif
}

// Stores row sums: in y if the row ends in this tile, otherwise in `rest`.
template <typename T>
struct Sums {
  int ended;  // first row that does not end in the tile
  T *y, *rest;
  __device__ __forceinline__ void put(int r, T sum) const {
    if (r < ended)
      y[r] = sum;
    else
      *rest = sum;
  }
};

struct Later {
  int *count, *rows;
};

// Sums rows r0 … r1 - 1 with `lanes` lanes each. Rows with too many nonzeros for that are queued in `later`.
template <int block, int lanes, bool products, typename T>
__device__ void add_rows(const Tile<products, T>& tile, int r0, int r1, const Later& later,
                         const Sums<T>& sums) {
  constexpr int groups = block / lanes, under_way = 2;
  const int lane = static_cast<int>(threadIdx.x) % lanes, mine = static_cast<int>(threadIdx.x) / lanes;
  for (int base = r0 + mine; base - mine < r1; base += groups * under_way) {
    int from[under_way], to[under_way];
#pragma unroll
    for (int i = 0; i < under_way; ++i) {
      const int r = base + i * groups;
      from[i] = r < r1 ? max(__ldg(tile.a.row + r), tile.begin) : 0;
      to[i] = r < r1 ? min(__ldg(tile.a.row + r + 1), tile.end) : 0;
    }
    T sum[under_way];
#pragma unroll
    for (int i = 0; i < under_way; ++i)
      sum[i] = to[i] - from[i] <= far * lanes ? tile.template sum_of_row<lanes>(from[i], to[i], lane) : T(0);
#pragma unroll
    for (int i = 0; i < under_way; ++i) {
#pragma unroll
      for (int step = lanes / 2; step > 0; step /= 2) sum[i] += __shfl_xor_sync(~0u, sum[i], step);
      const int r = base + i * groups;
      if (lane > 0 || r >= r1) continue;
      if (to[i] - from[i] <= far * lanes)
        sums.put(r, sum[i]);
      else
        later.rows[atomicAdd(later.count, 1)] = r;
    }
  }
}

template <int block, int lanes, bool products, typename T>
__global__ void __launch_bounds__(block, 1536 / block)
    add_up(Matrix<T> a, Cut cut, Order order, const T* __restrict__ brought, T* __restrict__ y,
           T* __restrict__ rests) {
  extern __shared__ __align__(16) unsigned char bytes[];
  T* elements = reinterpret_cast<T*>(bytes);
  int* const counter = reinterpret_cast<int*>(elements + cut.tile);
  const Later later{counter, counter + 1};
  const int t = static_cast<int>(blockIdx.x);
  const Tile<products, T> tile{a, t * cut.tile, min(a.entries, t * cut.tile + cut.tile), elements};
  const Sums<T> sums{order.first[t + 1], y, rests + t};
  const int r0 = order.first[t], r1 = min(a.rows, sums.ended + 1);
  if (threadIdx.x == 0) {
    *later.count = 0;
    // prefetch data that are needed after place_elements
    fetch(a.val + tile.begin, tile.end - tile.begin);
    fetch(a.row + r0, r1 - r0 + 1);
  }
  place_elements<block>(cut, order, t, brought, elements);
  __syncthreads();
  if constexpr (products) {
    tile.template make_products<block>();
    __syncthreads();
  }
  add_rows<block, lanes>(tile, r0, r1, later, sums);
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int i = static_cast<int>(threadIdx.x) / 32; i < *later.count; i += block / 32) {
    const int r = later.rows[i], from = max(a.row[r], tile.begin), to = min(a.row[r + 1], tile.end);
    const T sum = warp_sum(tile.template sum_of_row<32>(from, to, lane));
    if (lane == 0) sums.put(r, sum);
  }
}

template <typename T>
__global__ void add_rests(Cut cut, Order order, const T* rests, T* y) {
  const int t = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (t >= cut.tiles) return;
  const int r = order.first[t + 1];
  if (r < cut.rows && rests[t] != T(0)) atomicAdd(&y[r], rests[t]);
}

template <typename T>
struct Plan {
  Order order;
  T *brought, *rests;
  std::int64_t bytes;

  Plan(const Cut& cut, const void* memory) : bytes(Order::lay_out(cut, address(memory), &order)) {
    brought = reinterpret_cast<T*>(address(memory) + static_cast<std::uintptr_t>(bytes));
    bytes += cut.most_groups() * group * static_cast<std::int64_t>(sizeof(T));
    rests = reinterpret_cast<T*>(address(memory) + static_cast<std::uintptr_t>(bytes));
    bytes += cut.tiles * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  static std::uintptr_t address(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }
};

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  const Cut cut = cut_of(problem, shape);
  return problem.type == ElementType::float32 ? Plan<float>(cut, nullptr).bytes
                                              : Plan<double>(cut, nullptr).bytes;
}

template <int slab_kib, typename T>
void launch_bring(const Call& call, const Cut& cut, const Plan<T>& plan) {
  using By = Bringers<slab_kib>;
  const auto kernel = bring<slab_kib, T>;
  constexpr int bytes = slab_kib * 1024;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<<<static_cast<unsigned>(By::a_multiprocessor * multiprocessors()), By::block, bytes,
           stream_of(call)>>>(cut, plan.order, call.array<const T>(3), plan.brought);
}

template <int block, int lanes, bool products, typename T>
void launch_add_up(const Call& call, const Cut& cut, const Plan<T>& plan) {
  const auto kernel = add_up<block, lanes, products, T>;
  const std::size_t bytes = static_cast<std::size_t>(cut.tile) * sizeof(T) +
                            static_cast<std::size_t>(cut.tile / (far * lanes) + 2) * sizeof(int);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  kernel<<<static_cast<unsigned>(cut.tiles), block, bytes, stream_of(call)>>>(
      Matrix<T>(call), cut, plan.order, plan.brought, call.array<T>(4), plan.rests);
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const Cut cut = cut_of(call.problem, shape);
  const Plan<T> plan(cut, call.state);
  Slabs::with(shape.slab_kib, [&]<int slab_kib>() { launch_bring<slab_kib, T>(call, cut, plan); });
  Blocks::with(shape.block_size, [&]<int block>() {
    Lanes::with(shape.lanes, [&]<int lanes>() {
      if (call.problem.parameters[0] == spmv::powerlaw)
        launch_add_up<block, lanes, true, T>(call, cut, plan);
      else
        launch_add_up<block, lanes, false, T>(call, cut, plan);
    });
  });
  if (cut.tiles > 1)
    add_rests<T><<<blocks_for(cut.tiles, 256), 256, 0, stream_of(call)>>>(cut, plan.order, plan.rests,
                                                                          call.array<T>(4));
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  if (device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 0) < (shape.slab_kib + 2) * 1024)
    return "slab_kib needs more shared memory than a block of this GPU can have";
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, shape))) != cudaSuccess) {
    cudaGetLastError();  // clear the error, so that a later check does not report it
    return "no device memory for the two orders of nonzeros";
  }
  const Cut cut = cut_of(call.problem, shape);
  Order order;
  Order::lay_out(cut, reinterpret_cast<std::uintptr_t>(*state), &order);
  spmv::make_order(cut, call.array<const std::int32_t>(0), call.array<const std::int32_t>(1), order,
                   stream_of(call));
  return nullptr;
}

// Chosen from timings on an H200. With a larger x, a tile has fewer nonzeros per slab, so its groups contain
// more padding.
void adapt(const Problem& problem, Shape& shape) {
  const bool powerlaw = problem.parameters[0] == spmv::powerlaw,
             doubles = problem.type == ElementType::float64;
  const std::int64_t bytes_of_x =
      spmv::rows_of(problem) * static_cast<std::int64_t>(element_size(problem.type));
  if (powerlaw) shape.lanes = 2;
  if (doubles && !powerlaw) shape.block_size = 768;
  if (bytes_of_x < std::int64_t{2} << 20) {
    shape.tile = 12288;
    if (!doubles && problem.parameters[0] == spmv::uniform) shape = {768, 2, 16384, 96};
  }
  if (bytes_of_x < std::int64_t{16} << 20) return;
  shape.slab_kib = 192;
  if (!doubles) shape.lanes = 2, shape.tile = 16384;
  if (doubles && !powerlaw) shape.tile = 12288;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  const Cut cut = cut_of(problem, shape);
  if (cut.most_groups() >= std::int64_t{1} << 29)
    return "2^29 or more groups of nonzeros: choose a larger tile or slab_kib";
  if (cut.slabs > 8192) return "more than 8192 slabs of columns: choose a larger slab_kib";
  return shape.tile * static_cast<std::int64_t>(element_size(problem.type)) > most_of_tile
             ? "a tile's elements of x take more than 96 KiB: choose a smaller tile"
             : nullptr;
}

}  // namespace

std::vector<Variant> spmv_cuda_slabs() {
  return {{.name = "slabs",
           .description = "one launch copies x, slab by slab in shared memory, into the order of nonzeros; a "
                          "second sums rows",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                        {"lanes", &Shape::lanes, Lanes::list()},
                                        {"tile", &Shape::tile, {8192, 12288, 16384}},
                                        {"slab_kib", &Shape::slab_kib, Slabs::list()}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = by_name<refuse>,
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .prepare_depends_on = DependsOn::structure,
           .release = [](void* state) { cudaFree(state); },
           .workspace = by_name<workspace>,
           .for_large_arrays = true}};
}

}  // namespace sextant
