// Host memory whose end is followed by a page that cannot be accessed.
#pragma once

#include <cstddef>

namespace sextant::own {

// Zeroed memory of `bytes` bytes, aligned to 16 bytes. An access more than 15 bytes behind its end ends the
// process. With AddressSanitizer, which finds such accesses itself, it is ordinary memory.
class GuardedMemory {
 public:
  // Throws std::bad_alloc if there is no memory.
  explicit GuardedMemory(std::size_t bytes);
  ~GuardedMemory();
  GuardedMemory(GuardedMemory&& other) noexcept;
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  GuardedMemory& operator=(GuardedMemory&&) = delete;

  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  void* mapped_ = nullptr;  // null for ordinary memory
  std::size_t mapped_bytes_ = 0;
};

}  // namespace sextant::own
