// One table per gang, which GCC places in shared memory because it is declared inside the gang loop.
//
// In this case, each lane copies the gang's stack frame, including the table, at the start of each vector
// loop (docs/reference/openacc.md). So there are few gangs, with one vector loop each. One lane clears the
// table and adds it to the result. Each lane counts its most frequent key in a register (often.hpp).
//
// Kernel arguments are in a global variable (acc declare), because GCC maps other arguments at each launch,
// which is slow.
#include <openacc.h>

#include "loop.hpp"
#include "often.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace histogram {

struct AccTable {
  std::int64_t n;
  // `none` is always 0, but unknown to GCC at compile time. For a constant 0, GCC would call a library
  // function to fill the table.
  int gangs, none;
  const std::int32_t* k;
  std::int32_t* c;
};
AccTable acc_table;
#pragma acc declare create(acc_table)

}  // namespace histogram
namespace {

using histogram::acc_table, histogram::few_bins;
using histogram::load_rest, histogram::load_tile, histogram::often_among, histogram::under_way,
    histogram::width;
using Lengths = Choices<128, 256>;

constexpr int queue = 1;

// The selectable numbers of gangs suit the 132 multiprocessors of an H200.
struct Gang {
  int num_gangs = 132, vector_length = 256;
};

void clear() {
#pragma acc parallel num_gangs(1) vector_length(256) async(queue)
  {
    std::int32_t* const c = acc_table.c;
#pragma acc loop gang vector
    for (int b = 0; b < few_bins; ++b) c[b] = 0;
  }
}

template <int length>
void count(int num_gangs) {
#pragma acc parallel num_gangs(num_gangs) vector_length(length) async(queue)
  {
    constexpr std::int64_t of_tile = std::int64_t{under_way} * width * length;
    const std::int64_t n = acc_table.n, tiles = n / of_tile;
    const int gangs = acc_table.gangs;
    const std::int32_t* const k = acc_table.k;
    std::int32_t* const c = acc_table.c;
#pragma acc loop gang
    for (int gang = 0; gang < gangs; ++gang) {
      // The 32 words after the bins, one per bank, receive keys that are not counted in this table.
      std::int32_t table[few_bins + 32];
      const std::int32_t none = acc_table.none;
#pragma GCC unroll 8
      for (int b = 0; b < few_bins; ++b) table[b] = none;
#pragma acc loop vector
      for (int lane = 0; lane < length; ++lane) {
        const std::int32_t spare_bin = few_bins + lane % 32;
        std::int32_t often = spare_bin, found = 0, key[under_way][width];
        if (gang < tiles) {
          load_tile<length>(k, gang, lane, key);
          often = often_among(key);
        }
        for (std::int64_t tile = gang; tile < tiles; tile += gangs) {
          std::int32_t next[under_way][width];
          load_tile<length>(k, tile + gangs < tiles ? tile + gangs : tile, lane, next);
#pragma GCC unroll 8
          for (int u = 0; u < under_way; ++u)
#pragma GCC unroll 4
            for (int e = 0; e < width; ++e) {
              const bool is_often = key[u][e] == often;
              found += is_often;
#pragma acc atomic update
              table[is_often ? spare_bin : key[u][e]] += 1;
              key[u][e] = next[u][e];
            }
        }
#pragma acc atomic update
        table[often] += found;
        if (gang == gangs - 1) {
          load_rest<length>(k, tiles * of_tile + lane, n, spare_bin, key);
#pragma GCC unroll 8
          for (int u = 0; u < under_way; ++u)
#pragma GCC unroll 4
            for (int e = 0; e < width; ++e) {
#pragma acc atomic update
              table[key[u][e]] += 1;
            }
        }
      }
#pragma GCC unroll 16
      for (int b = 0; b < few_bins; ++b) {
        const std::int32_t sum = table[b];
#pragma acc atomic update
        c[b] += sum;
      }
    }
  }
}

void launch(const Call& call) {
  const auto shape = call.tuned<Gang>();
  const std::int64_t n = call.problem.extents.x,
                     of_gang = std::int64_t{shape.vector_length} * width * under_way;
  const int gangs = static_cast<int>(std::min<std::int64_t>(shape.num_gangs, (n + of_gang - 1) / of_gang));
  acc_table = {n, gangs, 0, static_cast<const std::int32_t*>(acc_deviceptr(call.address(0))),
               static_cast<std::int32_t*>(acc_deviceptr(call.address(1)))};
  // A function call copies the arguments, because GCC 12 ignores `update device` for variables in a declare
  // directive.
  acc_update_device(&acc_table, sizeof acc_table);
  clear();
  if (n > 0) Lengths::with(shape.vector_length, [&]<int length>() { count<length>(gangs); });
#pragma acc wait(queue)
}

const char* refuse(const Problem& problem, const Gang&) {
  return histogram::bins_of(problem) != few_bins ? "only for 256 bins, the size of its tables" : nullptr;
}

}  // namespace

std::vector<Variant> histogram_openacc_gang_table() {
  return {
      {.name = "gang_table",
       .description = "as shared_table, but the table is a private array, which GCC places in shared memory",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"num_gangs", &Gang::num_gangs, {66, 132, 264, 528}},
                                   {"vector_length", &Gang::vector_length, Lengths::list()}}),
       .launch = {.int32 = launch},
       .constraint = by_name<refuse>}};
}

}  // namespace sextant
