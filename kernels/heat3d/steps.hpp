// What all variants of the heat stencil share: the problem's parameters, the rim, and which arrays a step
// reads and writes.
#pragma once

#include "coefficients.hpp"
#include "suite/choices.hpp"
#include "suite/variant.hpp"

namespace sextant::heat3d {

using Radii = Choices<1, 2, 3, 4>;

inline std::int64_t steps_of(const Problem& problem) { return problem.parameters[0]; }
inline int radius_of(const Problem& problem) { return static_cast<int>(problem.parameters[1]); }
inline Weights weights_of(const Problem& problem) {
  return problem.parameters[2] ? Weights::by_point : Weights::by_distance;
}

// Why a form that adds up the points of a distance before it multiplies cannot take the problem, or null.
inline const char* refuse_by_point(const Problem& problem) {
  return weights_of(problem) == Weights::by_point
             ? "it takes one coefficient a distance (per_point=0): points are added before they are multiplied"
             : nullptr;
}

// Calls action.operator()<radius, weights>() with those of the problem.
template <typename Action>
static void with_stencil(const Problem& problem, Action action) {
  Radii::with(radius_of(problem), [&]<int radius>() {
    if (weights_of(problem) == Weights::by_point)
      action.template operator()<radius, Weights::by_point>();
    else
      action.template operator()<radius, Weights::by_distance>();
  });
}

// Whether coordinate i of n lies in the rim.
template <int radius, typename Index>
static constexpr bool in_rim(Index i, Index n) {
  return i < radius || i >= n - radius;
}

// What sweep `index` of `count` reads and writes: the first reads u, the last writes v, and those between
// alternate between v and the workspace w, so that u stays as it is.
template <typename T>
struct Sweep {
  const T* from;
  T* to;
};

template <typename T>
static constexpr Sweep<T> sweep_of(const T* u, T* v, T* w, std::int64_t index, std::int64_t count) {
  const bool into_v = (count - index) % 2 == 1;
  return {index == 0 ? u : into_v ? w : v, into_v ? v : w};
}

// The same of a call, whose arrays are u and v.
template <typename T>
static Sweep<T> sweep_of(const Call& call, T* w, std::int64_t index, std::int64_t count) {
  return sweep_of(call.array<const T>(0), call.array<T>(1), w, index, count);
}

// All steps of a call, one sweep a step: sweep.operator()<radius, weights>(from, to).
template <typename T, typename SweepOnce>
static void sweep_steps(const Call& call, T* w, SweepOnce sweep) {
  const std::int64_t steps = steps_of(call.problem);
  with_stencil(call.problem, [&]<int radius, Weights weights>() {
    for (std::int64_t step = 0; step < steps; ++step) {
      const auto [from, to] = sweep_of(call, w, step, steps);
      sweep.template operator()<radius, weights>(from, to);
    }
  });
}

// Bytes of the workspace: one array, where there is more than one step.
inline std::int64_t workspace_bytes(const Problem& problem) {
  return steps_of(problem) > 1
             ? problem.extents.count() * static_cast<std::int64_t>(element_size(problem.type))
             : 0;
}

}  // namespace sextant::heat3d
