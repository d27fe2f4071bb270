// Divides one allocation into consecutive arrays, each aligned to 256 bytes.
#pragma once

#include <cstdint>

namespace sextant {

class Carving {
 public:
  // `memory` is the address of the allocation. Pass null to compute only the total size.
  explicit Carving(std::uintptr_t memory) : begin_(memory) {}
  explicit Carving(const void* memory) : Carving(reinterpret_cast<std::uintptr_t>(memory)) {}

  // Sets `pointer` to the start of the next array, which has `count` elements.
  template <typename T>
  void take(T*& pointer, std::int64_t count) {
    pointer = reinterpret_cast<T*>(begin_ + static_cast<std::uintptr_t>(bytes_));
    bytes_ += (count * static_cast<std::int64_t>(sizeof(T)) + 255) / 256 * 256;
  }
  std::int64_t bytes() const { return bytes_; }

 private:
  std::uintptr_t begin_;
  std::int64_t bytes_ = 0;
};

}  // namespace sextant
