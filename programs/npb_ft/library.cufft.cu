#include "cufft.cuh"

// A straightforward program on cuFFT: its three-dimensional transform in place, and a kernel each for the
// start, the evolution and the checksum.
//
// Bytes: the transform's own passes (three reads and writes where it needs no transposition) and one more
// read and write an iteration for the evolution: 4/3 of the fields that one pass a dimension moves.
namespace sextant {
namespace {

using namespace npb_ft;

const char* unavailable() {
  const std::string& problem = cufft().library.problem;
  return problem.empty() ? nullptr : problem.c_str();
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<CufftState>();
  if (const char* why_not = made->fields.make(call)) return why_not;
  if (!made->decay.allocate(iterations(call.problem) * axis_entries(call.problem.extents)))
    return "device memory ran out";
  if (!made->begin() || !made->make_plan(call)) return no_cufft_plan;
  *state = made.release();
  return nullptr;
}

// Dimensions are powers of two: shifts find the place, since divisions would take longer than the memory does.
__global__ void evolve(Extents e, int log_x, int log_y, const double* decays, const double2* __restrict__ u,
                       double2* __restrict__ w) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= e.count()) return;
  const std::int64_t x = i & (e.x - 1), y = i >> log_x & (e.y - 1), z = i >> (log_x + log_y);
  const double factor = decays[x] * decays[e.x + y] * decays[e.x + e.y + z];
  const double2 value = u[i];
  w[i] = {value.x * factor, value.y * factor};
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

Variant npb_ft_library_cufft() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "cuFFT's 3-D transform, with simple kernels around it; its planning is not timed";
  variant.launch = {.float64 = launch};
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<CufftState*>(state); };
  variant.unavailable = unavailable;
  // The plan's own memory is as large as a field: cuFFT's documentation does not promise less for one in
  // place.
  variant.workspace = [](const Problem& problem, const int*) {
    return state_bytes(problem) + field_bytes(problem) +
           8 * iterations(problem) * axis_entries(problem.extents);
  };
  return variant;
}

}  // namespace sextant
