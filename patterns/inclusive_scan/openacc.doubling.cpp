// The form that one would write first: log2(n) sweeps, each adding what lies 1, 2, 4, … elements before.
#include <openacc.h>

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "sweeps.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument, as GCC wants it constant.
template <typename T, int length>
void sweep(std::int64_t n, std::int64_t distance, const T* from, T* to) {
#pragma acc parallel loop deviceptr(from, to) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) to[i] = i < distance ? from[i] : from[i - distance] + from[i];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = static_cast<const T*>(acc_deviceptr(call.arrays[0]));
  T* y = static_cast<T*>(acc_deviceptr(call.arrays[1]));
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    inclusive_scan::for_sweeps(
        n, a, y, static_cast<T*>(call.state),
        [n](std::int64_t distance, const T* from, T* to) { sweep<T, length>(n, distance, from, to); });
  });
}

std::int64_t workspace(const Problem& problem, const Gang&) {
  return problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, {})));
  return *state ? nullptr : "no device memory for the sums between sweeps";
}

}  // namespace

Variant inclusive_scan_openacc_doubling() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "log2(n) sweeps, each adding what lies 1, 2, 4, ... elements before";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { acc_free(state); };
  return variant;
}

}  // namespace sextant
