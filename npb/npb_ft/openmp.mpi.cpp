// NAS FT with MPI ranks and OpenMP threads; uses the passes of openmp.panels. A rank transforms whole planes
// along x and y, then exchanges blocks of the field and transforms lines along z. A step's rows are
// transformed in chunks; each chunk is sent while the next ones are transformed.
#include <cstring>
#include <vector>

#include "panel_state.hpp"
#include "panels.hpp"
#include "toolbox/share.hpp"

// Layout of the field on ranks. A rank has whole planes for the transforms along x and y. For those along z
// it has the same rows of all planes. A piece is the intersection of one rank's planes and another rank's
// rows. Each piece is contiguous in memory at both ranks, so nothing is packed.
namespace sextant::npb_ft {
namespace {

// Addresses of the rows in a rank's planes. Row y of plane z is at first[y] + z * stride[y].
struct PlaneRows {
  std::vector<Complex*> first;
  std::vector<std::int64_t> stride;

  Complex* row(std::int64_t z, std::int64_t y) const {
    return first[static_cast<std::size_t>(y)] + z * stride[static_cast<std::size_t>(y)];
  }
};

// A panel: adjacent columns of one of the rank's planes.
template <bool streaming>
struct PlanePanel {
  Complex* const* first;
  const std::int64_t* stride;
  std::int64_t z, x;
  int column_bits;  // log2 of the number of columns

  SEXTANT_FLAT Complex* at(std::int64_t position) const {
    const std::int64_t row = position >> column_bits;
    return first[row] + z * stride[row] + x + (position - (row << column_bits));
  }
  template <typename V>
  SEXTANT_FLAT void load(std::int64_t position, V& re, V& im) const {
    load_complex(at(position), re, im);
  }
  template <typename V>
  SEXTANT_FLAT void store(std::int64_t position, V re, V im) const {
    store_complex<streaming>(at(position), re, im);
  }
};

// Domain decomposition: the planes and rows of each rank.
struct Cut {
  Extents e;
  int size = 1, rank = 0, chunks = 1;

  Share planes(int of) const { return share_of(e.z, size, of); }
  Share rows(int of) const { return share_of(e.y, size, of); }
  // Returns a rank's rows that are transformed and sent together in chunk `index`. Row numbers are global.
  Share chunk(int of, int index) const {
    const Share all = rows(of), some = share_of(all.count, chunks, index);
    return {all.first + some.first, some.count};
  }
  // Returns the maximum number of elements in the rank's planes or rows.
  std::int64_t elements() const { return e.x * std::max(e.y * planes(rank).count, e.z * rows(rank).count); }
};

// Block of a field for one message: its offset and size in elements.
struct Piece {
  std::int64_t at = 0, count = 0;
};

// Return the blocks that the exchange of the initial field sends (from planes) and receives (into rows).
// Received blocks are stored plane after plane.
inline Piece piece_of_planes(const Cut& cut, int to) {
  const std::int64_t line = cut.e.x * cut.planes(cut.rank).count;
  return {line * cut.rows(to).first, line * cut.rows(to).count};
}
inline Piece piece_into_rows(const Cut& cut, int from) {
  const std::int64_t plane = cut.e.x * cut.rows(cut.rank).count;
  return {plane * cut.planes(from).first, plane * cut.planes(from).count};
}

// Return the blocks that the exchange of a step sends (from rows) and receives (into planes). A chunk of rows
// is contiguous, plane after plane. Received blocks are stored in the order of rows.
inline Piece piece_of_rows(const Cut& cut, int chunk, int to) {
  const Share rows = cut.chunk(cut.rank, chunk), planes = cut.planes(to);
  const std::int64_t before = rows.first - cut.rows(cut.rank).first;
  return {cut.e.x * (before * cut.e.z + planes.first * rows.count), cut.e.x * planes.count * rows.count};
}
inline Piece piece_into_planes(const Cut& cut, int chunk, int from) {
  const Share rows = cut.chunk(from, chunk);
  const std::int64_t line = cut.e.x * cut.planes(cut.rank).count;
  return {line * rows.first, line * rows.count};
}

// Sets the addresses of the given rows of all planes. They are stored from `piece` on.
inline void set_rows(const Extents& e, const Share& rows, Complex* piece, PlaneRows* table) {
  for (std::int64_t i = 0; i < rows.count; ++i) {
    table->first[static_cast<std::size_t>(rows.first + i)] = piece + i * e.x;
    table->stride[static_cast<std::size_t>(rows.first + i)] = rows.count * e.x;
  }
}

// Returns the row addresses before sending, when all planes are in one array.
inline PlaneRows rows_to_send(const Cut& cut, Complex* memory) {
  const auto count = static_cast<std::size_t>(cut.e.y);
  PlaneRows table{std::vector<Complex*>(count), std::vector<std::int64_t>(count)};
  for (int to = 0; to < cut.size; ++to)
    set_rows(cut.e, cut.rows(to), memory + piece_of_planes(cut, to).at, &table);
  return table;
}

// Returns the row addresses after receiving. Blocks from other ranks are in `received`. The rank's own block
// stays in `sent`, unless `own_too` is true.
inline PlaneRows rows_received(const Cut& cut, bool own_too, Complex* received, Complex* sent) {
  const auto count = static_cast<std::size_t>(cut.e.y);
  PlaneRows table{std::vector<Complex*>(count), std::vector<std::int64_t>(count)};
  for (int from = 0; from < cut.size; ++from)
    for (int chunk = 0; chunk < cut.chunks; ++chunk)
      set_rows(cut.e, cut.chunk(from, chunk),
               from == cut.rank && !own_too ? sent + piece_of_rows(cut, chunk, from).at
                                            : received + piece_into_planes(cut, chunk, from).at,
               &table);
  return table;
}

}  // namespace
}  // namespace sextant::npb_ft

namespace sextant {
namespace {

using namespace npb_ft;

// Tunable: number of messages in which a rank sends its rows to each other rank; 0: one MPI_Alltoall.
struct Shape : Panels {
  int chunks = 1;
};

struct Part : PanelTables {
  Cut cut;
  bool by_alltoall = false;
  HostMemory<Complex> rows, sent, received;  // rows: U; sent, received: blocks of planes
  PlaneRows start, planes;   // row addresses of the initial field (in `sent`) and of a step's field
  std::vector<double> sums;  // checksums of all steps
  std::vector<parts::Request> requests;
  int waiting = 0;
};

std::int64_t part_bytes(const Cut& cut) {
  return cut.elements() * static_cast<std::int64_t>(sizeof(Complex));
}

void exchange(const Call& call, Part& part, const Complex* from, const Piece& piece, int to) {
  if (piece.count > 0)
    call.parts.ranks->isend(from + piece.at, piece.count * static_cast<std::int64_t>(sizeof(Complex)), to,
                            &part.requests[static_cast<std::size_t>(part.waiting++)]);
}

void fetch(const Call& call, Part& part, Complex* into, const Piece& piece, int from) {
  if (piece.count > 0)
    call.parts.ranks->irecv(into + piece.at, piece.count * static_cast<std::int64_t>(sizeof(Complex)), from,
                            &part.requests[static_cast<std::size_t>(part.waiting++)]);
}

void wait(const Call& call, Part& part) {
  call.parts.ranks->waitall(part.waiting, part.requests.data());
  part.waiting = 0;
}

void set_start(const Extents& e, const Part& part) {
  const Share own = part.cut.planes(part.cut.rank);
#pragma omp parallel for schedule(static) collapse(2)
  for (std::int64_t z = 0; z < own.count; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      random_row(npb::random_skip(npb::other_seed,
                                  static_cast<std::uint64_t>(2 * e.x * ((own.first + z) * e.y + y))),
                 2 * e.x, &part.start.row(z, y)->re);
}

template <bool exchanged>
void pass_x(const Part& part, const PlaneRows& planes) {
  const Extents& e = part.cut.e;
  const std::int64_t own = part.cut.planes(part.cut.rank).count;
#pragma omp parallel
  {
    const Buffers buffers(part, thread_index(), 0, e.x);
#pragma omp for schedule(static) collapse(2)
    for (std::int64_t z = 0; z < own; ++z)
      for (std::int64_t y = 0; y < e.y; ++y)
        transform_line<exchanged>(part.plans[0], planes.row(z, y), buffers.pair);
  }
}

template <bool streaming, typename V>
void pass_y(const Part& part, const PlaneRows& planes, std::int64_t columns) {
  const Extents& e = part.cut.e;
  const std::int64_t own = part.cut.planes(part.cut.rank).count;
  const int bits = log2_of(columns);
#pragma omp parallel
  {
    const Buffers buffers(part, thread_index(), columns, e.y * columns);
#pragma omp for schedule(static) collapse(2)
    for (std::int64_t z = 0; z < own; ++z)
      for (std::int64_t x = 0; x < e.x; x += columns) {
        const PlanePanel<streaming> panel{planes.first.data(), planes.stride.data(), z, x, bits};
        transform<V>(part.plans[1], columns, panel, panel, buffers.pair);
      }
    if (streaming) stream_fence();
  }
}

// Transforms along z: in place in U, or from U times the decay factors to a chunk of rows at `to`.
template <bool streaming, bool evolving, typename V>
void pass_z(const Part& part, const Share& rows, Complex* to, std::int64_t columns) {
  const Extents& e = part.cut.e;
  const Share own = part.cut.rows(part.cut.rank);
  const int bits = log2_of(columns);
#pragma omp parallel
  {
    const Buffers buffers(part, thread_index(), columns, e.z * columns);
#pragma omp for schedule(static) collapse(2)
    for (std::int64_t y = 0; y < rows.count; ++y)
      for (std::int64_t x = 0; x < e.x; x += columns) {
        Complex* const from = part.rows.get() + (rows.first - own.first + y) * e.x + x;
        const Panel<false> source{from, own.count * e.x, bits};
        if constexpr (evolving) {
          for (std::int64_t i = 0; i < columns; ++i)
            buffers.columns[i] = part.decay[0][x + i] * part.decay[1][rows.first + y];
          const Panel<streaming> sink{to + y * e.x + x, rows.count * e.x, bits};
          transform<V>(part.plans[2], columns, EvolvedPanel{source, part.decay[2], buffers.columns}, sink,
                       buffers.pair);
        } else {
          const Panel<streaming> sink{from, own.count * e.x, bits};
          transform<V>(part.plans[2], columns, source, sink, buffers.pair);
        }
      }
    if (streaming) stream_fence();
  }
}

// Calls body<streaming, V>(columns). V is a SIMD vector if its length divides the number of columns, else
// double.
template <typename Body>
void with_panels(const Call& call, bool in_place, const Body& body) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t columns = panel_columns(call.problem, shape);
  Streaming::with(streams(shape, in_place) ? 1 : 0, [&]<int streaming>() {
    if (columns % lanes == 0)
      body.template operator()<streaming != 0, Packed>(columns);
    else
      body.template operator()<streaming != 0, double>(columns);
  });
}

void transform_y(const Call& call, const Part& part, const PlaneRows& planes) {
  with_panels(call, true, [&]<bool streaming, typename V>(std::int64_t columns) {
    pass_y<streaming, V>(part, planes, columns);
  });
}

// Exchanges the initial field: from each rank's planes to the rows of U.
void turn_start(const Call& call, Part& part) {
  const Cut& cut = part.cut;
  if (part.by_alltoall)
    return call.parts.ranks->alltoall(
        part.sent.get(), part.rows.get(),
        piece_of_planes(cut, 0).count * static_cast<std::int64_t>(sizeof(Complex)));
  for (int other = 0; other < cut.size; ++other) {
    if (other == cut.rank) continue;
    fetch(call, part, part.rows.get(), piece_into_rows(cut, other), other);
    exchange(call, part, part.sent.get(), piece_of_planes(cut, other), other);
  }
  wait(call, part);
}

void keep_own_start(const Part& part) {
  const Piece from = piece_of_planes(part.cut, part.cut.rank),
              into = piece_into_rows(part.cut, part.cut.rank);
  std::memcpy(static_cast<void*>(part.rows.get() + into.at), part.sent.get() + from.at,
              static_cast<std::size_t>(from.count) * sizeof(Complex));
}

void transform_start(const Call& call, Part& part, bool computes, bool exchanges) {
  if (computes) {
    set_start(part.cut.e, part);
    pass_x<true>(part, part.start);
    transform_y(call, part, part.start);
    if (!part.by_alltoall) keep_own_start(part);
  }
  if (exchanges) turn_start(call, part);
  if (computes)
    with_panels(call, true, [&]<bool streaming, typename V>(std::int64_t columns) {
      pass_z<streaming, false, V>(part, part.cut.rows(part.cut.rank), nullptr, columns);
    });
}

// Performs a step's pass along z chunk by chunk. Sends each block to the rank that has its planes.
void turn_step(const Call& call, Part& part, bool computes, bool exchanges) {
  const Cut& cut = part.cut;
  const bool sends = exchanges && !part.by_alltoall;
  for (int chunk = 0; sends && chunk < cut.chunks; ++chunk)
    for (int from = 0; from < cut.size; ++from)
      if (from != cut.rank) fetch(call, part, part.received.get(), piece_into_planes(cut, chunk, from), from);
  for (int chunk = 0; chunk < cut.chunks; ++chunk) {
    Complex* const to = part.sent.get() + piece_of_rows(cut, chunk, 0).at;
    if (computes)
      with_panels(call, false, [&]<bool streaming, typename V>(std::int64_t columns) {
        pass_z<streaming, true, V>(part, cut.chunk(cut.rank, chunk), to, columns);
      });
    for (int other = 0; sends && other < cut.size; ++other)
      if (other != cut.rank) exchange(call, part, part.sent.get(), piece_of_rows(cut, chunk, other), other);
  }
  if (sends) wait(call, part);
  if (exchanges && part.by_alltoall)
    call.parts.ranks->alltoall(part.sent.get(), part.received.get(),
                               piece_of_rows(cut, 0, 0).count * static_cast<std::int64_t>(sizeof(Complex)));
}

// Sums the checksum points in the rank's planes.
void add_checksum(const Part& part, double* sum) {
  const Extents& e = part.cut.e;
  const Share own = part.cut.planes(part.cut.rank);
  const double scale = 1.0 / static_cast<double>(e.count());  // a power of two, so the scaling is exact
  sum[0] = sum[1] = 0;
  for (std::int64_t j = 1; j <= checksum_points; ++j) {
    const std::int64_t z = 5 * j % e.z - own.first;
    if (z < 0 || z >= own.count) continue;
    const Complex& value = part.planes.row(z, 3 * j % e.y)[j % e.x];
    sum[0] += value.re * scale;
    sum[1] += value.im * scale;
  }
}

void launch(const Call& call) {
  auto& part = *static_cast<Part*>(call.state);
  const Extents& e = call.problem.extents;
  const bool computes = call.parts.what != parts::Do::exchange,
             exchanges = call.parts.what != parts::Do::compute;
  if (computes)
    for (int axis = 0; axis < 3; ++axis) set_factors(part.plans[axis], part.plan_memory[axis]);
  transform_start(call, part, computes, exchanges);
  for (std::int64_t t = 1; t <= iterations(call.problem); ++t) {
    if (computes) set_decay(e, t, part.decay[0], part.decay[1], part.decay[2]);
    turn_step(call, part, computes, exchanges);
    if (!computes) continue;
    transform_y(call, part, part.planes);
    pass_x<false>(part, part.planes);
    add_checksum(part, &part.sums[static_cast<std::size_t>(2 * t - 2)]);
  }
  if (exchanges)
    call.parts.ranks->allreduce(part.sums.data(), static_cast<std::int64_t>(part.sums.size()),
                                parts::Combine::sum);
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  auto part = std::make_unique<Part>();
  part->by_alltoall = shape.chunks == 0;
  part->cut = {call.problem.extents, call.parts.ranks->size, call.parts.ranks->rank,
               std::max(shape.chunks, 1)};
  const Cut& cut = part->cut;
  part->sums.resize(static_cast<std::size_t>(2 * iterations(call.problem)));
  part->requests.resize(static_cast<std::size_t>(2 * cut.size * cut.chunks));
  if (!make_tables(call.problem, shape, thread_count(), part.get()))
    return "no host memory for this rank's tables";
  for (HostMemory<Complex>* memory : {&part->rows, &part->sent, &part->received}) {
    *memory = allocate_host<Complex>(cut.elements());
    if (!*memory) return "no host memory for this rank's slice of the fields";
    Complex* const first = memory->get();
    // Each thread first touches the memory that it will use (NUMA placement).
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < cut.elements(); ++i) first[i] = {0, 0};
  }
  part->start = rows_to_send(cut, part->sent.get());
  part->planes = rows_received(cut, part->by_alltoall, part->received.get(), part->sent.get());
  *state = part.release();
  return nullptr;
}

// Fills the rank's memory with invalid values. The problem has no inputs to distribute.
void scatter(const Call& call) {
  auto& part = *static_cast<Part*>(call.state);
  const auto bytes = static_cast<std::size_t>(part_bytes(part.cut));
  for (Complex* memory : {part.rows.get(), part.sent.get(), part.received.get()})
    std::memset(static_cast<void*>(memory), 0xFF, bytes);
  std::memset(part.sums.data(), 0xFF, part.sums.size() * sizeof(double));
}

// Copies the last rank's checksums to rank 0, which shows that all ranks have them.
void gather_sums(const Call& call, Part& part) {
  const auto bytes = static_cast<std::int64_t>(part.sums.size() * sizeof(double));
  const int last = part.cut.size - 1;
  parts::Request request;
  if (part.cut.rank == 0) {
    if (last == 0)
      return std::copy(part.sums.begin(), part.sums.end(), call.array<double>(checksums)), void();
    call.parts.ranks->irecv(call.address(checksums), bytes, last, &request);
  } else if (part.cut.rank == last) {
    call.parts.ranks->isend(part.sums.data(), bytes, 0, &request);
  } else {
    return;
  }
  call.parts.ranks->waitall(1, &request);
}

// Collects the last w in natural order on rank 0. A rank first gathers its planes in U's memory, which the
// next launch overwrites.
void gather_field(const Call& call, Part& part) {
  const Cut& cut = part.cut;
  const std::int64_t plane = cut.e.x * cut.e.y, own = cut.planes(cut.rank).count;
  Complex* const whole = cut.rank == 0 ? call.array<Complex>(field) : part.rows.get();
  for (std::int64_t z = 0; z < own; ++z)
    for (std::int64_t y = 0; y < cut.e.y; ++y)
      std::memcpy(static_cast<void*>(whole + z * plane + y * cut.e.x), part.planes.row(z, y),
                  static_cast<std::size_t>(cut.e.x) * sizeof(Complex));
  if (cut.rank > 0) exchange(call, part, whole, {0, own * plane}, 0);
  for (int from = 1; cut.rank == 0 && from < cut.size; ++from)
    fetch(call, part, whole, {cut.planes(from).first * plane, cut.planes(from).count * plane}, from);
  wait(call, part);
}

void gather(const Call& call) {
  auto& part = *static_cast<Part*>(call.state);
  gather_sums(call, part);
  if (with_field(call.problem)) gather_field(call, part);
}

const char* refuse(const Problem& problem, const Shape& shape) {
  const Extents& e = problem.extents;
  if (e.z < problem.parts || e.y < problem.parts)
    return "a rank would have no plane or no row: choose fewer ranks, or a larger class or shape";
  if (shape.chunks == 0 && (e.z % problem.parts != 0 || e.y % problem.parts != 0))
    return "MPI_Alltoall (chunks=0) needs blocks of equal size: choose fewer ranks, a power of two, or "
           "chunks=1";
  return nullptr;
}

// Disables non-temporal stores if a rank's data fit in the caches.
void adapt(const Problem& problem, Shape& shape) {
  if (2 * field_bytes(problem) / problem.parts <= (std::int64_t{16} << 20))
    shape.streaming_stores = stream_none;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  const Cut longest{problem.extents, problem.parts, 0, 1};
  return 3 * part_bytes(longest) +
         8 * (table_doubles(problem.extents) + thread_count() * buffer_doubles(problem, shape));
}

}  // namespace

std::vector<Variant> npb_ft_openmp_mpi() {
  Variant variant;
  variant.name = "mpi";
  variant.memory_space = MemorySpace::partitioned;
  variant.parts.needs_mpi = true;
  variant.description =
      "MPI ranks with whole planes, then whole rows, threads within; one all-to-all per transform";
  variant.tunables = tunables<Shape>(
      {{"columns", &Shape::columns, {4, 8, 16, 32, 64}},
       {"streaming_stores", &Shape::streaming_stores, {stream_none, stream_all, stream_to_others}},
       {"chunks", &Shape::chunks, {0, 1, 2, 4, 8}}});
  variant.launch = {.float64 = launch};
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Part*>(state); };
  variant.parts.scatter = scatter;
  variant.parts.gather = gather;
  variant.parts.separable = true;
  return {variant};
}

}  // namespace sextant
