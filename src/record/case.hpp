// What is asked: one variant of a kernel on one problem, with one tuning, on one device.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "suite/problem.hpp"
#include "suite/variant.hpp"

namespace sextant {

// A tunable's value. `text`: what the number stands for where it is a place in a list of a type's names, a
// compiler's options and the like, which users' own kernels have; never freed; null: it is the number itself.
struct TunedValue {
  int number = 0;
  const char* text = nullptr;

  TunedValue() = default;
  TunedValue(int value, const char* stands_for = nullptr) : number(value), text(stands_for) {}
  operator int() const { return number; }
};

using Tuning =
    std::vector<std::pair<std::string, TunedValue>>;  // tunable's name and value, in the variant's order

enum class CacheMode : std::uint8_t { warm, cold };

struct Case {
  std::string kernel;
  std::string variant;        // model.name
  std::string problem_class;  // the named problem's name, else empty
  Problem problem;
  Tuning tuning;
  std::string device;  // where the variant runs: "cpu", "gpu0", "4xcpu", … (record/place.hpp)
  CacheMode cache = CacheMode::warm;
  ThreadLibrary thread_library = ThreadLibrary::none;  // the variant's
};

}  // namespace sextant
