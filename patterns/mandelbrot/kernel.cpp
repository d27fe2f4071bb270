#include "suite/kernel.hpp"

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/draws.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

constexpr std::int64_t one = std::int64_t{1} << mandelbrot::fraction;
constexpr double inside =
    0.1674;  // fraction of the view that never escapes; other points escape after about 5 steps on average

Extents extents(std::int64_t n) {
  const std::int64_t side = n < 3 ? 0 : square_root(n - 3);
  return {side, side, 1};
}

// Sets the view to the square from -2 - 1.5i to 1 + 1.5i, shifted by a random distance of less than a pixel.
void initialise(const Problem& problem, int, std::uint64_t seed, void* data) {
  auto* view = static_cast<std::int32_t*>(data);
  const std::int64_t step = 3 * one / problem.extents.x;
  view[0] = static_cast<std::int32_t>(-2 * one + below(seed, 0, step));
  view[1] = static_cast<std::int32_t>(-3 * one / 2 + below(seed, 1, step));
  view[2] = static_cast<std::int32_t>(step);
}

void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const auto* view = static_cast<const std::int32_t*>(arrays[0]);
  const std::int64_t w = problem.extents.x, limit = problem.parameters[0];
#pragma omp parallel for schedule(dynamic, 16)
  for (std::int64_t y = 0; y < w; ++y)
    for (std::int64_t x = 0; x < w; ++x) {
      const std::int64_t cr = view[0] + x * view[2], ci = view[1] + y * view[2];
      std::int64_t zr = 0, zi = 0, k = 0;
      for (; k < limit; ++k) {
        const std::int64_t a = zr * zr, b = zi * zi;
        if (a + b > 4 * one * one) break;
        zi = ((zr * zi) >> (mandelbrot::fraction - 1)) + ci;
        zr = ((a - b) >> mandelbrot::fraction) + cr;
      }
      results[1][y * w + x] = static_cast<double>(k);
    }
}

// Counts 16 operations per step. The number of steps is an estimate: within 1% for limits of 256 and 1000,
// but 27% too high for a limit of 16, at which some points have not escaped yet.
Work work(const Problem& p) {
  const std::int64_t pixels = p.extents.count();
  const double steps = inside * static_cast<double>(p.parameters[0]) + 5;
  return {.bytes_read = 12,
          .bytes_written = 4 * pixels,
          .items = pixels,
          .integer_operations = static_cast<std::int64_t>(16 * steps * static_cast<double>(pixels))};
}

}  // namespace

std::vector<Kernel> mandelbrot_kernels() {
  Kernel kernel;
  kernel.name = "mandelbrot";
  kernel.group = "mandelbrot";
  kernel.dwarf = "MapReduce";
  kernel.formula = "count[y][x] = steps of z = z^2 + c(x, y) until |z| > 2";
  kernel.arrays = {{"view", Role::in}, {"count", Role::out}};
  kernel.parameter_list = {{"limit", 256, 16, 10000, {16, 17, 1000}}};
  kernel.extents = extents;
  kernel.length = [](const Problem& p, int index) { return index == 0 ? 3 : p.extents.count(); };
  kernel.work = work;
  kernel.traits = [](const Problem& p) {
    Traits traits = elementwise_traits(3 / static_cast<double>(p.extents.count()), 1);
    traits.depth = static_cast<double>(p.parameters[0]);
    traits.divergence = inside;
    return traits;
  };
  kernel.initialise.int32 = initialise;
  kernel.reference.int32 = reference;
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "fixed-point arithmetic: every step is exact";
  kernel.sizes = pattern_sizes;
  kernel.refuse = [](const Problem& p) {
    return p.extents.x > std::int64_t{1} << 18 ? "more than 2^18 pixels per side" : nullptr;
  };
  return {kernel};
}

}  // namespace sextant
