// What an OpenACC program does, construct by construct, from the OpenACC profiling interface (OpenACC 3.0,
// chapter 5): GCC's run time reports the constructs and the kernels' names and shapes, but neither copies nor
// source lines.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sextant {

struct ConstructRecord {
  // call: not a construct, but a variant's whole call, around the constructs that it meets
  enum class Kind : std::uint8_t { call, compute, enter_data, exit_data, update, launch, wait } kind;
  double start = 0, end = 0;      // seconds on the host, by the clock that was given
  std::string directive;          // the construct it belongs to: parallel, kernels, data, enter data, …
  std::uint64_t site = 0;         // where in the code it stands: equal for equal places, 0 if not known
  std::string function;           // launch: the kernel's readable name
  std::array<int, 3> shape = {};  // launch: gangs, workers, vector length
};

// From start to stop the constructs that the calling process meets are recorded, in the order of their start.
// `clock` returns seconds. Without OpenACC in the build nothing is ever recorded.
void start_constructs(double (*clock)());
std::vector<ConstructRecord> stop_constructs();

}  // namespace sextant
