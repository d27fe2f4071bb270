// Resets the processor's rounding mode and flush-to-zero flags, which a measured kernel may have changed.
#pragma once

namespace sextant {

// Sets this thread and OpenMP's threads to round to nearest, without flush-to-zero.
void set_usual_arithmetic();
// Returns true if this thread rounds to nearest, without flush-to-zero.
bool is_arithmetic_usual();

}  // namespace sextant
