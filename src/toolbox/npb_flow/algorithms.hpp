// Runs the loops of npb_flow/host.hpp with C++'s parallel algorithms. Each chunk of iterations counts as one
// worker.
#pragma once

#include "toolbox/host/algorithms.hpp"
#include "toolbox/npb_flow/host.hpp"

namespace sextant::npb::flow {
namespace {

struct AlgorithmLoop {
  static int workers() { return 4 * omp_get_max_threads(); }
  template <typename Body>
  static void each(std::int64_t count, const Body& body) {
    const std::int64_t parts = std::min<std::int64_t>(count, workers());
    for_each_index(0, parts, [&](std::int64_t part) {
      for (std::int64_t i = part * count / parts; i < (part + 1) * count / parts; ++i)
        body(i, static_cast<int>(part));
    });
  }
};

}  // namespace
}  // namespace sextant::npb::flow
