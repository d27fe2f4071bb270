#include <array>
#include <memory>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/gpu_slab.hpp"
#include "toolbox/cuda/stream.cuh"
#include "toolbox/cuda/team_arrays.cuh"
#include "toolbox/parts_of_vector.hpp"

// Defines the operation of `triad` on one element. The kernels of toolbox/cuda/stream.cuh apply it to whole
// arrays.
namespace sextant::triad {

struct Operation {
  static constexpr int inputs = 2;
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a + static_cast<T>(scalar) * b;
  }
};

}  // namespace sextant::triad

// The arrays are divided among the GPUs. Two variants share this code: `team`, with one process for all GPUs,
// and `mpi`, with a process per GPU.
namespace sextant::triad {

template <typename T>
void launch_part(const Call& call, std::int64_t n, const T* a, const T* b, T* c, cudaStream_t stream) {
  const auto [items_per_thread, block] = call.tuned<stream::VectorBlock>();
  const std::int64_t threads = n / vector_length<T> + n % vector_length<T>;
  stream::Items::with(items_per_thread, [&]<int items>() {
    stream::vector<Operation, items><<<blocks_for(threads, block * items), block, 0, stream>>>(n, a, b, c);
  });
}

inline void fit_part(const Problem& problem, stream::VectorBlock& block) {
  stream::adapt_vector<Operation>(longest_part(problem), block);
}

// Returns a variant with all members except the launch and those that allocate and distribute the arrays.
inline Variant variant_of_parts() {
  Variant variant = stream::vector_variant<Operation>();
  variant.memory_space = MemorySpace::partitioned;
  variant.adapt = by_name<fit_part>;
  variant.constraint = [](const Problem& problem, const int*) { return refuse_few_elements(problem); };
  variant.workspace = [](const Problem& problem, const int*) { return bytes_of_longest_part(problem, 3); };
  return variant;
}

}  // namespace sextant::triad

namespace sextant {
namespace {

namespace elementwise {

struct Block {
  int block_size = 512;
};

template <typename T>
__global__ void triad_elementwise(std::int64_t n, const T* a, const T* b, T* c, T s) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + s * b[i];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  const auto grid = static_cast<unsigned>((n + block - 1) / block);
  triad_elementwise<T><<<grid, block, 0, static_cast<cudaStream_t>(call.stream)>>>(
      n, call.array<const T>(0), call.array<const T>(1), call.array<T>(2), static_cast<T>(triad::scalar));
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Block& block) {
  if (problem.n >= (std::int64_t{8} << 20)) block.block_size = 256;
}

}  // namespace elementwise

// The arrays are divided among MPI ranks with one GPU each. No communication is needed; the variant tests
// whether ranks slow each other down.
namespace mpi {

using gpu_ranks::GpuSlab;

struct Part {
  std::array<std::unique_ptr<GpuSlab>, 3> arrays;
};

template <typename T>
void launch(const Call& call) {
  const auto& [a, b, c] = static_cast<const Part*>(call.state)->arrays;
  triad::launch_part(call, a->own().count, a->data<const T>(), b->data<const T>(), c->data<T>(),
                     gpu_ranks::stream_of(parts::gpu_rank_of(call)));
}

const char* prepare(const Call& call, void** state) {
  auto part = std::make_unique<Part>();
  const auto element = static_cast<std::int64_t>(element_size(call.problem.type));
  for (std::unique_ptr<GpuSlab>& array : part->arrays) {
    array = std::make_unique<GpuSlab>(parts::gpu_rank_of(call), call.problem.extents.x, element, 0);
    if (!array->is_there()) return "no device memory for a rank's partition";
  }
  *state = part.release();
  return nullptr;
}

void scatter(const Call& call) {
  const auto& arrays = static_cast<const Part*>(call.state)->arrays;
  for (std::size_t i = 0; i < arrays.size(); ++i) arrays[i]->scatter(call.address(i));
}

Variant form() {
  Variant variant = triad::variant_of_parts();
  variant.description = "MPI ranks with one GPU and one partition each; 16-byte accesses, streaming stores";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Part*>(state); };
  variant.parts.needs_mpi = true;
  variant.parts.scatter = scatter;
  variant.parts.gather = [](const Call& call) {
    static_cast<const Part*>(call.state)->arrays[2]->gather(call.address(2));
  };
  return variant;
}

}  // namespace mpi

// The arrays are divided among the GPUs. No communication is needed; the variant tests whether GPUs slow each
// other down.
namespace team {

struct Part {
  static constexpr int arrays = 3;
  template <typename T>
  static void launch(const Call& call, std::int64_t n, T* const* arrays, cudaStream_t stream) {
    triad::launch_part<T>(call, n, arrays[0], arrays[1], arrays[2], stream);
  }
};

Variant form() {
  Variant variant = triad::variant_of_parts();
  variant.description = "one partition and one host thread per GPU; 16-byte accesses, streaming stores";
  peers::complete_team_arrays<Part, float, double>(variant);
  return variant;
}

}  // namespace team

}  // namespace

std::vector<Variant> triad_cuda() {
  return {
      {.name = "elementwise",
       .description = "the study's form: one element per thread",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<elementwise::Block>(
           {{"block_size", &elementwise::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(elementwise::launch),
       .adapt = by_name<elementwise::adapt>},
      named("mpi", mpi::form()),
      named("team", team::form()),
      named("vector", stream::vector_variant<triad::Operation>()),
  };
}

}  // namespace sextant
