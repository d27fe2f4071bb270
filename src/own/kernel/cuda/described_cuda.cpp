#include "own/kernel/described_cuda.hpp"

#include <algorithm>
#include <cstring>
#include <deque>

#include "base/intern.hpp"
#include "own/compile/cache.hpp"
#include "own/compile/compile_device.hpp"
#include "own/description/sizes.hpp"
#include "own/kernel/cuda/driver.hpp"

namespace sextant::own {
namespace {

const CudaContext& context_of(const void* context) { return *static_cast<const CudaContext*>(context); }

// The arguments of one launch of a step. They are computed in advance, so that a launch allocates and
// computes nothing.
struct LaunchSet {
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, shared = 0;
  std::vector<std::uint64_t> words;  // values of the arguments that are not arrays
};
struct CudaStep {
  CUfunction function = nullptr;
  std::vector<LaunchSet> sets;       // one set of arguments for all repetitions, or one for each
  std::vector<std::uint64_t> words;  // argument values of the current launch
  // Pointers to arrays and argument values, in the order of the kernel's parameters.
  std::vector<void*> arguments;
};
struct CudaState {
  CUmodule module = nullptr;
  StepPlan plan;
  // Addresses of the current launch's arrays: first the kernel's arrays, then the temporary ones.
  std::vector<void*> arrays;
  std::vector<CUdeviceptr> temporaries;
  std::vector<CudaStep> steps;

  CudaState() = default;
  CudaState(const CudaState&) = delete;
  CudaState& operator=(const CudaState&) = delete;
  ~CudaState() {
    for (const CUdeviceptr one : temporaries) driver().free(one);
    if (module) driver().unload(module);
  }
};

template <typename Value>
std::uint64_t word_of(Value value) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

// Returns the bits of a scalar or expression argument, converted to the type of the kernel's parameter.
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

LaunchSet set_of(const DescribedStep& step, const Description& description, ElementType type,
                 const std::vector<std::int64_t>& values) {
  LaunchSet set;
  for (const DescribedArgument& one : step.arguments)
    if (one.kind != DescribedArgument::Kind::array)
      set.words.push_back(word_for(one, description, type, values));
  for (std::size_t i = 0; i < step.block.size(); ++i)
    set.block[i] = static_cast<unsigned>(step.block[i].at(values));
  for (std::size_t i = 0; i < step.grid.size(); ++i)
    set.grid[i] = static_cast<unsigned>(step.grid[i].at(values));
  if (!step.shared.empty()) set.shared = static_cast<unsigned>(step.shared.at(values));
  return set;
}

// Fills `to` with the arguments of a planned step. `values` correspond to names_for(variant). `state->arrays`
// must already have its final size, because pointers to its elements are stored.
void fill_step(const PlannedStep& planned, const Description& description, ElementType type,
               std::vector<std::int64_t> values, CudaState* state, CudaStep* to) {
  values.push_back(0);
  for (std::int64_t set = 0; set < planned.variants; ++set) {
    values.back() = set;
    to->sets.push_back(set_of(*planned.step, description, type, values));
  }
  to->words = to->sets.front().words;
  std::size_t word = 0;
  for (const DescribedArgument& one : planned.step->arguments)
    if (one.kind == DescribedArgument::Kind::array)
      to->arguments.push_back(&state->arrays[static_cast<std::size_t>(one.index)]);
    else
      to->arguments.push_back(&to->words[word++]);
}

// Returns why the GPU cannot launch the kernel with the blocks of the step, or an empty text. `values`
// correspond to names_for(variant).
std::string why_no_block(const CudaContext& context, const PlannedStep& planned,
                         std::vector<std::int64_t> values, CUfunction function) {
  int most_threads = 0;
  if (driver().get_attribute(&most_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function) !=
      CUDA_SUCCESS)
    return "";
  values.push_back(0);
  for (; values.back() < planned.variants; ++values.back())
    if (std::string problem = why_block_too_large(context, *planned.step, values, most_threads);
        !problem.empty())
      return problem;
  return "";
}

// Copies arrays to the __constant__ arrays of the module. Returns an error message, or an empty text.
std::string fill_constants(const CudaContext& context, const Call& call, const DeviceImage& image,
                           const CudaState& state) {
  for (std::size_t i = 0; i < context.variant->constants.size(); ++i) {
    const DescribedConstant& one = context.variant->constants[i];
    const DescribedArray& array = context.description->arrays[static_cast<std::size_t>(one.index)];
    const std::size_t bytes =
        element_size(array.element_type(call.problem.type)) *
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
  const Description& description = *context.description;
  std::vector<std::int64_t> values = size_values(description, call.problem);
  for (std::size_t i = 0; i < context.variant->tunables.size(); ++i) values.push_back(call.tuning[i]);
  state->plan = plan_steps(description, *context.variant, values);
  state->arrays.resize(description.arrays.size());
  if (const std::string problem = allocate(temporaries_of(*context.variant, call.problem.type, values),
                                           &state->temporaries, &state->arrays);
      !problem.empty())
    return problem;
  state->steps.resize(state->plan.steps.size());
  for (std::size_t i = 0; i < state->steps.size(); ++i) {
    CudaStep& step = state->steps[i];
    const DescribedStep& described = *state->plan.steps[i].step;
    if (const CUresult error = driver().function(&step.function, state->module, image.kernels[i].c_str());
        error != CUDA_SUCCESS)
      return "the image has no " + described.function + ": " + driver().text(error);
    if (const std::string problem = why_no_block(context, state->plan.steps[i], values, step.function);
        !problem.empty())
      return problem;
    fill_step(state->plan.steps[i], description, call.problem.type, values, state, &step);
    const auto most = std::max_element(step.sets.begin(), step.sets.end(),
                                       [](const LaunchSet& one, const LaunchSet& other) {
                                         return one.shared < other.shared;
                                       })
                          ->shared;
    if (most > 48 * 1024 &&
        driver().set_attribute(step.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                               static_cast<int>(most)) != CUDA_SUCCESS)
      return std::to_string(most) + " bytes of shared memory exceed a block's limit";
  }
  return fill_constants(context, call, image, *state);
}

const char* prepare(const void* context, const Call& call, void** state) {
  return make_state<CudaState>(state, [&](CudaState* one) { return made(context_of(context), call, one); });
}

void launch(const Call& call) {
  auto& state = *static_cast<CudaState*>(call.state);
  // Calls differ only in the addresses of the kernel's arrays. The temporary arrays keep their addresses.
  const std::size_t own = state.arrays.size() - state.temporaries.size();
  for (std::size_t i = 0; i < own; ++i) state.arrays[i] = call.address(i);
  run_plan(state.plan, &call, &state.arrays, [&](std::size_t number, std::size_t which) {
    CudaStep& step = state.steps[number];
    const LaunchSet& set = step.sets[which];
    if (step.sets.size() > 1) std::copy(set.words.begin(), set.words.end(), step.words.begin());
    const CUresult error = driver().launch(
        step.function, set.grid[0], set.grid[1], set.grid[2], set.block[0], set.block[1], set.block[2],
        set.shared, static_cast<CUstream>(call.stream), step.arguments.data(), nullptr);
    if (error != CUDA_SUCCESS) note_failed_launch(driver().text(error));
  });
}

const char* unavailable(const void* context) {
  if (!driver().library.problem.empty()) return intern(driver().library.problem);
  // If nvcc is missing, the compilation reports it.
  if (context_of(context).variant->compilation.nvcc) return nullptr;
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
  report_failed_launches();
  const CudaContext& context = contexts.emplace_back(CudaContext{&description, &variant});
  CudaForm form;
  form.launch = launch;
  form.compile = {compile_image, &context};
  form.prepare = {prepare, &context};
  form.release = {release_state<CudaState>, &context};
  form.unavailable = {unavailable, &context};
  return form;
}

}  // namespace sextant::own
