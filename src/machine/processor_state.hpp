// The processor's rounding mode and flush-to-zero flags. A variant's code may change them and thereby affect
// the code that runs after it.
#pragma once

namespace sextant {

// Sets this thread and OpenMP's threads to round to nearest, without flush-to-zero.
void set_usual_arithmetic();
// Returns true if this thread rounds to nearest, without flush-to-zero.
bool is_arithmetic_usual();

}  // namespace sextant
