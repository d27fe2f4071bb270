// One table per gang in gang-private memory. Each lane counts its most frequent key in a register
// (often.hpp). Kernel arguments are in a global variable (acc declare), because GCC maps other arguments at
// each launch, which is slow (docs/reference/openacc.md).
#include <openacc.h>

#include "loop.hpp"
#include "often.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/gang_memory.hpp"

namespace sextant {
namespace histogram {

struct AccGangTable {
  std::int64_t n;
  int gangs;
  const std::int32_t* k;
  std::int32_t* c;
};
AccGangTable acc_gang_table;
#pragma acc declare create(acc_gang_table)

}  // namespace histogram
namespace {

using histogram::acc_gang_table, histogram::few_bins;
using histogram::load_rest, histogram::load_tile, histogram::often_among, histogram::under_way,
    histogram::width;
using Lengths = Choices<128, 256, 512>;

constexpr int queue = 1;

// The selectable numbers of gangs suit the 132 multiprocessors of an H200.
struct Gang {
  int num_gangs = 264, vector_length = 256;
};

void clear() {
#pragma acc parallel num_gangs(1) vector_length(256) async(queue)
  {
    std::int32_t* const c = acc_gang_table.c;
#pragma acc loop gang vector
    for (int b = 0; b < few_bins; ++b) c[b] = 0;
  }
}

template <int length>
void count(int num_gangs) {
#pragma acc parallel num_gangs(num_gangs) vector_length(length) async(queue)
  {
    constexpr std::int64_t of_tile = std::int64_t{under_way} * width * length;
    const std::int64_t n = acc_gang_table.n, tiles = n / of_tile;
    const int gangs = acc_gang_table.gangs;
    const std::int32_t* const k = acc_gang_table.k;
    std::int32_t* const c = acc_gang_table.c;
#pragma acc loop gang
    for (int gang = 0; gang < gangs; ++gang) {
      // The 32 words after the bins, one per bank, receive keys that are not counted in this table.
      SEXTANT_GANG_ARRAY(std::int32_t, table_of_gang, few_bins + 32);
#pragma acc loop vector
      for (int b = 0; b < few_bins + 32; ++b) {
        SEXTANT_GANG_POINTER(std::int32_t, table, table_of_gang);
        table[b] = 0;
      }
#pragma acc loop vector
      for (int lane = 0; lane < length; ++lane) {
        SEXTANT_GANG_POINTER(std::int32_t, table, table_of_gang);
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
              openacc::add_in_gang(&table[is_often ? spare_bin : key[u][e]], 1);
              key[u][e] = next[u][e];
            }
        }
        openacc::add_in_gang(&table[often], found);
        if (gang == gangs - 1) {
          load_rest<length>(k, tiles * of_tile + lane, n, spare_bin, key);
#pragma GCC unroll 8
          for (int u = 0; u < under_way; ++u)
#pragma GCC unroll 4
            for (int e = 0; e < width; ++e) openacc::add_in_gang(&table[key[u][e]], 1);
        }
      }
#pragma acc loop vector
      for (int b = 0; b < few_bins; ++b) {
        SEXTANT_GANG_POINTER(std::int32_t, table, table_of_gang);
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
  acc_gang_table = {n, gangs, static_cast<const std::int32_t*>(acc_deviceptr(call.address(0))),
                    static_cast<std::int32_t*>(acc_deviceptr(call.address(1)))};
  // A function call copies the arguments, because GCC 12 ignores `update device` for variables in a declare
  // directive.
  acc_update_device(&acc_gang_table, sizeof acc_gang_table);
  clear();
  if (n > 0) Lengths::with(shape.vector_length, [&]<int length>() { count<length>(gangs); });
#pragma acc wait(queue)
}

const char* refuse(const Problem& problem, const Gang&) {
  return histogram::bins_of(problem) != few_bins ? "only for 256 bins, the size of its tables" : nullptr;
}

}  // namespace

std::vector<Variant> histogram_openacc_shared_table() {
  return {
      {.name = "shared_table",
       .description =
           "one table per gang in explicit shared memory; 16-byte packs of keys, each lane's most frequent "
           "key in a register",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"num_gangs", &Gang::num_gangs, {66, 132, 264, 528}},
                                   {"vector_length", &Gang::vector_length, Lengths::list()}}),
       .launch = {.int32 = launch},
       .constraint = by_name<refuse>}};
}

}  // namespace sextant
