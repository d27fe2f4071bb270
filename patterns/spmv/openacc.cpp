#include <openacc.h>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

namespace gang_vector {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument because GCC accepts only a constant there.
template <int length, typename T>
void multiply(std::int64_t m, std::int64_t entries, const std::int32_t* row, const std::int32_t* col,
              const T* val, const T* x, T* y) {
#pragma acc parallel loop gang vector present(row [0:m + 1], col [0:entries], val [0:entries], x [0:m], \
                                              y [0:m]) vector_length(length)
  for (std::int64_t r = 0; r < m; ++r) {
    T sum = 0;
#pragma acc loop seq
    for (std::int64_t e = row[r]; e < row[r + 1]; ++e) sum += val[e] * x[col[e]];
    y[r] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    multiply<length>(spmv::rows_of(call.problem), spmv::entries_of(call.problem), a.row, a.col, a.val, a.x,
                     a.y);
  });
}

}  // namespace gang_vector

// Merge-based SpMV in two compute regions. In the first, each lane processes a slice of the merge path
// (called a piece): it sums nonzeros by 16-byte packs and writes the rows that end in its slice. The second
// adds the partial sums of rows that end in a later slice.
namespace merge {

using Lengths = Choices<32, 64, 128, 256>;

// The choices for num_gangs are multiples of 132, the number of multiprocessors of an H200.
struct Gangs {
  int num_gangs = 1056, vector_length = 128;
};

constexpr std::int64_t least_steps = 32;  // minimum number of path steps per lane

std::int64_t pieces_of(const Problem& problem, const Gangs& gangs) {
  const std::int64_t path = spmv::rows_of(problem) + spmv::entries_of(problem);
  return std::min(std::int64_t{gangs.num_gangs} * gangs.vector_length,
                  (path + least_steps - 1) / least_steps);
}

// Arrays in device memory. For each slice of the path, they hold the row that is incomplete at its end and
// the partial sum of that row.
template <typename T>
struct Rests {
  T* sums;
  std::int32_t* rows;

  Rests(void* memory, std::int64_t pieces)
      : sums(static_cast<T*>(memory)), rows(reinterpret_cast<std::int32_t*>(sums + pieces)) {}
};

std::int64_t workspace(const Problem& problem, const Gangs& gangs) {
  return pieces_of(problem, gangs) * (static_cast<std::int64_t>(element_size(problem.type)) + 4);
}

// Returns the sum over nonzeros begin … end - 1.
template <typename T>
SEXTANT_INLINE T sum_by_packs(std::int64_t begin, std::int64_t end, const std::int32_t* col, const T* val,
                              const T* x) {
  constexpr int width = openacc::pack_width<std::int32_t>;
  T sum = 0;
  std::int64_t e = begin;
  for (; e < end && e % width != 0; ++e) sum += val[e] * x[col[e]];
  for (; e + width <= end; e += width) {
    std::int32_t places[width];
    T values[width];
    openacc::load_pack(col + e, places);
    openacc::load_pack(val + e, values);
    if constexpr (sizeof(T) == 8) openacc::load_pack(val + e + width / 2, values + width / 2);
    for (int k = 0; k < width; ++k) sum += values[k] * x[places[k]];
  }
  for (; e < end; ++e) sum += val[e] * x[col[e]];
  return sum;
}

template <int length, typename T>
void add_up_pieces(std::int64_t m, std::int64_t entries, std::int64_t pieces, const std::int32_t* row,
                   const std::int32_t* col, const T* val, const T* x, T* y, T* sums, std::int32_t* rows) {
  const std::int64_t path = m + entries, steps = (path + pieces - 1) / pieces;
#pragma acc parallel loop gang vector deviceptr(row, col, val, x, y, sums, rows) vector_length(length)
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    const std::int64_t from = piece * steps < path ? piece * steps : path,
                       to = from + steps < path ? from + steps : path;
    const auto first = spmv::place_on_path(from, m, entries, row + 1),
               last = spmv::place_on_path(to, m, entries, row + 1);
    std::int64_t e = first.entries;
    for (std::int64_t r = first.rows; r < last.rows; ++r) {
      const std::int64_t end = row[r + 1];
      y[r] = sum_by_packs(e, end, col, val, x);
      e = end;
    }
    sums[piece] = sum_by_packs(e, last.entries, col, val, x);
    rows[piece] = static_cast<std::int32_t>(last.rows);
  }
}

template <int length, typename T>
void add_rests(std::int64_t m, std::int64_t pieces, T* y, const T* sums, const std::int32_t* rows) {
#pragma acc parallel loop gang vector deviceptr(y, sums, rows) vector_length(length)
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    const std::int32_t r = rows[piece];
    const T rest = sums[piece];
    if (r < m && rest != 0) {
#pragma acc atomic update
      y[r] += rest;
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto on_device = [&](int index) { return acc_deviceptr(call.address(index)); };
  const auto gangs = call.tuned<Gangs>();
  const std::int64_t m = spmv::rows_of(call.problem), pieces = pieces_of(call.problem, gangs);
  const Rests<T> rests(call.state, pieces);
  T* y = static_cast<T*>(on_device(4));
  Lengths::with(gangs.vector_length, [&]<int length>() {
    add_up_pieces<length>(m, spmv::entries_of(call.problem), pieces,
                          static_cast<const std::int32_t*>(on_device(0)),
                          static_cast<const std::int32_t*>(on_device(1)), static_cast<const T*>(on_device(2)),
                          static_cast<const T*>(on_device(3)), y, rests.sums, rests.rows);
    add_rests<length>(m, pieces, y, rests.sums, rests.rows);
  });
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, call.tuned<Gangs>())));
  return *state ? nullptr : "no device memory for the partial sums of split rows";
}

}  // namespace merge

// Each lane computes one row by 16-byte packs of four columns and of values, aligned to multiples of four
// nonzeros. Nonzeros of neighbouring rows are loaded too, but not added. Intended for rows of similar length,
// because one long row delays its whole warp.
namespace packed_rows {

using Lengths = Choices<32, 64, 128, 256>;
constexpr int together = 4;  // number of nonzeros that a lane loads at a time

struct Gang {
  int vector_length = 128;
};

template <typename T>
SEXTANT_INLINE T sum_of_row(std::int64_t begin, std::int64_t end, std::int64_t entries,
                            const std::int32_t* col, const T* val, const T* x) {
  T sum = 0;
  std::int64_t e = begin / together * together;
  for (; e < end && e + together <= entries; e += together) {
    std::int32_t columns[together];
    T values[together];
    openacc::load_pack(col + e, columns);
#pragma GCC unroll 4
    for (int k = 0; k < together; k += openacc::pack_width<T>) openacc::load_pack(val + e + k, values + k);
#pragma GCC unroll 4
    for (int k = 0; k < together; ++k) {
      const T product = values[k] * x[columns[k]];
      sum += e + k >= begin && e + k < end ? product : T(0);
    }
  }
  // add the nonzeros after the last whole pack
  for (e = e > begin ? e : begin; e < end; ++e) sum += val[e] * x[col[e]];
  return sum;
}

template <int length, typename T>
void multiply(std::int64_t m, std::int64_t entries, const std::int32_t* row, const std::int32_t* col,
              const T* val, const T* x, T* y) {
  const int gangs = openacc::gangs_for(m, length);
#pragma acc parallel loop gang(static : 1) vector present(row [0:m + 1], col [0:entries], val [0:entries], \
                                                          x [0:m], y [0:m]) num_gangs(gangs)               \
    vector_length(length)
  for (std::int64_t r = 0; r < m; ++r) y[r] = sum_of_row<T>(row[r], row[r + 1], entries, col, val, x);
}

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    multiply<length>(spmv::rows_of(call.problem), spmv::entries_of(call.problem), a.row, a.col, a.val, a.x,
                     a.y);
  });
}

}  // namespace packed_rows

namespace worker_rows {

using Workers = Choices<4, 8, 16, 32>;
constexpr int lanes = 32;  // lanes per worker, which is one warp and reduces by shuffles

struct Gang {
  int num_workers = 8;
};

template <int workers, typename T>
void multiply(std::int64_t m, std::int64_t entries, const std::int32_t* row, const std::int32_t* col,
              const T* val, const T* x, T* y) {
  const int gangs = openacc::gangs_for(m, workers);
#pragma acc parallel loop gang(static : 1) worker present(                                                   \
    row [0:m + 1], col [0:entries], val [0:entries], x [0:m], y [0:m]) num_gangs(gangs) num_workers(workers) \
    vector_length(lanes)
  for (std::int64_t r = 0; r < m; ++r) {
    const std::int64_t begin = row[r], end = row[r + 1];
    T sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (std::int64_t e = begin; e < end; ++e) sum += val[e] * x[col[e]];
    y[r] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  Workers::with(call.tuned<Gang>().num_workers, [&]<int workers>() {
    multiply<workers>(spmv::rows_of(call.problem), spmv::entries_of(call.problem), a.row, a.col, a.val, a.x,
                      a.y);
  });
}

}  // namespace worker_rows

}  // namespace

std::vector<Variant> spmv_openacc() {
  return {
      {.name = "gang_vector",
       .description = "the plain form: one row per lane",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<gang_vector::Gang>(
           {{"vector_length", &gang_vector::Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(gang_vector::launch)},
      {.name = "merge",
       .description =
           "merge path: equal nonzeros plus rows per lane, 16-byte packs; a second region completes "
           "split rows",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<merge::Gangs>({{"num_gangs", &merge::Gangs::num_gangs, {264, 528, 1056, 2112}},
                                   {"vector_length", &merge::Gangs::vector_length, merge::Lengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(merge::launch),
       .prepare = merge::prepare,
       .prepare_depends_on = DependsOn::structure,
       .release = [](void* state) { acc_free(state); },
       .workspace = by_name<merge::workspace>},
      {.name = "packed_rows",
       .description = "one row per lane, columns and values by 16-byte packs",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<packed_rows::Gang>(
           {{"vector_length", &packed_rows::Gang::vector_length, packed_rows::Lengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(packed_rows::launch)},
      {.name = "worker_rows",
       .description = "one row per worker (a warp of 32 lanes)",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<worker_rows::Gang>(
           {{"num_workers", &worker_rows::Gang::num_workers, worker_rows::Workers::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(worker_rows::launch)},
  };
}

}  // namespace sextant
