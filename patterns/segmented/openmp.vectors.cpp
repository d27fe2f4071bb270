// Sixteen segments at a time: each one's elements as a vector or two, of which a segment of up to 16 needs no loop, then all sums at once.
// Without AVX-512, element by element.
#include <omp.h>

#include <algorithm>

#include "loop.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/lane_sums.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

struct Chunk {
  int segments = 4096;
};

constexpr int together = 16;  // segments

#if defined(__AVX512F__)
// The sum of `count` elements is that of the lanes.
template <typename T>
typename Square<T>::Row rest_of(const T* a, std::int64_t count) {
  constexpr std::int64_t lanes = Square<T>::lanes;
  typename Square<T>::Row sums[4] = {};
  std::int64_t at = 0;
  for (; at + 4 * lanes <= count; at += 4 * lanes)
  #pragma GCC unroll 4
    for (int u = 0; u < 4; ++u)
      sums[u] += *reinterpret_cast<const typename Square<T>::Row*>(a + at + u * lanes);
  for (; at < count; at += lanes) sums[0] += load_lanes(first_lanes<T>(count - at), a + at);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Some of them may be longer than 16 elements.
template <bool longer_ones, typename T>
inline void sum_all(const Ranges& ranges, const std::int32_t* o, const T* a, T* y) {
  constexpr int lanes = Square<T>::lanes, vectors = together / lanes;
  #pragma GCC unroll 2
  for (int v = 0; v < vectors; ++v) {
    Square<T> parts;
  #pragma GCC unroll 16
    for (int k = 0; k < lanes; ++k) {
      const T* from = a + o[v * lanes + k];
      const std::uint32_t which = ranges.lanes[v * lanes + k];
      parts.rows[k] = load_lanes(which, from);
      if constexpr (vectors == 2) parts.rows[k] += load_lanes(which >> lanes & 0xFF, from + lanes);
    }
    for (unsigned longer = longer_ones ? ranges.longer >> v * lanes & ((1u << lanes) - 1) : 0; longer != 0;
         longer &= longer - 1) {
      const int k = __builtin_ctz(longer);
      parts.rows[k] += rest_of(a + o[v * lanes + k] + 16, o[v * lanes + k + 1] - o[v * lanes + k] - 16);
    }
    const auto sums = sums_of_lanes(parts);
    stream_line(y + v * lanes, &sums);
  }
}

template <typename T>
void sum_some(const std::int32_t* o, const T* a, T* y) {
  const Ranges ranges(o);
  ranges.longer ? sum_all<true>(ranges, o, a, y) : sum_all<false>(ranges, o, a, y);
}
#else
template <typename T>
void sum_some(const std::int32_t* o, const T* a, T* y) {
  for (int k = 0; k < together; ++k) y[k] = segmented::sum_of(a, o[k], o[k + 1]);
}
#endif

template <typename T>
void launch(const Call& call) {
  const std::int64_t m = call.problem.extents.x;
  const std::int32_t* o = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  const std::int64_t first = std::min(m, line_start(y, 0)), groups = (m - first) / together;
  const std::int64_t share = std::max<std::int64_t>(1, groups / omp_get_max_threads()),
                     chunk = std::min<std::int64_t>(call.tuned<Chunk>().segments / together, share);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, chunk) nowait
    for (std::int64_t g = 0; g < groups; ++g) {
      const std::int64_t j = first + g * together;
      sum_some(o + j, a, y + j);
    }
#pragma omp single nowait
    {
      for (std::int64_t j = 0; j < first; ++j) y[j] = segmented::sum_of(a, o[j], o[j + 1]);
      for (std::int64_t j = first + groups * together; j < m; ++j)
        y[j] = segmented::sum_of(a, o[j], o[j + 1]);
    }
    stream_fence();
  }
}

}  // namespace

Variant segmented_openmp_vectors() {
  Variant variant;
  variant.description = "sixteen segments at a time, each as a vector, summed together";
  variant.tunables = tunables<Chunk>({{"segments", &Chunk::segments, {256, 1024, 4096, 16384}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
