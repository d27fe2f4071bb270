// Host memory that a variant keeps between launches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#if defined(__linux__)
  #include <sys/mman.h>
#endif

namespace sextant {

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};
template <typename T>
using HostMemory = std::unique_ptr<T[], FreeMemory>;

// Allocates uninitialized memory, in huge pages if the system provides them. Huge pages avoid TLB misses of
// strided access. Returns null if the allocation failed.
template <typename T>
HostMemory<T> allocate_host(std::int64_t count) {
  constexpr std::size_t page = std::size_t{2} << 20;
  const std::size_t wanted = static_cast<std::size_t>(count) * sizeof(T);
  const std::size_t alignment = wanted >= page ? page : 4096;
  const std::size_t bytes = (wanted + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, std::max(bytes, alignment));
#if defined(__linux__)
  if (memory && alignment == page) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return HostMemory<T>(static_cast<T*>(memory));
}

}  // namespace sextant
