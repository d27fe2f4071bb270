// Equal shares of a matrix whatever its rows are: a path goes through all entries in order and through the end of each row
// behind its last entry, and is cut into pieces of equal length (Merrill and Garland, "Merge-based parallel sparse
// matrix-vector multiplication", 2016).
#pragma once

#include <cstdint>

#ifdef __CUDACC__
  #define SEXTANT_SPMV_ANYWHERE __host__ __device__ __forceinline__
#else
  #define SEXTANT_SPMV_ANYWHERE inline __attribute__((always_inline))
#endif

namespace sextant::spmv {

// The first `rows` rows have ended and `entries` entries are done.
template <typename Count>
struct Place {
  Count rows, entries;
};

// After `steps` of the path; ends[r] is where the entries of row r end, of m rows with `entries` entries together.
template <typename Count>
SEXTANT_SPMV_ANYWHERE Place<Count> place_on_path(Count steps, Count m, Count entries,
                                                 const std::int32_t* ends) {
  Count low = steps > entries ? steps - entries : 0, high = steps < m ? steps : m;
  while (low < high) {
    const Count middle = (low + high) / 2;
    if (ends[middle] < steps - middle)  // the row's end is a step before this place
      low = middle + 1;
    else
      high = middle;
  }
  return {low, steps - low};
}

}  // namespace sextant::spmv
