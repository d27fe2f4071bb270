#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// A team copies the elements of `run` consecutive visits. Its SIMD lane l handles visits l, l + L, … of them,
// where L is the team's number of lanes.
namespace dealt {

using Elements = Choices<1, 2, 4, 8>;

struct Dealt {
#ifdef __clang__
  int elements_per_lane = 1;
#else
  int elements_per_lane = 2;
#endif
};

template <int elements, typename T>
void copy(std::int64_t n, std::int64_t stride, const T* b, T* c) {
  constexpr std::int64_t together = target::at_a_time, run = together * elements;
  const std::int64_t all = (n + run - 1) / run * together;
  const int teams = target::teams_for(target::usual_teams, all, together);
#pragma omp target SEXTANT_ONE_WARP map(b [0:n], c [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t lane = 0; lane < all; ++lane) {
    const stride::Order visit(n, stride);
    const std::int64_t first = lane / together * run + lane % together;
    std::int64_t at[elements];
    T values[elements];
#pragma GCC unroll 8
    for (int k = 0; k < elements; ++k) {
      const std::int64_t j = first + k * together;
      at[k] = visit(j < n ? j : n - 1);
      values[k] = b[at[k]];
    }
#pragma GCC unroll 8
    for (int k = 0; k < elements; ++k) c[at[k]] = values[k];
  }
}

template <typename T>
void launch(const Call& call) {
  Elements::with(call.tuned<Dealt>().elements_per_lane, [&]<int elements>() {
    copy<elements>(call.problem.extents.x, call.problem.parameters[0], call.array<const T>(0),
                   call.array<T>(1));
  });
}

Variant form() {
  Variant variant = target::mapped_variant("each lane copies several elements of the kernel's order");
  variant.tunables = tunables<Dealt>({{"elements_per_lane", &Dealt::elements_per_lane, Elements::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace dealt

// Uses `target teams distribute parallel for`. OpenMP chooses the numbers of teams and threads.
namespace parallel_for {

template <typename T>
void loop(std::int64_t n, std::int64_t stride, const T* b, T* c) {
#pragma omp target teams distribute parallel for map(to : b [0:n]) map(from : c [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t at = stride::Order(n, stride)(i);
    c[at] = b[at];
  }
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.problem.parameters[0], call.array<const T>(0), call.array<T>(1));
}

Variant form() {
  Variant variant = target::mapped_variant("the plain form: target teams distribute parallel for");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// SEXTANT_LANES is `simd` with GCC and `parallel for` with Clang. With GCC each team is one thread, whose
// SIMD lanes share the iterations.
namespace teams_simd {

template <typename T>
void loop(std::int64_t n, std::int64_t stride, const T* b, T* c, const target::Warps& shape) {
  const int teams = target::teams_for(shape, n);
#pragma omp target SEXTANT_ONE_WARP map(b [0:n], c [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t at = stride::Order(n, stride)(i);
    c[at] = b[at];
  }
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.problem.parameters[0], call.array<const T>(0), call.array<T>(1),
       call.tuned<target::Warps>());
}

Variant form() {
  Variant variant = target::warps_variant("teams distribute simd: one-thread teams, no parallel region");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> stride_target() {
  return {
      named("dealt", dealt::form()),
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
