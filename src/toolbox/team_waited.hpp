// Tells the engine whether a launch has already waited for its streams.
#pragma once

namespace sextant::parts {

// Set by a launch that has itself waited for the streams of all partitions, so that the engine need not
// synchronize again.
inline bool launch_has_waited = false;

}  // namespace sextant::parts
