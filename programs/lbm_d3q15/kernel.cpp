#include "suite/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "flags.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

using namespace lbm_d3q15;

constexpr int elements_per_node = directions + 1;  // 15 densities and one flag

// Returns the size of a near-cubic box whose arrays have at most n elements in total. Each side is at least
// 2.
Extents box_of(std::int64_t n) {
  const std::int64_t nodes = n / elements_per_node;
  if (nodes < 8) return {0, 0, 0};
  const std::int64_t z = cube_root(nodes), y = square_root(nodes / z);
  return {nodes / (y * z), y, z};
}

std::int64_t length(const Problem& problem, int index) {
  return problem.extents.count() * (index == 0 ? directions : 1);
}

// Returns the number of fluid nodes. For scenes with random solid nodes it is the expected number.
std::int64_t fluid_nodes(const Problem& problem) {
  const std::int64_t scene = problem.parameters[scene_index];
  const auto inside = [&](int axis, std::int64_t side) {
    return periodic(problem, axis) ? side : std::max<std::int64_t>(side - 2, 0);
  };
  const std::int64_t x = inside(0, problem.extents.x), y = inside(1, problem.extents.y),
                     z = inside(2, problem.extents.z);
  if (scene == porous) return x * y * z - x * y * z / 8;
  if (scene != rough_duct) return x * y * z;
  const std::int64_t next_to_walls =
      y * z - std::max<std::int64_t>(y - 2, 0) * std::max<std::int64_t>(z - 2, 0);
  return x * y * z - x * next_to_walls / 4;
}

// Counts fluid nodes only. Solid nodes are neither read, written nor computed.
Work work(const Problem& problem) {
  const std::int64_t updates = fluid_nodes(problem) * steps_of(problem);
  const std::int64_t bytes = updates * directions * static_cast<std::int64_t>(element_size(problem.type));
  // Each of several GPUs or ranks sends five densities of whole planes to each neighbour per step. Planes
  // include solid nodes.
  const std::int64_t neighbours =
      problem.parts > 1 && periodic(problem, 2) ? 2 : std::min(problem.parts - 1, 2);
  return {.bytes_read = bytes,
          .bytes_written = bytes,
          .flops = updates * collision_flops,
          .items = updates,
          .bytes_sent = neighbours * 5 * problem.extents.x * problem.extents.y * steps_of(problem) *
                        static_cast<std::int64_t>(element_size(problem.type))};
}

// Returns the traits of the two loops in lattice.hpp. Both read every node's flag.
Traits traits(const Problem& problem) {
  const auto nodes = static_cast<double>(problem.extents.count()),
             fluid = static_cast<double>(fluid_nodes(problem));
  const double propagated = 1 + 2 * (directions - 1), collided = directions;
  Traits traits = elementwise_traits(2 * nodes / fluid + propagated + collided, 2 * directions);
  traits.special_flops = 1;  // one division, 1 / rho, per node
  traits.launches = traits.depth = static_cast<double>(steps_of(problem));
  traits.divergence = std::min(fluid, nodes - fluid) / nodes;
  return traits;
}

LBM_INLINE double equilibrium(int k, double rho, const double* u) {
  const double along_u = along(k, 0) * u[0] + along(k, 1) * u[1] + along(k, 2) * u[2];
  return weight(k) * rho *
         (1 + 3 * along_u + 4.5 * along_u * along_u - 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
}

// Fills f with the equilibrium of a smooth flow of speed up to 0.03, with each density changed at random by
// up to 1 %.
template <typename T>
void make_densities(const Extents& size, std::uint64_t seed, T* f) {
  const auto bump = [](std::int64_t i, std::int64_t n) {
    const double t = static_cast<double>(i) / static_cast<double>(n);
    return 0.48 * t * t * (1 - t) * (1 - t);
  };
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t z = 0; z < size.z; ++z)
    for (std::int64_t y = 0; y < size.y; ++y)
      for (int k = 0; k < directions; ++k)
        for (std::int64_t x = 0; x < size.x; ++x) {
          const std::int64_t i = k * size.count() + (z * size.y + y) * size.x + x;
          const double u[] = {bump(y, size.y), bump(z, size.z), bump(x, size.x)};
          const auto noise = random_element<double>(seed, static_cast<std::uint64_t>(i));
          f[i] = static_cast<T>(equilibrium(k, 1, u) * (1 + 0.01 * noise));
        }
}

// Returns true if the node is solid in this scene; `dice` is a random number from 0 to 7.
bool is_solid(const Problem& problem, std::int64_t x, std::int64_t y, std::int64_t z, unsigned dice) {
  const Extents& size = problem.extents;
  const std::int64_t scene = problem.parameters[scene_index];
  if (scene == porous) return dice == 0;
  if (on_open_boundary(problem, x, y, z)) return true;
  const bool is_next_to_wall = y == 1 || y == size.y - 2 || z == 1 || z == size.z - 2;
  return scene == rough_duct && is_next_to_wall && dice < 2;
}

// Seed for solid nodes. It does not depend on the seed of the densities. Variants prepare data that depend on
// the solid nodes, so these must be the same for every seed.
constexpr std::uint64_t scene_seed = 0x53455854414E54;

template <typename T>
void make_flags(const Problem& problem, T* flags) {
  const Extents& size = problem.extents;
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t z = 0; z < size.z; ++z)
    for (std::int64_t y = 0; y < size.y; ++y)
      for (std::int64_t x = 0; x < size.x; ++x) {
        const std::int64_t i = (z * size.y + y) * size.x + x;
        const auto dice = static_cast<unsigned>(random_bits(scene_seed, static_cast<std::uint64_t>(i)) >> 61);
        flags[i] = is_solid(problem, x, y, z, dice) ? T(1) : T(0);
      }
}

template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  if (index == 0)
    make_densities(problem.extents, seed, static_cast<T*>(data));
  else
    make_flags(problem, static_cast<T*>(data));
}

// Computes one step of the reference from f to g, written as in the textbook.
void reference_step(const Problem& problem, const Links* links, const double* f, double* g) {
  const Extents& size = problem.extents;
  const std::int64_t nodes = size.count();
  const double tau = tau_of(problem), push = tau * force_of(problem);
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t z = 0; z < size.z; ++z)
    for (std::int64_t y = 0; y < size.y; ++y)
      for (std::int64_t x = 0; x < size.x; ++x) {
        const std::int64_t i = (z * size.y + y) * size.x + x;
        if (links[i] & solid_node) continue;
        const Neighbours<std::int64_t> to = neighbours_of(size.x, size.y, size.z, x, y, z);
        double came[directions], rho = 0, u[] = {push, 0, 0};
#pragma GCC unroll 15
        for (int k = 0; k < directions; ++k) {
          came[k] = (links[i] >> k) & 1 ? f[opposite(k) * nodes + i] : f[k * nodes + i + source(to, k)];
          rho += came[k];
          for (int axis = 0; axis < 3; ++axis) u[axis] += along(k, axis) * came[k];
        }
        for (double& component : u) component /= rho;
#pragma GCC unroll 15
        for (int k = 0; k < directions; ++k)
          g[k * nodes + i] = came[k] + (equilibrium(k, rho, u) - came[k]) / tau;
      }
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const std::int64_t nodes = problem.extents.count(), steps = steps_of(problem);
  const T* f = static_cast<const T*>(arrays[0]);
  std::vector<Links> links(static_cast<std::size_t>(nodes));
  make_links(problem.extents, static_cast<const T*>(arrays[1]), links.data());
  std::vector<double> other(static_cast<std::size_t>(directions * nodes));
  double *now = steps % 2 == 0 ? results[0] : other.data(),
         *next = steps % 2 == 0 ? other.data() : results[0];
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < directions * nodes; ++i) now[i] = next[i] = static_cast<double>(f[i]);
  for (std::int64_t step = 0; step < steps; ++step) {
    reference_step(problem, links.data(), now, next);
    std::swap(now, next);
  }
  bool finite = true;
#pragma omp parallel for schedule(static) reduction(&& : finite)
  for (std::int64_t i = 0; i < directions * nodes; ++i) finite = finite && std::isfinite(results[0][i]);
  if (!finite)
    throw std::runtime_error(
        "the densities are not finite: the computation is unstable; take a larger tau_milli, or fewer steps");
}

}  // namespace

std::vector<Kernel> lbm_d3q15_kernels() {
  Kernel kernel;
  kernel.name = "lbm_d3q15";
  kernel.group = "program";
  kernel.dwarf = "structured";
  kernel.family = "lattice";
  kernel.formula =
      "f[k][x] = collide(f[k][x - e[k]]), 15 densities per node, bounce-back at walls, `steps` times";
  kernel.arrays = {{"f", Role::inout}, {"flags", Role::in}};
  kernel.parameter_list = {{"steps", 10, 1, std::int64_t{1} << 30, {1, 2, 9}},
                           {"tau_milli", 800, 501, 1000000},
                           {"force_micro", 1, -10000, 10000},
                           {"scene", rough_duct, rough_duct, porous, {duct, plates, box, porous}}};
  kernel.shaped = true;
  kernel.extents = box_of;
  kernel.length = length;
  kernel.work = work;
  kernel.traits = traits;
  kernel.refuse = [](const Problem& problem) -> const char* {
    const Extents& size = problem.extents;
    return std::min({size.x, size.y, size.z}) < 2 ? "each side needs at least 2 nodes" : nullptr;
  };
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& problem) {
    const auto steps = static_cast<double>(steps_of(problem)), first = std::min(steps, 16.0);
    return Tolerance{.absolute = (2 * (first + 1) + (steps - first) / 2) * unit_roundoff(problem.type)};
  };
  kernel.tolerance_reason =
      "a collision sums densities below 1/3 to rho, near 1, and subtracts nearly equal values: the error of "
      "a density is at most 2 u per step (u = unit roundoff). Later steps conserve the sums and damp the "
      "rest, so errors at most add up. Over many steps rounding errors partly cancel: u/2 per step beyond "
      "the 16th, twice the error observed in float";
  Problem talk;
  talk.extents = {64, 32, 32};
  talk.n = elements_per_node * talk.extents.count();
  talk.parameters = {5000, 800, 1, duct};
  kernel.classes = {{"talk", talk}};
  // One exchange per step; parameter 0 is the number of steps.
  kernel.exchange = {Exchange::Pattern::planes, 0};
  kernel.unit = {UnitOfWork::Count::items, "MLUPS"};  // million lattice updates per second
  return {kernel};
}

}  // namespace sextant
