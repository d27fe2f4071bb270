#include "loop.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Boards {
  int chunk = 16;
};

namespace dynamic {

void launch(const Call& call) {
  const int chunk = call.tuned<Boards>().chunk;
#pragma omp parallel for schedule(dynamic, chunk)
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) nqueens::count_one(call, i, nqueens::by_stack);
}

}  // namespace dynamic

namespace guided {

void launch(const Call& call) {
  const int chunk = call.tuned<Boards>().chunk;
#pragma omp parallel for schedule(guided, chunk)
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) nqueens::count_one(call, i, nqueens::by_stack);
}

}  // namespace guided

namespace static_form {

void launch(const Call& call) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) nqueens::count_one(call, i, nqueens::by_stack);
}

}  // namespace static_form

}  // namespace

std::vector<Variant> nqueens_openmp() {
  return {
      {.name = "dynamic",
       .description = "threads over boards, dynamic schedule",
       .tunables = tunables<Boards>({{"chunk", &Boards::chunk, {1, 16, 256}}}),
       .launch = {.int32 = dynamic::launch}},
      {.name = "guided",
       .description = "threads over boards, guided schedule: chunks become smaller",
       .tunables = tunables<Boards>({{"chunk", &Boards::chunk, {1, 16, 256}}}),
       .launch = {.int32 = guided::launch}},
      {.name = "static",
       .description = "threads over boards, static schedule",
       .launch = {.int32 = static_form::launch}},
  };
}

}  // namespace sextant
