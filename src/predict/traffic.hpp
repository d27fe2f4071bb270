// Estimates a kernel's memory traffic in whole cache lines, including strided accesses.
#pragma once

#include "predict/constants.hpp"
#include "predict/form.hpp"

namespace sextant::predict {

// Smallest memory transfer in bytes: a cache line of a CPU, a sector of a GPU.
inline constexpr double cpu_line = 64, gpu_sector = 32;

double element_bytes(const Form& form);
double passes(const Form& form);  // number of passes over the items, at least 1

// Footprint in bytes: the size of all arrays, or the bytes that one pass reads or writes if these are more.
// The latter covers programs that allocate arrays internally.
double footprint_of(const Form& form);

struct Traffic {
  double bytes = 0, write_share = 0;
};

// Bytes that all passes move: the problem's own bytes, or all arrays once per pass if that is more. A stride
// wastes the rest of each line of `least` bytes, unless the arrays fit in `cache` bytes of first-level cache.
Traffic traffic(const Form& form, double least, double cache);

// Bytes that CPU memory moves for each access of a strided loop whose lines no cache keeps. A stride that
// skips the next line within a page moves two lines, because the second-level cache prefetches pairs of
// lines.
double line_of_sweeps(const Constants& c, const Form& form);

// Cache behaviour of strided loops through an array on a CPU. Each sweep touches one cache line per step, and
// the next sweep reads the neighbouring elements. If the lines of a sweep stay in the second-level cache,
// memory moves each line only once.
struct Walk {
  double lines = 0;  // total bytes of the cache lines that one sweep touches
  double uses = 1;   // number of sweeps in which a core uses the same line
};

// Computes a Walk for this stride. Each of `cores` cores takes a contiguous chunk of the sweeps. A stride of
// 2^k lines uses only one in 2^k cache sets. Returns a default Walk if the lines do not stay in a
// second-level cache of `l2_cache` bytes.
Walk walk(const Constants& c, const Form& form, double stride, double l2_cache, double cores);

// True if the stride is too long for a regular loop. Accesses then count as random.
bool at_random(const Constants& c, const Form& form, double stride);

}  // namespace sextant::predict
