// Finds accesses outside of arrays. It works only in a process with SEXTANT_FIND_OVERRUNS set and GCC's
// AddressSanitizer preloaded (LD_PRELOAD). The sanitizer's functions are looked up at run time, so the
// program itself is built without it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sextant {

// Whether this is such a process.
bool finds_overruns();

// Calls `tell` with one line for the first such access, "reads x[1000] of 1000 elements, saxpy.cpp:14". The
// process then ends.
void tell_overruns(std::function<void(const std::string&)> tell);

struct ArrayPlace {
  std::string name;
  const char* begin;
  std::size_t bytes, element_size;
};

// During its lifetime, messages name these arrays and the `closed` memory must not be accessed. Does nothing
// in other processes.
class KnownArrays {
 public:
  struct Stretch {
    const void* begin;
    std::size_t bytes;
  };
  explicit KnownArrays(std::vector<ArrayPlace> arrays, std::vector<Stretch> closed = {});
  ~KnownArrays();
  KnownArrays(const KnownArrays&) = delete;
  KnownArrays& operator=(const KnownArrays&) = delete;

 private:
  std::vector<ArrayPlace> before_;
  std::vector<Stretch> closed_;
};

}  // namespace sextant
