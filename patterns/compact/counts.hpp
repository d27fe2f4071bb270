// The threads' counts, which say where each begins to write.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "suite/variant.hpp"

namespace sextant::compact {

// A variant's state: one count a thread, apart by a line of memory.
class Counts {
 public:
  static const char* prepare(const Call&, void** state) {
    *state = new Counts;
    return nullptr;
  }
  static void release(void* state) { delete static_cast<Counts*>(state); }

  int threads() const { return static_cast<int>(counts_.size()); }
  std::int64_t& of(std::int64_t thread) { return counts_[static_cast<std::size_t>(thread)].count; }
  std::int64_t before(std::int64_t thread) const {
    std::int64_t sum = 0;
    for (std::int64_t t = 0; t < thread; ++t) sum += counts_[static_cast<std::size_t>(t)].count;
    return sum;
  }

 private:
  struct alignas(64) Line {
    std::int64_t count = 0;
  };
  std::vector<Line> counts_{static_cast<std::size_t>(omp_get_max_threads())};
};

}  // namespace sextant::compact
