#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/team_arrays.cuh"
#include "toolbox/cuda/vector.cuh"

// One kernel does all loops, with 16-byte accesses: each element is loaded once, incremented once per loop
// and stored.
namespace sextant::increment {

struct Block {
  int block_size = 256;
};

inline std::vector<Tunable> block_tunables() {
  return tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
}

// Each thread handles one 16-byte vector. Elements after the last whole vector are handled by additional
// threads, one each.
template <typename T>
__global__ void increment_vector(std::int64_t n, T* a, int loops) {
  constexpr int length = vector_length<T>;
  const std::int64_t vectors = n / length;
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v < vectors) {
    Vector<T, length> x = load<length>(a + v * length);
#pragma unroll
    for (int k = 0; k < length; ++k) {
      x[k] = x[k] + T(1);
      if (loops == 2) x[k] = x[k] + T(1);
    }
    store_streaming(a + v * length, x);
  } else if (const std::int64_t i = vectors * length + (v - vectors); i < n) {
    for (int loop = 0; loop < loops; ++loop) a[i] = a[i] + T(1);
  }
}

template <typename T>
void launch_vector(const Call& call, std::int64_t n, T* a, cudaStream_t stream) {
  const std::int64_t threads = n / vector_length<T> + n % vector_length<T>;
  const int block = call.tuned<Block>().block_size;
  increment_vector<T><<<blocks_for(threads, block), block, 0, stream>>>(n, a, static_cast<int>(loops(call)));
}

}  // namespace sextant::increment

namespace sextant {
namespace {

namespace elementwise {

struct Block {
  int block_size = 1024;
};

template <typename T>
__global__ void increment_elementwise(std::int64_t n, T* a) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] + T(1);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  for (std::int64_t loop = 0; loop < increment::loops(call); ++loop)
    increment_elementwise<T><<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, call.array<T>(0));
}

}  // namespace elementwise

// The array is divided among the GPUs. They need not communicate.
namespace team {

struct Part {
  static constexpr int arrays = 1;
  template <typename T>
  static void launch(const Call& call, std::int64_t n, T* const* arrays, cudaStream_t stream) {
    increment::launch_vector(call, n, arrays[0], stream);
  }
};

Variant form() {
  Variant variant;
  variant.description =
      "one partition and one host thread per GPU; one kernel for all loops, 16-byte accesses";
  variant.tunables = increment::block_tunables();
  peers::complete_team_arrays<Part, float, double, std::int32_t>(variant);
  return variant;
}

}  // namespace team

namespace vector {

template <typename T>
void launch(const Call& call) {
  increment::launch_vector(call, call.problem.extents.x, call.array<T>(0), stream_of(call));
}

}  // namespace vector

}  // namespace

std::vector<Variant> increment_cuda() {
  return {
      {.name = "elementwise",
       .description = "the plain form: one kernel per loop, one element per thread",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<elementwise::Block>(
           {{"block_size", &elementwise::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(elementwise::launch)},
      named("team", team::form()),
      {.name = "vector",
       .description = "one kernel for all loops, 16-byte accesses",
       .memory_space = MemorySpace::cuda,
       .tunables = increment::block_tunables(),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(vector::launch)},
  };
}

}  // namespace sextant
