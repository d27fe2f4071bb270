// Each step calls std::for_each over the rows of all planes, with SIMD along a row.
#include "host.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
using Row = void (*)(const T* from, T* to, const Extents& box, std::int64_t z, std::int64_t y);

// The row function is passed by pointer, so that the algorithm is compiled once per type instead of once per
// radius.
template <typename T>
void sweep_rows(Row<T> row, const T* from, T* to, const Extents& box) {
  for_each_index(0, box.z * box.y, [=](std::int64_t i) { row(from, to, box, i / box.y, i % box.y); });
}

template <typename T>
void launch(const Call& call) {
  heat3d::sweep_steps(call, static_cast<T*>(call.state),
                      [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
                        sweep_rows<T>(heat3d::update_row<radius, weights, T>, from, to, call.problem.extents);
                      });
}

}  // namespace

std::vector<Variant> heat3d_stdpar() {
  Variant variant = heat3d::host_variant("std::for_each over rows; SIMD along each row");
  variant.name = "for_each";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return {variant};
}

}  // namespace sextant
