#include "nccl_pieces.cuh"

namespace sextant {
namespace {

using all_to_all::NcclPieces;

void launch(const Call& call) { all_to_all::call_nccl(call, *static_cast<NcclPieces*>(call.state)); }

const char* prepare(const Call& call, void** state) {
  auto pieces = std::make_unique<NcclPieces>();
  if (const char* reason = all_to_all::make_nccl_pieces(call, *pieces)) return reason;
  *state = pieces.release();
  return nullptr;
}

}  // namespace

Variant all_to_all_cuda_nccl() {
  Variant variant = all_to_all::by_nccl("NCCL's sends and receives in one group, all GPUs in one process");
  variant.launch = {.float32 = launch, .float64 = launch};
  variant.prepare = prepare;
  return variant;
}

}  // namespace sextant
