#include "suite/kernel.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "mesh.hpp"
#include "toolbox/exact_sums.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using mesh::edges_of;
using mesh::vertices_of;

// The largest mesh of k x k vertices whose arrays fit in n elements. With E edges and V vertices the arrays
// have 3 E + 2 V = 11 k^2 - 12 k + 3 elements. k is at least 2, because a single vertex has no edge.
Extents extents(std::int64_t n) {
  const auto elements = [](std::int64_t k) { return 3 * mesh::edges_of_side(k) + 2 * k * k; };
  std::int64_t k = n < elements(2) ? 0 : square_root(n / 11) + 2;
  while (k > 0 && elements(k) > n) --k;
  return k < 2 ? Extents{0, 1, 1} : Extents{k * k, 1, 1};
}

std::int64_t length(const Problem& p, int index) {
  return index == 0 ? 2 * edges_of(p) : index == 1 ? edges_of(p) : vertices_of(p);
}

// full-precision ("wide") values have this many bits less than the type holds, so that their products are
// exact
constexpr int fewer_bits = 3;

constexpr bool is_wide(std::int64_t vertex) { return vertex % 8 == 3; }

// Fills the edges' ends, the weights, or q. To keep products exact, q is wide only at every eighth vertex,
// and weights are wide only on edges without such a vertex.
template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  const mesh::Edges edges(problem);
  if (index == 0) {
    auto* ends = static_cast<std::int32_t*>(data);
#pragma omp parallel for schedule(static)
    for (std::int64_t e = 0; e < edges_of(problem); ++e) {
      const mesh::Edge edge = edges(e);
      ends[2 * e] = static_cast<std::int32_t>(edge.i);
      ends[2 * e + 1] = static_cast<std::int32_t>(edge.j);
    }
    return;
  }
  T* values = static_cast<T*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < length(problem, index); ++i) {
    bool wide = is_wide(i);
    if (index == 1) {
      const mesh::Edge edge = edges(i);
      wide = !is_wide(edge.i) && !is_wide(edge.j);
    }
    values[i] = wide         ? wide_number<T>(seed, i, fewer_bits)
                : index == 1 ? static_cast<T>(1 + below(seed, i, 4))
                             : whole<T>(seed, i, 8);
  }
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const auto* ends = static_cast<const std::int32_t*>(arrays[0]);
  const T *w = static_cast<const T*>(arrays[1]), *q = static_cast<const T*>(arrays[2]);
  std::vector<std::int64_t> sums(static_cast<std::size_t>(vertices_of(problem)));
  for (std::int64_t e = 0; e < edges_of(problem); ++e) {
    const std::int32_t i = ends[2 * e], j = ends[2 * e + 1];
    const auto f =
        static_cast<std::int64_t>(w[e]) * (static_cast<std::int64_t>(q[j]) - static_cast<std::int64_t>(q[i]));
    sums[static_cast<std::size_t>(i)] += f;
    sums[static_cast<std::size_t>(j)] -= f;
  }
  for (std::size_t v = 0; v < sums.size(); ++v) results[3][v] = static_cast<double>(sums[v]);
}

Work work(const Problem& p) {
  const std::int64_t edges = edges_of(p), vertices = vertices_of(p),
                     size = static_cast<std::int64_t>(element_size(p.type));
  return {.bytes_read = edges * (8 + size) + vertices * size,
          .bytes_written = vertices * size,
          .flops = 4 * edges,
          .items = edges};
}

// Each edge reads its two ends, its weight, and q and r at both ends; it writes r at both ends. Each r is
// also set to zero once. In an ordered mesh, consecutive edges touch consecutive vertices. In a shuffled
// mesh, the vertices of consecutive edges are on average a third of the mesh apart.
Traits traits(const Problem& p) {
  const auto edges = static_cast<double>(edges_of(p)), vertices = static_cast<double>(vertices_of(p));
  const double way = p.parameters[0] == mesh::ordered ? 1 : vertices / 3;
  Traits traits = elementwise_traits(7, (2 * edges + vertices) / edges, way, way);
  traits.reduction = 1;
  traits.depth = 6;
  return traits;
}

Kernel with_numbering(mesh::Numbering numbering, const char* name, const char* formula) {
  Kernel kernel;
  kernel.name = name;
  kernel.group = "mesh";
  kernel.dwarf = "unstructured";
  kernel.formula = formula;
  kernel.arrays = {
      {"ends", Role::in, ElementType::int32}, {"w", Role::in}, {"q", Role::in}, {"r", Role::out}};
  kernel.parameters = {numbering};
  kernel.extents = extents;
  kernel.length = length;
  kernel.refuse = [](const Problem& p) {
    return 2 * edges_of(p) > std::numeric_limits<std::int32_t>::max()
               ? "more edge ends than an int32 can count"
               : nullptr;
  };
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason =
      "exact in any order of additions: the flow along an edge is an integer below 2^19 in "
      "magnitude (2^50 in double), and a vertex has at most six edges";
  kernel.sizes = pattern_sizes;
  return kernel;
}

}  // namespace

std::vector<Kernel> mesh_kernels() {
  return {with_numbering(mesh::ordered, "mesh_ordered",
                         "r[i] += f, r[j] -= f over edges, f = w*(q[j]-q[i]); numbered by rows"),
          with_numbering(mesh::shuffled, "mesh_shuffled",
                         "r[i] += f, r[j] -= f over edges, f = w*(q[j]-q[i]); numbered randomly")};
}

}  // namespace sextant
