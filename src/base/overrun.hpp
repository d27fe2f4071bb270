// Accesses outside of arrays, in a process that was started with GCC's AddressSanitizer before it (LD_PRELOAD) and SEXTANT_FIND_OVERRUNS,
// to run code that is compiled for that. The sanitizer is found at run time: nothing else is built for it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sextant {

// Whether this is such a process.
bool finds_overruns();

// Has an access told in a line, "reads x[1000] of 1000 elements, saxpy.cpp:14", before the process ends with it.
void tell_overruns(std::function<void(const std::string&)> tell);

struct ArrayPlace {
  std::string name;
  const char* begin;
  std::size_t bytes, element_size;
};

// While it lives, accesses are told as of these arrays, and such to `closed` memory are found. Does nothing in other processes.
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
