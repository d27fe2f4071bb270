#include <cuda_runtime.h>
#include <nvrtc.h>

#include <string>
#include <vector>

#include "cufft.cuh"

// The strongest form that cuFFT allows: its transform reads what it transforms through a function of ours, which
// multiplies by the decay on the way, so that the evolution costs no pass of its own. The function is compiled by
// NVRTC for link-time optimisation, and cuFFT links it into its kernels (cuFFT's documentation, "cuFFT LTO
// callbacks"; cuFFT 11.3 and later).
//
// Bytes: the transform's own passes alone, three reads and writes where it needs no transposition.
namespace sextant {
namespace {

using namespace npb_ft;

// What the function gets: where it reads the factors. `decay` is set before each transform.
struct Factors {
  const double* decay;  // e.x, then e.y, then e.z of them
  long long nx, ny;
  int log_x, log_y;
};

constexpr const char* source = R"(
struct Factors { const double* decay; long long nx, ny; int log_x, log_y; };
extern "C" __device__ double2 read_decayed(void* field, unsigned long long at, void* given, void*) {
  const Factors f = *static_cast<const Factors*>(given);
  const double2 value = static_cast<const double2*>(field)[at];
  const long long i = static_cast<long long>(at), x = i & (f.nx - 1), y = i >> f.log_x & (f.ny - 1),
                  z = i >> (f.log_x + f.log_y);
  const double factor = f.decay[x] * f.decay[f.nx + y] * f.decay[f.nx + f.ny + z];
  return double2{value.x * factor, value.y * factor};
}
)";

struct Nvrtc {
  DynamicLibrary library{{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}, "NVRTC (the CUDA toolkit)"};
  decltype(nvrtcCreateProgram)* create;
  decltype(nvrtcDestroyProgram)* destroy;
  decltype(nvrtcCompileProgram)* compile;
  decltype(nvrtcGetLTOIRSize)* size;
  decltype(nvrtcGetLTOIR)* get;
  Nvrtc() {
    library.find("nvrtcCreateProgram", &create);
    library.find("nvrtcDestroyProgram", &destroy);
    library.find("nvrtcCompileProgram", &compile);
    library.find("nvrtcGetLTOIRSize", &size);
    library.find("nvrtcGetLTOIR", &get);
  }
};

const Nvrtc& nvrtc() {
  static const Nvrtc functions;
  return functions;
}

struct Callback {
  DynamicLibrary library{{"libcufft.so.12", "libcufft.so.11", "libcufft.so"}};
  decltype(cufftXtSetJITCallback)* set;
  Callback() { library.find("cufftXtSetJITCallback", &set); }
};

const Callback& callback() {
  static const Callback function;
  return function;
}

const char* unavailable() {
  for (const std::string* problem :
       {&cufft().library.problem, &nvrtc().library.problem, &callback().library.problem})
    if (!problem->empty()) return problem->c_str();
  return nullptr;
}

// The function for the current GPU as the linker's intermediate code; empty if NVRTC cannot.
std::vector<char> compiled() {
  int device = 0, major = 0, minor = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess)
    return {};
  const std::string architecture = "-arch=sm_" + std::to_string(10 * major + minor);
  const char* const options[] = {"-dlto", "--relocatable-device-code=true", architecture.c_str()};
  nvrtcProgram program = nullptr;
  if (nvrtc().create(&program, source, "read_decayed.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS) return {};
  std::size_t bytes = 0;
  std::vector<char> code;
  if (nvrtc().compile(program, 3, options) == NVRTC_SUCCESS &&
      nvrtc().size(program, &bytes) == NVRTC_SUCCESS) {
    code.resize(bytes);
    if (nvrtc().get(program, code.data()) != NVRTC_SUCCESS) code.clear();
  }
  nvrtc().destroy(&program);
  return code;
}

struct State : CufftState {
  DeviceMemory<Factors> factors;
};

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  const Extents& e = call.problem.extents;
  if (const char* why_not = made->fields.make(call)) return why_not;
  // The table before the first step's holds ones, for the transform of the start.
  if (!made->decay.allocate((iterations(call.problem) + 1) * axis_entries(e)) || !made->factors.allocate(1))
    return "device memory ran out";
  const std::vector<char> code = compiled();
  if (code.empty()) return "NVRTC does not compile for this GPU";
  void* given = made->factors.data;
  if (!made->begin() || callback().set(made->plan, "read_decayed", code.data(), code.size(),
                                       CUFFT_CB_LD_COMPLEX_DOUBLE, &given) != CUFFT_SUCCESS)
    return "this cuFFT takes no callback";
  if (!made->make_plan(call))
    return "cuFFT has no plan with a callback for these extents, or no memory for it";
  *state = made.release();
  return nullptr;
}

__global__ void fill_ones(int count, double* table) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) table[i] = 1;
}

__global__ void set_factors(Factors value, Factors* factors) { *factors = value; }

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const Extents& e = call.problem.extents;
  const auto stream = stream_of(call);
  const int steps = static_cast<int>(iterations(call.problem)), entries = static_cast<int>(axis_entries(e));
  const unsigned block = 256;
  double2 *u = state.fields.u, *w = state.fields.w;
  Factors factors = {state.decay.data, e.x, e.y, log2_of(e.x), log2_of(e.y)};
  call.phase("setup");
  fill_ones<<<blocks_for(entries, block), block, 0, stream>>>(entries, state.decay.data);
  fill_decay<<<blocks_for(steps * entries, block), block, 0, stream>>>(e, steps, state.decay.data + entries);
  fill_start<<<blocks_for(e.count(), block), block, 0, stream>>>(e.count(), u);
  set_factors<<<1, 1, 0, stream>>>(factors, state.factors.data);
  call.phase("fft");
  cufft().execute(state.plan, u, u, CUFFT_FORWARD);
  for (int t = 0; t < steps; ++t) {
    factors.decay += entries;
    set_factors<<<1, 1, 0, stream>>>(factors, state.factors.data);
    cufft().execute(state.plan, u, w, CUFFT_INVERSE);
    call.phase("checksum");
    add_cufft<<<1, block, 0, stream>>>(e, w, call.array<Complex>(checksums) + t);
    call.phase(t + 1 < steps ? "fft" : "");
  }
}

}  // namespace

Variant npb_ft_library_cufft_callback() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "cuFFT's 3-D transform with the decay in its load callback; planning is not timed";
  variant.launch = {.float64 = launch};
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.unavailable = unavailable;
  // The plan's own memory is taken to be as large as a field.
  variant.workspace = [](const Problem& problem, const int*) {
    return state_bytes(problem) + field_bytes(problem) +
           8 * (iterations(problem) + 1) * axis_entries(problem.extents);
  };
  return variant;
}

}  // namespace sextant
