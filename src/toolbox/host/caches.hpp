// What a variant's default takes for granted of the host's caches.
#pragma once

#include <cstdint>

namespace sextant {

// Whether arrays of so many bytes together are taken to stay in caches: 16 MiB, between 10 MiB, where stencils that
// compute neighbours side by side to save reads from memory lost on two cores of an AMD EPYC, and 36 MiB, where they tied.
inline bool fits_in_caches(std::int64_t bytes) { return bytes <= std::int64_t{16} << 20; }

}  // namespace sextant
