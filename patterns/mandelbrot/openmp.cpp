#include "lanes.hpp"
#include "loop.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Rows {
  int chunk = 1;
};

namespace dynamic {

void launch(const Call& call) {
  const int chunk = call.tuned<Rows>().chunk;
#pragma omp parallel for schedule(dynamic, chunk)
  for (std::int64_t y = 0; y < call.problem.extents.y; ++y) mandelbrot::do_row(call, y);
}

}  // namespace dynamic

namespace guided {

void launch(const Call& call) {
  const int chunk = call.tuned<Rows>().chunk;
#pragma omp parallel for schedule(guided, chunk)
  for (std::int64_t y = 0; y < call.problem.extents.y; ++y) mandelbrot::do_row(call, y);
}

}  // namespace guided

namespace lanes {

void launch(const Call& call) {
  const int chunk = call.tuned<Rows>().chunk;
#pragma omp parallel for schedule(dynamic, chunk)
  for (std::int64_t y = 0; y < call.problem.extents.y; ++y) mandelbrot::do_row_in_lanes(call, y);
}

}  // namespace lanes

namespace static_form {

void launch(const Call& call) {
#pragma omp parallel for schedule(static)
  for (std::int64_t y = 0; y < call.problem.extents.y; ++y) mandelbrot::do_row(call, y);
}

}  // namespace static_form

}  // namespace

std::vector<Variant> mandelbrot_openmp() {
  return {
      {.name = "dynamic",
       .description = "threads over rows, dynamic schedule",
       .tunables = tunables<Rows>({{"chunk", &Rows::chunk, {1, 4, 16}}}),
       .launch = {.int32 = dynamic::launch}},
      {.name = "guided",
       .description = "threads over rows, guided schedule: chunks become smaller",
       .tunables = tunables<Rows>({{"chunk", &Rows::chunk, {1, 4, 16}}}),
       .launch = {.int32 = guided::launch}},
      {.name = "lanes",
       .description = "threads over rows, dynamic schedule; neighbouring pixels of a row in SIMD lanes",
       .tunables = tunables<Rows>({{"chunk", &Rows::chunk, {1, 4, 16}}}),
       .launch = {.int32 = lanes::launch}},
      {.name = "static",
       .description =
           "threads over rows, static schedule: unbalanced, because rows in the middle take longer",
       .launch = {.int32 = static_form::launch}},
  };
}

}  // namespace sextant
