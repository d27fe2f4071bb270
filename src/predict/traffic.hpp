// What a kernel moves between memory and those who compute: bytes of whole lines, and walks by strides.
#pragma once

#include "predict/form.hpp"

namespace sextant::predict {

// Bytes that memory gives at least, whatever is asked for.
inline constexpr double cpu_line = 64, gpu_sector = 32;

double element_bytes(const Form& form);
double passes(const Form& form);  // at least 1

// Bytes that are walked over: all arrays, or what a pass reads or writes where that is more, as of programs
// whose arrays are their own but for a few results.
double footprint_of(const Form& form);

struct Traffic {
  double bytes = 0, write_share = 0;
};

// Bytes of all passes: what the problem asks for, or all arrays once a pass where that is more, as a pass
// that needs the one before finds them in no register. Strides waste what lies between, down to lines of
// `least` bytes, but for arrays that fit into `cache`, the one beside the core, which keeps them for their
// turn: caches further off hand over whole lines, too.
Traffic traffic(const Form& form, double least, double cache);

// What a CPU's memory gives to sweeps through arrays by strides that no cache keeps until the next one: a
// line, or, where a sweep goes past the next line within a page, both lines of a pair, as the second cache
// fetches them together.
double line_of_sweeps(const Form& form);

// A CPU's walk by strides: a sweep touches a line at each step, and the next one asks for what lies beside.
// Where the lines of a sweep stay in the core's second cache until then, memory moves them once, and that
// cache hands them over each time.
struct Walk {
  double lines = 0;  // bytes of a sweep
  double uses = 1;   // of a line by the core that has it
};

// `cores` share the sweeps: each has so many at a stretch. Of strides of 2^k lines only one set of a cache in
// 2^k has lines.
Walk walk(const Form& form, double stride, double l2_cache, double cores);

// Whether so long a stride is one of places at random, and not of steps through the arrays.
bool at_random(const Form& form, double stride);

}  // namespace sextant::predict
