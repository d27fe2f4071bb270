#include <omp.h>

#include <vector>

#include "lists.hpp"
#include "loop.hpp"
#include "mesh.hpp"
#include "runs.hpp"

namespace sextant {
namespace {

namespace atomic {

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const std::int64_t vertices = mesh::vertices_of(call.problem), edges = mesh::edges_of(call.problem);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t v = 0; v < vertices; ++v) a.r[v] = 0;
#pragma omp for schedule(static)
    for (std::int64_t e = 0; e < edges; ++e) {
      const std::int32_t i = a.ends[2 * e], j = a.ends[2 * e + 1];
      const T f = a.w[e] * (a.q[j] - a.q[i]);
#pragma omp atomic
      a.r[i] += f;
#pragma omp atomic
      a.r[j] -= f;
    }
  }
}

}  // namespace atomic

namespace coloured {

using mesh::Colours;

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const auto& colours = *static_cast<const Colours*>(call.state);
  const std::int64_t vertices = mesh::vertices_of(call.problem);
  const std::int32_t* order = colours.order.data();
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t v = 0; v < vertices; ++v) a.r[v] = 0;
    for (std::size_t c = 0; c < colours.count(); ++c) {
#pragma omp for schedule(static)
      for (std::int32_t at = colours.begin[c]; at < colours.begin[c + 1]; ++at) {
        const std::int32_t e = order[at], i = a.ends[2 * e], j = a.ends[2 * e + 1];
        const T f = a.w[e] * (a.q[j] - a.q[i]);
        a.r[i] += f;
        a.r[j] -= f;
      }
    }
  }
}

const char* prepare(const Call& call, void** state) {
  *state = new Colours(mesh::colour(mesh::vertices_of(call.problem), mesh::edges_of(call.problem),
                                    call.array<const std::int32_t>(0)));
  return nullptr;
}

}  // namespace coloured

// Each thread owns a range of vertices. It processes all edges with an end in that range, which `prepare`
// lists. An edge between two ranges is processed by both threads; each adds only to its own vertex.
namespace partitioned {

using Parts = std::vector<std::vector<std::int32_t>>;  // the edges of each range of vertices

template <typename T>
void add_part(const mesh::Arrays<T>& a, const std::vector<std::int32_t>& edges, std::int64_t begin,
              std::int64_t end) {
  for (std::int64_t v = begin; v < end; ++v) a.r[v] = 0;
  for (const std::int32_t e : edges) {
    const std::int32_t i = a.ends[2 * e], j = a.ends[2 * e + 1];
    const T f = a.w[e] * (a.q[j] - a.q[i]);
    if (i >= begin && i < end) a.r[i] += f;
    if (j >= begin && j < end) a.r[j] -= f;
  }
}

std::int64_t begin_of(std::int64_t vertices, std::int64_t parts, std::int64_t part) {
  return (vertices + parts - 1) / parts * part < vertices ? (vertices + parts - 1) / parts * part : vertices;
}

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const auto& parts = *static_cast<const Parts*>(call.state);
  const auto count = static_cast<std::int64_t>(parts.size());
  const std::int64_t vertices = mesh::vertices_of(call.problem);
#pragma omp parallel for schedule(static)
  for (std::int64_t p = 0; p < count; ++p)
    add_part(a, parts[static_cast<std::size_t>(p)], begin_of(vertices, count, p),
             begin_of(vertices, count, p + 1));
}

const char* prepare(const Call& call, void** state) {
  const auto* ends = call.array<const std::int32_t>(0);
  const std::int64_t vertices = mesh::vertices_of(call.problem), edges = mesh::edges_of(call.problem),
                     count = omp_get_max_threads(), each = (vertices + count - 1) / count;
  auto* parts = new Parts(static_cast<std::size_t>(count));
  for (std::int64_t e = 0; e < edges; ++e) {
    const std::int64_t of_i = ends[2 * e] / each, of_j = ends[2 * e + 1] / each;
    (*parts)[static_cast<std::size_t>(of_i)].push_back(static_cast<std::int32_t>(e));
    if (of_j != of_i) (*parts)[static_cast<std::size_t>(of_j)].push_back(static_cast<std::int32_t>(e));
  }
  *state = parts;
  return nullptr;
}

}  // namespace partitioned

// Each thread owns ranges of vertices and processes the runs (runs.hpp) of edges there, block by block. In a
// mesh numbered in order, runs are long, and vector instructions add their edges.
namespace runs {

using Parts = std::vector<mesh::Part>;
constexpr int parts_a_thread = 4;     // number of ranges of vertices per thread, distributed dynamically
constexpr std::int64_t block = 2048;  // number of vertices per block of a range
// piece: number of edges computed together. few: shorter runs are computed without vector instructions.
constexpr std::int32_t piece = 256, few = 8;

template <bool first, bool second, typename T>
void add_run(const mesh::Arrays<T>& a, const mesh::Run& run) {
  if (run.count < few) {
    for (std::int32_t t = 0; t < run.count; ++t) {
      const T flow = a.w[run.edge + t] * (a.q[run.j + t] - a.q[run.i + t]);
      if constexpr (first) a.r[run.i + t] += flow;
      if constexpr (second) a.r[run.j + t] -= flow;
    }
    return;
  }
  T flow[piece];
  for (std::int32_t done = 0; done < run.count; done += piece) {
    const std::int32_t count = std::min(piece, run.count - done);
    const T *w = a.w + run.edge + done, *q_i = a.q + run.i + done, *q_j = a.q + run.j + done;
    T *r_i = a.r + run.i + done, *r_j = a.r + run.j + done;
#pragma omp simd
    for (std::int32_t t = 0; t < count; ++t) flow[t] = w[t] * (q_j[t] - q_i[t]);
    if constexpr (first)
#pragma omp simd
      for (std::int32_t t = 0; t < count; ++t) r_i[t] += flow[t];
    if constexpr (second)
#pragma omp simd
      for (std::int32_t t = 0; t < count; ++t) r_j[t] -= flow[t];
  }
}

template <typename T>
void add_part(const mesh::Arrays<T>& a, const mesh::Part& part) {
  std::int64_t zeroed = part.begin;
  const auto zero_to = [&](std::int64_t to) {
    for (; zeroed < to; ++zeroed) a.r[zeroed] = 0;
  };
  for (const mesh::Block& one : part.blocks) {
    zero_to(one.touched);
    for (const mesh::Run& run : one.runs) add_run<true, true>(a, run);
  }
  zero_to(part.end);
  for (const mesh::Run& run : part.first_end) add_run<true, false>(a, run);
  for (const mesh::Run& run : part.second_end) add_run<false, true>(a, run);
}

template <typename T>
void launch(const Call& call) {
  const mesh::Arrays<T> a(call);
  const auto& parts = *static_cast<const Parts*>(call.state);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t p = 0; p < parts.size(); ++p) add_part(a, parts[p]);
}

const char* prepare(const Call& call, void** state) {
  *state = new Parts(mesh::parts_of(mesh::vertices_of(call.problem), mesh::edges_of(call.problem),
                                    call.array<const std::int32_t>(0), parts_a_thread * omp_get_max_threads(),
                                    block));
  return nullptr;
}

}  // namespace runs

}  // namespace

std::vector<Variant> mesh_openmp() {
  return {
      {.name = "atomic",
       .description = "threads over edges, atomic additions",
       .launch = SEXTANT_FLOAT_DOUBLE(atomic::launch)},
      {.name = "coloured",
       .description = "one loop per edge colour, found beforehand; edges of a colour share no vertex, so no "
                      "atomics",
       .launch = SEXTANT_FLOAT_DOUBLE(coloured::launch),
       .prepare = coloured::prepare,
       .prepare_depends_on = DependsOn::structure,
       .release = [](void* state) { delete static_cast<coloured::Colours*>(state); },
       .workspace = [](const Problem& problem, const int*) { return 4 * mesh::edges_of(problem); }},
      {.name = "partitioned",
       .description = "one range of vertices per thread, with all edges that end there; no atomics",
       .launch = SEXTANT_FLOAT_DOUBLE(partitioned::launch),
       .prepare = partitioned::prepare,
       .prepare_depends_on = DependsOn::structure,
       .release = [](void* state) { delete static_cast<partitioned::Parts*>(state); },
       .workspace = [](const Problem& problem, const int*) { return 8 * mesh::edges_of(problem); },
       .for_large_arrays = true},
      {.name = "runs",
       .description = "ranges of vertices with their edges as runs of consecutive vertices: vectorized, no "
                      "atomics",
       .launch = SEXTANT_FLOAT_DOUBLE(runs::launch),
       .prepare = runs::prepare,
       .prepare_depends_on = DependsOn::structure,
       .release = [](void* state) { delete static_cast<runs::Parts*>(state); },
       .workspace = [](const Problem& problem, const int*) { return 16 * mesh::edges_of(problem); }},
  };
}

}  // namespace sextant
