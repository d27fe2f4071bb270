// Final summation in the OpenACC variants. Each thread stores its partial sums, and a second region adds
// them. A reduction clause is not used, because GCC's OpenACC has no array reductions. Its scalar reductions
// use one shared compare-and-swap loop.
#pragma once

#include <openacc.h>

#include "ep.hpp"

namespace sextant::ep {

// Adds partials[value * parts + part] over all parts and writes the outputs, with one gang per value. The
// values are sum X, sum Y, sum |X|, sum |Y|, then the ring counts.
inline void add_partials(std::int64_t parts, const double* partials, double* sums, double* counts) {
#pragma acc parallel num_gangs(partial_values) num_workers(8) vector_length(32) deviceptr(partials) \
    present(sums [0:sum_count], counts [0:ring_count])
  {
#pragma acc loop gang
    for (int value = 0; value < partial_values; ++value) {
      double sum = 0;
#pragma acc loop worker vector reduction(+ : sum)
      for (std::int64_t part = 0; part < parts; ++part) sum += partials[value * parts + part];
      if (value < 4)
        sums[value] = sum;
      else
        counts[value - 4] = sum;
    }
  }
#pragma acc parallel num_gangs(1) num_workers(1) vector_length(32) \
    present(sums [0:sum_count], counts [0:ring_count])
  {
    double accepted = 0;
    for (int l = 0; l < ring_count; ++l) accepted += counts[l];
    sums[4] = accepted;
  }
}

constexpr std::int64_t partial_bytes(std::int64_t parts) {
  return parts * partial_values * std::int64_t{sizeof(double)};
}

inline const char* allocate_partials(std::int64_t parts, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(partial_bytes(parts)));
  return *state ? nullptr : "no device memory for the partial sums";
}

}  // namespace sextant::ep
