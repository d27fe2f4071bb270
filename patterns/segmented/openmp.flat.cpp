// Equal shares of the path that goes through all elements and, behind the last of each segment, its end: however long the
// segments are, every thread has as much to do. What a share leaves open belongs to a segment that ends with a later one.
#include <omp.h>

#include <algorithm>
#include <vector>

#include "suite/variant.hpp"

namespace sextant {
namespace {

struct Place {
  std::int64_t element = 0, segment = 0;  // the next of either
};

// After `steps` of the path: end j is behind o[j + 1] elements and j ends.
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

// What a thread leaves open: a sum that the segment lacks.
struct alignas(64) Open {
  std::int64_t segment = 0;
  double sum = 0;  // of whole numbers below 2^24
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

}  // namespace

Variant segmented_openmp_flat() {
  Variant variant;
  variant.description = "equal shares of elements and segments' ends together, whatever the lengths";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.prepare = [](const Call&, void** state) -> const char* {
    *state = new Opens(static_cast<std::size_t>(omp_get_max_threads()));
    return nullptr;
  };
  variant.release = [](void* state) { delete static_cast<Opens*>(state); };
  return variant;
}

}  // namespace sextant
