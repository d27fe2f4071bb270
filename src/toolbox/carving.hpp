// Arrays that lie one behind the other in one allocation, each from a multiple of 256 bytes on.
#pragma once

#include <cstdint>

namespace sextant {

class Carving {
 public:
  // From address `memory` on; from null, for their bytes alone.
  explicit Carving(std::uintptr_t memory) : begin_(memory) {}
  explicit Carving(const void* memory) : Carving(reinterpret_cast<std::uintptr_t>(memory)) {}

  // The next array, of `count` elements.
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
