// How the processor rounds, and whether it flushes small numbers to zero: code of a variant may change that
// for whatever runs after it.
#pragma once

namespace sextant {

// Rounds to nearest and flushes nothing from here on: this thread and OpenMP's.
void set_usual_arithmetic();
// Whether this thread does so.
bool is_arithmetic_usual();

}  // namespace sextant
