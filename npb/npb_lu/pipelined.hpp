// A thread has neighbouring panels and goes through all planes; before a tile it waits for the one before it in the plane, whose
// thread says how far it is.
#pragma once

#include <atomic>
#include <thread>

#include "panels.hpp"

namespace sextant::npb_lu {
namespace {

struct alignas(64) Progress {
  std::atomic<std::int64_t> steps{0};  // that are done, of all layers
  // All threads of a team run, though not all at a time where there are fewer processors.
  void wait(std::int64_t wanted) const {
    for (int looks = 0; steps.load(std::memory_order_acquire) < wanted; ++looks)
      if (looks >= 256) std::this_thread::yield();
  }
};

struct Pipelined {
  using Loop = PlainLoop;
  std::int64_t panels, layers, steps;
  std::unique_ptr<Progress[]> progress;
  Pipelined(std::int64_t panels_, std::int64_t layers_, std::int64_t steps_)
      : panels(panels_),
        layers(layers_),
        steps(steps_),
        progress(new Progress[static_cast<std::size_t>(panels_)]) {}

  template <typename Tile>
  void each(const Tile& tile) const {
    Progress* const of = progress.get();
    for (std::int64_t panel = 0; panel < panels; ++panel) of[panel].steps = 0;
#pragma omp parallel
    {
      const std::int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
      const std::int64_t first = thread * panels / threads, end = (thread + 1) * panels / threads;
      for (std::int64_t layer = 1; layer <= layers; ++layer)
        for (std::int64_t panel = first; panel < end; ++panel) {
          const std::int64_t made = (layer - 1) * steps;
          if (panel + 1 < panels) of[panel + 1].wait(made - steps);  // it has read what is overwritten
          tile(
              panel, layer,
              [&](std::int64_t step) {
                if (panel > 0) of[panel - 1].wait(made + step);
              },
              [&](std::int64_t step) { of[panel].steps.store(made + step, std::memory_order_release); });
        }
    }
  }
};

}  // namespace
}  // namespace sextant::npb_lu
