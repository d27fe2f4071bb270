// No `parallel`: a team is one thread, whose lanes have 16 elements each in registers, four stages a region.
#include "target_state.hpp"

namespace sextant {
namespace {

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
  fft1d::for_each_pass<T>(call.problem, 16, call.arrays[0], call.arrays[1], fft1d::memory_of(call),
                          [&]<int radix>(std::int64_t done, const fft1d::Complex<T>* from,
                                         fft1d::Complex<T>* to, const fft1d::Complex<T>* factors) {
                            pass_of_all<radix>(fft1d::batches_of(call.problem),
                                               fft1d::length_of(call.problem), done, from, factors, to,
                                               call.tuned<target::Warps>().teams);
                          });
}

}  // namespace

Variant fft1d_target_registers() {
  Variant variant = target::warps_variant(
      "teams of one thread, none to be started; a region for four stages, 16 elements a lane");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  fft1d::add_state(&variant);
  return variant;
}

}  // namespace sextant
