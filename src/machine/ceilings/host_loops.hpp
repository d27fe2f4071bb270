// The loops behind the host's ceilings, one set for each instruction set that this processor family may have.
#pragma once

#include <cstdint>

namespace sextant {

inline constexpr int chains_of_a_lane = 12;

// One thread's part of each: pointers lie on 64-byte boundaries, `count` is a multiple of 64 (elements).
struct HostLoops {
  void (*copy)(double* a, const double* b, std::int64_t count);                              // a = b
  void (*triad)(double* a, const double* b, const double* c, double s, std::int64_t count);  // a = b + s c
  double (*read)(const double* a, std::int64_t count);                                       // the sum
  void (*write)(double* a, double value, std::int64_t count);

  // The same with stores that bypass the caches; null where there are none.
  void (*copy_streaming)(double* a, const double* b, std::int64_t count);
  void (*triad_streaming)(double* a, const double* b, const double* c, double s, std::int64_t count);
  void (*write_streaming)(double* a, double value, std::int64_t count);

  // x = x * factor + term in independent chains, of which chain i of a lane starts from x = i; returns the
  // chains' sum and counts in *chains how many there are. Two FLOP a chain and round.
  float (*fma32)(float factor, float term, std::int64_t rounds, int* chains);
  double (*fma64)(double factor, double term, std::int64_t rounds, int* chains);

  // x = (x + term) xor mask in as many chains, of which chain i of a lane starts from x = i; likewise. Two
  // operations a chain and round.
  std::uint32_t (*add_xor)(std::uint32_t term, std::uint32_t mask, std::int64_t rounds, int* chains);
};

// Those of the widest instruction set that this processor has.
const HostLoops& best_host_loops();

const HostLoops& host_loops_generic();
const HostLoops& host_loops_avx2();    // x86-64 only
const HostLoops& host_loops_avx512();  // x86-64 only

}  // namespace sextant
