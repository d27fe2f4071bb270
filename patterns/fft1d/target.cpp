

#include "factors.hpp"
#include "pass.hpp"
#include "toolbox/target/teams.hpp"

// Host memory that is mapped to the device: the twiddle factors, followed by a workspace.
namespace sextant::fft1d {

struct Mapped {
  char* memory;
  std::int64_t bytes;
};

inline const char* prepare_mapped(const Call& call, void** state) {
  char* memory = static_cast<char*>(allocate_with_factors(call.problem, numbers_of(call.problem)));
  if (!memory) return "no host memory for the twiddle factors and the workspace";
  const std::int64_t bytes = state_bytes(call.problem, nullptr);
#pragma omp target enter data map(to : memory [0:bytes])
  *state = new Mapped{memory, bytes};
  return nullptr;
}

inline void release_mapped(void* state) {
  const auto* mine = static_cast<const Mapped*>(state);
  char* memory = mine->memory;
  const std::int64_t bytes = mine->bytes;
#pragma omp target exit data map(delete : memory [0:bytes])
  std::free(memory);
  delete mine;
}

inline void add_state(Variant* variant) {
  variant->workspace = state_bytes;
  variant->prepare = prepare_mapped;
  variant->release = release_mapped;
}

inline void* memory_of(const Call& call) { return static_cast<const Mapped*>(call.state)->memory; }

}  // namespace sextant::fft1d

namespace sextant {
namespace {

// The straightforward implementation.
namespace parallel_for {

template <int radix, typename T>
void pass_of_all(std::int64_t batches, std::int64_t length, std::int64_t done, const fft1d::Complex<T>* from,
                 const fft1d::Complex<T>* factors, fft1d::Complex<T>* to) {
  const std::int64_t count = batches * length, all = count / radix, butterflies = length / radix;
#pragma omp target teams distribute parallel for map(from [0:count], factors [0:length], to [0:count])
  for (std::int64_t at = 0; at < all; ++at) {
    const std::int64_t j = at & (butterflies - 1), first = (at - j) * radix;
    fft1d::pass<radix>(from + first, to + first, factors, length, done, j);
  }
}

template <typename T>
void launch(const Call& call) {
  fft1d::for_each_pass<T>(call.problem, 2, call.address(0), call.address(1), fft1d::memory_of(call),
                          [&]<int radix>(std::int64_t done, const fft1d::Complex<T>* from,
                                         fft1d::Complex<T>* to, const fft1d::Complex<T>* factors) {
                            pass_of_all<radix>(fft1d::batches_of(call.problem),
                                               fft1d::length_of(call.problem), done, from, factors, to);
                          });
}

Variant form() {
  Variant variant = target::mapped_variant(
      "the plain form: target teams distribute parallel for, one region per radix-2 stage");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  fft1d::add_state(&variant);
  return variant;
}

}  // namespace parallel_for

// One thread per team (no `parallel`). Each of its SIMD lanes keeps 16 elements in registers, so that one
// target region performs four radix-2 stages.
namespace registers {

template <int radix, typename T>
void pass_of_all(std::int64_t batches, std::int64_t length, std::int64_t done, const fft1d::Complex<T>* from,
                 const fft1d::Complex<T>* factors, fft1d::Complex<T>* to, int most_teams) {
  const std::int64_t count = batches * length, all = count / radix, butterflies = length / radix;
  const int teams = target::teams_for(most_teams, all, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(from [0:count], factors [0:length], to [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t at = 0; at < all; ++at) {
    const std::int64_t j = at & (butterflies - 1), first = (at - j) * radix;
    fft1d::pass<radix>(from + first, to + first, factors, length, done, j);
  }
}

template <typename T>
void launch(const Call& call) {
  fft1d::for_each_pass<T>(call.problem, 16, call.address(0), call.address(1), fft1d::memory_of(call),
                          [&]<int radix>(std::int64_t done, const fft1d::Complex<T>* from,
                                         fft1d::Complex<T>* to, const fft1d::Complex<T>* factors) {
                            pass_of_all<radix>(fft1d::batches_of(call.problem),
                                               fft1d::length_of(call.problem), done, from, factors, to,
                                               call.tuned<target::Warps>().teams);
                          });
}

Variant form() {
  Variant variant = target::warps_variant(
      "one region per four stages, with 16 elements in each lane's registers; teams of one thread");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  fft1d::add_state(&variant);
  return variant;
}

}  // namespace registers

}  // namespace

std::vector<Variant> fft1d_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("registers", registers::form()),
  };
}

}  // namespace sextant
