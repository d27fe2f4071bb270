// Memory of the OpenACC device, freed in the destructor.
#pragma once

#include <openacc.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sextant::openacc {

template <typename T>
struct Memory {
  T* data = nullptr;
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (data) acc_free(data);
  }
  // Returns false if there is not enough memory.
  bool allocate(std::int64_t count) {
    data = static_cast<T*>(acc_malloc(static_cast<std::size_t>(count) * sizeof(T)));
    return data != nullptr;
  }
  bool fill(const T* from, std::int64_t count) {
    if (!allocate(count)) return false;
    acc_memcpy_to_device(data, const_cast<T*>(from), static_cast<std::size_t>(count) * sizeof(T));
    return true;
  }
  bool fill(const std::vector<T>& from) { return fill(from.data(), static_cast<std::int64_t>(from.size())); }
};

}  // namespace sextant::openacc
