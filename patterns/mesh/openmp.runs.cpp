// Ranges of vertices and, from prepare, the runs of edges that end there, block after block: where a mesh is numbered in order, edges are
// added by vectors, and memory has q and r once.
#include <omp.h>

#include "loop.hpp"
#include "runs.hpp"

namespace sextant {
namespace {

using Parts = std::vector<mesh::Part>;
constexpr int parts_a_thread = 4;             // which threads take when they are done with theirs
constexpr std::int64_t block = 2048;          // vertices
constexpr std::int32_t piece = 256, few = 8;  // edges

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

}  // namespace

Variant mesh_openmp_runs() {
  Variant variant;
  variant.description =
      "ranges of vertices with the edges that end there, as runs of neighbours: added by vectors, at no place by two threads";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = [](const Problem& problem, const int*) { return 16 * mesh::edges_of(problem); };
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Parts*>(state); };
  return variant;
}

}  // namespace sextant
