// Records the OpenACC constructs that a program executes, by the OpenACC profiling interface (OpenACC 3.0,
// chapter 5). GCC reports constructs and the names and shapes of kernels, but neither copies nor source
// lines.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sextant {

struct ConstructRecord {
  // `call` is one call of a variant, which encloses its constructs.
  enum class Kind : std::uint8_t { call, compute, enter_data, exit_data, update, launch, wait } kind;
  double start = 0, end = 0;      // in seconds, on the clock of start_constructs
  std::string directive;          // parallel, kernels, data, enter data, …
  std::uint64_t site = 0;         // code address of the directive; 0: unknown
  std::string function;           // for launches: the kernel's readable name
  std::array<int, 3> shape = {};  // for launches: number of gangs, workers, and vector length
};

// Record this process's constructs between start and stop, in order of start. `clock` returns seconds. Builds
// without OpenACC record nothing.
void start_constructs(double (*clock)());
std::vector<ConstructRecord> stop_constructs();

}  // namespace sextant
