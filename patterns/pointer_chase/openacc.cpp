#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

// Each lane walks several chains at once. With L lanes, lane l walks chains l, l + L, l + 2 L, …
namespace interleaved {

using Lengths = Choices<32, 64, 128, 256>;
using Chains = Choices<2, 4, 8>;

struct Gang {
  int vector_length = 128, chains_per_lane = 4;
};

template <int length, int width>
void chase(std::int64_t places, std::int64_t chains, std::int64_t steps, const std::int32_t* next,
           const std::int32_t* start, std::int32_t* last) {
  const std::int64_t lanes = (chains + width - 1) / width;
  const int gangs = openacc::gangs_for(lanes, length);
#pragma acc parallel loop gang(static : 1) vector vector_length(length) num_gangs(gangs) \
    present(next [0:places], start [0:chains], last [0:chains])
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    std::int32_t at[width];
#pragma GCC unroll 8
    for (int k = 0; k < width; ++k) {
      const std::int64_t c = lane + k * lanes;
      at[k] = start[c < chains ? c : lane];
    }
#pragma acc loop seq
    for (std::int64_t s = 0; s < steps; ++s)
#pragma GCC unroll 8
      for (int k = 0; k < width; ++k) at[k] = next[at[k]];
#pragma GCC unroll 8
    for (int k = 0; k < width; ++k) {
      const std::int64_t c = lane + k * lanes;
      if (c < chains) last[c] = at[k];
    }
  }
}

void launch(const Call& call) {
  const Problem& problem = call.problem;
  const auto shape = call.tuned<Gang>();
  Lengths::with(shape.vector_length, [&]<int length>() {
    Chains::with(shape.chains_per_lane, [&]<int width>() {
      chase<length, width>(pointer_chase::places_of(problem), pointer_chase::chains_of(problem),
                           pointer_chase::steps_of(problem), call.array<const std::int32_t>(0),
                           call.array<const std::int32_t>(1), call.array<std::int32_t>(2));
    });
  });
}

}  // namespace interleaved

namespace parallel_loop {

using Lengths = Choices<32, 64, 128, 256>;

struct Gang {
  int vector_length = 32;
};

// The vector length is a template argument because GCC accepts only a constant there.
template <int length>
void chase(std::int64_t places, std::int64_t chains, std::int64_t steps, const std::int32_t* next,
           const std::int32_t* start, std::int32_t* last) {
#pragma acc parallel loop gang vector vector_length(length) \
    present(next [0:places], start [0:chains], last [0:chains])
  for (std::int64_t c = 0; c < chains; ++c) {
    std::int32_t j = start[c];
#pragma acc loop seq
    for (std::int64_t s = 0; s < steps; ++s) j = next[j];
    last[c] = j;
  }
}

void launch(const Call& call) {
  const Problem& problem = call.problem;
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    chase<length>(pointer_chase::places_of(problem), pointer_chase::chains_of(problem),
                  pointer_chase::steps_of(problem), call.array<const std::int32_t>(0),
                  call.array<const std::int32_t>(1), call.array<std::int32_t>(2));
  });
}

}  // namespace parallel_loop

}  // namespace

std::vector<Variant> pointer_chase_openacc() {
  return {
      {.name = "interleaved",
       .description = "several chains per lane, with their loads in flight together",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<interleaved::Gang>(
           {{"vector_length", &interleaved::Gang::vector_length, interleaved::Lengths::list()},
            {"chains_per_lane", &interleaved::Gang::chains_per_lane, interleaved::Chains::list()}}),
       .launch = {.int32 = interleaved::launch}},
      {.name = "parallel_loop",
       .description = "the plain form: a parallel loop over chains",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<parallel_loop::Gang>(
           {{"vector_length", &parallel_loop::Gang::vector_length, parallel_loop::Lengths::list()}}),
       .launch = {.int32 = parallel_loop::launch}},
  };
}

}  // namespace sextant
