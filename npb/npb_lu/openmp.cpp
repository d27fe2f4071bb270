#include <atomic>
#include <thread>

#include "panels.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

// Pipelined wavefront sweeps. Rows are divided into panels and planes into layers; a tile is one panel in one
// layer. A thread has adjacent panels and processes all layers. Before each tile it waits for the preceding
// panel of the layer, whose thread publishes its progress.
namespace sextant::npb_lu {
namespace {

struct alignas(64) Progress {
  std::atomic<std::int64_t> steps{0};  // number of finished steps in all layers
  // Waits until `wanted` steps are finished. The wait yields, because threads may share processor cores.
  void wait(std::int64_t wanted) const {
    for (int looks = 0; steps.load(std::memory_order_acquire) < wanted; ++looks)
      if (looks >= 256) std::this_thread::yield();
  }
};

struct Pipelined {
  using Loop = PlainLoop;
  static constexpr bool calls_ahead = true;
  std::int64_t panels, layers, steps;
  std::unique_ptr<Progress[]> progress;
  Pipelined(std::int64_t panels_, std::int64_t layers_, std::int64_t steps_)
      : panels(panels_),
        layers(layers_),
        steps(steps_),
        progress(new Progress[static_cast<std::size_t>(panels_)]) {}

  void begin() const {
    for (std::int64_t panel = 0; panel < panels; ++panel) progress[panel].steps = 0;
  }
  void wait_for_sweeps(std::int64_t count) const { progress[panels - 1].wait(count * layers * steps); }

  // Processes the tiles of one thread in sweep `number`, counted since the call of begin(). If the panels
  // cannot be divided evenly, the threads with one more panel change from layer to layer.
  template <typename Tile>
  void sweep(std::int64_t number, std::int64_t thread, const Tile& tile) const {
    Progress* const of = progress.get();
    const std::int64_t threads = omp_get_num_threads();
    for (std::int64_t layer = 1; layer <= layers; ++layer) {
      const std::int64_t made = (number * layers + layer - 1) * steps;
      const std::int64_t turn = panels > threads ? layer * panels % threads : 0;
      const std::int64_t first = (thread * panels + turn) / threads,
                         end = ((thread + 1) * panels + turn) / threads;
      for (std::int64_t panel = first; panel < end; ++panel) {
        if (panel == 0 && layer == 1) wait_for_sweeps(number);
        of[panel].wait(made);  // the previous layer, which another thread may have processed
        if (panel + 1 < panels)
          of[panel + 1].wait(made -
                             (edge_layers - 1) * steps);  // the next panel has read what this tile overwrites
        tile(
            panel, layer,
            [&](std::int64_t step) {
              if (panel > 0) of[panel - 1].wait(made + step);
            },
            [&](std::int64_t step) { of[panel].steps.store(made + step, std::memory_order_release); });
      }
    }
  }

  template <typename Tile>
  void each(const Tile& tile) const {
    begin();
#pragma omp parallel
    sweep(0, omp_get_thread_num(), tile);
  }
};

// Computes the right-hand sides of a tile.
template <int rows, int planes>
void right_sides(const HostFlow& flow, double dt, std::int64_t panel, std::int64_t layer) {
  const std::int64_t inner = flow.grid.n - 2;
  for (std::int64_t k = (layer - 1) * planes + 1; k <= std::min(inner, layer * planes); ++k)
    for (std::int64_t j = panel * rows + 1; j <= std::min(inner, (panel + 1) * rows); ++j)
      residual_in_vectors(flow.grid, dt, flow.u.get(), flow.f.get(), j, k, flow.b.get());
}

// Runs all steps in one parallel region. Right-hand sides are computed just before a tile of the lower sweep
// needs them. A thread has the same rows in both sweeps. Only the first thread reports phases.
template <int rows, int planes>
void launch_pipelined(const Call& call) {
  launch_steps<Pipelined>(call, [&](PanelState<Pipelined>& state, double dt) {
    const Weights w(state.flow.grid.n, dt);
    const Pipelined& order = state.order;
    order.begin();
#pragma omp parallel
    for (std::int64_t t = 0; t < iterations(call.problem); ++t) {
      const std::int64_t thread = omp_get_thread_num(), last = omp_get_num_threads() - 1;
      const auto phase = [&](const char* name) {
        if (thread == 0) call.phase(name);
      };
      order.wait_for_sweeps(2 * t);  // right-hand sides need the state that earlier sweeps have written
      phase("lower");
      order.sweep(2 * t, thread,
                  [&](std::int64_t panel, std::int64_t layer, const auto& before, const auto& done) {
                    right_sides<rows, planes>(state.flow, dt, panel, layer);
                    sweep_tile<false, rows, planes>(state, w, panel, layer, before, done);
                  });
      phase("upper");
      order.sweep(2 * t + 1, last - thread,
                  [&](std::int64_t panel, std::int64_t layer, const auto& before, const auto& done) {
                    sweep_tile<true, rows, planes>(state, w, panel, layer, before, done);
                  });
    }
  });
}

}  // namespace
}  // namespace sextant::npb_lu

namespace sextant {
namespace {

using namespace npb_lu;

namespace pipelined {

using Rows = Choices<2, 4, 8>;
using Planes = Choices<1, 2, 4>;
constexpr int most_lanes = 8;

struct Shape {
  // Rows and planes of a tile. With more rows, some threads have no tile at 64 points per axis.
  int rows = 4, planes = 2;
};

// Chooses the tile size. On 16 cores of an Intel Xeon, larger tiles are faster if each thread has one.
void adapt(const Problem& problem, Shape& tuned) {
  if (TileShape{tuned.rows, tuned.planes}.panels(points(problem)) < omp_get_max_threads()) tuned = {2, 2};
}

const char* refuse(const Problem&, const Shape& tuned) {
  return tuned.rows * tuned.planes > most_lanes ? "rows * planes must be at most 8" : nullptr;
}

// Calls function.operator()<rows, planes>() with the tile size.
template <typename Function>
void with_shape(const Shape& tuned, const Function& function) {
  Rows::with(tuned.rows, [&]<int rows>() {
    Planes::with(tuned.planes, [&]<int planes>() {
      if constexpr (rows * planes <= most_lanes) function.template operator()<rows, planes>();
    });
  });
}

}  // namespace pipelined

}  // namespace

std::vector<Variant> npb_lu_openmp() {
  return {
      named("loops", npb_lu::panel_variant<npb_lu::Pipelined, 1>(
                         "the plain loops with threads over rows; each row waits for the previous row")),
      {.name = "pipelined",
       .description = "threads over panels of rows, layer by layer; each panel waits for the previous panel",
       .tunables =
           tunables<pipelined::Shape>({{"rows", &pipelined::Shape::rows, pipelined::Rows::list()},
                                       {"planes", &pipelined::Shape::planes, pipelined::Planes::list()}}),
       .launch = {.float64 =
                      [](const Call& call) {
                        pipelined::with_shape(call.tuned<pipelined::Shape>(), [&]<int rows, int planes>() {
                          launch_pipelined<rows, planes>(call);
                        });
                      }},
       .constraint = by_name<pipelined::refuse>,
       .adapt = by_name<pipelined::adapt>,
       .prepare =
           [](const Call& call, void** state) {
             const auto tuned = call.tuned<pipelined::Shape>();
             return prepare_panels<Pipelined>(call, {tuned.rows, tuned.planes}, state);
           },
       .release = release_panels<Pipelined>,
       .workspace =
           [](const Problem& problem, const int* tuning) {
             const auto tuned = values_of<pipelined::Shape>(tuning);
             return panel_workspace(problem, {tuned.rows, tuned.planes});
           }},
      named("wavefronts",
            npb_lu::panel_variant<npb_lu::Wavefronts<npb::flow::PlainLoop>, npb::flow::wide>(
                "threads over the tiles of one anti-diagonal (panel + layer), then over the next")),
  };
}

}  // namespace sextant
