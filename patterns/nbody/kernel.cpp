#include "suite/kernel.hpp"

#include <bit>
#include <type_traits>

#include "loop.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 20;  // largest number of bodies
constexpr std::int64_t most_in_long_double = 8192,
                       block = 64;  // block: bodies whose contributions are summed separately

// Returns a mass in [1, 2) that a type of half the width always rounds down. So a variant that computes in
// that type accumulates errors, and the check finds them. The type is float (24 significant bits) for double,
// and half (11 bits) for float. The mass has eight high bits, then zeros, then random low bits.
template <typename T>
T mass(std::uint64_t seed, std::int64_t i) {
  constexpr int last = sizeof(T) == 8 ? 52 : 23,
                low = sizeof(T) == 8 ? 27 : 11;  // last: bits after the point; low: number of random low bits
  const std::uint64_t random = random_bits(seed, static_cast<std::uint64_t>(i));
  const std::uint64_t lowest = (random & ((std::uint64_t{1} << low) - 1)) | std::uint64_t{1} << low;
  return static_cast<T>((128 + (random >> 57)) << (last - 7) | lowest) /
         static_cast<T>(std::uint64_t{1} << last);
}

template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  T* values = static_cast<T*>(data);
  const std::int64_t n = problem.extents.x;
  // With this divisor the sum of all masses is between 0.4 and 0.8.
  const auto share = static_cast<T>(std::uint64_t{2} << std::bit_width(static_cast<std::uint64_t>(n)));
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    values[i] =
        index == 3 ? mass<T>(seed, i) / share : random_element<T>(seed, static_cast<std::uint64_t>(i));
  }
}

template <typename Real, typename T>
void sums_of(const Problem& problem, const void* const* arrays, double* const* results) {
  const std::int64_t n = problem.extents.x;
  const T *x = static_cast<const T*>(arrays[0]), *y = static_cast<const T*>(arrays[1]),
          *z = static_cast<const T*>(arrays[2]), *m = static_cast<const T*>(arrays[3]);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    Real sum[3] = {};
    for (std::int64_t begin = 0; begin < n; begin += block) {
      const std::int64_t end = std::min(n, begin + block);
      Real ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
      for (std::int64_t j = begin; j < end; ++j) {
        const Real dx = static_cast<Real>(x[j]) - static_cast<Real>(x[i]),
                   dy = static_cast<Real>(y[j]) - static_cast<Real>(y[i]),
                   dz = static_cast<Real>(z[j]) - static_cast<Real>(z[i]);
        const Real r2 = dx * dx + dy * dy + dz * dz + static_cast<Real>(nbody::softening);
        const Real factor = static_cast<Real>(m[j]) / (r2 * std::sqrt(r2));
        ax += factor * dx, ay += factor * dy, az += factor * dz;
      }
      sum[0] += ax, sum[1] += ay, sum[2] += az;
    }
    for (int axis = 0; axis < 3; ++axis) results[4 + axis][i] = static_cast<double>(sum[axis]);
  }
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  if (std::is_same_v<T, double> && problem.extents.x <= most_in_long_double)
    sums_of<long double, T>(problem, arrays, results);
  else
    sums_of<double, T>(problem, arrays, results);
}

Work work(const Problem& p) {
  const std::int64_t n = p.extents.x, size = static_cast<std::int64_t>(element_size(p.type));
  return {.bytes_read = 4 * n * size, .bytes_written = 3 * n * size, .flops = 20 * n * n, .items = n};
}

Traits traits(const Problem& p) {
  const auto n = static_cast<double>(p.extents.x);
  Traits traits = elementwise_traits(7 * n, 3);
  traits.special_flops = 2 * n;  // a square root and a division per pair of bodies
  traits.depth = levels(p.extents.x);
  return traits;
}

}  // namespace

std::vector<Kernel> nbody_kernels() {
  Kernel kernel;
  kernel.name = "nbody";
  kernel.group = "nbody";
  kernel.dwarf = "N-body";
  kernel.formula = "a[i] = sum over j of m[j]*d/(d*d + 1/64)^(3/2), d = p[j] - p[i]";
  kernel.arrays = {{"x", Role::in},   {"y", Role::in},   {"z", Role::in},  {"m", Role::in},
                   {"ax", Role::out}, {"ay", Role::out}, {"az", Role::out}};
  kernel.extents = vector_extents<7>;
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) {
    const auto n = static_cast<double>(p.extents.x);
    return Tolerance{.absolute = (16 + std::sqrt(n) + 512 / n) * unit_roundoff(p.type)};
  };
  kernel.tolerance_reason =
      "units of roundoff: n additions to a sum of about 0.2, with an error of 7 seen at n = "
      "2048; one neighbour adds at most 25/n, at a distance of 0.09, with ten roundings of its "
      "own";
  // the largest size has 32 768 bodies; with twice as many, one core may take a minute
  kernel.sizes = {7 * 1024, 7 * 8192, 7 * 32768};
  kernel.refuse = [](const Problem& p) {
    return p.extents.x > most ? "more than 2^20 bodies: the check takes time proportional to their square"
                              : nullptr;
  };
  return {kernel};
}

}  // namespace sextant
