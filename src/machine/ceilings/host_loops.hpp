// The loops that measure the host's best bandwidths and rates. There is one set per instruction set.
#pragma once

#include <cstdint>

namespace sextant {

inline constexpr int chains_of_a_lane = 12;

// Each function processes one thread's chunk of the arrays. Pointers are aligned to 64 bytes; `count` is a
// multiple of 64 elements.
struct HostLoops {
  void (*copy)(double* a, const double* b, std::int64_t count);                              // a = b
  void (*triad)(double* a, const double* b, const double* c, double s, std::int64_t count);  // a = b + s c
  double (*read)(const double* a, std::int64_t count);  // returns the sum of all elements
  void (*write)(double* a, double value, std::int64_t count);

  // The same loops with stores that bypass the caches; null if the instruction set has no such stores.
  void (*copy_streaming)(double* a, const double* b, std::int64_t count);
  void (*triad_streaming)(double* a, const double* b, const double* c, double s, std::int64_t count);
  void (*write_streaming)(double* a, double value, std::int64_t count);

  // Iterates x = x * factor + term in independent dependency chains. Chain i of each vector lane starts from
  // x = i. Returns the sum of all chains and stores their number in *chains. A chain does two FLOP per round.
  float (*fma32)(float factor, float term, std::int64_t rounds, int* chains);
  double (*fma64)(double factor, double term, std::int64_t rounds, int* chains);

  // Iterates x = (x + term) xor mask in the same chains, with two operations per chain and round.
  std::uint32_t (*add_xor)(std::uint32_t term, std::uint32_t mask, std::int64_t rounds, int* chains);
};

// Returns the loops for the widest instruction set of this processor.
const HostLoops& best_host_loops();

const HostLoops& host_loops_generic();
const HostLoops& host_loops_avx2();    // exists only on x86-64
const HostLoops& host_loops_avx512();  // exists only on x86-64

}  // namespace sextant
