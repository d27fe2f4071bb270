#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  T* const u = call.array<T>(0);
  const auto pieces = halo3d::pieces_of(call.problem, halo3d::parts_of(call.problem), 0);
#pragma omp parallel
  for (const halo3d::Piece& piece : pieces) {
    const std::int64_t rows = piece.rows();
#pragma omp for schedule(static) nowait
    for (std::int64_t row = 0; row < rows; ++row)
      halo3d::copy_rows<T>(piece, piece.from, piece.to, u, u, row, row + 1);
  }
}

}  // namespace

std::vector<Variant> halo3d_openmp() {
  return {{.name = "wrap",
           .description = "one partition: threads divide the rows of each of the 26 halo regions",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
