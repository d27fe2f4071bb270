// What a launch of a team tells who launched it.
#pragma once

namespace sextant::parts {

// Set by a launch that has waited for all parts' streams itself: they are idle, and need not be asked once
// more.
inline bool launch_has_waited = false;

}  // namespace sextant::parts
