#include "chase.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Block {
  int block_size = 64;
};

void launch(const Call& call) { pointer_chase::launch_lanes<32>(call, call.tuned<Block>().block_size); }

}  // namespace

Variant pointer_chase_cuda_thread() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the form one writes first: a chain a thread";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
