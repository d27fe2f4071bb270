// A SIMD vector of doubles, or a single double, with the same interface.
#pragma once

#include "toolbox/npb_flow/host.hpp"

namespace sextant::npb::flow {
namespace {

// The vector type of `lanes` doubles. (Compilers ignore a vector size that depends on a template argument.)
template <int lanes>
struct PackedType;
template <>
struct PackedType<1> {
  using type = double;
};
template <>
struct PackedType<2> {
  typedef double type __attribute__((vector_size(16)));
};
template <>
struct PackedType<4> {
  typedef double type __attribute__((vector_size(32)));
};
template <>
struct PackedType<8> {
  typedef double type __attribute__((vector_size(64)));
};
template <int lanes>
using Packed = typename PackedType<lanes>::type;

SEXTANT_FLOW void set_lane(double& v, int, double value) { v = value; }
template <typename V>
SEXTANT_FLOW void set_lane(V& v, int lane, double value) {
  v[lane] = value;
}
SEXTANT_FLOW double lane_of(const double& v, int) { return v; }
template <typename V>
SEXTANT_FLOW double lane_of(const V& v, int lane) {
  return v[lane];
}

}  // namespace
}  // namespace sextant::npb::flow
