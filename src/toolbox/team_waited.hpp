// Tells the engine whether a launch has already waited for its streams.
#pragma once

namespace sextant::parts {

// True if the last launch has waited for the streams of all partitions. The engine then need not synchronize
// again.
inline bool launch_has_waited = false;

}  // namespace sextant::parts
