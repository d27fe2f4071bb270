#include "study.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_cg;

struct Block {
  int block_size = 64;
};

void launch(const Call& call) {
  const auto& state = *static_cast<const StudyState*>(call.state);
  const auto multiply = [&](const double* p, double* q) {
    const auto threads = static_cast<unsigned>(state.block);
    multiply_rows<<<static_cast<unsigned>(call.problem.extents.x), threads, threads * sizeof(double),
                    stream_of(call)>>>(state.rows.row.data, state.rows.column.data, state.rows.value.data, p,
                                       q);
  };
  Study(call, state, multiply).run();
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<StudyState>();
  if (const char* why_not = made->make(call.problem, call.tuned<Block>().block_size)) return why_not;
  *state = made.release();
  return nullptr;
}

}  // namespace

Variant npb_cg_cuda_study() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the published form: a block a row, sums that the host finishes, a kernel a loop";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = {.float64 = launch};
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<StudyState*>(state); };
  variant.workspace = rows_workspace;
  return variant;
}

}  // namespace sextant
