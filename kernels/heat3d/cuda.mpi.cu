// Variant cuda.mpi: the box is divided along z into slabs of whole planes, one per rank. Each rank has a GPU
// and sweeps its slab as `march` does. In each step a rank receives R planes from each neighbour by MPI,
// directly between GPUs or through pinned host memory.
// With overlap_exchange=1 the messages travel while the planes that need no halo are swept. The R outermost
// planes on each side follow on a second stream. With overlap_exchange=0 the exchange comes first.
#include <memory>

#include "slab_march.cuh"
#include "toolbox/cuda/gpu_mail.hpp"
#include "toolbox/cuda/gpu_slab.hpp"

namespace sextant {
namespace {

using gpu_ranks::GpuSlab;
using gpu_ranks::Mail;
using gpu_ranks::Way;
using heat3d::SlabMarch;
using heat3d::SlabShape;
using heat3d::SlabStep;

// A rank's planes of one array, and the messages that carry its halos.
struct Planes {
  Planes(const Call& call, const parts::GpuRank& rank, Way way)
      : slab(rank, call.problem.extents.z, heat3d::plane_bytes(call.problem),
             heat3d::radius_of(call.problem)),
        halos(rank, way) {}
  bool make() { return slab.is_there() && halos.make(slab.sent(), slab.received()); }

  GpuSlab slab;
  Mail halos;
};

struct Heat {
  explicit Heat(const parts::GpuRank& its_rank) : rank(its_rank) {}
  const parts::GpuRank& rank;
  std::unique_ptr<Planes> u, v, w;  // array w alternates with v if there are several steps
  SlabMarch march;
};

void fetch(const Call& call, Planes& from, cudaStream_t stream) {
  if (call.parts.what == parts::Do::compute) return;
  from.halos.begin(stream);
  from.halos.end(stream);
}

// Launches one step with overlap. The host waits inside the exchange, so the sweep of the inner planes is
// launched first.
void step_overlapped(const Call& call, const SlabMarch& march, Planes& from, const SlabStep& planes,
                     bool is_first, cudaStream_t stream) {
  if (is_first) cudaEventRecord(march.inner, stream);
  cudaStreamWaitEvent(march.side, march.inner);
  if (!is_first) cudaStreamWaitEvent(stream, march.outer);
  planes.sweep(march.on_stream, march.first, march.last);
  cudaEventRecord(march.inner, stream);
  fetch(call, from, march.side);
  planes.sweep_outer(march);
  cudaEventRecord(march.outer, march.side);
}

// The parameter `Way` gives each transport its own launch function, because variants must not share code.
template <Way>
void launch(const Call& call) {
  const auto& heat = *static_cast<const Heat*>(call.state);
  const cudaStream_t stream = gpu_ranks::stream_of(heat.rank);
  const std::int64_t steps = heat3d::steps_of(call.problem);
  const bool overlaps = call.tuned<SlabShape>().overlap_exchange && heat.rank.size > 1;
  for (std::int64_t step = 0; step < steps; ++step) {
    const bool into_v = (steps - step) % 2 == 1;
    Planes &from = step == 0 ? *heat.u : into_v ? *heat.w : *heat.v, &to = into_v ? *heat.v : *heat.w;
    const SlabStep planes{call, from.slab.data<char>(), to.slab.data<char>(), static_cast<int>(step & 1)};
    if (overlaps) {
      step_overlapped(call, heat.march, from, planes, step == 0, stream);
    } else {
      fetch(call, from, stream);
      planes.sweep(heat.march.on_stream, heat.march.begin, heat.march.end);
    }
  }
  if (overlaps) cudaStreamWaitEvent(stream, heat.march.outer);
}

template <Way way>
const char* prepare(const Call& call, void** state) {
  const parts::GpuRank& rank = parts::gpu_rank_of(call);
  if (const char* reason = gpu_ranks::why_not(rank, way)) return reason;
  auto heat = std::make_unique<Heat>(rank);
  for (std::unique_ptr<Planes>* planes : {&heat->u, &heat->v, &heat->w}) {
    if (planes == &heat->w && heat3d::steps_of(call.problem) == 1) continue;
    *planes = std::make_unique<Planes>(call, rank, way);
    if (!(*planes)->make()) return "not enough GPU memory or pinned host memory for a rank's planes";
  }
  const GpuSlab& slab = heat->u->slab;
  heat->march.make(call, {slab.below(), slab.own().count, slab.above()}, gpu_ranks::stream_of(rank));
  *state = heat.release();
  return nullptr;
}

void scatter(const Call& call) {
  const auto* heat = static_cast<const Heat*>(call.state);
  heat->u->slab.scatter(call.address(0));
  heat->v->slab.scatter(call.address(1));
}

void gather(const Call& call) { static_cast<const Heat*>(call.state)->v->slab.gather(call.address(1)); }

}  // namespace

namespace heat3d {

Variant variant_of_gpu_ranks(Way way) {
  Variant variant;
  variant.memory_space = MemorySpace::partitioned;
  variant.description =
      way == Way::staged
          ? "MPI ranks with one GPU and one slab of planes each, swept as in `march`; halos staged in "
            "host memory"
          : "MPI ranks with one GPU and one slab of planes each, swept as in `march`; halos sent between "
            "GPU memories";
  variant.tunables = tunables<SlabShape>(slab_members());
  variant.adapt = by_name<fit_slabs>;
  const auto own = way == Way::staged ? launch<Way::staged> : launch<Way::straight>;
  variant.launch = {.float32 = own, .float64 = own};
  variant.constraint = by_name<refuse_slabs>;
  variant.workspace = by_name<slabs_workspace>;
  variant.prepare = way == Way::staged ? prepare<Way::staged> : prepare<Way::straight>;
  variant.release = [](void* state) { delete static_cast<Heat*>(state); };
  variant.parts.scatter = scatter;
  variant.parts.gather = gather;
  variant.parts.separable = true;
  variant.parts.needs_mpi = true;
  return variant;
}

}  // namespace heat3d

std::vector<Variant> heat3d_cuda_mpi() {
  return {
      named("mpi", heat3d::variant_of_gpu_ranks(gpu_ranks::Way::straight)),
      named("mpi_staged", heat3d::variant_of_gpu_ranks(gpu_ranks::Way::staged)),
  };
}

}  // namespace sextant
