#include "pipelined.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_lu;

using Lanes = Choices<2, 4, 8>;

struct Shape {
  int lanes = 8;  // rows of a panel
};

// A tile of two rows takes 77 % and one of four 85 % of the time of one of eight (16 cores of a Xeon with AVX-512): narrow
// panels where wide ones would leave threads without any.
void adapt(const Problem& problem, Shape& shape) {
  const auto time = [&](int lanes, int of_tile) {
    const std::int64_t panels = panel_count(points(problem), lanes), threads = omp_get_max_threads();
    return (panels + threads - 1) / threads * of_tile;
  };
  std::int64_t least = time(8, 100);
  shape.lanes = 8;
  for (const auto& [lanes, of_tile] : {std::pair(4, 85), std::pair(2, 77)})
    if (time(lanes, of_tile) < least) least = time(lanes, of_tile), shape.lanes = lanes;
}

}  // namespace

Variant npb_lu_openmp_pipelined() {
  Variant variant;
  variant.description = "threads over panels, plane by plane, each waiting for the panel before its own";
  variant.tunables = tunables<Shape>({{"lanes", &Shape::lanes, Lanes::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = {.float64 = [](const Call& call) {
    Lanes::with(call.tuned<Shape>().lanes, [&]<int lanes>() { launch_panels<Pipelined, lanes>(call); });
  }};
  variant.prepare = [](const Call& call, void** state) {
    const char* why_not = nullptr;
    Lanes::with(call.tuned<Shape>().lanes,
                [&]<int lanes>() { why_not = prepare_panels<Pipelined, lanes>(call, state); });
    return why_not;
  };
  variant.release = release_panels<Pipelined>;
  variant.workspace = [](const Problem& problem, const int* tuning) {
    return panel_workspace(problem, values_of<Shape>(tuning).lanes);
  };
  return variant;
}

}  // namespace sextant
