#include <cstdlib>
#include <limits>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/index.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/target/teams.hpp"
#include "toolbox/target/warps.hpp"

// Helpers that the OpenMP offload variants of the heat stencil share.
namespace sextant::heat3d {

// The second array w and its device copy. Steps alternate between the call's arrays and w.
struct MappedArray {
  char* data;
  std::int64_t bytes;
};

static inline const char* prepare_mapped(const Call& call, void** state) {
  const std::int64_t bytes = workspace_bytes(call.problem);
  if (bytes == 0) return nullptr;
  char* data = static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes)));
  if (!data) return "no host memory for the second array of the time steps";
#pragma omp target enter data map(alloc : data [0:bytes])
  *state = new MappedArray{data, bytes};
  return nullptr;
}

static inline void release_mapped(void* state) {
  const auto* mapped = static_cast<MappedArray*>(state);
  if (!mapped) return;
  char* data = mapped->data;
  const std::int64_t bytes = mapped->bytes;
#pragma omp target exit data map(delete : data [0:bytes])
  std::free(data);
  delete mapped;
}

// Adds the second array to a variant whose memory space is MemorySpace::target.
static inline Variant with_workspace(Variant variant) {
  variant.workspace = [](const Problem& problem, const int*) { return workspace_bytes(problem); };
  variant.prepare = prepare_mapped;
  variant.release = release_mapped;
  return variant;
}

// Computes all steps with one target region each. Calls sweep.operator()<radius, weights>(from, to).
template <typename T, typename SweepOnce>
static void launch_steps(const Call& call, SweepOnce sweep) {
  const auto* mapped = static_cast<const MappedArray*>(call.state);
  sweep_steps(call, mapped ? reinterpret_cast<T*>(mapped->data) : nullptr, sweep);
}

}  // namespace sextant::heat3d

namespace sextant {
namespace {

// A lane computes a column that is one 16-byte pack wide and `planes` planes high, plane after plane. It
// keeps planes z-R … z+R of its points in registers, so that each is loaded once. Neighbouring rows along y,
// and packs to the left and right, come out of the caches. There is one target region per step.
namespace march {

// Number of warps per team, and of planes per column. Each warp computes one row.
struct Columns {
  int warps = 4, planes = 16;
};

using WarpChoices = Choices<2, 4, 8>;

// Returns the new value of point j of a pack. `line` has the row of the pack, with `packs` packs on either
// side. `across` has the packs of the R rows before, then of the R rows after. `queue` has the packs of
// planes z-R … z+R.
template <int radius, heat3d::Weights weights, int width, int packs, typename T>
SEXTANT_INLINE T stepped(const T* line, const T* across, const T* queue, int j) {
  const T* const own = line + packs * width + j;
  const T *const before = across + j, *const behind = before + radius * width,
                 *const column = queue + radius * width + j;
  T sum = static_cast<T>(heat3d::centre_coefficient(radius, weights)) * *column;
#pragma GCC unroll 4
  for (int k = 1; k <= radius; ++k) {
    const T west = own[-k], east = own[k], north = before[(k - 1) * width], south = behind[(k - 1) * width],
            below = column[-k * width], above = column[k * width];
    if constexpr (weights == heat3d::Weights::by_point) {
      constexpr heat3d::PointCoefficients<radius, T> c;
      sum += ((c.at[0][k] * west + c.at[1][k] * east) + (c.at[2][k] * north + c.at[3][k] * south)) +
             (c.at[4][k] * below + c.at[5][k] * above);
    } else {
      constexpr heat3d::Coefficients<radius, T> c;
      sum += c.at[k] * (((west + east) + (north + south)) + (below + above));
    }
  }
  return sum;
}

template <int radius, heat3d::Weights weights, int warps, int width, typename T>
void sweep(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t planes, const T* u, T* v) {
  constexpr int packs = (radius + width - 1) / width;
  const std::int64_t plane = nx * ny, count = plane * nz;
  const std::int64_t blocks_x = (nx + target::lanes * width - 1) / (target::lanes * width),
                     blocks_y = (ny + warps - 1) / warps,
                     all = (nz + planes - 1) / planes * blocks_y * blocks_x * (target::lanes * warps);
  const int teams = target::teams_for(target::usual_teams, all, target::taken_together<warps>);
#pragma omp target SEXTANT_ONE_WARP map(u [0:count], v [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams) SEXTANT_THREADS(warps)
  for (std::int64_t item = 0; item < all; ++item) {
    const std::int64_t lane = item % target::lanes, warp = item / target::lanes % warps,
                       block = item / (target::lanes * warps);
    const std::int64_t x = (block % blocks_x * target::lanes + lane) * width,
                       y = block / blocks_x % blocks_y * warps + warp,
                       first = block / blocks_x / blocks_y * planes;
    if (x >= nx || y >= ny) continue;
    const std::int64_t last = first + planes < nz ? first + planes : nz;
    const bool rim_y = heat3d::in_rim<radius>(y, ny);
    // A row on the boundary may lack neighbours inside the box. The row itself then replaces them, and the
    // values are not used.
    const std::int64_t row = rim_y ? 0 : nx;
    const T* const column = u + y * nx + x;
    T* const to = v + y * nx + x;
    T queue[(2 * radius + 1) * width];
#pragma GCC unroll 8
    for (int k = 0; k < 2 * radius; ++k) {
      const std::int64_t z = first + k - radius;
      openacc::load<width>(column + (z < 0 ? 0 : z < nz ? z : nz - 1) * plane, queue + (k + 1) * width);
    }
    for (std::int64_t z = first; z < last; ++z) {
      const T* const own = column + z * plane;
      T line[(2 * packs + 1) * width], across[2 * radius * width], out[width];
#pragma GCC unroll 32
      for (int k = 0; k < 2 * radius * width; ++k) queue[k] = queue[k + width];
      openacc::load<width>(z + radius < nz ? own + radius * plane : own, queue + 2 * radius * width);
#pragma GCC unroll 4
      for (int k = 1; k <= radius; ++k) {
        openacc::load<width>(own - k * row, across + (k - 1) * width);
        openacc::load<width>(own + k * row, across + (radius + k - 1) * width);
      }
#pragma GCC unroll 4
      for (int p = 1; p <= packs; ++p) {
        openacc::load<width>(x >= p * width ? own - p * width : own, line + (packs - p) * width);
        openacc::load<width>(x + p * width < nx ? own + p * width : own, line + (packs + p) * width);
      }
#pragma GCC unroll 4
      for (int j = 0; j < width; ++j) line[packs * width + j] = queue[radius * width + j];
      const bool rim = rim_y || heat3d::in_rim<radius>(z, nz);
#pragma GCC unroll 4
      for (int j = 0; j < width; ++j) {
        const T sum = stepped<radius, weights, width, packs>(line, across, queue, j);
        out[j] = rim || heat3d::in_rim<radius>(x + j, nx) ? queue[radius * width + j] : sum;
      }
      openacc::store<width>(to + z * plane, out);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto columns = call.tuned<Columns>();
  const Extents& box = call.problem.extents;
  constexpr int width = openacc::pack_width<T>;
  WarpChoices::with(columns.warps, [&]<int warps>() {
    heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
      if (box.x % width == 0)
        sweep<radius, weights, warps, width>(box.x, box.y, box.z, columns.planes, from, to);
      else  // Rows may start unaligned, so elements are accessed one by one.
        sweep<radius, weights, warps, 1>(box.x, box.y, box.z, columns.planes, from, to);
    });
  });
}

Variant form() {
  Variant variant = heat3d::with_workspace(
      target::mapped_variant("a lane marches a 16-byte column through several planes, kept in registers"));
  variant.tunables = tunables<Columns>(
      {{"warps", &Columns::warps, WarpChoices::list()}, {"planes", &Columns::planes, {4, 8, 16, 32, 64}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace march

// Uses `target teams distribute parallel for` with the three loops collapsed, one target region per step.
// OpenMP chooses the numbers of teams and threads.
namespace parallel_for {

template <int radius, heat3d::Weights weights, typename T, typename Index>
void sweep(Index nx, Index ny, Index nz, const T* u, T* v) {
  const std::int64_t row = nx, plane = row * ny, count = plane * nz;
#pragma omp target teams distribute parallel for collapse(3) map(to : u [0:count]) map(from : v [0:count])
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x) {
        const std::int64_t i = z * plane + y * row + x;
        const bool rim =
            heat3d::in_rim<radius>(x, nx) || heat3d::in_rim<radius>(y, ny) || heat3d::in_rim<radius>(z, nz);
        v[i] = rim ? u[i] : heat3d::point<radius, weights>(u, row, plane, i);
      }
}

template <typename T>
void launch(const Call& call) {
  const Extents& box = call.problem.extents;
  with_index(call.problem, [&]<typename Index>() {
    heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
      sweep<radius, weights>(static_cast<Index>(box.x), static_cast<Index>(box.y), static_cast<Index>(box.z),
                             from, to);
    });
  });
}

Variant form() {
  Variant variant = heat3d::with_workspace(target::mapped_variant(
      "target teams distribute parallel for over the three loops, collapsed; one region per step"));
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// SEXTANT_LANES is `simd` with GCC and `parallel for` with Clang. With GCC each team is one thread, whose
// SIMD lanes share the points of a row. There is one target region per step.
namespace teams_simd {

template <int radius, heat3d::Weights weights, typename T>
void sweep(std::int64_t nx, std::int64_t ny, std::int64_t nz, const T* u, T* v, int teams) {
  const std::int64_t plane = nx * ny, count = plane * nz;
#pragma omp target SEXTANT_ONE_WARP map(u [0:count], v [0:count])
#pragma omp teams distribute collapse(2) num_teams(teams)
  for (std::int64_t z = 0; z < nz; ++z)
    for (std::int64_t y = 0; y < ny; ++y) {
      const std::int64_t begin = z * plane + y * nx;
      const bool rim = heat3d::in_rim<radius>(y, ny) || heat3d::in_rim<radius>(z, nz);
#pragma omp SEXTANT_LANES
      for (std::int64_t x = 0; x < nx; ++x) {
        const std::int64_t i = begin + x;
        v[i] = rim || heat3d::in_rim<radius>(x, nx) ? u[i] : heat3d::point<radius, weights>(u, nx, plane, i);
      }
    }
}

template <typename T>
void launch(const Call& call) {
  const Extents& box = call.problem.extents;
  const int teams = target::teams_for(call.tuned<target::Warps>().teams, box.y * box.z, 1);
  heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
    sweep<radius, weights>(box.x, box.y, box.z, from, to, teams);
  });
}

Variant form() {
  Variant variant = heat3d::with_workspace(target::warps_variant(
      "teams distribute over rows, simd over points: one-thread teams, no parallel region"));
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> heat3d_target() {
  return {
      named("march", march::form()),
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
