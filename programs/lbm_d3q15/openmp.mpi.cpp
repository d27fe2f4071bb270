// Variant openmp.mpi: the lattice is divided along z into slabs of whole planes, one per rank, updated as in
// openmp.fused. From each neighbour's nearest plane a step needs the five densities per node that move
// towards the slab. With overlap=1 they travel while the planes that need no halo are updated, and the
// outermost planes follow. A step sends ten numbers per node of a plane, regardless of the slab's height.
#include <memory>
#include <utility>

#include "chunks.hpp"
#include "slabs.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/memory.hpp"

namespace sextant {
namespace {

using namespace lbm_d3q15;

struct Shape {
  int streaming_stores = 1, overlap = 1, packed = 1;
};

template <typename T>
struct State {
  Slab15 slab;
  HostMemory<T> lattices[2], flags;
  HostMemory<T> sent[side_count], received[side_count];  // buffers for packed halos
  HostMemory<Links> links;
  T *now = nullptr, *next = nullptr;
  parts::Request requests[2 * side_count * crossing_densities];
  int waiting = 0;
};

template <typename T>
void isend(const Call& call, State<T>& state, const T* from, std::int64_t count, int to) {
  call.parts.ranks->isend(from, count * static_cast<std::int64_t>(sizeof(T)), to,
                          &state.requests[state.waiting++]);
}

template <typename T>
void irecv(const Call& call, State<T>& state, T* into, std::int64_t count, int from) {
  call.parts.ranks->irecv(into, count * static_cast<std::int64_t>(sizeof(T)), from,
                          &state.requests[state.waiting++]);
}

// Returns the address from which a density is sent towards `side`, in the rank's outermost plane. `which`
// numbers the five densities that move towards this side. arriving(…) returns the position in the neighbour's
// halo.
template <typename T>
T* leaving(const State<T>& state, int side, int which) {
  const std::int64_t z = side == 0 ? 1 : state.slab.planes;
  return state.now + crossing(side, which) * state.slab.nodes() + z * state.slab.plane();
}
template <typename T>
T* arriving(const State<T>& state, int side, int which) {
  const std::int64_t z = side == 0 ? state.slab.planes + 1 : 0;
  return state.now + crossing(side, which) * state.slab.nodes() + z * state.slab.plane();
}

// Copies the halos if a rank is its own neighbour.
template <typename T>
void copy_own_halos(const State<T>& state) {
  for (int side = 0; side < side_count; ++side)
    for (int which = 0; which < crossing_densities; ++which)
      copy_run(arriving(state, side, which), leaving(state, side, which), state.slab.plane());
}

// Starts the sends and receives of one exchange. The messages towards one side are sent in the order in which
// the rank on that side receives them. This also holds if one rank is the neighbour on both sides.
template <typename T>
void begin_exchange(const Call& call, State<T>& state, bool packed) {
  const Slab15& slab = state.slab;
  if (slab.neighbour[0] == call.parts.ranks->rank) return copy_own_halos(state);
  const std::int64_t plane = slab.plane();
  for (int side = 0; side < side_count; ++side) {
    const int from = slab.neighbour[1 - side];
    if (from < 0) continue;
    if (packed) irecv(call, state, state.received[side].get(), crossing_densities * plane, from);
    for (int which = 0; !packed && which < crossing_densities; ++which)
      irecv(call, state, arriving(state, side, which), plane, from);
  }
  for (int side = 0; side < side_count; ++side) {
    const int to = slab.neighbour[side];
    if (to < 0) continue;
    for (int which = 0; which < crossing_densities; ++which)
      if (packed)
        copy_run(state.sent[side].get() + which * plane, leaving(state, side, which), plane);
      else
        isend(call, state, leaving(state, side, which), plane, to);
    if (packed) isend(call, state, state.sent[side].get(), crossing_densities * plane, to);
  }
}

template <typename T>
void end_exchange(const Call& call, State<T>& state, bool packed) {
  const Slab15& slab = state.slab;
  call.parts.ranks->waitall(state.waiting, state.requests);
  state.waiting = 0;
  if (!packed || slab.neighbour[0] == call.parts.ranks->rank) return;
  for (int side = 0; side < side_count; ++side)
    for (int which = 0; slab.neighbour[1 - side] >= 0 && which < crossing_densities; ++which)
      copy_run(arriving(state, side, which), state.received[side].get() + which * slab.plane(), slab.plane());
}

template <typename T>
void update_planes(const Call& call, const State<T>& state, std::int64_t first, std::int64_t last) {
  if (first >= last) return;
  const Rates<T> rates = rates_of<T>(call.problem);
  const bool streaming = call.tuned<Shape>().streaming_stores != 0;
#pragma omp parallel
  {
    Chunk<T> chunk;
    share_planes(state.slab.box, first, last, [&](const Part& part) {
      update_part(state.slab.box, part, state.links.get(), rates, streaming, state.now, state.next, chunk);
    });
  }
}

template <typename T>
void step(const Call& call, State<T>& state) {
  const auto shape = call.tuned<Shape>();
  const bool computes = call.parts.what != parts::Do::exchange,
             exchanges = call.parts.what != parts::Do::compute;
  const std::int64_t last = state.slab.planes;
  if (exchanges) begin_exchange(call, state, shape.packed != 0);
  if (exchanges && !shape.overlap) end_exchange(call, state, shape.packed != 0);
  if (computes) update_planes(call, state, 2, last);
  if (exchanges && shape.overlap) end_exchange(call, state, shape.packed != 0);
  if (!computes) return;
  update_planes(call, state, 1, 2);
  if (last > 1) update_planes(call, state, last, last + 1);
  std::swap(state.now, state.next);
}

template <typename T>
void launch(const Call& call) {
  auto& state = *static_cast<State<T>*>(call.state);
  for (std::int64_t i = 0; i < steps_of(call.problem); ++i) step(call, state);
}

template <typename T>
const char* prepare(const Call& call, void** into) {
  if (call.arrays)
    if (const char* reason = refuse_flags(call.problem, call.array<const T>(1))) return reason;
  auto state = std::make_unique<State<T>>();
  state->slab = slab_of(call.problem, call.parts.ranks->rank);
  const Slab15& slab = state->slab;
  for (HostMemory<T>& lattice : state->lattices) lattice = allocate_host<T>(directions * slab.nodes());
  for (HostMemory<T>* side : {state->sent, state->received})
    for (int i = 0; i < side_count; ++i) side[i] = allocate_host<T>(crossing_densities * slab.plane());
  state->flags = allocate_host<T>(slab.nodes());
  state->links = allocate_host<Links>(slab.nodes());
  if (!state->lattices[0] || !state->lattices[1] || !state->sent[0] || !state->sent[1] ||
      !state->received[0] || !state->received[1] || !state->flags || !state->links)
    return "no host memory for this rank's planes";
  for (const HostMemory<T>& lattice : state->lattices) {
    T* const first = lattice.get();
    // Threads touch the planes first in the order in which they will use them.
#pragma omp parallel
    share_chunks(slab.box, [&](const Part& part) {
      for (int k = 0; k < directions; ++k)
        std::memset(first + k * slab.nodes() + part.first, 0,
                    static_cast<std::size_t>(part.count) * sizeof(T));
    });
  }
  state->now = state->lattices[0].get(), state->next = state->lattices[1].get();
  *into = state.release();
  return nullptr;
}

// Moves the slab's own planes of `arrays` arrays between this rank and the first rank. `to_first` gives the
// direction. The planes of array k begin at own + k * slab.nodes(). On the first rank, `whole` contains the
// whole arrays.
template <typename T>
void move_planes(const Call& call, State<T>& state, bool to_first, T* whole, T* own, int arrays) {
  const Extents& size = call.problem.extents;
  const std::int64_t plane = state.slab.plane(), count = state.slab.planes * plane;
  for (int k = 0; k < arrays; ++k) {
    T* const mine = own + k * state.slab.nodes();
    if (call.parts.ranks->rank > 0) {
      to_first ? isend(call, state, mine, count, 0) : irecv(call, state, mine, count, 0);
    } else {
      T* const all = whole + k * size.count();
      to_first ? copy_run(all, mine, count) : copy_run(mine, all, count);
    }
    for (int other = 1; call.parts.ranks->rank == 0 && other < call.parts.ranks->size; ++other) {
      const Share share = share_of(size.z, call.parts.ranks->size, other);
      T* const theirs = whole + k * size.count() + share.first * plane;
      to_first ? irecv(call, state, theirs, share.count * plane, other)
               : isend(call, state, theirs, share.count * plane, other);
      call.parts.ranks->waitall(std::exchange(state.waiting, 0), state.requests);
    }
    call.parts.ranks->waitall(std::exchange(state.waiting, 0), state.requests);
  }
}

// Sends each rank the flags of the planes next to its slab, periodically around the box. Solid nodes never
// change, so the flags are sent once.
template <typename T>
void scatter_flag_halos(const Call& call, State<T>& state, T* whole) {
  const Extents& size = call.problem.extents;
  const std::int64_t plane = state.slab.plane();
  for (int to = 0; to < call.parts.ranks->size; ++to) {
    if (call.parts.ranks->rank != 0 && call.parts.ranks->rank != to) continue;
    const Share share = share_of(size.z, call.parts.ranks->size, to);
    for (const bool above : {false, true}) {
      T* const halo = state.flags.get() + (above ? state.slab.planes + 1 : 0) * plane;
      const std::int64_t z = (above ? share.first + share.count : share.first + size.z - 1) % size.z;
      if (call.parts.ranks->rank > 0)
        irecv(call, state, halo, plane, 0);
      else if (to > 0)
        isend(call, state, whole + z * plane, plane, to);
      else
        copy_run(halo, whole + z * plane, plane);
    }
    call.parts.ranks->waitall(std::exchange(state.waiting, 0), state.requests);
  }
}

template <typename T>
void scatter(const Call& call) {
  auto& state = *static_cast<State<T>*>(call.state);
  const Extents& box = state.slab.box;
  for (const HostMemory<T>& lattice : state.lattices)
    std::memset(static_cast<void*>(lattice.get()), 0xFF,
                static_cast<std::size_t>(directions * box.count()) * sizeof(T));
  T* const plane_1 = state.now + state.slab.plane();
  move_planes(call, state, false, call.arrays ? call.array<T>(0) : nullptr, plane_1, directions);
  T* const flags = call.arrays ? call.array<T>(1) : nullptr;
  move_planes(call, state, false, flags, state.flags.get() + state.slab.plane(), 1);
  scatter_flag_halos(call, state, flags);
  make_links(box, state.flags.get(), state.links.get());
}

template <typename T>
void gather(const Call& call) {
  auto& state = *static_cast<State<T>*>(call.state);
  move_planes(call, state, true, call.arrays ? call.array<T>(0) : nullptr, state.now + state.slab.plane(),
              directions);
}

template <auto of_float, auto of_double>
void either(const Call& call) {
  call.problem.type == ElementType::float32 ? of_float(call) : of_double(call);
}

const char* refuse(const Problem& problem, const Shape&) {
  return problem.extents.z < problem.parts
             ? "a rank would have no plane: choose fewer ranks, or a box with more planes"
             : nullptr;
}

// Streaming stores avoid reading lines that are overwritten completely. They are slower if a rank's lattices
// fit in cache.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t bytes = 2 * directions * problem.extents.count() / problem.parts *
                             static_cast<std::int64_t>(element_size(problem.type));
  shape.streaming_stores = bytes > (std::int64_t{32} << 20);
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  const Slab15 slab = slab_of(problem, 0);
  const auto size = static_cast<std::int64_t>(element_size(problem.type));
  return slab.nodes() * ((2 * directions + 1) * size + static_cast<std::int64_t>(sizeof(Links))) +
         2 * side_count * crossing_densities * slab.plane() * size;
}

}  // namespace

std::vector<Variant> lbm_d3q15_openmp_mpi() {
  Variant variant;
  variant.name = "mpi";
  variant.memory_space = MemorySpace::partitioned;
  variant.parts.needs_mpi = true;
  variant.description =
      "one slab of planes per rank, updated by threads; halos are exchanged, "
      "during the update of the inner planes if overlap is 1";
  variant.tunables = tunables<Shape>({{"streaming_stores", &Shape::streaming_stores, {0, 1}},
                                      {"overlap", &Shape::overlap, {0, 1}},
                                      {"packed", &Shape::packed, {0, 1}}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare_either<prepare<float>, prepare<double>>;
  variant.prepare_depends_on = DependsOn::structure;
  variant.release = [](void* state) { delete static_cast<State<float>*>(state); };
  variant.parts.scatter = either<scatter<float>, scatter<double>>;
  variant.parts.gather = either<gather<float>, gather<double>>;
  variant.parts.separable = true;
  return {variant};
}

}  // namespace sextant
