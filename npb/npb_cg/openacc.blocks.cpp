// Variant openacc.blocks: matrix-vector product with one tile of the matrix (blocks.hpp) per gang. Each gang
// has its own copy of the tile's elements of p, which stays in the L1 cache. A tile produces partial sums of
// q, which another region adds.
#include "blocks.hpp"
#define SEXTANT_ACC_STEPS acc_blocks_steps
#include "openacc_steps.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace npb_cg {

// Parameters of the product's regions, on the device. Matrix values are stored in pairs.
struct AccTiles {
  std::int64_t width;  // columns per block
  int count, across;
  const std::int32_t *tile_batches, *warp_batches, *warp_slices, *slice_rows;
  const double* values;
  const std::uint32_t* places;
  // `copies`: each tile's own copy of its columns of p. `parts`: partial sums of q, n for each block of
  // columns.
  double *copies, *parts;
};
AccTiles acc_tiles;
#pragma acc declare create(acc_tiles)

}  // namespace npb_cg
namespace {

using namespace npb_cg;

using Workers = Choices<8, 16>;
constexpr int batch = 4;          // steps whose nonzeros a worker loads together
constexpr int other_workers = 8;  // workers per gang in the regions over vectors

// Tunables: maximum gangs of the product, workers per gang, maximum columns per block in units of 1024, and
// gangs of the regions over vectors.
struct Shape {
  int num_gangs = 132, num_workers = 16, columns = 16, update_gangs = 132;
};

struct State {
  Cut cut;
  Memory<std::int32_t> tile_batches, warp_batches, warp_slices, slice_rows;
  Memory<double> values;
  Memory<std::uint32_t> places;
  Memory<double> parts;   // partial sums of q, n for each block of columns
  Memory<double> copies;  // for each tile a copy of its columns of p
  Steps steps;
  int other_gangs;
};

Cut cut_of(const Problem& problem, const Shape& shape) {
  const std::int64_t n = problem.extents.x, width = shape.columns * 1024;
  Cut cut;
  cut.n = n;
  cut.warps = shape.num_workers;
  cut.batch = batch;
  cut.across = static_cast<int>((n + width - 1) / width);
  cut.down = std::max(1, shape.num_gangs / cut.across);
  return cut;
}

// A lane's nonzeros of one batch of steps. A batch is loaded before the previous one is used.
struct Entries {
  double two[batch][2];
  std::uint32_t both[batch];
  SEXTANT_INLINE void read(const double* value, const std::uint32_t* place) {
#pragma GCC unroll 4
    for (int u = 0; u < batch; ++u) {
      openacc::load_pack(value + 2 * lanes * u, two[u]);
      both[u] = place[lanes * u];
    }
  }
};

// Multiplies the matrix by v. Each gang first copies the tile's columns of v to memory that only this gang
// reads. For the next p it instead updates the copy to r + beta p, and gangs of the first band also write it
// to p.
template <int workers, Of what>
void multiply_tiles(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(workers) vector_length(lanes) async(queue)
  {
    constexpr bool next = what == Of::next_p;
    const int count = acc_tiles.count;
#pragma acc loop gang(static : 1)
    for (int tile = 0; tile < count; ++tile) {
      const int across = acc_tiles.across;
      const std::int64_t n = on_device().n, width = acc_tiles.width;
      const double *const scalars = on_device().scalars, *const r = on_device().r;
      double *const v = what == Of::z ? on_device().z : on_device().p, *const copies = acc_tiles.copies;
      const std::int64_t column = tile % across * width, left = n - column,
                         columns = left < width ? left : width;
      const double beta = next ? scalars[next_square] / scalars[square] : 0;
      constexpr int threads = workers * lanes;
#pragma acc loop worker vector
      for (int thread = 0; thread < threads; ++thread)
        for (std::int64_t i = thread; i < columns; i += together * threads) {
          double *const copy = copies + tile * width, of_r[together], of_p[together];
          if (next) read(r + column, i, threads, columns, of_r);
          read(next ? copy : v + column, i, threads, columns, of_p);
#pragma GCC unroll 4
          for (int u = 0; u < together; ++u) {
            const std::int64_t at = i + u * threads;
            if (at >= columns) continue;
            const double one = next ? of_r[u] + beta * of_p[u] : of_p[u];
            copy[at] = one;
            if (next && tile < across) v[column + at] = one;
          }
        }
#pragma acc loop worker
      for (int worker = 0; worker < workers; ++worker) {
        const int at = tile * workers + worker, batches = acc_tiles.warp_batches[at];
        const std::int64_t first = (static_cast<std::int64_t>(acc_tiles.tile_batches[tile]) + worker) *
                                   batch * lanes,
                           slice = static_cast<std::int64_t>(acc_tiles.warp_slices[at]) * lanes;
        const std::int32_t* const slice_rows = acc_tiles.slice_rows;
        const double* const values = acc_tiles.values;
        const std::uint32_t* const places = acc_tiles.places;
        const double* const from = copies + tile * width;
        double* const to = acc_tiles.parts + tile % across * n;
#pragma acc loop vector
        for (int lane = 0; lane < lanes; ++lane) {
          const double* value = values + 2 * (first + lane);
          const std::uint32_t* place = places + first + lane;
          const std::int32_t* row = slice_rows + slice + lane;
          double even = 0, odd = 0;
          Entries coming = {};
          if (batches > 0) coming.read(value, place);
          for (int left_over = batches; left_over > 0; --left_over) {
            const Entries now = coming;
            if (left_over > 1) value += 2 * lanes * batch * workers, place += lanes * batch * workers;
            coming.read(value, place);
            double first_of[batch], second_of[batch];
#pragma GCC unroll 4
            for (int u = 0; u < batch; ++u) {
              first_of[u] = from[now.both[u] & 0x7fff];
              second_of[u] = from[now.both[u] >> 16 & 0x7fff];
            }
#pragma GCC unroll 4
            for (int u = 0; u < batch; ++u) {
              even += now.two[u][0] * first_of[u];
              odd += now.two[u][1] * second_of[u];
              if (now.both[u] & last_step) {
                if (*row >= 0) to[*row] = even + odd;
                row += lanes;
                even = odd = 0;
              }
            }
          }
        }
      }
    }
  }
}

// Computes q as the sum of its partial sums, and the dot product of v and q. For the next p it also stores
// the new squared residual norm as the old one, which nothing else in this region reads.
template <int workers, Of what>
void add_parts(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(workers) vector_length(lanes) async(queue)
  {
    const int count = on_device().count;
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
      SEXTANT_SUMS
      const int across = acc_tiles.across;
      const double *const of_q = acc_tiles.parts, *const v = what == Of::z ? on_device().z : on_device().p;
      double* const q = on_device().q;
      double part = 0;
#pragma acc loop vector reduction(+ : part)
      for (int lane = 0; lane < lanes; ++lane)
        for (std::int64_t i = worker * lanes + lane; i < n; i += std::int64_t{count} * lanes) {
          double sum = 0;
          for (int block = 0; block < across; ++block) sum += of_q[block * n + i];
          q[i] = sum;
          part += sum * v[i];
        }
      parts[worker] = part;
      SEXTANT_FINISH(1, dot, if (what == Of::next_p) scalars[square] = scalars[next_square])
    }
  }
}

#undef SEXTANT_FINISH
#undef SEXTANT_SUMS

void launch(const Call& call) {
  const auto& s = *static_cast<const State*>(call.state);
  const Cut& cut = s.cut;
  const auto tiles = static_cast<int>(cut.tiles());
  acc_tiles = {cut.columns(),       tiles,
               cut.across,          s.tile_batches.data,
               s.warp_batches.data, s.warp_slices.data,
               s.slice_rows.data,   s.values.data,
               s.places.data,       s.copies.data,
               s.parts.data};
  acc_update_device(&acc_tiles, sizeof acc_tiles);
  Workers::with(cut.warps, [&]<int workers>() {
    const auto product = [&]<Of what>() {
      multiply_tiles<workers, what>(tiles);
      add_parts<other_workers, what>(s.other_gangs);
    };
    run_steps<other_workers, true>(call, s.steps, s.other_gangs, [&](Of what) {
      if (what == Of::next_p)
        product.template operator()<Of::next_p>();
      else if (what == Of::first_p)
        product.template operator()<Of::first_p>();
      else
        product.template operator()<Of::z>();
    });
  });
}

const char* fill(const Call& call, State& state) {
  Blocks blocks;
  if (const char* why_not = make_blocks(call.problem, state.cut, &blocks)) return why_not;
  const Cut& cut = state.cut;
  return state.tile_batches.fill(blocks.tile_batches) && state.warp_batches.fill(blocks.warp_batches) &&
                 state.warp_slices.fill(blocks.warp_slices) && state.slice_rows.fill(blocks.slice_rows) &&
                 state.values.fill(&blocks.values[0].first, 64 * blocks.steps()) &&
                 state.places.fill(blocks.places.get(), 32 * blocks.steps()) &&
                 state.parts.allocate(cut.n * cut.across) &&
                 state.copies.allocate(cut.tiles() * cut.columns()) &&
                 state.steps.make(cut.n, state.other_gangs * other_workers)
             ? nullptr
             : "device memory ran out";
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  made->cut = cut_of(call.problem, call.tuned<Shape>());
  made->other_gangs = call.tuned<Shape>().update_gangs;
  if (const char* why_not = fill(call, *made)) return why_not;
  *state = made.release();
  return nullptr;
}

// Sets the tunings that were fastest on an H200. Each worker increments one shared counter, so each should
// process several vector elements. Small matrices use few columns per block, because each gang copies its
// columns of p.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t n = problem.extents.x;
  shape.update_gangs = n < 10000 ? 8 : n < 65536 ? 33 : 132;
  if (n < 65536) shape.columns = 4;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  const Cut cut = cut_of(problem, shape);
  return most_entries(problem) * 11 + problem.extents.x * (5 + cut.across) * 8 +
         cut.tiles() * cut.columns() * 8;
}

}  // namespace

std::vector<Variant> npb_cg_openacc_blocks() {
  return {{.name = "blocks",
           .description =
               "one tile of the matrix per gang, its elements of p in the L1 cache; three regions per step",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Shape>(
               {{"num_gangs", &Shape::num_gangs, {66, 132, 264}},
                {"num_workers", &Shape::num_workers, Workers::list()},
                {"columns", &Shape::columns, {4, 8, 12, 16, 24, 32}},
                {"update_gangs", &Shape::update_gangs, {2, 4, 8, 16, 33, 66, 132, 264, 528}}}),
           .launch = {.float64 = launch},
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
