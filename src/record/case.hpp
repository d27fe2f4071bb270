// A case: one variant of a kernel on one problem, with one tuning, on one device.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "suite/problem.hpp"
#include "suite/variant.hpp"

namespace sextant {

// The value of a tunable. In user kernels `number` may be an index into a list of texts, such as type names
// or compiler options. Then `text` is the text at that index; otherwise it is null. The pointer is never
// freed.
struct TunedValue {
  int number = 0;
  const char* text = nullptr;

  TunedValue() = default;
  TunedValue(int value, const char* stands_for = nullptr) : number(value), text(stands_for) {}
  operator int() const { return number; }
};

// Each tunable's name and value, in the variant's order.
using Tuning = std::vector<std::pair<std::string, TunedValue>>;

enum class CacheMode : std::uint8_t { warm, cold };

struct Case {
  std::string kernel;
  std::string variant;        // programming model and name, as in "cuda.tuned"
  std::string problem_class;  // name of a named problem such as "S"; empty if the problem has none
  Problem problem;
  Tuning tuning;
  std::string device;  // the device on which the case runs: "cpu", "gpu0", "4xcpu", … (record/place.hpp)
  CacheMode cache = CacheMode::warm;
  ThreadLibrary thread_library = ThreadLibrary::none;  // the library that creates the variant's threads
};

}  // namespace sextant
