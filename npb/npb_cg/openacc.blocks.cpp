// The matrix in tiles (blocks.hpp), a gang each: a lane adds up a row's entries in a block of columns, whose part of p its multiprocessor's
// first-level cache holds, as the gang asks for no other. A gang has a copy of that part, which it turns into the next p itself.
// The sums of tiles are parts of q, which a region of its own adds.
#include "blocks.hpp"
#include "openacc_steps.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using namespace npb_cg;

using Workers = Choices<8, 16>;
constexpr int batch = 4;                             // steps of a worker whose entries are read together
constexpr int other_gangs = 528, other_workers = 8;  // of the regions over vectors

// Gangs of the product at most, workers of each, and columns of a block at most, in Ki.
struct Shape {
  int num_gangs = 132, num_workers = 16, columns = 16;
};

struct State {
  Cut cut;
  Memory<std::int32_t> tile_batches, warp_batches, warp_slices, slice_rows;
  Memory<double> values;
  Memory<std::uint32_t> places;
  Memory<double> parts;   // of q, n for each block of columns
  Memory<double> copies;  // of p: a tile's columns
  Steps steps;
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

// What a worker does with its steps: values are pairs.
struct Tiles {
  std::int64_t n, width;  // rows, columns of a block
  int count, across;
  const std::int32_t *tile_batches, *warp_batches, *warp_slices, *slice_rows;
  const double* values;
  const std::uint32_t* places;
};

// A lane's entries of one batch, read before those of the batch before are used.
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

// A tile's columns of v are copied to where its gang alone reads them; `next`: copies are of p and become r + beta p, which the gangs of
// the first band write to v, too.
template <int workers, bool next>
void multiply_tiles(const Tiles& m, const double* r, const double* scalars, double* v, double* copies,
                    double* parts) {
  const int count = m.count, across = m.across;
  const std::int64_t n = m.n, width = m.width;
  const std::int32_t *tile_batches = m.tile_batches, *warp_batches = m.warp_batches,
                     *warp_slices = m.warp_slices, *slice_rows = m.slice_rows;
  const double* values = m.values;
  const std::uint32_t* places = m.places;
#pragma acc parallel deviceptr(tile_batches, warp_batches, warp_slices, slice_rows, values, places, r, \
                               scalars, v, copies, parts) num_gangs(count) num_workers(workers)        \
    vector_length(lanes)
  {
#pragma acc loop gang(static : 1)
    for (int tile = 0; tile < count; ++tile) {
      const std::int64_t column = tile % across * width, left = n - column,
                         columns = left < width ? left : width;
      const double beta = next ? scalars[next_square] / scalars[square] : 0;
#pragma acc loop worker vector
      for (std::int64_t i = 0; i < columns; ++i) {
        double* const copy = copies + tile * width + i;
        const double one = next ? r[column + i] + beta * *copy : v[column + i];
        *copy = one;
        if (next && tile < across) v[column + i] = one;
      }
#pragma acc loop worker
      for (int worker = 0; worker < workers; ++worker) {
        const int at = tile * workers + worker, batches = warp_batches[at];
        const std::int64_t first = (static_cast<std::int64_t>(tile_batches[tile]) + worker) * batch * lanes,
                           slice = static_cast<std::int64_t>(warp_slices[at]) * lanes;
        const double* const from = copies + tile * width;
        double* const to = parts + tile % across * n;
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

// q = the sum of its parts, and the dot product of p and q. `turned`: the new square becomes the old one, which nobody reads here.
template <int workers>
void add_parts(int gangs, std::int64_t n, int across, bool turned, const double* of_q, const double* p,
               double* q, double* parts, double* scalars, int* arrived) {
  const int count = gangs * workers;
#pragma acc parallel deviceptr(of_q, p, q, parts, scalars, arrived) num_gangs(gangs) num_workers(workers) \
    vector_length(lanes)
  {
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
      double part = 0;
#pragma acc loop vector reduction(+ : part)
      for (int lane = 0; lane < lanes; ++lane)
        for (std::int64_t i = worker * lanes + lane; i < n; i += std::int64_t{count} * lanes) {
          double sum = 0;
          for (int block = 0; block < across; ++block) sum += of_q[block * n + i];
          q[i] = sum;
          part += sum * p[i];
        }
      parts[worker] = part;
      SEXTANT_FINISH(1, dot, if (turned) scalars[square] = scalars[next_square])
    }
  }
}

#undef SEXTANT_FINISH

void launch(const Call& call) {
  const auto& s = *static_cast<const State*>(call.state);
  const Cut& cut = s.cut;
  const Steps& steps = s.steps;
  const Tiles tiles = {cut.n,
                       cut.columns(),
                       static_cast<int>(cut.tiles()),
                       cut.across,
                       s.tile_batches.data,
                       s.warp_batches.data,
                       s.warp_slices.data,
                       s.slice_rows.data,
                       s.values.data,
                       s.places.data};
  Workers::with(cut.warps, [&]<int workers>() {
    run_steps<other_workers, true>(call, steps, other_gangs, [&](bool next, double* v, double* q) {
      const auto multiply = next ? multiply_tiles<workers, true> : multiply_tiles<workers, false>;
      multiply(tiles, steps.of_length(cut.n).r, steps.scalars.data, v, s.copies.data, s.parts.data);
      add_parts<other_workers>(other_gangs, cut.n, cut.across, next, s.parts.data, v, q, steps.parts.data,
                               steps.scalars.data, steps.arrived.data);
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
                 state.steps.make(cut.n, other_gangs * other_workers)
             ? nullptr
             : "device memory ran out";
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  made->cut = cut_of(call.problem, call.tuned<Shape>());
  if (const char* why_not = fill(call, *made)) return why_not;
  *state = made.release();
  return nullptr;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  const Cut cut = cut_of(problem, shape);
  return most_entries(problem) * 11 + problem.extents.x * (5 + cut.across) * 8 +
         cut.tiles() * cut.columns() * 8;
}

}  // namespace

Variant npb_cg_openacc_blocks() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "tiles to gangs, whose columns of p stay in a cache; three regions a step";
  variant.tunables = tunables<Shape>({{"num_gangs", &Shape::num_gangs, {66, 132, 264}},
                                      {"num_workers", &Shape::num_workers, Workers::list()},
                                      {"columns", &Shape::columns, {4, 8, 12, 16, 24, 32}}});
  variant.launch = {.float64 = launch};
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = by_name<workspace>;
  return variant;
}

}  // namespace sextant
