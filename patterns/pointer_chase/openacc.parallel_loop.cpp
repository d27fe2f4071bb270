#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Lengths = Choices<32, 64, 128, 256>;

struct Gang {
  int vector_length = 32;
};

// The vector length is a template argument, as GCC wants it constant.
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

}  // namespace

Variant pointer_chase_openacc_parallel_loop() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "the form one writes first: a parallel loop over chains";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
