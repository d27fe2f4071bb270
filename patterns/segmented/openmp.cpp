#include <omp.h>

#include <algorithm>
#include <vector>

#include "loop.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/host/lane_sums.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

namespace dynamic {

struct Chunk {
  int segments = 1024;
};

template <typename T>
void launch(const Call& call) {
  const std::int32_t* o = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  const int segments = call.tuned<Chunk>().segments;
#pragma omp parallel for schedule(dynamic, segments)
  for (std::int64_t j = 0; j < call.problem.extents.x; ++j) y[j] = segmented::sum_of(a, o[j], o[j + 1]);
}

}  // namespace dynamic

// Merge-path load balancing. Each thread gets an equal slice of the path through all elements and segment
// ends, whatever the segment lengths. A segment may continue in a later slice; then its partial sum is added
// after a barrier.
namespace flat {

struct Place {
  std::int64_t element = 0, segment = 0;  // index of the next element, and of the next segment to end
};

// Returns the position after `steps` steps of the path. o[j+1] elements and j segment ends precede the end of
// segment j.
Place place_after(std::int64_t steps, std::int64_t m, const std::int32_t* o) {
  std::int64_t low = 0, high = std::min(m, steps);
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (o[middle + 1] + middle < steps)
      low = middle + 1;
    else
      high = middle;
  }
  return {steps - low, low};
}

// The partial sum at the end of a thread's slice, and the segment that it belongs to.
struct alignas(64) Open {
  std::int64_t segment = 0;
  double sum = 0;  // exact, because sums are whole numbers below 2^24
};
using Opens = std::vector<Open>;

template <typename T>
T sum_share(Place from, Place to, const std::int32_t* o, const T* a, T* y) {
  std::int64_t i = from.element;
  for (std::int64_t j = from.segment; j < to.segment; ++j) {
    T sum = 0;
    for (; i < o[j + 1]; ++i) sum += a[i];
    y[j] = sum;
  }
  T open = 0;
  for (; i < to.element; ++i) open += a[i];
  return open;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t m = call.problem.extents.x;
  const std::int32_t* o = call.array<const std::int32_t>(0);
  const std::int64_t path = m + o[m];
  T* y = call.array<T>(2);
  auto& opens = *static_cast<Opens*>(call.state);
#pragma omp parallel num_threads(static_cast <int>(opens.size()))
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const auto begin_of = [=](std::int64_t t) { return path / threads * t + path % threads * t / threads; };
    const Place to = place_after(begin_of(thread + 1), m, o);
    const T open = sum_share(place_after(begin_of(thread), m, o), to, o, call.array<const T>(1), y);
    opens[static_cast<std::size_t>(thread)] = {to.segment, static_cast<double>(open)};
#pragma omp barrier
    for (std::int64_t t = 0; thread == 0 && t < threads; ++t) {
      const Open& one = opens[static_cast<std::size_t>(t)];
      if (one.segment < m) y[one.segment] += static_cast<T>(one.sum);
    }
  }
}

}  // namespace flat

namespace guided {

template <typename T>
void launch(const Call& call) {
  const std::int32_t* o = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel for schedule(guided)
  for (std::int64_t j = 0; j < call.problem.extents.x; ++j) y[j] = segmented::sum_of(a, o[j], o[j + 1]);
}

}  // namespace guided

namespace static_form {

template <typename T>
void launch(const Call& call) {
  const std::int32_t* o = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel for schedule(static)
  for (std::int64_t j = 0; j < call.problem.extents.x; ++j) y[j] = segmented::sum_of(a, o[j], o[j + 1]);
}

}  // namespace static_form

// Computes the sums of sixteen segments at once. Each segment is loaded as one or two vectors; only longer
// ones need a loop. The sums of all vectors are computed together. Without AVX-512, elements are added one by
// one.
namespace vectors {

struct Chunk {
  int segments = 4096;
};

constexpr int together = 16;  // number of segments whose sums are computed at once

#if defined(__AVX512F__)
// Adds up `count` elements with vector instructions. The total is the sum of the lanes of the result.
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

// Computes the sums of sixteen segments. If `longer_ones` is false, none has more than 16 elements.
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

}  // namespace vectors

}  // namespace

std::vector<Variant> segmented_openmp() {
  return {
      {.name = "dynamic",
       .description = "threads over segments, dynamic schedule",
       .tunables =
           tunables<dynamic::Chunk>({{"segments", &dynamic::Chunk::segments, {16, 64, 256, 1024, 4096}}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(dynamic::launch)},
      {.name = "flat",
       .description = "merge path: equal numbers of elements plus segment ends per thread",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(flat::launch),
       .prepare = [](const Call&, void** state) -> const char* {
         *state = new flat::Opens(static_cast<std::size_t>(omp_get_max_threads()));
         return nullptr;
       },
       .release = [](void* state) { delete static_cast<flat::Opens*>(state); }},
      {.name = "guided",
       .description = "threads over segments, guided schedule: chunks become smaller",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(guided::launch)},
      {.name = "static",
       .description = "the plain form: threads over segments, static schedule",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(static_form::launch)},
      {.name = "vectors",
       .description = "sixteen segments at a time, each loaded as a vector; their sums are computed together",
       .tunables =
           tunables<vectors::Chunk>({{"segments", &vectors::Chunk::segments, {256, 1024, 4096, 16384}}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(vectors::launch)},
  };
}

}  // namespace sextant
