// Bandwidth of a GPU's memory and caches: the fastest of a few variants of copy, triad, read and write.
#include "base/clock.hpp"
#include "machine/ceilings/cuda_detail.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

enum class Pattern { copy, triad, read, write };

// Returns input word number `word`. The bits are random, because a GPU may be faster on zeros.
__host__ __device__ constexpr std::uint32_t random_word(std::int64_t word) {
  return static_cast<std::uint32_t>(random_bits(1, static_cast<std::uint64_t>(word)) >> 32);
}
// Returns an input element for the triad. It is a multiple of 2^-10 below 2^10, so that b + 3c has no
// rounding error.
__host__ __device__ constexpr double random_value(std::int64_t at) {
  return static_cast<double>(random_bits(2, static_cast<std::uint64_t>(at)) >> 44) * 0x1p-10;
}

constexpr std::uint32_t written_word = 0x9E3779B9u;

struct Arrays {
  void *a, *b, *c;
  std::int64_t vectors;  // number of vectors of 16 bytes in each array
};

// Each block processes tiles of blockDim.x * Unroll vectors in a grid-stride loop, `passes` times over the
// array. Several passes let small arrays occupy as many blocks as large ones. __ldcg bypasses the L1 cache,
// because later passes would find a small array there.
template <Pattern pattern, int Unroll>
__global__ void __launch_bounds__(1024) stream(Arrays x, int passes, std::uint32_t* sums) {
  auto* a = static_cast<uint4*>(x.a);
  const auto* b = static_cast<const uint4*>(x.b);
  const auto* c = static_cast<const uint4*>(x.c);
  const std::int64_t tile_vectors = std::int64_t{blockDim.x} * Unroll;
  const std::int64_t tiles = x.vectors / tile_vectors;
  const std::int64_t step = gridDim.x % tiles;
  std::int64_t tile = blockIdx.x % tiles;
  std::uint32_t sum = 0;
  for (std::int64_t turn = blockIdx.x; turn < tiles * passes; turn += gridDim.x) {
    const std::int64_t at = tile * tile_vectors + threadIdx.x;
    tile += step;
    if (tile >= tiles) tile -= tiles;
    uint4 values[Unroll], others[Unroll];
#pragma unroll
    for (int u = 0; u < Unroll; ++u) {
      const std::int64_t i = at + u * blockDim.x;
      if constexpr (pattern == Pattern::read) values[u] = __ldcg(a + i);
      if constexpr (pattern == Pattern::copy || pattern == Pattern::triad) values[u] = __ldcg(b + i);
      if constexpr (pattern == Pattern::triad) others[u] = __ldcg(c + i);
    }
#pragma unroll
    for (int u = 0; u < Unroll; ++u) {
      const std::int64_t i = at + u * blockDim.x;
      if constexpr (pattern == Pattern::read) {
        sum += values[u].x + values[u].y + values[u].z + values[u].w;
      } else if constexpr (pattern == Pattern::write) {
        a[i] = make_uint4(written_word, written_word, written_word, written_word);
      } else if constexpr (pattern == Pattern::copy) {
        a[i] = values[u];
      } else {
        const auto& left = reinterpret_cast<const double2&>(values[u]);
        const auto& right = reinterpret_cast<const double2&>(others[u]);
        reinterpret_cast<double2*>(a)[i] = make_double2(left.x + 3 * right.x, left.y + 3 * right.y);
      }
    }
  }
  if constexpr (pattern == Pattern::read) {
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(sums + blockIdx.x % 1024, sum);
  }
}

__global__ void fill(Arrays x, bool doubles) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::int64_t i = first; i < x.vectors * 2; i += step) {
    static_cast<std::uint64_t*>(x.a)[i] = (std::uint64_t{random_word(2 * i + 1)} << 32) | random_word(2 * i);
    if (x.b && doubles) static_cast<double*>(x.b)[i] = random_value(i);
    if (x.b && !doubles)
      static_cast<std::uint64_t*>(x.b)[i] =
          (std::uint64_t{random_word(2 * i + 1)} << 32) | random_word(2 * i);
    if (x.c) static_cast<double*>(x.c)[i] = random_value(i + 1);
  }
}

// Adds to *count the number of wrong 8-byte elements of a. For the pattern `read`, adds the expected sum
// instead.
__global__ void inspect(Arrays x, Pattern pattern, unsigned long long* count) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned long long found = 0;
  for (std::int64_t i = first; i < x.vectors * 2; i += step) {
    const std::uint64_t bits = static_cast<const std::uint64_t*>(x.a)[i];
    const std::uint64_t random = (std::uint64_t{random_word(2 * i + 1)} << 32) | random_word(2 * i);
    if (pattern == Pattern::read) found += random_word(2 * i) + std::uint64_t{random_word(2 * i + 1)};
    if (pattern == Pattern::copy) found += bits != random;
    if (pattern == Pattern::write) found += bits != ((std::uint64_t{written_word} << 32) | written_word);
    if (pattern == Pattern::triad)
      found += static_cast<const double*>(x.a)[i] != random_value(i) + 3 * random_value(i + 1);
  }
  atomicAdd(count, found);
}

// Launch configurations to try. Each is the fastest on an H200 for some size: see docs/reference/ceilings.md.
struct Shape {
  int threads, unroll;
  bool persistent;  // true: as many blocks as can run at once; false: one block per tile
};
constexpr Shape shapes[] = {{128, 2, true},   {256, 1, true},  {256, 4, true},
                            {512, 4, true},   {1024, 2, true}, {128, 1, false},
                            {1024, 1, false}, {256, 1, false}, {256, 8, false}};

template <Pattern pattern, int Unroll>
void launch(const Arrays& x, const Shape& shape, int multiprocessors, int passes, std::uint32_t* sums) {
  const std::int64_t tiles = x.vectors / (shape.threads * Unroll);
  int resident = 0;
  gpu::require(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, stream<pattern, Unroll>, shape.threads, 0));
  const std::int64_t room = std::int64_t{resident} * multiprocessors;
  const auto blocks = static_cast<unsigned>(shape.persistent ? std::min(room, tiles * passes) : tiles);
  stream<pattern, Unroll><<<blocks, static_cast<unsigned>(shape.threads)>>>(x, passes, sums);
}

template <Pattern pattern>
void launch(const Arrays& x, const Shape& shape, int multiprocessors, int passes, std::uint32_t* sums) {
  switch (shape.unroll) {
    case 1:
      return launch<pattern, 1>(x, shape, multiprocessors, passes, sums);
    case 2:
      return launch<pattern, 2>(x, shape, multiprocessors, passes, sums);
    case 4:
      return launch<pattern, 4>(x, shape, multiprocessors, passes, sums);
    case 8:
      return launch<pattern, 8>(x, shape, multiprocessors, passes, sums);
  }
}

void launch(Pattern pattern, const Arrays& x, const Shape& shape, int multiprocessors, int passes,
            std::uint32_t* sums) {
  switch (pattern) {
    case Pattern::copy:
      return launch<Pattern::copy>(x, shape, multiprocessors, passes, sums);
    case Pattern::triad:
      return launch<Pattern::triad>(x, shape, multiprocessors, passes, sums);
    case Pattern::read:
      return launch<Pattern::read>(x, shape, multiprocessors, passes, sums);
    case Pattern::write:
      return launch<Pattern::write>(x, shape, multiprocessors, passes, sums);
  }
}

class Bandwidth {
 public:
  Bandwidth(std::int64_t largest, CeilingList* list)
      : list_(list), memory_(static_cast<std::size_t>(largest)), scratch_(sums_bytes + 8) {
    multiprocessors_ = multiprocessors();
  }

  void measure(std::int64_t footprint) {
    for (const BandwidthPattern& pattern : bandwidth_patterns)
      measure(static_cast<Pattern>(&pattern - bandwidth_patterns), pattern, footprint);
  }

 private:
  static constexpr std::size_t sums_bytes = 1024 * sizeof(std::uint32_t);
  // Array sizes are multiples of this many 16-byte vectors. It is a multiple of every launch's tile.
  static constexpr std::int64_t granule = 512 * 8;

  void measure(Pattern pattern, const BandwidthPattern& spec, std::int64_t footprint) {
    const std::int64_t vectors = footprint / 16 / spec.arrays / granule * granule;
    const auto bytes = static_cast<std::size_t>(vectors) * 16;
    const Arrays x = {memory_.as<void>(), spec.arrays > 1 ? memory_.as<void>(bytes) : nullptr,
                      spec.arrays > 2 ? memory_.as<void>(2 * bytes) : nullptr, vectors};
    const std::int64_t moved = vectors * 16 * spec.arrays;
    // One pass over a small array is too short to time.
    const auto passes = static_cast<int>(std::max<std::int64_t>(1, (std::int64_t{3} << 30) / moved));
    double best = 0;
    for (const Shape& shape : shapes) {
      fill<<<multiprocessors_ * 8, 256>>>(x, pattern == Pattern::triad);
      if (pattern != Pattern::read) gpu::require(cudaMemset(x.a, 0xFF, bytes));
      // Launches with one block per tile make only one pass, which is too short to time for small arrays.
      const int repeats = shape.persistent ? passes : 1;
      if (!shape.persistent && passes > 4) continue;
      gpu::require(cudaMemset(scratch_.as<void>(), 0, sums_bytes));
      const int samples = 5;
      const double time = timer_.median(samples, [&] {
        launch(pattern, x, shape, multiprocessors_, repeats, scratch_.as<std::uint32_t>());
      });
      verify(pattern, x, static_cast<std::uint32_t>(repeats * (samples + 1)));
      const double rate = static_cast<double>(moved) * repeats / time;
      best = std::max(best, rate);
    }
    if (passes == 1) best = std::max(best, static_cast<double>(moved) / driver_time(pattern, x, bytes));
    list_->add(spec.name, best, footprint);
  }

  // Returns the seconds of the driver's own copy or fill. Returns infinity for the other patterns.
  double driver_time(Pattern pattern, const Arrays& x, std::size_t bytes) {
    if (pattern == Pattern::copy)
      return timer_.median(5,
                           [&] { gpu::require(cudaMemcpyAsync(x.a, x.b, bytes, cudaMemcpyDeviceToDevice)); });
    if (pattern == Pattern::write)
      return timer_.median(5, [&] { gpu::require(cudaMemsetAsync(x.a, 1, bytes)); });
    return HUGE_VAL;
  }

  void verify(Pattern pattern, const Arrays& x, std::uint32_t runs) {
    unsigned long long found = 0;
    auto* count = scratch_.as<unsigned long long>(sums_bytes);
    gpu::require(cudaMemset(count, 0, 8));
    inspect<<<multiprocessors_ * 8, 256>>>(x, pattern, count);
    timer_.wait();
    gpu::require(cudaMemcpy(&found, count, 8, cudaMemcpyDeviceToHost));
    if (pattern == Pattern::read) {
      std::vector<std::uint32_t> sums(1024);
      gpu::require(cudaMemcpy(sums.data(), scratch_.as<void>(), sums_bytes, cudaMemcpyDeviceToHost));
      std::uint32_t sum = 0;
      for (std::uint32_t part : sums) sum += part;
      list_->require(sum == static_cast<std::uint32_t>(found) * runs, "read left a wrong sum");
    } else {
      list_->require(found == 0, std::string(bandwidth_patterns[static_cast<int>(pattern)].name) +
                                     " left a wrong result");
    }
  }

  CeilingList* list_;
  gpu::Buffer memory_, scratch_;
  gpu::Timer timer_;
  int multiprocessors_ = 0;
};

}  // namespace

void wake_gpu() {
  constexpr std::int64_t bytes = std::int64_t{1} << 30;
  const gpu::Buffer memory(bytes);
  const gpu::Timer timer;
  for (const double end = now() + 0.1; now() < end;)
    timer.once([&] {
      fill<<<multiprocessors() * 8, 256>>>({memory.as<void>(), nullptr, nullptr, bytes / 16}, false);
    });
}

void measure_gpu_bandwidth(CeilingList* list) {
  std::size_t free = 0, total = 0;
  gpu::require(cudaMemGetInfo(&free, &total));
  const std::int64_t most = std::min(std::int64_t{8} << 30, static_cast<std::int64_t>(free) / 4 * 3);
  std::int64_t largest = std::int64_t{1} << 20;
  while (largest * 4 <= most) largest *= 4;
  Bandwidth bandwidth(std::max(largest, most), list);
  for (std::int64_t footprint = std::int64_t{1} << 20; footprint <= largest; footprint *= 4)
    bandwidth.measure(footprint);
  if (most > largest) bandwidth.measure(most);
}

}  // namespace sextant
