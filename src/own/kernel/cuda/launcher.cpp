// Runs CUDA variants whose function is on the host and launches kernels on arrays in GPU memory.
#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>

#include "base/intern.hpp"
#include "base/processor_state.hpp"
#include "own/description/sizes.hpp"
#include "own/kernel/cuda/driver.hpp"
#include "own/kernel/described_cuda.hpp"
#include "own/kernel/host_run.hpp"

namespace sextant::own {
namespace {

struct LauncherState {
  HostState run;
  const char* (*problem)() = nullptr;  // returns the last CUDA error of the library, or null
  std::vector<CUdeviceptr> temporaries;
  // Copies on the host of arrays that the function takes there, with the arrays' indices.
  std::vector<std::pair<std::size_t, std::vector<std::byte>>> copies;
  CUevent before = nullptr, after = nullptr;

  LauncherState() = default;
  LauncherState(const LauncherState&) = delete;
  LauncherState& operator=(const LauncherState&) = delete;
  ~LauncherState() {
    for (const CUdeviceptr one : temporaries) driver().free(one);
    for (const CUevent one : {before, after})
      if (one) driver().destroy_event(one);
  }
};

const CudaContext& context_of(const void* context) { return *static_cast<const CudaContext*>(context); }

// Opens the compiled library. Returns an error message, or an empty text.
std::string open_library(const Image& image, HostState::Step* step, const char* (**problem)()) {
  if (image.path.empty()) return image.problem;
  const KeptProcessorState kept;
  void* library = dlopen(image.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  // Functions that other files define may be missing, as long as the described function does not call them.
  if (!library) library = dlopen(image.path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char* message = dlerror();
    return std::string("cannot be loaded: ") + (message ? message : "?");
  }
  *step = reinterpret_cast<HostState::Step>(dlsym(library, "sextant_step"));
  *problem = reinterpret_cast<const char* (*)()>(dlsym(library, "sextant_problem"));
  return "";
}

// Copies the arrays that the function takes on the host. Returns an error message, or an empty text.
std::string copy_to_host(const CudaContext& context, const Call& call, LauncherState* state) {
  const std::vector<std::int64_t> values = size_values(*context.description, call.problem);
  for (const DescribedArgument& one : context.variant->arguments) {
    if (!one.element && !one.on_host) continue;
    const auto index = static_cast<std::size_t>(one.index);
    const DescribedArray& array = context.description->arrays[index];
    std::vector<std::byte> copy(static_cast<std::size_t>(array.elements(values)) *
                                element_size(array.element_type(call.problem.type)));
    if (const CUresult error = driver().copy_to_host(
            copy.data(), reinterpret_cast<CUdeviceptr>(call.address(index)), copy.size());
        error != CUDA_SUCCESS)
      return array.name + " cannot be copied to the host: " + driver().text(error);
    state->copies.emplace_back(index, std::move(copy));
  }
  return "";
}

std::string made(const CudaContext& context, const Call& call, LauncherState* state) {
  const Description& description = *context.description;
  HostState::Step step = nullptr;
  if (std::string why =
          open_library(launcher_image_of(context, call.problem.type, call.tuning), &step, &state->problem);
      !why.empty())
    return why;
  std::vector<std::int64_t> values = size_values(description, call.problem);
  for (std::size_t i = 0; i < context.variant->tunables.size(); ++i) values.push_back(call.tuning[i]);
  const RunTypes types{call.problem.type, call.problem.type};
  state->run = state_without_temporaries(description, *context.variant, values, types, step);
  if (std::string why = allocate(temporaries_of(*context.variant, call.problem.type, values),
                                 &state->temporaries, &state->run.arrays);
      !why.empty())
    return why;
  for (CUevent* one : {&state->before, &state->after})
    if (const CUresult error = driver().make_event(one, CU_EVENT_DISABLE_TIMING); error != CUDA_SUCCESS)
      return "no event: " + driver().text(error);
  return copy_to_host(context, call, state);
}

const char* prepare(const void* context, const Call& call, void** state) {
  return make_state<LauncherState>(state,
                                   [&](LauncherState* one) { return made(context_of(context), call, one); });
}

// Makes what is enqueued on stream `later` from now on wait for the work on stream `earlier`.
void order(CUstream earlier, CUstream later, CUevent event) {
  const CUresult recorded = driver().record(event, earlier);
  const CUresult waits = recorded == CUDA_SUCCESS ? driver().wait(later, event, 0) : recorded;
  if (waits != CUDA_SUCCESS) note_failed_launch(driver().text(waits));
}

// The function enqueues its work on the default stream, which does not wait for Sextant's stream.
void launch(const Call& call) {
  auto& state = *static_cast<LauncherState*>(call.state);
  const std::size_t own = state.run.arrays.size() - state.temporaries.size();
  for (std::size_t i = 0; i < own; ++i) state.run.arrays[i] = call.address(i);
  for (auto& [index, copy] : state.copies) state.run.arrays[index] = copy.data();
  auto* stream = static_cast<CUstream>(call.stream);
  order(stream, CU_STREAM_LEGACY, state.before);
  run_steps(&state.run, &call);
  order(CU_STREAM_LEGACY, stream, state.after);
  if (const char* problem = state.problem()) note_failed_launch(problem);
}

const char* unavailable() {
  return driver().library.problem.empty() ? nullptr : intern(driver().library.problem);
}

}  // namespace

CudaForm launcher_form(const Description& description, const DescribedVariant& variant) {
  static std::deque<CudaContext> contexts;
  report_failed_launches();
  const CudaContext& context = contexts.emplace_back(CudaContext{&description, &variant});
  CudaForm form;
  form.launch = launch;
  form.compile = {compile_image, &context};
  form.prepare = {prepare, &context};
  form.release = {release_state<LauncherState>, &context};
  form.unavailable = unavailable;
  return form;
}

}  // namespace sextant::own
