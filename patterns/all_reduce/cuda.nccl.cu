#include "nccl_sum.cuh"

namespace sextant {
namespace {

using all_reduce::NcclSum;

template <typename T>
void launch(const Call& call) {
  all_reduce::call_nccl<T>(call, *static_cast<NcclSum*>(call.state));
}

const char* prepare(const Call& call, void** state) {
  auto sum = std::make_unique<NcclSum>();
  if (const char* reason = all_reduce::make_nccl_sum(call, *sum)) return reason;
  *state = sum.release();
  return nullptr;
}

}  // namespace

Variant all_reduce_cuda_nccl() {
  Variant variant =
      all_reduce::by_nccl("NCCL's own, all GPUs in one process, by the algorithm that it chooses");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.prepare = prepare;
  return variant;
}

}  // namespace sextant
