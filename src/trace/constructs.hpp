// Records the OpenACC constructs that a program executes, by the OpenACC profiling interface (OpenACC 3.0,
// chapter 5).
// GCC's run time reports constructs and the names and shapes of kernels, but neither copies nor source lines.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sextant {

struct ConstructRecord {
  // call: not a construct, but a variant's whole call, which encloses its constructs.
  enum class Kind : std::uint8_t { call, compute, enter_data, exit_data, update, launch, wait } kind;
  double start = 0, end = 0;  // Seconds on the host, by the clock that was given.
  std::string directive;      // The construct it belongs to: parallel, kernels, data, enter data, …
  std::uint64_t site = 0;     // Code address of the directive, the same each time it executes; 0: unknown.
  std::string function;       // Launches: the kernel's readable name.
  std::array<int, 3> shape = {};  // Launches: gangs, workers, vector length.
};

// Records the constructs that this process executes between start and stop, ordered by start. `clock` returns
// seconds. In builds without OpenACC, nothing is recorded.
void start_constructs(double (*clock)());
std::vector<ConstructRecord> stop_constructs();

}  // namespace sextant
