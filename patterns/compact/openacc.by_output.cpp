// Compaction by output position. First, each lane stores one bit for each of 16 elements: 1 if it is kept.
// Prefix sums of the bit counts give the output offsets (toolbox/openacc/levels.hpp). Then each lane finds
// the input elements of a few consecutive outputs in the bits, so y is written in order.
//
// The last region starts at the end of a, which is still in the L2 cache. Kernel arguments are in a global
// variable (acc declare), because GCC maps other arguments at each launch, which is slow
// (docs/reference/openacc.md).
#include <openacc.h>

#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/openacc/levels.hpp"

namespace sextant {
namespace compact {

struct AccByOutput {
  std::int64_t n;
  int tiles, totals_room, gangs;
  const void* a;
  void* y;
  std::int32_t* count;
  std::uint16_t* marks;
  int *runs, *totals, *places;
  openacc::levels::Top top;  // prefix sums over blocks of tiles
};
AccByOutput acc_by_output;
#pragma acc declare create(acc_by_output)

}  // namespace compact
namespace {

using compact::acc_by_output;
using openacc::pack_width;
using openacc::levels::runs_of_tile, openacc::levels::groups_of_tile;
using Word = std::uint32_t;

constexpr int queue = 1, length = 256, length_of_writers = 128;
constexpr int group = 16;  // number of elements for which one lane stores a bit
constexpr int tiles_of_block = 16;
constexpr int words_of_run = 8, words_of_tile = groups_of_tile * group / 32;
constexpr int elements_of_tile = groups_of_tile * group;

// The selectable numbers of gangs suit the 132 multiprocessors of an H200.
struct Gangs {
  int num_gangs = 2112;
};

SEXTANT_INLINE int bits_of(Word word) { return __builtin_popcount(word); }

template <typename T>
void mark_groups(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const std::int64_t n = acc_by_output.n, all = std::int64_t{acc_by_output.tiles} * groups_of_tile;
    const T* const a = static_cast<const T*>(acc_by_output.a);
    std::uint16_t* const marks = acc_by_output.marks;
#pragma acc loop gang(static : 1) vector
    for (std::int64_t g = 0; g < all; ++g) {
      const std::int64_t begin = g * group;
      Word mark = 0;
      if (begin + group <= n) {
        T x[group];
#pragma GCC unroll 8
        for (int k = 0; k < group; k += pack_width<T>) openacc::load_pack(a + begin + k, x + k);
#pragma GCC unroll 16
        for (int k = 0; k < group; ++k) mark |= x[k] >= 0 ? Word{1} << k : Word{0};
      } else {
        for (std::int64_t i = begin; i < n; ++i) mark |= a[i] >= 0 ? Word{1} << (i - begin) : Word{0};
      }
      marks[g] = static_cast<std::uint16_t>(mark);
    }
  }
}

void count_runs(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const std::int64_t all = std::int64_t{acc_by_output.tiles} * runs_of_tile;
    const Word* const words = reinterpret_cast<const Word*>(acc_by_output.marks);
    int* const runs = acc_by_output.runs;
#pragma acc loop gang(static : 1) vector
    for (std::int64_t r = 0; r < all; ++r) {
      Word word[words_of_run];
      openacc::load_pack(words + r * words_of_run, word);
      openacc::load_pack(words + r * words_of_run + 4, word + 4);
      int sum = 0;
#pragma GCC unroll 8
      for (int w = 0; w < words_of_run; ++w) sum += bits_of(word[w]);
      runs[r] = sum;
    }
  }
}

// Replaces each group of sixteen sums by its exclusive prefix sums and stores the group's total in the next
// level. `of_runs` selects the level: sums of runs (256 elements each) or sums of tiles (16 runs each).
template <bool of_runs>
void sum_up(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const int count = of_runs ? acc_by_output.tiles : acc_by_output.totals_room / tiles_of_block;
    const int room = of_runs ? acc_by_output.totals_room : acc_by_output.top.count;
    int* const from = of_runs ? acc_by_output.runs : acc_by_output.totals;
    int* const to = of_runs ? acc_by_output.totals : static_cast<int*>(acc_by_output.top.values);
#pragma acc loop gang(static : 1) vector
    for (int i = 0; i < room; ++i)
      to[i] = i < count ? openacc::levels::sum_up_sixteen(from + std::int64_t{i} * 16) : 0;
  }
}

// Clears the `count` lowest set bits of `word`. A binary search takes five steps in every lane; a loop over
// bits would take as many steps as the largest count in the warp.
SEXTANT_INLINE Word without_lowest(Word word, int count) {
  int begin = 0;
#pragma GCC unroll 5
  for (int half = 16; half > 0; half /= 2) {
    const int there = bits_of(word >> begin & ((Word{1} << half) - 1));
    begin += there <= count ? half : 0;
    count -= there <= count ? there : 0;
  }
  return word & ~Word{0} << begin;
}

// Iterates over the kept elements of a tile, in order, by the tile's bits.
struct Marked {
  const Word* words;
  int word;
  Word bits;
  // Returns the index of the next kept element within the tile.
  SEXTANT_INLINE int next() {
    while (bits == 0) bits = words[++word];
    const int place = 32 * word + __builtin_ctz(bits);
    bits &= bits - 1;
    return place;
  }
};

// Finds the tile's element that goes to y[first], by binary search. `places` holds the output index of the
// first kept element of each 32-bit word of bits.
SEXTANT_INLINE Marked marked_from(int first, const int* places, const Word* words) {
  int word = 0;
#pragma GCC unroll 8
  for (int step = words_of_tile / 2; step > 0; step /= 2)
    word = places[word + step] <= first ? word + step : word;
  return {words, word, without_lowest(words[word], first - places[word])};
}

template <typename T>
void write_tiles(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length_of_writers) async(queue)
  {
    // Number of elements that a lane writes at a time: one 32-byte sector of memory.
    constexpr int each = 32 / static_cast<int>(sizeof(T));
    const int tiles = acc_by_output.tiles, count = acc_by_output.gangs;
    const T* const a = static_cast<const T*>(acc_by_output.a);
    T* const y = static_cast<T*>(acc_by_output.y);
    const Word* const all_words = reinterpret_cast<const Word*>(acc_by_output.marks);
    const int* const runs = acc_by_output.runs;
    const int* const totals = acc_by_output.totals;
    const int* const blocks = static_cast<const int*>(acc_by_output.top.values);
#pragma acc loop gang
    for (int gang = 0; gang < count; ++gang) {
      int* const places = acc_by_output.places + gang * words_of_tile;
      for (int tile = tiles - 1 - gang; tile >= 0; tile -= count) {
        const Word* const words = all_words + std::int64_t{tile} * words_of_tile;
        const T* const from = a + std::int64_t{tile} * elements_of_tile;
        const int begin = totals[tile] + blocks[tile / tiles_of_block];
        const int end = totals[tile + 1] + blocks[(tile + 1) / tiles_of_block];
#pragma acc loop vector
        for (int w = 0; w < words_of_tile; ++w) {
          const int run = w / words_of_run;
          Word word[words_of_run];
          openacc::load_pack(words + run * words_of_run, word);
          openacc::load_pack(words + run * words_of_run + 4, word + 4);
          int place = begin + runs[std::int64_t{tile} * runs_of_tile + run];
#pragma GCC unroll 8
          for (int k = 0; k < words_of_run - 1; ++k) place += k < w % words_of_run ? bits_of(word[k]) : 0;
          places[w] = place;
        }
#pragma acc loop vector
        for (int sector = begin / each; sector < (end + each - 1) / each; ++sector) {
          const int first = sector * each < begin ? begin : sector * each;
          const int last = (sector + 1) * each < end ? (sector + 1) * each : end;
          Marked marked = marked_from(first, places, words);
          if (last - first == each) {
            T x[each];
#pragma GCC unroll 8
            for (int k = 0; k < each; ++k) x[k] = from[marked.next()];
#pragma GCC unroll 8
            for (int k = 0; k < each; k += pack_width<T>) openacc::store_pack(y + first + k, x + k);
          } else {
            for (int i = first; i < last; ++i) y[i] = from[marked.next()];
          }
        }
        if (tile == tiles - 1) *acc_by_output.count = end;
      }
    }
  }
}

std::int64_t tiles_of(const Problem& problem) {
  return (problem.extents.x + elements_of_tile - 1) / elements_of_tile;
}

struct Room {
  openacc::levels::Room levels;
  std::int64_t places;
  Room(const Problem& problem, const Gangs& gangs)
      : levels(tiles_of(problem)), places(std::int64_t{gangs.num_gangs} * words_of_tile) {}
  std::int64_t bytes() const {
    return levels.groups * 2 +
           (levels.runs + levels.totals + levels.blocks + openacc::levels::sums_of_top + places) * 4;
  }
};

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Gangs>();
  const Room room(call.problem, shape);
  const int tiles = static_cast<int>(tiles_of(call.problem)), gangs = std::min(tiles, shape.num_gangs);
  auto* const marks = static_cast<std::uint16_t*>(call.state);
  int* const runs = reinterpret_cast<int*>(marks + room.levels.groups);
  int* const totals = runs + room.levels.runs;
  int* const blocks = totals + room.levels.totals;
  int* const sums = blocks + room.levels.blocks;
  acc_by_output = {call.problem.extents.x,
                   tiles,
                   static_cast<int>(room.levels.totals),
                   gangs,
                   acc_deviceptr(call.address(0)),
                   acc_deviceptr(call.address(1)),
                   static_cast<std::int32_t*>(acc_deviceptr(call.address(2))),
                   marks,
                   runs,
                   totals,
                   sums + openacc::levels::sums_of_top,
                   {static_cast<int>(room.levels.blocks), blocks, sums}};
  // A function call copies the arguments, because GCC 12 ignores `update device` for variables in a declare
  // directive.
  acc_update_device(&acc_by_output, sizeof acc_by_output);
  mark_groups<T>(tiles);
  count_runs((tiles * runs_of_tile + length - 1) / length);
  sum_up<true>(openacc::gangs_for(room.levels.totals, length));
  sum_up<false>(openacc::gangs_for(room.levels.blocks, length));
  openacc::levels::sum_up_top<int, acc_by_output, queue>();
  write_tiles<T>(gangs);
#pragma acc wait(queue)
}

std::int64_t workspace(const Problem& problem, const Gangs& gangs) { return Room(problem, gangs).bytes(); }

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, call.tuned<Gangs>())));
  return *state ? nullptr : "no device memory for the element bits and the counts";
}

}  // namespace

std::vector<Variant> compact_openacc_by_output() {
  return {
      {.name = "by_output",
       .description = "one bit per element, then counts; each lane gathers the elements for 32 bytes of y",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gangs>({{"num_gangs", &Gangs::num_gangs, {528, 1056, 2112, 4224}}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(launch),
       .prepare = prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = by_name<workspace>}};
}

}  // namespace sextant
