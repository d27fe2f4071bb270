#include "own/kernel/described_cuda.hpp"

#include <cuda.h>

#include <cstring>
#include <deque>
#include <mutex>

#include "base/dynamic_library.hpp"
#include "base/error.hpp"
#include "base/intern.hpp"
#include "device/device.hpp"
#include "own/compile/cache.hpp"
#include "own/compile/compile_device.hpp"
#include "own/description/sizes.hpp"

namespace sextant::own {
namespace {

// The driver's functions, by the names under which their present forms are exported.
struct Driver {
  DynamicLibrary library;
  decltype(&cuInit) init;
  decltype(&cuDeviceGet) device;
  decltype(&cuCtxGetCurrent) current;
  decltype(&cuCtxGetDevice) current_device;
  decltype(&cuDeviceGetAttribute) attribute;
  decltype(&cuModuleLoadData) load;
  decltype(&cuModuleUnload) unload;
  decltype(&cuModuleGetFunction) function;
  decltype(&cuModuleGetGlobal) global;
  decltype(&cuMemcpyDtoD) copy;
  decltype(&cuFuncSetAttribute) set_attribute;
  decltype(&cuLaunchKernel) launch;
  decltype(&cuGetErrorString) error_string;

  Driver() : library({"libcuda.so.1"}, "the NVIDIA driver") {
    library.find("cuInit", &init);
    library.find("cuDeviceGet", &device);
    library.find("cuCtxGetCurrent", &current);
    library.find("cuCtxGetDevice", &current_device);
    library.find("cuDeviceGetAttribute", &attribute);
    library.find("cuModuleLoadData", &load);
    library.find("cuModuleUnload", &unload);
    library.find("cuModuleGetFunction", &function);
    library.find("cuModuleGetGlobal_v2", &global);
    library.find("cuMemcpyDtoD_v2", &copy);
    library.find("cuFuncSetAttribute", &set_attribute);
    library.find("cuLaunchKernel", &launch);
    library.find("cuGetErrorString", &error_string);
  }
  std::string text(CUresult error) const {
    const char* words = nullptr;
    error_string(error, &words);
    return words ? words : "error " + std::to_string(static_cast<int>(error));
  }
};

const Driver& driver() {
  static const Driver functions;
  return functions;
}

// The first launch that the driver refused since it was asked for; read by the device's synchronise.
CUresult refused = CUDA_SUCCESS;

const char* last_refusal() {
  if (refused == CUDA_SUCCESS) return nullptr;
  const char* text = intern(driver().text(refused));
  refused = CUDA_SUCCESS;
  return text;
}

struct CudaContext {
  const Description* description;
  const DescribedVariant* variant;
};

const CudaContext& context_of(const void* context) { return *static_cast<const CudaContext*>(context); }

// What a launch needs, made once: nothing is allocated or computed later.
struct CudaState {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, shared = 0;
  std::int64_t repeat = 1;
  bool swaps = false;
  std::vector<void*> arrays;                // as the call has them
  std::vector<void*> swapped;               // and with two of them exchanged
  std::vector<std::uint64_t> words;         // the other arguments
  std::vector<void*> arguments, exchanged;  // pointers to both, in the function's order
  std::vector<int> exchange;
};

DeviceImage image_of(const CudaContext& context, ElementType type, const int* tuning) {
  const std::string arch = arch_to_compile_for();
  if (arch.empty()) return {"", "there is no GPU to compile for", "", {}};
  const Instance instance{*context.description, *context.variant, type, tuning};
  return compile_device({&instance, 1}, arch, 1).front();
}

const char* compile(const void* context, const Problem& problem, const int* tuning) try {
  const DeviceImage image = image_of(context_of(context), problem.type, tuning);
  return image.problem.empty() ? nullptr : intern(image.problem);
} catch (const UserError& error) {
  return intern(error.what());
}

template <typename Value>
std::uint64_t word_of(Value value) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

// The bytes of a scalar or expression as the function takes them.
std::uint64_t word_for(const DescribedArgument& argument, const Description& description, ElementType type,
                       const std::vector<std::int64_t>& values) {
  const bool scalar = argument.kind == DescribedArgument::Kind::scalar;
  const double real = scalar ? description.scalars[static_cast<std::size_t>(argument.index)].value : 0;
  std::string cast = argument.cast;
  if (cast == "T" || (cast.empty() && scalar)) cast = name_of(type);
  if (cast == "float")
    return word_of(static_cast<float>(scalar ? real : static_cast<double>(argument.value.at(values))));
  if (cast == "double") return word_of(scalar ? real : static_cast<double>(argument.value.at(values)));
  const std::int64_t whole = scalar ? static_cast<std::int64_t>(real) : argument.value.at(values);
  return argument_size(argument, type) == 4 ? word_of(static_cast<std::int32_t>(whole)) : word_of(whole);
}

void fill_arguments(const CudaContext& context, const Call& call, const std::vector<std::int64_t>& values,
                    CudaState* state) {
  const Description& description = *context.description;
  const DescribedVariant& variant = *context.variant;
  for (std::size_t i = 0; i < description.arrays.size(); ++i) state->arrays.push_back(call.address(i));
  state->swapped = state->arrays;
  state->exchange = variant.swapped;
  state->swaps = !variant.swapped.empty();
  state->words.reserve(variant.arguments.size());  // pointers into it stay
  for (const DescribedArgument& one : variant.arguments) {
    const auto index = static_cast<std::size_t>(one.index);
    if (one.kind == DescribedArgument::Kind::array) {
      state->arguments.push_back(&state->arrays[index]);
      state->exchanged.push_back(&state->swapped[index]);
      continue;
    }
    state->words.push_back(word_for(one, description, call.problem.type, values));
    state->arguments.push_back(&state->words.back());
    state->exchanged.push_back(&state->words.back());
  }
  for (std::size_t i = 0; i < variant.block.size(); ++i)
    state->block[i] = static_cast<unsigned>(variant.block[i].at(values));
  for (std::size_t i = 0; i < variant.grid.size(); ++i)
    state->grid[i] = static_cast<unsigned>(variant.grid[i].at(values));
  if (!variant.shared.empty()) state->shared = static_cast<unsigned>(variant.shared.at(values));
  if (!variant.repeat.empty()) state->repeat = variant.repeat.at(values);
}

// Copies arrays to the __constant__ ones that are to hold them.
std::string fill_constants(const CudaContext& context, const Call& call, const DeviceImage& image,
                           const CudaState& state) {
  for (std::size_t i = 0; i < context.variant->constants.size(); ++i) {
    const DescribedConstant& one = context.variant->constants[i];
    const DescribedArray& array = context.description->arrays[static_cast<std::size_t>(one.index)];
    const std::size_t bytes =
        element_size(array.type ? array.type->element : call.problem.type) *
        static_cast<std::size_t>(array.elements(size_values(*context.description, call.problem)));
    CUdeviceptr to = 0;
    std::size_t room = 0;
    if (driver().global(&to, &room, state.module, image.symbols[i].c_str()) != CUDA_SUCCESS)
      return "the image has no " + one.symbol;
    if (bytes > room)
      return one.symbol + " has " + std::to_string(room) + " bytes, " + array.name + " " +
             std::to_string(bytes);
    if (const CUresult error = driver().copy(
            to, reinterpret_cast<CUdeviceptr>(call.address(static_cast<std::size_t>(one.index))), bytes);
        error != CUDA_SUCCESS)
      return one.symbol + " cannot be filled: " + driver().text(error);
  }
  return "";
}

std::string made(const CudaContext& context, const Call& call, CudaState* state) {
  const DeviceImage image = image_of(context, call.problem.type, call.tuning);
  std::string cubin;
  if (!image.problem.empty()) return image.problem;
  if (!read_file(image.path, &cubin)) return "cannot read " + image.path;
  if (const CUresult error = driver().load(&state->module, cubin.data()); error != CUDA_SUCCESS)
    return "the image cannot be loaded: " + driver().text(error);
  if (const CUresult error = driver().function(&state->function, state->module, image.kernel.c_str());
      error != CUDA_SUCCESS)
    return "the image has no " + context.variant->function + ": " + driver().text(error);
  std::vector<std::int64_t> values = size_values(*context.description, call.problem);
  for (std::size_t i = 0; i < context.variant->tunables.size(); ++i) values.push_back(call.tuning[i]);
  fill_arguments(context, call, values, state);
  if (state->shared > 48 * 1024) {
    const auto bytes = static_cast<int>(state->shared);
    if (driver().set_attribute(state->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes) !=
        CUDA_SUCCESS)
      return std::to_string(bytes) + " bytes of shared memory are more than a block can have";
  }
  return fill_constants(context, call, image, *state);
}

void release(const void*, void* state) {
  auto* all = static_cast<CudaState*>(state);
  if (all->module) driver().unload(all->module);
  delete all;
}

const char* prepare(const void* context, const Call& call, void** state) try {
  auto* all = new CudaState;
  const std::string problem = made(context_of(context), call, all);
  if (problem.empty()) {
    *state = all;
    return nullptr;
  }
  release(context, all);
  return intern(problem);
} catch (const UserError& error) {
  return intern(error.what());
}

void launch(const Call& call) {
  auto& state = *static_cast<CudaState*>(call.state);
  for (std::size_t i = 0; i < state.arrays.size(); ++i) state.arrays[i] = state.swapped[i] = call.address(i);
  if (state.swaps)
    std::swap(state.swapped[static_cast<std::size_t>(state.exchange[0])],
              state.swapped[static_cast<std::size_t>(state.exchange[1])]);
  for (std::int64_t i = 0; i < state.repeat; ++i) {
    void** arguments = (state.swaps && i % 2 == 1 ? state.exchanged : state.arguments).data();
    const CUresult error = driver().launch(state.function, state.grid[0], state.grid[1], state.grid[2],
                                           state.block[0], state.block[1], state.block[2], state.shared,
                                           static_cast<CUstream>(call.stream), arguments, nullptr);
    if (error != CUDA_SUCCESS && refused == CUDA_SUCCESS) refused = error;
  }
}

const char* unavailable(const void* context) {
  if (!driver().library.problem.empty()) return intern(driver().library.problem);
  if (context_of(context).variant->compilation.nvcc)
    return nullptr;  // whether it is there, a compilation says
  const std::string missing = why_no_nvrtc();
  return missing.empty() ? nullptr : intern(missing);
}

}  // namespace

std::string arch_to_compile_for() {
  const CompileTarget& target = compile_target();
  if (!target.arch.empty()) return target.arch;
  if (!driver().library.problem.empty()) return "";
  CUdevice device = 0;
  CUcontext context = nullptr;
  int major = 0, minor = 0;
  if (driver().init(0) != CUDA_SUCCESS) return "";
  const bool has_context = driver().current(&context) == CUDA_SUCCESS && context;
  if ((has_context ? driver().current_device(&device) : driver().device(&device, target.gpu)) != CUDA_SUCCESS)
    return "";
  driver().attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  driver().attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  return "sm_" + std::to_string(10 * major + minor);
}

CudaForm cuda_form(const Description& description, const DescribedVariant& variant) {
  static std::deque<CudaContext> contexts;
  static std::once_flag once;
  std::call_once(once, [] { ask_for_gpu_errors(last_refusal); });
  const CudaContext& context = contexts.emplace_back(CudaContext{&description, &variant});
  CudaForm form;
  form.launch = launch;
  form.compile = {compile, &context};
  form.prepare = {prepare, &context};
  form.release = {release, &context};
  form.unavailable = {unavailable, &context};
  return form;
}

}  // namespace sextant::own
