// NAS FT on several GPUs with peer access; uses the kernels of cuda.passes. Each GPU transforms whole planes
// along x and y, and lines along z. The pass along z also exchanges the data: its kernels access the planes
// of all GPUs directly. Barriers across all GPUs separate this pass from the passes before and after it.
#include <memory>
#include <type_traits>
#include <vector>

#include "slab_part.cuh"

namespace sextant {
namespace {

using namespace npb_ft;

constexpr std::int64_t most_beside =
    72'000'000'000;  // maximum bytes of three fields on one GPU: they fit in 80 GB

// Minimum bytes of a GPU's share of a field for which the layout in bricks (in_bricks.cuh) is faster. With
// fused passes along x and y, the concurrent pass along z would get too few multiprocessors.
constexpr std::int64_t least_in_bricks = 1 << 28;

constexpr int most_pieces = 4;  // maximum chunks into which the initial field's columns are divided

// Work that runs concurrently with the pass along z, which is limited by the links between the GPUs.
enum Beside : int {
  nothing,
  step_before,  // the previous step's passes along x and y; needs memory for two fields
  other_half    // the passes along x and y of the other half of the planes; U is then read once per half
};

struct Shape : SlabShape {
  int concurrent_with_z = step_before;
  int z_blocks_percent =
      // Thread blocks of the pass along z, in percent of the blocks that can be resident. Used with
      // concurrent_with_z.
      50;
};

struct Part : SlabPart {
  ~Part() {
    if (side) cudaStreamDestroy(side);
    for (const cudaEvent_t event : {turned, passed[0], passed[1]})
      if (event) cudaEventDestroy(event);
  }

  // Used with concurrent_with_z: a second field that alternates with v (double buffering), a stream for
  // passes along z, and events. `turned` marks the end of a pass along z. `passed` marks the last work in
  // each field, or in each half of v.
  DeviceMemory<Pair> other_memory;
  Pair *v = nullptr, *other = nullptr;
  cudaStream_t stream = nullptr, side = nullptr;
  cudaEvent_t turned = nullptr, passed[2] = {};
  unsigned forward_beside = 0;  // thread blocks of the forward pass along z while a pass along y runs

  cudaStream_t of_turns() const { return side ? side : stream; }
};

struct Parts {
  explicit Parts(const parts::Team& its_team) : team(its_team), meetings(its_team), sums(its_team) {}
  const parts::Team& team;
  peers::Meetings meetings;
  peers::PartMemory sums;  // checksums of all steps
  std::vector<std::unique_ptr<Part>> parts;
};

__global__ void meet(peers::Meeting meeting) {
  __threadfence_system();
  peers::begin_together(meeting);
}

// Adds the checksum points of a step from all GPUs. Each GPU has values for its own points and zeros for
// others.
__global__ void add_parts(peers::Of<const Pair> captured, int parts, double scale, Complex* sums) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * checksum_points - 1;
  add_points<Pair>(
      [=](int j) {
        Pair sum = {0, 0};
        for (int part = 0; part < parts; ++part) {
          const Pair value = captured[part][first + j];
          sum.re += value.re;
          sum.im += value.im;
        }
        return sum;
      },
      scale, sums);
}

enum class On : std::uint8_t { planes, turns };  // selects one of a GPU's two streams

// Calls action(number, part) for each GPU, after making it the current device.
template <typename Action>
void for_all(const Parts& all, Action action) {
  peers::for_parts(all.team,
                   [&](int part, cudaStream_t) { action(part, *all.parts[static_cast<std::size_t>(part)]); });
}

void meet_all(Parts& all, On on) {
  all.meetings.next_round();
  for_all(all, [&](int part, const Part& own) {
    meet<<<1, 32, 0, on == On::turns ? own.of_turns() : own.stream>>>(all.meetings.of(part));
  });
}

// Selects the memory of v for a step. Two fields alternate (double buffering).
void use_planes(const Parts& all, std::int64_t step, bool apart) {
  for_all(all, [&](int, Part& own) {
    own.state.v = own.other && step % 2 == 1 ? own.other : own.v;
    if (!apart) own.state.fields.w = own.state.v;
  });
}

// Calls action(part, number, passes) for each GPU.
template <typename Program, typename Action>
void with_passes(const Parts& all, On on, Action action) {
  for_all(all, [&](int part, Part& own) {
    own.call.stream = on == On::turns ? own.of_turns() : own.stream;
    action(own, part, passes_of<Program>(own, part, all.team.parts));
  });
}

// Returns the pass along z for one GPU, which accesses the planes of all GPUs.
template <typename Program>
TurnPass turn_among(const Parts& all, const Program& passes, const Part& own, int part) {
  TurnPass turn = turn_of(own, passes, part, all.team.parts);
  for (int other = 0; other < all.team.parts; ++other)
    turn.planes.at[other] = all.parts[static_cast<std::size_t>(other)]->state.v;
  return turn;
}

// Returns how many of a thread's elements of a line along z are in one GPU's planes.
std::int64_t elements_in_planes(const Extents& e, int parts) {
  return std::min<std::int64_t>(e.z, most_points_z) / parts;
}

// One of `of` chunks of the columns of each GPU. Chunks are adjacent along x.
struct Piece {
  int number, of;
};

// Returns the number of chunks into which the initial field's columns are divided. With several chunks, the
// pass along y of one runs concurrently with the pass along z of the previous one.
template <typename Program>
int pieces_of_start(const Call& call) {
  const auto shape = call.tuned<Shape>();
  if (!std::is_same_v<Program, BrickPasses> || shape.concurrent_with_z == nothing) return 1;
  const std::int64_t pillars =
      call.problem.extents.x / brick_of(part_of(call.problem), tuning_of(shape)).width;
  return static_cast<int>(std::clamp<std::int64_t>(pillars / call.problem.parts, 1, most_pieces));
}

template <typename Program>
void turn_start(const Parts& all, const Piece& piece) {
  with_passes<Program>(all, On::turns, [&](const Part& own, int part, const Program& passes) {
    TurnPass turn = turn_among(all, passes, own, part);
    std::swap(turn.pass.read, turn.pass.write);
    turn.tiles /= piece.of;
    turn.first_tile += piece.number * turn.tiles;
    Launch<TurnPass> forward = own.forward;
    forward.blocks =
        std::min(piece.of > 1 ? own.forward_beside : forward.blocks, static_cast<unsigned>(turn.tiles));
    passes.run(forward, turn);
  });
}

// Performs the passes along x and y of the forward transform that must precede the pass along z of a chunk.
template <typename Program>
void start_planes(const Parts& all, const Piece& piece) {
  with_passes<Program>(all, On::planes, [&](const Part& own, int, const Program& passes) {
    if constexpr (std::is_same_v<Program, BrickPasses>) {
      if (piece.number == 0) passes.start_along_x();
      const std::int64_t each = passes.pillars() / all.team.parts, count = each / piece.of;
      for (int from = 0; from < (piece.of > 1 ? all.team.parts : 0); ++from)
        passes.along_y(from * each + piece.number * count, count);
      if (piece.of == 1) passes.along_y();
    } else {
      passes.start();
    }
    for (const cudaEvent_t event : own.passed)
      if (event) cudaEventRecord(event, own.stream);
  });
}

// The unit of work of the pass along z: all planes of step t, or one half of them.
struct Stage {
  std::int64_t t;
  int half, halves;  // half: index of the half; halves: number of halves, 1 or 2

  std::int64_t turn() const { return halves == 2 ? half : t % 2; }  // index of the memory in which to store
};

template <typename Program>
void turn_step(const Parts& all, const Stage& stage, const Extents& e) {
  with_passes<Program>(all, On::turns, [&](const Part& own, int part, const Program& passes) {
    TurnPass turn = turn_among(all, passes, own, part);
    set_decay_of(own, stage.t, e, turn);
    if (stage.halves == 2) {
      turn.half_bit = static_cast<int>(elements_in_planes(e, all.team.parts)) / 2;
      turn.half = stage.half * turn.half_bit;
    }
    passes.run(own.inverse, turn);
  });
}

// Waits until no GPU reads the planes that are overwritten next.
void wait_for_turn(Parts& all, std::int64_t turn) {
  for_all(all, [&](int, const Part& own) {
    if (own.side) cudaStreamWaitEvent(own.side, own.passed[turn]);
  });
  meet_all(all, On::turns);
}

// Performs a stage's passes along y and x after its pass along z. Then records the event after which its
// planes may be overwritten.
template <typename Program>
void finish_step(const Parts& all, const Stage& stage) {
  for_all(all, [&](int, const Part& own) {
    if (!own.side) return;
    cudaEventRecord(own.turned, own.side);
    cudaStreamWaitEvent(own.stream, own.turned);
  });
  with_passes<Program>(all, On::planes, [&](const Part&, int, Program passes) {
    if constexpr (std::is_same_v<Program, BrickPasses>)
      if (stage.halves == 2) passes.take_half(stage.half);
    passes.finish(stage.t);
  });
  for_all(all, [&](int, const Part& own) {
    if (own.side) cudaEventRecord(own.passed[stage.turn()], own.stream);
  });
}

template <typename Program>
void run_steps(const Call& call, Parts& all) {
  const Extents& e = call.problem.extents;
  const int steps = static_cast<int>(iterations(call.problem)),
            halves = call.tuned<Shape>().concurrent_with_z == other_half ? 2 : 1;
  const bool apart = with_field(call.problem);
  use_planes(all, 0, apart);
  with_passes<Program>(all, On::planes, [&](const Part& own, int, const Program& passes) {
    set_up_steps(own, passes, e, steps);
  });
  const int pieces = pieces_of_start<Program>(call);
  for (int number = 0; number < pieces; ++number) {
    start_planes<Program>(all, {number, pieces});
    wait_for_turn(all, 0);
    turn_start<Program>(all, {number, pieces});
  }
  for (int t = 1; t <= steps; ++t)
    for (int half = 0; half < halves; ++half) {
      const Stage stage = {t, half, halves};
      wait_for_turn(all, stage.turn());
      use_planes(all, t, apart);
      turn_step<Program>(all, stage, e);
      meet_all(all, On::turns);  // all stores to the planes have arrived
      finish_step<Program>(all, stage);
    }
}

void launch(const Call& call) {
  auto& all = *static_cast<Parts*>(call.state);
  call.tuned<Shape>().fuse_xy ? run_steps<PlanePasses>(call, all) : run_steps<BrickPasses>(call, all);
  const int steps = static_cast<int>(iterations(call.problem));
  peers::Of<const Pair> captured;
  for (int part = 0; part < all.team.parts; ++part)
    captured.at[part] = all.parts[static_cast<std::size_t>(part)]->state.captured.data;
  meet_all(all, On::planes);
  peers::for_parts(all.team, [&](int part, cudaStream_t stream) {
    add_parts<<<static_cast<unsigned>(steps), 256, 0, stream>>>(
        captured, all.team.parts, 1.0 / static_cast<double>(call.problem.extents.count()),
        all.sums.of<Complex>()[part]);
  });
  meet_all(all, On::planes);  // all reads of the checksum points have finished
}

// Like with_line, with as many points per thread as possible, at most most_points_z.
template <int n = 2, typename Function>
void with_long_line(std::int64_t length, Function&& function) {
  if (length == n)
    function.template operator()<n, std::min(n, most_points_z)>();
  else if constexpr (n < longest)
    with_long_line<2 * n>(length, function);
}

template <bool joined>
void set_kernels(const Problem& whole, int columns, Launch<TurnPass>& forward, Launch<TurnPass>& inverse) {
  with_long_line(whole.extents.z, [&]<int n, int points>() {
    forward.kernel = turn<n, points, true, joined>;
    inverse.kernel = turn<n, points, false, joined>;
    for (Launch<TurnPass>* pass : {&forward, &inverse}) {
      pass->block = dim3(static_cast<unsigned>(columns), n / points);
      pass->shared_bytes = static_cast<int>(sizeof(double)) * columns * exchange_elements(n, points);
    }
  });
}

unsigned part_of_room(const Launch<TurnPass>& pass, int percent) {
  int each = 0;
  const auto threads = static_cast<int>(pass.block.x * pass.block.y);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, pass.kernel, threads,
                                                static_cast<std::size_t>(pass.shared_bytes));
  return static_cast<unsigned>(multiprocessors() * each * percent / 100);
}

// Prepares passes along z that run concurrently with passes along x and y, and divides the multiprocessors
// between them. Parts that share a GPU get no second stream: barriers in many streams might block each other
// in one hardware queue.
const char* set_up_beside(const Call& call, Part* part) {
  const auto shape = call.tuned<Shape>();
  if (shape.concurrent_with_z == step_before &&
      !part->other_memory.allocate(part->call.problem.extents.count()))
    return "device memory ran out";
  part->other = part->other_memory.data;
  if (parts::team_of(call).sharing > 1) return nullptr;
  int least = 0, most = 0;
  cudaDeviceGetStreamPriorityRange(&least, &most);
  if (cudaStreamCreateWithPriority(&part->side, cudaStreamNonBlocking, most) != cudaSuccess)
    return "no CUDA stream for the passes along z";
  for (cudaEvent_t* event : {&part->turned, &part->passed[0], &part->passed[1]})
    cudaEventCreateWithFlags(event, cudaEventDisableTiming);
  part->forward_beside =
      std::clamp(part_of_room(part->forward, shape.z_blocks_percent), 1U, part->forward.blocks);
  part->inverse.blocks =
      std::clamp(part_of_room(part->inverse, shape.z_blocks_percent), 1U, part->inverse.blocks);
  if (shape.fuse_xy) part->state.planes.blocks = std::max(1U, part->state.planes.blocks / 2);
  return nullptr;
}

// Allocates the state of the current GPU. Returns null, or the reason for a failure.
const char* make_part(const Call& call, cudaStream_t stream, Part* part) {
  const auto shape = call.tuned<Shape>();
  const char* why_not = make_slab_part(call, shape, stream, *part);
  part->forward_beside = part->forward.blocks;
  part->v = part->state.v;
  part->stream = stream;
  return !why_not && shape.concurrent_with_z ? set_up_beside(call, part) : why_not;
}

void load_kernels(const parts::Team& team, const Part& part) {
  peers::load_everywhere(team, meet);
  peers::load_everywhere(team, add_parts);
  peers::load_everywhere(team, fill_factors);
  peers::load_everywhere(team, fill_decay);
  if (part.tuning.fuse_xy) {
    peers::load_everywhere(team, part.state.start_planes.kernel);
    peers::load_everywhere(team, part.state.planes.kernel);
  } else {
    peers::load_everywhere(team, part.state.x.kernel);
    peers::load_everywhere(team, part.state.y.kernel);
  }
  peers::load_everywhere(team, part.forward.kernel);
  peers::load_everywhere(team, part.inverse.kernel);
}

const char* prepare(const Call& call, void** state) {
  const parts::Team& team = parts::team_of(call);
  if (!team.reaches_all) return peers::out_of_reach;
  auto all = std::make_unique<Parts>(team);
  const char* why_not = all->meetings.make(team);
  if (!why_not && !all->sums.allocate(16 * iterations(call.problem))) why_not = "device memory ran out";
  peers::for_parts(team, [&](int, cudaStream_t stream) {
    all->parts.push_back(std::make_unique<Part>());
    if (!why_not) why_not = make_part(call, stream, all->parts.back().get());
  });
  if (why_not) return why_not;
  load_kernels(team, *all->parts.front());
  *state = all.release();
  return nullptr;
}

// Fills the memory of all GPUs with invalid values. The problem has no inputs to distribute.
void scatter(const Call& call) {
  const auto& all = *static_cast<const Parts*>(call.state);
  const auto fill = [&](int part, void* memory, std::int64_t bytes) {
    all.team.memory->fill(all.team, part, memory, 0xFF, bytes);
  };
  for (int part = 0; part < all.team.parts; ++part) {
    const Part& own = *all.parts[static_cast<std::size_t>(part)];
    const std::int64_t bytes = field_bytes(own.call.problem);
    for (Pair* memory : {own.state.fields.u, own.state.fields.w, own.v, own.other})
      if (memory) fill(part, memory, bytes);
    fill(part, all.sums.of<Complex>()[part], 16 * iterations(call.problem));
  }
}

// Reads the last GPU's copy of the checksums, which shows that all GPUs have them.
void gather(const Call& call) {
  const auto& all = *static_cast<const Parts*>(call.state);
  const parts::Team& team = all.team;
  const int last = team.parts - 1;
  team.memory->read(team, last, call.address(checksums), all.sums.of<Complex>()[last],
                    16 * iterations(call.problem));
  for (int part = 0; with_field(call.problem) && part < team.parts; ++part) {
    const Part& own = *all.parts[static_cast<std::size_t>(part)];
    const std::int64_t bytes = field_bytes(own.call.problem);
    team.memory->read(team, part, call.array<char>(field) + part * bytes, own.state.fields.w, bytes);
  }
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (const char* reason = refuse_slabs(problem, shape)) return reason;
  if (shape.concurrent_with_z != other_half) return nullptr;
  if (shape.fuse_xy)
    return "concurrent_with_z=2 needs fuse_xy=0, because a fused pass processes whole planes";
  const Problem own = part_of(problem);
  return elements_in_planes(problem.extents, problem.parts) < 2 ||
                 own.extents.z / 2 % brick_of(own, tuning_of(shape)).depth != 0
             ? "concurrent_with_z=2 needs halves of whole bricks: choose concurrent_with_z=0 or 1, or "
               "another depth"
             : nullptr;
}

void adapt(const Problem& problem, Shape& shape) {
  fit_slabs(problem, shape);
  if (problem.parts > 1 && field_bytes(problem) / problem.parts >= least_in_bricks)
    shape.fuse_xy = 0, shape.plane_slices = 1;
  const bool fits = 3 * field_bytes(problem) / problem.parts <= most_beside;
  shape.concurrent_with_z = problem.parts == 1 ? nothing : fits || shape.fuse_xy ? step_before : other_half;
  if (refuse(problem, shape)) shape.concurrent_with_z = nothing;
  // True for NAS problem class D.
  const bool long_in_bricks = problem.extents.z >= 1024 && problem.parts > 2 && !shape.fuse_xy;
  shape.z_blocks_percent = shape.concurrent_with_z == other_half ? 60 : long_in_bricks ? 74 : 50;
  if (long_in_bricks && shape.concurrent_with_z == step_before) shape.depth = 4;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return slabs_workspace(problem, shape, shape.concurrent_with_z == step_before);
}

}  // namespace

namespace npb_ft {

const char* set_up_turn(const Problem& whole, int columns, bool joined, Launch<TurnPass>& forward,
                        Launch<TurnPass>& inverse, int* tiles) {
  joined ? set_kernels<true>(whole, columns, forward, inverse)
         : set_kernels<false>(whole, columns, forward, inverse);
  *tiles = static_cast<int>(whole.extents.x * whole.extents.y / columns / whole.parts);
  const char* why_not = forward.set_up(*tiles);
  return why_not ? why_not : inverse.set_up(*tiles);
}

}  // namespace npb_ft

std::vector<Variant> npb_ft_cuda_peers() {
  Variant variant;
  variant.name = "peers";
  variant.memory_space = MemorySpace::partitioned;
  variant.description =
      "whole planes, then whole lines along z per GPU; kernels access the other GPUs' planes directly";
  std::vector<TunableMember<Shape>> members = slab_members<Shape>();
  members.push_back({"concurrent_with_z", &Shape::concurrent_with_z, {nothing, step_before, other_half}});
  members.push_back({"z_blocks_percent", &Shape::z_blocks_percent, {42, 50, 58, 60, 66, 74}});
  variant.tunables = tunables<Shape>(members);
  variant.launch = {.float64 = launch};
  variant.constraint = by_name<refuse>;
  variant.adapt = by_name<adapt>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Parts*>(state); };
  variant.workspace = by_name<workspace>;
  variant.parts.scatter = scatter;
  variant.parts.gather = gather;
  return {variant};
}

}  // namespace sextant
