
#include <openacc.h>

#include "factors.hpp"
#include "pass.hpp"
#include "suite/tunables.hpp"

// One compute region per pass, with intermediate results in global memory. Suits transforms of any length.
namespace sextant::fft1d {

using Lengths = Choices<64, 128, 256>;

struct Gang {
  int vector_length = 128;
};

template <int length_of_vectors, int radix, typename T>
void pass_of_all(std::int64_t batches, std::int64_t length, std::int64_t done, const Complex<T>* from,
                 const Complex<T>* factors, Complex<T>* to) {
  const std::int64_t all = batches * length / radix, butterflies = length / radix;
#pragma acc parallel loop gang vector deviceptr(from, factors, to) vector_length(length_of_vectors)
  for (std::int64_t at = 0; at < all; ++at) {
    const std::int64_t j = at & (butterflies - 1), first = (at - j) * radix;
    pass<radix>(from + first, to + first, factors, length, done, j);
  }
}

template <int most, typename T>
void launch_stages(const Call& call) {
  const std::int64_t length = length_of(call.problem), batches = batches_of(call.problem);
  for_each_pass<T>(
      call.problem, most, acc_deviceptr(call.address(0)), acc_deviceptr(call.address(1)), call.state,
      [&]<int radix>(std::int64_t done, const Complex<T>* from, Complex<T>* to, const Complex<T>* factors) {
        Lengths::with(call.tuned<Gang>().vector_length, [&]<int length_of_vectors>() {
          pass_of_all<length_of_vectors, radix>(batches, length, done, from, factors, to);
        });
      });
}

inline const char* prepare_stages(const Call& call, void** state) {
  const std::int64_t bytes = state_bytes(call.problem, nullptr), numbers = numbers_of(call.problem);
  void* factors = allocate_with_factors(call.problem, 0);
  *state = acc_malloc(static_cast<std::size_t>(bytes));
  const bool made = factors && *state;
  if (made)
    acc_memcpy_to_device(*state, factors,
                         static_cast<std::size_t>(bytes) -
                             static_cast<std::size_t>(numbers) * element_size(call.problem.type));
  std::free(factors);
  return made ? nullptr : "no memory for the twiddle factors and the workspace";
}

template <int most>
Variant stages_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::openacc;
  variant.description = description;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}});
  variant.launch = {.float32 = launch_stages<most, float>, .float64 = launch_stages<most, double>};
  variant.workspace = state_bytes;
  variant.prepare = prepare_stages;
  variant.release = [](void* state) { acc_free(state); };
  return variant;
}

}  // namespace sextant::fft1d

namespace sextant {

std::vector<Variant> fft1d_openacc() {
  return {
      named("registers", fft1d::stages_variant<16>(
                             "one region per four stages, with 16 elements in each thread's registers")),
      named("stages", fft1d::stages_variant<2>("the plain form: one region per radix-2 stage")),
  };
}

}  // namespace sextant
