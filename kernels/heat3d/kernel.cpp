// Defines the heat stencils as problems: reference, work and tolerance. loop.hpp shows the loop.
#include <algorithm>
#include <cmath>
#include <memory>

#include "steps.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/elementwise.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

using heat3d::Weights;

// Fills u with initial values. One half of a value is a smooth bump, the other half is random. Errors in the
// smooth half remain visible after any number of steps. The random half exercises every point.
template <typename T>
void initialise(const Problem& problem, int, std::uint64_t seed, void* data) {
  const Extents& box = problem.extents;
  const auto bump = [](std::int64_t i, std::int64_t n) {
    const double t = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    return 4 * t * (1 - t);
  };
  T* u = static_cast<T*>(data);
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t z = 0; z < box.z; ++z)
    for (std::int64_t y = 0; y < box.y; ++y) {
      const double height = bump(y, box.y) * bump(z, box.z);
      for (std::int64_t x = 0; x < box.x; ++x) {
        const std::int64_t i = (z * box.y + y) * box.x + x;
        const auto noise = random_element<double>(seed, static_cast<std::uint64_t>(i));
        u[i] = static_cast<T>(0.5 * height * bump(x, box.x) + 0.5 * noise);
      }
    }
}

// Computes one step of the reference in double precision. The code is independent of the variants and shares
// only the coefficients with them, which are rounded to the problem's type as in the loop.
template <int radius, Weights weights, typename T>
void step(const double* u, double* v, const Extents& box) {
  const std::int64_t row = box.x, plane = box.x * box.y;
  const auto rounded = [](double value) { return static_cast<double>(static_cast<T>(value)); };
  const double centre = rounded(heat3d::centre_coefficient(radius, weights));
  double c[heat3d::directions][radius + 1];
  for (int direction = 0; direction < heat3d::directions; ++direction)
    for (int k = 1; k <= radius; ++k)
      c[direction][k] = rounded(weights == Weights::by_point ? heat3d::point_coefficient(radius, direction, k)
                                                             : heat3d::coefficient(radius, k));
  const auto outermost = [](std::int64_t i, std::int64_t n) { return std::min(i, n - 1 - i) < radius; };
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t z = 0; z < box.z; ++z)
    for (std::int64_t y = 0; y < box.y; ++y) {
      const double* const from = u + z * plane + y * row;
      double* const to = v + z * plane + y * row;
      for (std::int64_t x = 0; x < box.x; ++x) to[x] = from[x];
      if (outermost(z, box.z) || outermost(y, box.y)) continue;
#pragma omp simd
      for (std::int64_t x = radius; x < box.x - radius; ++x) {
        double sum = centre * from[x];
#pragma GCC unroll 4
        for (int k = 1; k <= radius; ++k)
          if constexpr (weights == Weights::by_point)
            sum += c[0][k] * from[x - k] + c[1][k] * from[x + k] + c[2][k] * from[x - k * row] +
                   c[3][k] * from[x + k * row] + c[4][k] * from[x - k * plane] +
                   c[5][k] * from[x + k * plane];
          else
            sum += c[0][k] * (from[x - k] + from[x + k] + from[x - k * row] + from[x + k * row] +
                              from[x - k * plane] + from[x + k * plane]);
        to[x] = sum;
      }
    }
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* u = static_cast<const T*>(arrays[0]);
  const std::int64_t count = problem.extents.count(), steps = heat3d::steps_of(problem);
  // The array is not initialised here, so that the loop's threads are the first to touch its pages.
  const std::unique_ptr<double[]> other(new double[static_cast<std::size_t>(count)]);
  double *from = steps % 2 == 0 ? results[1] : other.get(), *to = steps % 2 == 0 ? other.get() : results[1];
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) from[i] = static_cast<double>(u[i]);
  heat3d::with_stencil(problem, [&]<int radius, Weights weights>() {
    for (std::int64_t i = 0; i < steps; ++i, std::swap(from, to))
      step<radius, weights, T>(from, to, problem.extents);
  });
}

int points(const Problem& problem) { return 6 * heat3d::radius_of(problem) + 1; }

// Boundary points count like all others, since they are read and written too.
Work work(const Problem& problem) {
  const std::int64_t updates = problem.extents.count() * heat3d::steps_of(problem);
  Work work = elementwise_work(problem, 1, (2 * points(problem) - 1) * updates);
  work.items = updates;
  // Each of several GPUs or ranks sends R planes to each neighbour per step.
  const std::int64_t neighbours = std::min(problem.parts - 1, 2);
  work.bytes_sent = neighbours * heat3d::radius_of(problem) * problem.extents.x * problem.extents.y *
                    static_cast<std::int64_t>(element_size(problem.type)) * heat3d::steps_of(problem);
  return work;
}

Traits traits(const Problem& problem) {
  Traits traits = star_traits(problem.extents, 3, heat3d::radius_of(problem), points(problem));
  traits.launches = traits.depth = static_cast<double>(heat3d::steps_of(problem));
  return traits;
}

Tolerance tolerance(const Problem& problem) {
  const int radius = heat3d::radius_of(problem);
  const std::int64_t steps = heat3d::steps_of(problem);
  const Weights weights = heat3d::weights_of(problem);
  // The factor by which the largest value can grow in one step.
  double growth = std::abs(heat3d::centre_coefficient(radius, weights));
  for (int direction = 0; direction < heat3d::directions; ++direction)
    for (int k = 1; k <= radius; ++k)
      growth += std::abs(weights == Weights::by_point ? heat3d::point_coefficient(radius, direction, k)
                                                      : heat3d::coefficient(radius, k));
  const double one_step = (points(problem) + 2) * growth * unit_roundoff(problem.type) *
                          (problem.type == ElementType::float64 ? 2 : 1);
  if (steps == 1) return {.absolute = one_step};
  return {.absolute = (4 + std::log2(static_cast<double>(steps))) * one_step};
}

constexpr const char* tolerance_reason =
    "a sum of p products in any order errs by (p + 2) u times the sum of |coefficient| |value|, "
    "with values of at most 1 (u = unit roundoff); for double elements the double reference errs "
    "by as much. For several steps, the reference uses the coefficients as rounded to the type, "
    "and errors diffuse as values do, so that the total error stays within a few times that of "
    "one step. Observed for float after 10 000 steps: 5 u in a box of 64^3, 30 u in one of 96^3";

}  // namespace

std::vector<Kernel> heat3d_kernels() {
  std::vector<Kernel> kernels;
  for (const int radius : {1, 2, 3, 4}) {
    Kernel kernel;
    kernel.name = "heat3d_r" + std::to_string(radius);
    kernel.group = "stencil";
    kernel.family = "heat";
    kernel.formula =
        "v = u + dt * Laplacian(u), " + std::to_string(6 * radius + 1) + " points, rim kept, `steps` times";
    kernel.arrays = {{"u", Role::in}, {"v", Role::out}};
    kernel.parameter_list = {{"steps", 1, 1, 1'000'000, {2, 9, 10}},
                             // the radius is a fixed parameter, because it belongs to the kernel
                             {"radius", radius, radius, radius},
                             {"per_point", 0, 0, 1, {1}}};  // the underlying value of Weights
    kernel.parameters = {1, radius};
    kernel.shaped = true;
    kernel.extents = cube_extents<2>;
    kernel.work = work;
    kernel.traits = traits;
    // one exchange per step; parameter 0 is the number of steps
    kernel.exchange = {Exchange::Pattern::planes, 0};
    kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
    kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
    kernel.tolerance = tolerance;
    kernel.tolerance_reason = tolerance_reason;
    kernels.push_back(kernel);
  }
  return kernels;
}

}  // namespace sextant
