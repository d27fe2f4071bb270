// The form that one would write first: a flag an element, their running sums by log2(n) sweeps, then every kept element to
// its place.
#include <openacc.h>

#include "../inclusive_scan/sweeps.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument, as GCC wants it constant.
template <typename T, int length>
void flag(std::int64_t n, const T* a, std::int32_t* flags) {
#pragma acc parallel loop deviceptr(a, flags) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) flags[i] = a[i] >= 0 ? 1 : 0;
}

template <int length>
void sweep(std::int64_t n, std::int64_t distance, const std::int32_t* from, std::int32_t* to) {
#pragma acc parallel loop deviceptr(from, to) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) to[i] = i < distance ? from[i] : from[i - distance] + from[i];
}

template <typename T, int length>
void write(std::int64_t n, const T* a, const std::int32_t* sums, T* y, std::int32_t* count) {
#pragma acc parallel loop deviceptr(a, sums, y, count) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) {
    if (a[i] >= 0) y[sums[i] - 1] = a[i];
    if (i == n - 1) *count = sums[i];
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = static_cast<const T*>(acc_deviceptr(call.arrays[0]));
  T* y = static_cast<T*>(acc_deviceptr(call.arrays[1]));
  auto* count = static_cast<std::int32_t*>(acc_deviceptr(call.arrays[2]));
  auto* flags = static_cast<std::int32_t*>(call.state);
  std::int32_t *sums = flags + n, *other = sums + n;
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    flag<T, length>(n, a, flags);
    inclusive_scan::for_sweeps(n, flags, sums, other,
                               [n](std::int64_t distance, const std::int32_t* from, std::int32_t* to) {
                                 sweep<length>(n, distance, from, to);
                               });
    write<T, length>(n, a, sums, y, count);
  });
}

std::int64_t workspace(const Problem& problem, const Gang&) {
  return 3 * problem.extents.x * static_cast<std::int64_t>(sizeof(std::int32_t));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, {})));
  return *state ? nullptr : "no device memory for the flags and their sums";
}

}  // namespace

Variant compact_openacc_doubling() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "flags, their sums by log2(n) sweeps, then each kept element to its place";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { acc_free(state); };
  return variant;
}

}  // namespace sextant
