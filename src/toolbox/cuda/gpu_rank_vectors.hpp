// Arrays for MPI collectives between ranks that have one GPU each: one array to send and one to receive, on
// the GPU. If MPI does not accept GPU addresses, each array also has a copy in pinned host memory.
#pragma once

#include <memory>

#include "toolbox/cuda/gpu_slab.hpp"

namespace sextant::gpu_ranks {

struct Vectors {
  const parts::GpuRank* rank = nullptr;
  Way way = Way::staged;
  std::int64_t bytes = 0;
  std::unique_ptr<GpuSlab> from, to;
  PinnedMemory out, in;
};

// Calls exchange(send address, receive address), which makes the MPI call. Copies the data through pinned
// memory if needed.
template <typename Exchange>
void exchange_vectors(const Call& call, Exchange exchange) {
  const auto& vectors = *static_cast<const Vectors*>(call.state);
  char *const from = vectors.from->data<char>(), *const to = vectors.to->data<char>();
  if (vectors.way == Way::straight) return exchange(from, to);
  const auto bytes = static_cast<std::size_t>(vectors.bytes);
  const cudaStream_t stream = stream_of(*vectors.rank);
  cudaMemcpyAsync(vectors.out.data<void>(), from, bytes, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  exchange(vectors.out.data<char>(), vectors.in.data<char>());
  cudaMemcpyAsync(to, vectors.in.data<void>(), bytes, cudaMemcpyHostToDevice, stream);
}

// Allocates arrays of `count` elements on every rank. Returns null, or the reason of the failure.
inline const char* prepare_vectors(const Call& call, std::int64_t count, Way way, void** state) {
  const parts::GpuRank& rank = parts::gpu_rank_of(call);
  if (const char* reason = why_not(rank, way)) return reason;
  const auto element = static_cast<std::int64_t>(element_size(call.problem.type));
  auto vectors = std::make_unique<Vectors>();
  vectors->rank = &rank;
  vectors->way = way;
  vectors->bytes = count * element;
  for (std::unique_ptr<GpuSlab>* slab : {&vectors->from, &vectors->to}) {
    *slab = std::make_unique<GpuSlab>(rank, rank.size * count, element, 0);
    if (!(*slab)->is_there()) return "no device memory for a rank's arrays";
  }
  if (way == Way::staged && (!vectors->out.allocate(vectors->bytes) || !vectors->in.allocate(vectors->bytes)))
    return "no pinned memory for a rank's arrays";
  *state = vectors.release();
  return nullptr;
}

inline std::int64_t bytes_of_vectors(const Problem& problem, std::int64_t count) {
  return 2 * (count * static_cast<std::int64_t>(element_size(problem.type)) + 2 * 4096);
}

inline void complete_vectors(Variant& variant) {
  variant.memory_space = MemorySpace::partitioned;
  variant.parts.needs_mpi = true;
  variant.release = [](void* state) { delete static_cast<Vectors*>(state); };
  variant.parts.scatter = [](const Call& call) {
    const auto* vectors = static_cast<const Vectors*>(call.state);
    vectors->from->scatter(call.address(0));
    vectors->to->scatter(call.address(1));
  };
  variant.parts.gather = [](const Call& call) {
    static_cast<const Vectors*>(call.state)->to->gather(call.address(1));
  };
}

inline const char* description_of(Way way) {
  return way == Way::staged ? "MPI's collective, one GPU per rank, data staged in pinned host memory"
                            : "MPI's collective, one GPU per rank, on GPU memory";
}

}  // namespace sextant::gpu_ranks
