#include <cufftXt.h>

#include <array>
#include <memory>

#include "base/dynamic_library.hpp"
#include "gpu_state.cuh"
#include "toolbox/cuda/peers.cuh"
#include "toolbox/watched.hpp"

// NAS FT on several GPUs with cuFFT's multi-GPU transform. Before the forward transform each GPU has a range
// of z; afterwards it has a range of y. The inverse transform restores the first distribution. U is stored by
// ranges of y, where the evolution works. cuFFT uses the first GPU's stream; events synchronize it with the
// other streams.
namespace sextant {
namespace {

using namespace npb_ft;

constexpr int least_side = 32, most_gpus = 16;  // limits of a transform over several GPUs (cuFFT's manual)

struct CufftXt {
  DynamicLibrary library{{"libcufft.so.12", "libcufft.so.11", "libcufft.so"}, "cuFFT (the CUDA toolkit)"};
  decltype(cufftCreate)* create;
  decltype(cufftDestroy)* destroy;
  decltype(cufftXtSetGPUs)* set_gpus;
  decltype(cufftMakePlan3d)* make_plan;
  decltype(cufftSetStream)* set_stream;
  decltype(cufftXtMalloc)* allocate;
  decltype(cufftXtFree)* release;
  decltype(cufftXtExecDescriptorZ2Z)* execute;

  CufftXt() {
    library.find("cufftCreate", &create);
    library.find("cufftDestroy", &destroy);
    library.find("cufftXtSetGPUs", &set_gpus);
    library.find("cufftMakePlan3d", &make_plan);
    library.find("cufftSetStream", &set_stream);
    library.find("cufftXtMalloc", &allocate);
    library.find("cufftXtFree", &release);
    library.find("cufftXtExecDescriptorZ2Z", &execute);
  }
};

const CufftXt& cufft() {
  static const CufftXt functions;
  return functions;
}

const char* unavailable() {
  const std::string& problem = cufft().library.problem;
  return problem.empty() ? nullptr : problem.c_str();
}

struct State : Watched {
  explicit State(const parts::Team& its_team) : team(its_team), decay(team), sums(team), all_sums(team) {
    peers::for_parts(team, [&](int part, cudaStream_t) {
      cudaEventCreateWithFlags(&done[static_cast<std::size_t>(part)], cudaEventDisableTiming);
    });
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    for (cudaLibXtDesc* field : {u, w})
      if (field) cufft().release(field);
    if (planned) cufft().destroy(plan);
    for (const cudaEvent_t event : done)
      if (event) cudaEventDestroy(event);
    cudaGetLastError();
  }
  const char* failure() const override {
    return failed ? "cuFFT's transform over these GPUs failed" : nullptr;
  }
  double2* of(const cudaLibXtDesc* field, int part) const {
    return static_cast<double2*>(field->descriptor->data[part]);
  }

  const parts::Team& team;
  peers::PartMemory decay, sums,
      // sums: checksum points of one GPU, for each step; all_sums: those of all GPUs, on the first GPU.
      all_sums;
  std::array<cudaEvent_t, parts::most_of_a_team> done = {};
  cufftHandle plan = 0;
  cudaLibXtDesc *u = nullptr, *w = nullptr;
  bool planned = false, failed = false;
};

// The part of a field that one GPU has: a range of z ("planes") or of y ("rows").
struct Own {
  Extents e;           // extents of the GPU's part
  std::int64_t first;  // first z or y of the part
  int log_x, log_y;    // log2 of e.x and of e.y
};

Own planes_of(const Problem& problem, int part) {
  Own own = {problem.extents, 0, 0, 0};
  own.e.z /= problem.parts;
  own.first = own.e.z * part;
  own.log_x = log2_of(own.e.x), own.log_y = log2_of(own.e.y);
  return own;
}

Own rows_of(const Problem& problem, int part) {
  Own own = {problem.extents, 0, 0, 0};
  own.e.y /= problem.parts;
  own.first = own.e.y * part;
  own.log_x = log2_of(own.e.x), own.log_y = log2_of(own.e.y);
  return own;
}

__global__ void start_planes(Own own, double2* u) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= own.e.count()) return;
  const std::int64_t before = own.first * own.e.x * own.e.y;
  const std::uint64_t re =
      npb::random_skip(npb::other_seed, static_cast<std::uint64_t>(2 * (before + i) + 1));
  u[i] = {npb::random_value(re), npb::random_value(npb::random_next(re))};
}

// Multiplies the GPU's rows of U by the decay factors. Computes indices by shifts, because divisions would
// take longer than the memory accesses. All dimensions are powers of two.
__global__ void evolve_rows(Own own, std::int64_t all_y, const double* decays, const double2* __restrict__ u,
                            double2* __restrict__ w) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= own.e.count()) return;
  const std::int64_t x = i & (own.e.x - 1), y = own.first + (i >> own.log_x & (own.e.y - 1)),
                     z = i >> (own.log_x + own.log_y);
  const double factor = decays[x] * decays[own.e.x + y] * decays[own.e.x + all_y + z];
  const double2 value = u[i];
  w[i] = {value.x * factor, value.y * factor};
}

// Sums the checksum points of one step that are in the GPU's planes.
__global__ void add_planes(Own own, Extents whole, const double2* w, Complex* sum) {
  const std::int64_t before = own.first * own.e.x * own.e.y;
  add_points<Complex>(
      [=](int j) {
        const std::int64_t at = checksum_index(whole, j) - before;
        if (at < 0 || at >= own.e.count()) return Complex{0, 0};
        return Complex{w[at].x, w[at].y};
      },
      1.0 / static_cast<double>(whole.count()), sum);
}

// Adds the checksums of all GPUs for each step. They are stored one GPU after another.
__global__ void add_sums(int steps, int parts, const Complex* all, Complex* sums) {
  const int step = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (step >= steps) return;
  Complex sum = {0, 0};
  for (int part = 0; part < parts; ++part)
    sum.re += all[part * steps + step].re, sum.im += all[part * steps + step].im;
  sums[step] = sum;
}

// Makes the first GPU's stream wait for all other streams.
void join(const State& state) {
  for (int part = 1; part < state.team.parts; ++part) {
    const cudaEvent_t event = state.done[static_cast<std::size_t>(part)];
    cudaSetDevice(state.team.device[part]);
    cudaEventRecord(event, peers::stream_of_part(state.team, part));
    cudaStreamWaitEvent(peers::stream_of_part(state.team, 0), event);
  }
}

// Makes all other streams wait for the first GPU's stream.
void fork(const State& state) {
  cudaSetDevice(state.team.device[0]);
  cudaEventRecord(state.done[0], peers::stream_of_part(state.team, 0));
  for (int part = 1; part < state.team.parts; ++part)
    cudaStreamWaitEvent(peers::stream_of_part(state.team, part), state.done[0]);
}

// Transforms a field in place, from planes to rows or back.
void transform(State& state, cudaLibXtDesc* field, int direction) {
  field->subFormat = direction == CUFFT_FORWARD ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
  join(state);
  cudaSetDevice(state.team.device[0]);
  if (cufft().execute(state.plan, field, field, direction) != CUFFT_SUCCESS) state.failed = true;
  fork(state);
}

void launch(const Call& call) {
  auto& state = *static_cast<State*>(call.state);
  const Problem& problem = call.problem;
  const Extents& e = problem.extents;
  const int steps = static_cast<int>(iterations(problem));
  constexpr unsigned block = 256;
  const unsigned blocks = blocks_for(e.count() / problem.parts, block);
  const auto decay_of = [&](int part) { return state.decay.of<double>()[part]; };
  peers::for_parts(state.team, [&](int part, cudaStream_t stream) {
    fill_decay<<<blocks_for(steps * axis_entries(e), block), block, 0, stream>>>(e, steps, decay_of(part));
    start_planes<<<blocks, block, 0, stream>>>(planes_of(problem, part), state.of(state.u, part));
  });
  transform(state, state.u, CUFFT_FORWARD);
  for (int t = 0; t < steps; ++t) {
    peers::for_parts(state.team, [&](int part, cudaStream_t stream) {
      evolve_rows<<<blocks, block, 0, stream>>>(rows_of(problem, part), e.y,
                                                decay_of(part) + t * axis_entries(e), state.of(state.u, part),
                                                state.of(state.w, part));
    });
    transform(state, state.w, CUFFT_INVERSE);
    peers::for_parts(state.team, [&](int part, cudaStream_t stream) {
      add_planes<<<1, block, 0, stream>>>(planes_of(problem, part), e, state.of(state.w, part),
                                          state.sums.of<Complex>()[part] + t);
    });
  }
  join(state);
  const cudaStream_t first = peers::stream_of_part(state.team, 0);
  Complex* const all = state.all_sums.of<Complex>()[0];
  cudaSetDevice(state.team.device[0]);
  for (int part = 0; part < problem.parts; ++part)
    cudaMemcpyPeerAsync(all + part * steps, state.team.device[0], state.sums.of<Complex>()[part],
                        state.team.device[part], sizeof(Complex) * static_cast<std::size_t>(steps), first);
  add_sums<<<1, 32 * ((static_cast<unsigned>(steps) + 31) / 32), 0, first>>>(steps, problem.parts, all,
                                                                             state.sums.of<Complex>()[0]);
}

// Returns false if cuFFT has no plan for these extents and GPUs, or too little memory.
bool make_plan(const Call& call, State* state) {
  const parts::Team& team = state->team;
  const Extents& e = call.problem.extents;
  state->planned = cufft().create(&state->plan) == CUFFT_SUCCESS;
  std::array<int, parts::most_of_a_team> devices = {};
  std::copy_n(team.device, team.parts, devices.begin());
  std::array<std::size_t, parts::most_of_a_team> workspace = {};
  const bool made = state->planned &&
                    cufft().set_gpus(state->plan, team.parts, devices.data()) == CUFFT_SUCCESS &&
                    cufft().make_plan(state->plan, static_cast<int>(e.z), static_cast<int>(e.y),
                                      static_cast<int>(e.x), CUFFT_Z2Z, workspace.data()) == CUFFT_SUCCESS &&
                    cufft().set_stream(state->plan, peers::stream_of_part(team, 0)) == CUFFT_SUCCESS &&
                    cufft().allocate(state->plan, &state->u, CUFFT_XT_FORMAT_INPLACE) == CUFFT_SUCCESS &&
                    cufft().allocate(state->plan, &state->w, CUFFT_XT_FORMAT_INPLACE) == CUFFT_SUCCESS;
  cudaGetLastError();  // clears errors of repeated peer access or failed allocation
  return made;
}

const char* prepare(const Call& call, void** state) {
  const parts::Team& team = parts::team_of(call);
  if (team.sharing > 1) return "cuFFT does not support two partitions on one GPU";
  auto made = std::make_unique<State>(team);
  const std::int64_t sums = 16 * iterations(call.problem);
  if (!made->decay.allocate(8 * iterations(call.problem) * axis_entries(call.problem.extents)) ||
      !made->sums.allocate(sums) || !made->all_sums.allocate(sums * team.parts))
    return "device memory ran out";
  if (!make_plan(call, made.get()))
    return "cuFFT has no plan for these extents and GPUs, or no memory for it";
  *state = made.release();
  return nullptr;
}

// Fills the memory of all GPUs with invalid values. The problem has no inputs to distribute.
void scatter(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t bytes = field_bytes(call.problem) / call.problem.parts;
  for (int part = 0; part < call.problem.parts; ++part) {
    for (const cudaLibXtDesc* field : {state.u, state.w})
      state.team.memory->fill(state.team, part, state.of(field, part), 0xFF, bytes);
    state.team.memory->fill(state.team, part, state.sums.of<char>()[part], 0xFF,
                            16 * iterations(call.problem));
  }
}

void gather(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t bytes = field_bytes(call.problem) / call.problem.parts;
  state.team.memory->read(state.team, 0, call.address(checksums), state.sums.of<Complex>()[0],
                          16 * iterations(call.problem));
  for (int part = 0; with_field(call.problem) && part < call.problem.parts; ++part)
    state.team.memory->read(state.team, part, call.array<char>(field) + part * bytes, state.of(state.w, part),
                            bytes);
}

const char* refuse(const Problem& problem, const int*) {
  const Extents& e = problem.extents;
  if (problem.parts < 2 || problem.parts > most_gpus || (problem.parts & (problem.parts - 1)) != 0)
    return "the number of partitions must be a power of two from 2 to 16";
  return std::min({e.x, e.y, e.z}) < least_side
             ? "cuFFT's transform over several GPUs needs at least 32 points in each dimension"
             : nullptr;
}

}  // namespace

std::vector<Variant> npb_ft_cuda_cufft_xt() {
  Variant variant;
  variant.name = "cufft_xt";
  variant.memory_space = MemorySpace::partitioned;
  variant.description =
      "cuFFT's 3-D transform over several GPUs, with simple kernels around it; planning is not timed";
  variant.launch = {.float64 = launch};
  variant.constraint = refuse;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.parts.scatter = scatter;
  variant.parts.gather = gather;
  variant.unavailable = unavailable;
  // Device memory for U, w and the plan's workspace. The workspace is assumed to be as large as a field,
  // because cuFFT's documentation gives no bound.
  variant.workspace = [](const Problem& problem, const int*) {
    return 3 * field_bytes(problem) / problem.parts +
           iterations(problem) * (8 * axis_entries(problem.extents) + 16 * (problem.parts + 1));
  };
  return {variant};
}

}  // namespace sextant
