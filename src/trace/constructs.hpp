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
  // `call` is not a construct but one call of a variant, which encloses its constructs.
  enum class Kind : std::uint8_t { call, compute, enter_data, exit_data, update, launch, wait } kind;
  double start = 0, end = 0;  // seconds on the clock that was passed to start_constructs
  std::string directive;   // directive that the record belongs to: parallel, kernels, data, enter data, …
  std::uint64_t site = 0;  // code address of the directive, the same for each execution; 0: unknown
  std::string function;    // for launches: the kernel's readable name
  std::array<int, 3> shape = {};  // for launches: number of gangs, workers, and vector length
};

// Record the constructs that this process executes between start and stop. The result is ordered by start.
// `clock` returns seconds. In builds without OpenACC, nothing is recorded.
void start_constructs(double (*clock)());
std::vector<ConstructRecord> stop_constructs();

}  // namespace sextant
