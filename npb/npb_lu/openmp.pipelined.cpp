#include "pipelined.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_lu;

using Lanes = Choices<2, 4, 8>;

struct Shape {
  int lanes = npb::flow::wide;  // rows of a panel
};

// Narrow panels where wide ones would leave threads without any.
void adapt(const Problem& problem, Shape& shape) {
  while (shape.lanes > 2 && panel_count(points(problem), shape.lanes) < omp_get_max_threads())
    shape.lanes /= 2;
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
