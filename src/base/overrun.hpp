// Reports out-of-bounds accesses to arrays. It needs the environment variable SEXTANT_FIND_OVERRUNS and GCC's
// AddressSanitizer, preloaded with LD_PRELOAD. The program itself is built without the sanitizer.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sextant {

// Returns true if this process detects out-of-bounds accesses.
bool finds_overruns();

// Calls `tell` with one line for the first out-of-bounds access: "reads x[1000] of 1000 elements,
// saxpy.cpp:14". The process then exits. Programs that it starts have no preloaded sanitizer.
void tell_overruns(std::function<void(const std::string&)> tell);

struct ArrayPlace {
  std::string name;
  const char* begin;
  std::size_t bytes, element_size;
};

// During its lifetime, messages about out-of-bounds accesses name these arrays. Accesses to `closed` memory
// are reported, too. Without AddressSanitizer it does nothing.
class KnownArrays {
 public:
  struct MemoryRange {
    const void* begin;
    std::size_t bytes;
  };
  explicit KnownArrays(std::vector<ArrayPlace> arrays, std::vector<MemoryRange> closed = {});
  ~KnownArrays();
  KnownArrays(const KnownArrays&) = delete;
  KnownArrays& operator=(const KnownArrays&) = delete;

 private:
  std::vector<ArrayPlace> before_;
  std::vector<MemoryRange> closed_;
};

}  // namespace sextant
