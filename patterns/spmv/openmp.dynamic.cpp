#include "row.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Chunk {
  int rows = 1024;
};

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  const int rows = call.tuned<Chunk>().rows;
#pragma omp parallel for schedule(dynamic, rows)
  for (std::int64_t r = 0; r < call.problem.extents.x; ++r)
    a.y[r] = spmv::sum_of_entries(a, a.row[r], a.row[r + 1]);
}

}  // namespace

Variant spmv_openmp_dynamic() {
  Variant variant;
  variant.description = "threads take the next rows when they are done with theirs";
  variant.tunables = tunables<Chunk>({{"rows", &Chunk::rows, {16, 64, 256, 1024, 4096}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
