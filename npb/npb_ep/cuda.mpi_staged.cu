// Pairs cut into as many parts as there are ranks with a GPU each, which adds up its own as `streams` does; the 15 numbers go
// to the host, and one reduction brings every rank those of all.
#include <memory>

#include "rank_result.hpp"
#include "streams_launch.cuh"
#include "toolbox/cuda/gpu_mail.hpp"
#include "toolbox/share.hpp"

namespace sextant {
namespace {

using namespace ep;

struct Part : RankResult {
  explicit Part(const parts::GpuRank& its_rank) : rank(its_rank) {}
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() {
    if (state) release_state(state);
    if (on_gpu) rank.memory->release(rank, 0, on_gpu);
  }
  const parts::GpuRank& rank;
  State* state = nullptr;
  RankResult* on_gpu = nullptr;
  gpu_ranks::PinnedMemory own;  // the same, on the host
};

void launch(const Call& call) {
  auto& part = *static_cast<Part*>(call.state);
  const cudaStream_t stream = gpu_ranks::stream_of(part.rank);
  if (call.what != parts::Do::exchange) {
    const Share share = share_of(call.problem.extents.x, part.rank.size, part.rank.rank);
    launch_streams(call.tuned<Blocks>(), *part.state, share.first, share.count, part.on_gpu->sums,
                   part.on_gpu->counts, stream);
    cudaMemcpyAsync(part.own.data<void>(), part.on_gpu, sizeof(RankResult), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
  }
  RankResult& result = part;
  result = *part.own.data<RankResult>();
  if (call.what != parts::Do::compute) add_all(part.rank, &result);
}

const char* prepare(const Call& call, void** state) {
  const parts::GpuRank& rank = parts::gpu_rank_of(call);
  auto part = std::make_unique<Part>(rank);
  part->on_gpu = static_cast<RankResult*>(rank.memory->allocate(rank, 0, sizeof(RankResult)));
  if (!part->on_gpu || !part->own.allocate(sizeof(RankResult))) return "no memory for the sums";
  *part->own.data<RankResult>() = {};
  if (const char* reason = make_state(call.tuned<Blocks>(), &part->state)) return reason;
  *state = part.release();
  return nullptr;
}

const char* refuse(const Problem& problem, const Blocks& blocks) {
  if (const char* reason = why_too_few(problem)) return reason;
  return refuse_streams(share_of(problem.extents.x, problem.parts, 0).count, blocks);
}

std::int64_t workspace(const Problem&, const Blocks& blocks) { return streams_workspace(blocks) + 4096; }

}  // namespace

Variant npb_ep_cuda_mpi_staged() {
  Variant variant;
  complete_result<Part>(variant);
  variant.description =
      "ranks with a GPU and a part of the pairs each, added up as streams does; one reduction to all";
  variant.tunables = streams_tunables();
  variant.launch = {.float64 = launch};
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  return variant;
}

}  // namespace sextant
