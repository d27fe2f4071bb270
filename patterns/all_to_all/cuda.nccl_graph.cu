// What cuda.nccl calls each time, recorded once as a graph a GPU.
#include "nccl_pieces.cuh"

namespace sextant {
namespace {

using all_to_all::NcclPieces;

void launch(const Call& call) { static_cast<NcclPieces*>(call.state)->graphs.launch(parts::team_of(call)); }

const char* prepare(const Call& call, void** state) {
  auto pieces = std::make_unique<NcclPieces>();
  if (const char* reason = all_to_all::make_nccl_pieces(call, *pieces)) return reason;
  pieces->graphs.record(parts::team_of(call), [&] { all_to_all::call_nccl(call, *pieces); });
  if (const char* reason = nccl::refusal(pieces->said, pieces->graphs.is_there(), nccl::not_recorded,
                                         "cuda.nccl makes them each time"))
    return reason;
  *state = pieces.release();
  return nullptr;
}

}  // namespace

Variant all_to_all_cuda_nccl_graph() {
  Variant variant = all_to_all::by_nccl(
      "NCCL's sends and receives, all GPUs in one process, recorded once as a graph a GPU");
  variant.launch = {.float32 = launch, .float64 = launch};
  variant.prepare = prepare;
  return variant;
}

}  // namespace sextant
