// The two loops of the talk "Introduction to OpenACC", unchanged. Each serial variant compiles them with its
// own compiler flags.
#pragma once

#include <new>

#include "flags.hpp"

namespace sextant::lbm_d3q15 {

template <typename T>
static void propagate(const Extents& size, const T* flags, const T* f, T* g) {
  const std::int64_t nodes = size.count();
  for (std::int64_t z = 0; z < size.z; ++z)
    for (std::int64_t y = 0; y < size.y; ++y)
      for (std::int64_t x = 0; x < size.x; ++x) {
        const std::int64_t i = (z * size.y + y) * size.x + x;
        if (flags[i] != 0) continue;
        const Neighbours<std::int64_t> to = neighbours_of(size.x, size.y, size.z, x, y, z);
        g[i] = f[i];
#pragma GCC unroll 15
        for (int k = 1; k < directions; ++k) {
          const std::int64_t from = i + source(to, k);
          g[k * nodes + i] = flags[from] != 0 ? f[opposite(k) * nodes + i] : f[k * nodes + from];
        }
      }
}

template <typename T>
static void collide_all(std::int64_t nodes, const Rates<T>& rates, const T* flags, const T* g, T* f) {
  for (std::int64_t i = 0; i < nodes; ++i) {
    if (flags[i] != 0) continue;
    T node[directions];
#pragma GCC unroll 15
    for (int k = 0; k < directions; ++k) node[k] = g[k * nodes + i];
    collide(node, rates);
#pragma GCC unroll 15
    for (int k = 0; k < directions; ++k) f[k * nodes + i] = node[k];
  }
}

template <typename T>
static void launch_two_loops(const Call& call) {
  const Extents& size = call.problem.extents;
  T *f = call.array<T>(0), *g = static_cast<T*>(call.state);
  const T* flags = call.array<const T>(1);
  const Rates<T> rates = rates_of<T>(call.problem);
  for (std::int64_t step = 0; step < steps_of(call.problem); ++step) {
    call.phase("propagate");
    propagate(size, flags, f, g);
    call.phase("collide");
    collide_all(size.count(), rates, flags, g, f);
  }
  call.phase("");
}

template <typename T>
static const char* prepare_two_loops(const Call& call, void** state) {
  if (const char* reason = refuse_flags(call.problem, call.array<const T>(1))) return reason;
  *state = new (std::nothrow) T[static_cast<std::size_t>(directions * call.problem.extents.count())]();
  return *state ? nullptr : "host memory ran out";
}

static Variant two_loops() {
  Variant variant;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch_two_loops);
  variant.workspace = [](const Problem& problem, const int*) {
    return directions * problem.extents.count() * static_cast<std::int64_t>(element_size(problem.type));
  };
  variant.prepare = prepare_either<prepare_two_loops<float>, prepare_two_loops<double>>;
  variant.prepare_depends_on = DependsOn::structure;
  variant.release = [](void* state) { ::operator delete[](state); };
  return variant;
}

}  // namespace sextant::lbm_d3q15
