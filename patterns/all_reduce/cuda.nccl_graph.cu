// What cuda.nccl calls each time, recorded once as a graph a GPU.
#include "nccl_sum.cuh"

namespace sextant {
namespace {

using all_reduce::NcclSum;

void launch(const Call& call) { static_cast<NcclSum*>(call.state)->graphs.launch(parts::team_of(call)); }

const char* prepare(const Call& call, void** state) {
  auto sum = std::make_unique<NcclSum>();
  if (const char* reason = all_reduce::make_nccl_sum(call, *sum)) return reason;
  sum->graphs.record(parts::team_of(call), [&] {
    call.problem.type == ElementType::float64 ? all_reduce::call_nccl<double>(call, *sum)
                                              : all_reduce::call_nccl<float>(call, *sum);
  });
  if (const char* reason = nccl::refusal(sum->said, sum->graphs.is_there(), nccl::not_recorded,
                                         "cuda.nccl makes them each time"))
    return reason;
  *state = sum.release();
  return nullptr;
}

}  // namespace

Variant all_reduce_cuda_nccl_graph() {
  Variant variant =
      all_reduce::by_nccl("NCCL's own, all GPUs in one process, recorded once as a graph a GPU");
  variant.launch = {.float32 = launch, .float64 = launch};
  variant.prepare = prepare;
  return variant;
}

}  // namespace sextant
