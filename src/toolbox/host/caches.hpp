// Sizes of the host's caches, for the default tunings of variants.
#pragma once

#include <cstdint>

#if defined(__linux__)
  #include <unistd.h>
#endif

namespace sextant {

// Returns true if arrays of `bytes` bytes in total are assumed to stay in the caches. The threshold of 16 MiB
// was measured with stencils on an AMD EPYC.
inline bool fits_in_caches(std::int64_t bytes) { return bytes <= std::int64_t{16} << 20; }

// Returns the size in bytes of a core's private second-level cache, or 1 MiB if the system does not report
// it.
inline std::int64_t own_cache() {
#if defined(_SC_LEVEL2_CACHE_SIZE)
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0) return bytes;
#endif
  return std::int64_t{1} << 20;
}

// Returns the size in bytes of the shared third-level cache, or own_cache() if the system does not report it.
inline std::int64_t shared_cache() {
#if defined(_SC_LEVEL3_CACHE_SIZE)
  const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (bytes > 0) return bytes;
#endif
  return own_cache();
}

}  // namespace sextant
