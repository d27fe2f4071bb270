#include "planes.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

// Number of parallel tasks. Each computes some of the transforms and has its own workspace. Several tasks per
// thread balance the load.
std::int64_t parts() { return std::int64_t{4} * omp_get_max_threads(); }
std::int64_t planes_of_parts(const Problem& problem) { return parts() * fft1d::planes_of(problem); }

template <typename T>
void launch(const Call& call) {
  const std::int64_t length = fft1d::length_of(call.problem), batches = fft1d::batches_of(call.problem),
                     all = parts();
  T* state = static_cast<T*>(call.state);
  for_each_index(0, all, [=](std::int64_t part) {
    for (std::int64_t b = batches * part / all; b < batches * (part + 1) / all; ++b)
      fft1d::transform(length, call.array<const T>(0) + 2 * b * length, state,
                       state + 2 * length + part * fft1d::planes_of(call.problem),
                       call.array<T>(1) + 2 * b * length);
  });
}

}  // namespace

std::vector<Variant> fft1d_stdpar() {
  Variant variant = fft1d::host_variant<planes_of_parts>(
      "std::for_each over groups of transforms, each a SIMD Stockham transform of radix 4");
  variant.name = "for_each";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return {variant};
}

}  // namespace sextant
