// Memory traffic of a kernel: bytes in whole cache lines, and strided walks.
#pragma once

#include "predict/form.hpp"

namespace sextant::predict {

// Smallest memory transfer in bytes.
inline constexpr double cpu_line = 64, gpu_sector = 32;

double element_bytes(const Form& form);
double passes(const Form& form);  // number of passes over the items, at least 1

// Footprint in bytes: all arrays, or the bytes that one pass reads or writes if they are more. Programs that
// allocate their arrays internally need the latter.
double footprint_of(const Form& form);

struct Traffic {
  double bytes = 0, write_share = 0;
};

// Bytes that all passes move: the problem's own bytes, or all arrays once per pass if that is more. A pass
// that depends on the previous one finds no data in registers. Strides waste the rest of each line of `least`
// bytes, unless the arrays fit in `cache` bytes of the cache next to the core. Outer caches transfer whole
// lines as well.
Traffic traffic(const Form& form, double least, double cache);

// Bytes that CPU memory moves per access of a strided sweep if no cache keeps the line until the next sweep.
// A stride that skips the next line within a page moves two lines, because the second-level cache fetches
// pairs.
double line_of_sweeps(const Form& form);

// A strided walk on a CPU. A sweep touches one line per step, and the next sweep reads the neighbouring
// elements. If a sweep's lines stay in the second-level cache, memory moves each line once and the cache
// serves every use.
struct Walk {
  double lines = 0;  // bytes of the lines of one sweep
  double uses = 1;   // uses of a line by the core that holds it
};

// Each of `cores` cores takes a contiguous chunk of the sweeps. Strides of 2^k lines use only one in 2^k
// cache sets. Returns a default Walk if the lines do not stay in a second-level cache of `l2_cache` bytes.
Walk walk(const Form& form, double stride, double l2_cache, double cores);

// True if the stride is too long for a regular walk, so that positions count as random.
bool at_random(const Form& form, double stride);

}  // namespace sextant::predict
