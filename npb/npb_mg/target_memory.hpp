// OpenMP offload device memory for offloaded.hpp. A file that includes this header must also define
// SEXTANT_LOOP before it includes offloaded.hpp.
#pragma once

#include <omp.h>

#include <cstdint>

#include "toolbox/npb_random.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/target/teams.hpp"

#define SEXTANT_PRAGMA(text) _Pragma(#text)
#define SEXTANT_REGION(...) SEXTANT_PRAGMA(omp __VA_ARGS__)

namespace sextant::npb_mg::device {
namespace {

inline double* allocate(std::int64_t count) {
  return static_cast<double*>(
      omp_target_alloc(static_cast<std::size_t>(count) * sizeof(double), omp_get_default_device()));
}
inline void release(double* memory) {
  if (memory) omp_target_free(memory, omp_get_default_device());
}
// Returns the device address of a mapped array.
inline double* address(double* mapped) {
  double* there = mapped;
#pragma omp target data use_device_ptr(mapped)
  there = mapped;
  return there;
}

}  // namespace
}  // namespace sextant::npb_mg::device
