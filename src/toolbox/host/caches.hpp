// What a variant's default takes for granted of the host's caches.
#pragma once

#include <cstdint>

#if defined(__linux__)
  #include <unistd.h>
#endif

namespace sextant {

// Whether arrays of so many bytes together are taken to stay in caches: 16 MiB, between 10 MiB, where
// stencils that compute neighbours side by side to save reads from memory lost on two cores of an AMD EPYC,
// and 36 MiB, where they tied.
inline bool fits_in_caches(std::int64_t bytes) { return bytes <= std::int64_t{16} << 20; }

// Bytes of the last cache that a core has for itself, the second level; 1 MiB where the system does not say.
inline std::int64_t own_cache() {
#if defined(_SC_LEVEL2_CACHE_SIZE)
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0) return bytes;
#endif
  return std::int64_t{1} << 20;
}

// Bytes of the cache that cores share, the third level; those of a core's own where the system names none.
inline std::int64_t shared_cache() {
#if defined(_SC_LEVEL3_CACHE_SIZE)
  const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (bytes > 0) return bytes;
#endif
  return own_cache();
}

}  // namespace sextant
