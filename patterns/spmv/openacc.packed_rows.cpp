// A row a lane, four entries at a time from the last multiple of four at or before its first one: columns and values by 16-byte packs, whose
// lines the first-level cache keeps for the lane's next ones. Entries of other rows are read, too, and do not count. Meant for rows of
// about the same length: a long one keeps its warp.
#include "loop.hpp"
#include "matrix.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using Lengths = Choices<32, 64, 128, 256>;
constexpr int together = 4;  // entries

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
  for (e = e > begin ? e : begin; e < end; ++e) sum += val[e] * x[col[e]];  // behind the last whole pack
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

}  // namespace

Variant spmv_openacc_packed_rows() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "a row a lane, columns and values by 16-byte packs";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
