// Reads twice: each thread counts what it keeps of its share, then writes it behind what those before it keep.
#include "counts.hpp"
#include "keep.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  auto& counts = *static_cast<compact::Counts*>(call.state);
#pragma omp parallel num_threads(counts.threads())
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const auto begin_of = [=](std::int64_t t) { return n / threads * t + n % threads * t / threads; };
    const std::int64_t begin = begin_of(thread), count = begin_of(thread + 1) - begin;
    counts.of(thread) = compact::count_kept(count, a + begin);
#pragma omp barrier
    const std::int64_t before = counts.before(thread);
    compact::keep_all<T, compact::keep<T>>(count, a + begin, y + before);
    if (thread == threads - 1)
      *call.array<std::int32_t>(2) = static_cast<std::int32_t>(before + counts.of(thread));
  }
}

}  // namespace

Variant compact_openmp_two_pass() {
  Variant variant;
  variant.description = "each thread counts what it keeps, then writes it behind those before: reads twice";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.prepare = compact::Counts::prepare;
  variant.release = compact::Counts::release;
  return variant;
}

}  // namespace sextant
