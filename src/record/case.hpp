// A case: one variant of a kernel on one problem, with one tuning, on one device.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "record/input_fill.hpp"
#include "suite/problem.hpp"
#include "suite/variant.hpp"

namespace sextant {

// The value of a tunable. User kernels may have choices that are texts, such as type names or compiler
// options. `number` is then the index of the choice and `text` the choice itself, else null. The text is
// never freed.
struct TunedValue {
  int number = 0;
  const char* text = nullptr;

  TunedValue() = default;
  TunedValue(int value, const char* stands_for = nullptr) : number(value), text(stands_for) {}
  operator int() const { return number; }
};

// Name and value of each tunable, in the variant's order.
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
  InputFill fill = InputFill::uniform;
  ThreadLibrary thread_library = ThreadLibrary::none;  // the library that runs the variant's threads
};

}  // namespace sextant
