// OpenACC device memory, and the directive of the loops in offloaded.hpp.
#pragma once

#include <openacc.h>

#include <cstdint>

#include "toolbox/npb_random.hpp"
#include "toolbox/openacc/pack.hpp"

#define SEXTANT_PRAGMA(text) _Pragma(#text)
#define SEXTANT_REGION(...) SEXTANT_PRAGMA(acc parallel loop gang vector vector_length(128) __VA_ARGS__)
#define SEXTANT_LOOP(...) SEXTANT_REGION(deviceptr(__VA_ARGS__))

namespace sextant::npb_mg::device {
namespace {

inline double* allocate(std::int64_t count) {
  return static_cast<double*>(acc_malloc(static_cast<std::size_t>(count) * sizeof(double)));
}
inline void release(double* memory) {
  if (memory) acc_free(memory);
}
inline double* address(double* mapped) { return static_cast<double*>(acc_deviceptr(mapped)); }

}  // namespace
}  // namespace sextant::npb_mg::device
