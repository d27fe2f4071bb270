// CUB's inclusive scan of the transition functions of 64-byte blocks. The input iterator computes the
// functions; the output iterator extracts the states.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <cub/device/device_scan.cuh>

#include "toolbox/cuda/cub.cuh"
#include "transitions.cuh"

namespace sextant {
namespace {

using dfa::Packed;

struct TransitionOfBlock {
  const unsigned char *table, *text;

  __device__ Packed operator()(std::int64_t block) const {
    const auto* words = reinterpret_cast<const std::int32_t*>(text + block * dfa::block_bytes);
    dfa::Transition transition;
    for (int w = 15; w >= 0; --w) {
      const auto word = static_cast<unsigned>(words[w]);
      for (int k = 3; k >= 0; --k)
        transition.follow(dfa::transition_of(table + 16 * (word >> (8 * k) & 0xFF)));
    }
    return transition.packed();
  }
};

struct After {
  __device__ Packed operator()(Packed first, Packed second) const { return dfa::composed(second, first); }
};

struct FromZero {
  __device__ std::int32_t operator()(Packed transition) const { return dfa::led_to(transition, 0); }
};

struct Scan {
  template <typename T>
  static cudaError_t run(const Call& call, void* storage, std::size_t& bytes, cudaStream_t stream) {
    const dfa::Task task(call);
    const auto transitions = thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                                             TransitionOfBlock{task.table, task.text});
    const auto states = thrust::make_transform_output_iterator(task.state, FromZero{});
    return cub::DeviceScan::InclusiveScan(storage, bytes, transitions, states, After{}, task.blocks, stream);
  }
};

}  // namespace

std::vector<Variant> dfa_library_cu() {
  return {named("cub",
                cub_algorithm::variant<Scan, std::int32_t>(
                    "CUB DeviceScan::InclusiveScan over transition functions of 64 bytes, composed by byte "
                    "permutations"))};
}

}  // namespace sextant
