#include <cufft.h>

#include "base/dynamic_library.hpp"
#include "gpu_state.cuh"

// Variant library.cufft: cuFFT's in-place three-dimensional transform, with one kernel each for the initial
// field, the evolution and the checksum.
//
// Without a transposition, the transform reads and writes the field three times. The evolution reads and
// writes it once more per iteration. That is 4/3 of the traffic of one pass per dimension.
namespace sextant {
namespace {

using namespace npb_ft;

struct Cufft {
  DynamicLibrary library{{"libcufft.so.12", "libcufft.so.11", "libcufft.so"}, "cuFFT (the CUDA toolkit)"};
  decltype(cufftCreate)* create;
  decltype(cufftDestroy)* destroy;
  decltype(cufftMakePlan3d)* make_plan;
  decltype(cufftSetStream)* set_stream;
  decltype(cufftExecZ2Z)* execute;

  Cufft() {
    library.find("cufftCreate", &create);
    library.find("cufftDestroy", &destroy);
    library.find("cufftMakePlan3d", &make_plan);
    library.find("cufftSetStream", &set_stream);
    library.find("cufftExecZ2Z", &execute);
  }
};

const Cufft& cufft() {
  static const Cufft functions;
  return functions;
}

struct CufftState {
  GpuFields<double2> fields;
  DeviceMemory<double> decay;
  cufftHandle plan = 0;
  bool planned = false;
  CufftState() = default;
  CufftState(const CufftState&) = delete;
  CufftState& operator=(const CufftState&) = delete;
  ~CufftState() {
    if (planned) cufft().destroy(plan);
  }
  // Returns false if cuFFT has no plan for these extents, or too little memory.
  bool make_plan(const Call& call) {
    planned = cufft().create(&plan) == CUFFT_SUCCESS;
    if (!planned) return false;
    const Extents& e = call.problem.extents;
    std::size_t workspace = 0;
    if (cufft().make_plan(plan, static_cast<int>(e.z), static_cast<int>(e.y), static_cast<int>(e.x),
                          CUFFT_Z2Z, &workspace) == CUFFT_SUCCESS &&
        cufft().set_stream(plan, stream_of(call)) == CUFFT_SUCCESS)
      return true;
    cudaGetLastError();  // clears the error, so that a later check does not report it
    return false;
  }
};

const char* unavailable() {
  const std::string& problem = cufft().library.problem;
  return problem.empty() ? nullptr : problem.c_str();
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<CufftState>();
  if (const char* why_not = made->fields.make(call)) return why_not;
  if (!made->decay.allocate(iterations(call.problem) * axis_entries(call.problem.extents)))
    return "device memory ran out";
  if (!made->make_plan(call)) return "cuFFT has no plan for these extents, or no memory for it";
  *state = made.release();
  return nullptr;
}

__global__ void fill_start(std::int64_t count, double2* u) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::uint64_t re = npb::random_skip(npb::other_seed, static_cast<std::uint64_t>(2 * i + 1));
  u[i] = {npb::random_value(re), npb::random_value(npb::random_next(re))};
}

// Multiplies U by the decay factors. Computes indices by shifts, because divisions would take longer than the
// memory accesses. All dimensions are powers of two.
__global__ void evolve(Extents e, int log_x, int log_y, const double* decays, const double2* __restrict__ u,
                       double2* __restrict__ w) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= e.count()) return;
  const std::int64_t x = i & (e.x - 1), y = i >> log_x & (e.y - 1), z = i >> (log_x + log_y);
  const double factor = decays[x] * decays[e.x + y] * decays[e.x + e.y + z];
  const double2 value = u[i];
  w[i] = {value.x * factor, value.y * factor};
}

__global__ void add_cufft(Extents e, const double2* w, Complex* sum) {
  add_points<Complex>(
      [=](int j) {
        const double2 value = w[checksum_index(e, j)];
        return Complex{value.x, value.y};
      },
      1.0 / static_cast<double>(e.count()), sum);
}

void launch(const Call& call) {
  const auto& state = *static_cast<const CufftState*>(call.state);
  const Extents& e = call.problem.extents;
  const auto stream = stream_of(call);
  const int steps = static_cast<int>(iterations(call.problem));
  const unsigned block = 256, blocks = blocks_for(e.count(), block);
  double2 *u = state.fields.u, *w = state.fields.w;
  call.phase("setup");
  fill_decay<<<blocks_for(steps * axis_entries(e), block), block, 0, stream>>>(e, steps, state.decay.data);
  fill_start<<<blocks, block, 0, stream>>>(e.count(), u);
  call.phase("fft");
  cufft().execute(state.plan, u, u, CUFFT_FORWARD);
  for (int t = 0; t < steps; ++t) {
    call.phase("evolve");
    evolve<<<blocks, block, 0, stream>>>(e, log2_of(e.x), log2_of(e.y),
                                         state.decay.data + t * axis_entries(e), u, w);
    call.phase("fft");
    cufft().execute(state.plan, w, w, CUFFT_INVERSE);
    call.phase("checksum");
    add_cufft<<<1, block, 0, stream>>>(e, w, call.array<Complex>(checksums) + t);
  }
  call.phase("");
}

}  // namespace

std::vector<Variant> npb_ft_library_cu() {
  Variant variant;
  variant.name = "cufft";
  variant.memory_space = MemorySpace::cuda;
  variant.description = "cuFFT's 3-D transform, with simple kernels around it; planning is not timed";
  variant.launch = {.float64 = launch};
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<CufftState*>(state); };
  variant.unavailable = unavailable;
  // The plan's workspace is assumed to be as large as a field, because cuFFT's documentation gives no bound.
  variant.workspace = [](const Problem& problem, const int*) {
    return state_bytes(problem) + field_bytes(problem) +
           8 * iterations(problem) * axis_entries(problem.extents);
  };
  return {variant};
}

}  // namespace sextant
