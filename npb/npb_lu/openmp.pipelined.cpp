#include "pipelined.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_lu;

using Rows = Choices<2, 4, 8>;
using Planes = Choices<1, 2, 4>;
constexpr int most_lanes = 8;

struct Shape {
  int rows = 4, planes = 2;  // of a tile; more rows leave threads without any at 64 points an axis
};

// On 16 cores of an Intel Xeon larger tiles win where each thread has one.
void adapt(const Problem& problem, Shape& tuned) {
  if (TileShape{tuned.rows, tuned.planes}.panels(points(problem)) < omp_get_max_threads()) tuned = {2, 2};
}

const char* refuse(const Problem&, const Shape& tuned) {
  return tuned.rows * tuned.planes > most_lanes ? "a tile of more than eight rows" : nullptr;
}

// function.operator()<rows, planes>()
template <typename Function>
void with_shape(const Shape& tuned, const Function& function) {
  Rows::with(tuned.rows, [&]<int rows>() {
    Planes::with(tuned.planes, [&]<int planes>() {
      if constexpr (rows * planes <= most_lanes) function.template operator()<rows, planes>();
    });
  });
}

}  // namespace

Variant npb_lu_openmp_pipelined() {
  Variant variant;
  variant.description = "threads over panels, plane by plane, each waiting for the panel before its own";
  variant.tunables =
      tunables<Shape>({{"rows", &Shape::rows, Rows::list()}, {"planes", &Shape::planes, Planes::list()}});
  variant.constraint = by_name<refuse>;
  variant.adapt = by_name<adapt>;
  variant.launch = {.float64 = [](const Call& call) {
    with_shape(call.tuned<Shape>(), [&]<int rows, int planes>() { launch_pipelined<rows, planes>(call); });
  }};
  variant.prepare = [](const Call& call, void** state) {
    const auto tuned = call.tuned<Shape>();
    return prepare_panels<Pipelined>(call, {tuned.rows, tuned.planes}, state);
  };
  variant.release = release_panels<Pipelined>;
  variant.workspace = [](const Problem& problem, const int* tuning) {
    const auto tuned = values_of<Shape>(tuning);
    return panel_workspace(problem, {tuned.rows, tuned.planes});
  };
  return variant;
}

}  // namespace sextant
