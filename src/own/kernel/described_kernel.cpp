#include "own/kernel/described_kernel.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/forked.hpp"
#include "base/intern.hpp"
#include "base/overrun.hpp"
#include "base/processor_state.hpp"
#include "own/compile/cache.hpp"
#include "own/compile/compile.hpp"
#include "own/description/sizes.hpp"
#include "own/kernel/described_cuda.hpp"
#include "own/kernel/fills.hpp"
#include "own/kernel/guarded_memory.hpp"
#include "own/kernel/host_run.hpp"
#include "suite/element.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant::own {
namespace {

// A compiled and opened library, or the reason why it is missing.
struct Opened {
  HostState::Step step = nullptr;
  void (*prepare)() = nullptr;
  void (*give_threads)(int) = nullptr;  // sets the number of threads in the library's own OpenMP runtime
  const char* problem = nullptr;
  bool prepared = false;
};

// The data to which the `context` argument of a variant's functions points.
struct VariantContext {
  const Description* description;
  const DescribedVariant* variant;
  bool reference = false;
  std::vector<bool> macros = {};  // true for each tunable that is a macro
  mutable std::mutex mutex;
  // Opened libraries; the key consists of the label and the compiler options.
  mutable std::map<std::string, Opened> opened;
  // The same libraries by type and tuning, for a fast lookup.
  mutable std::map<std::pair<ElementType, std::vector<int>>, const Opened*> known;
};

// The data to which the `context` argument of a kernel's functions points.
struct KernelContext {
  Description description;
  std::deque<VariantContext> variants;
  VariantContext* reference = nullptr;
  std::vector<int> reference_tuning;
};

std::deque<KernelContext>& contexts() {
  static std::deque<KernelContext> all;
  return all;
}

const KernelContext& kernel_of(const void* context) { return *static_cast<const KernelContext*>(context); }
const VariantContext& variant_of(const void* context) { return *static_cast<const VariantContext*>(context); }

// ---- problem

Extents extents(const void* context, std::int64_t n) {
  return fitted(kernel_of(context).description, n).extents;
}

std::int64_t length(const void* context, const Problem& problem, int index) {
  const Description& description = kernel_of(context).description;
  return description.arrays[static_cast<std::size_t>(index)].elements(size_values(description, problem));
}

Work work(const void* context, const Problem& problem) {
  const Description& description = kernel_of(context).description;
  const std::vector<std::int64_t> values = size_values(description, problem);
  Work work;
  std::int64_t outputs = 0;
  for (const DescribedArray& one : description.arrays) {
    const std::int64_t elements = one.elements(values);
    const std::int64_t bytes =
        elements * static_cast<std::int64_t>(element_size(one.element_type(problem.type)));
    if (one.role != Role::out) work.bytes_read += bytes;
    if (one.role != Role::in) work.bytes_written += bytes, outputs += elements;
  }
  work.flops = description.flops.empty() ? 0 : description.flops.at(values);
  work.integer_operations = description.integers.empty() ? 0 : description.integers.at(values);
  work.items = description.items.empty() ? outputs : description.items.at(values);
  return work;
}

// The launches of one execution of the first CUDA variant or, without one, of the first variant. Tunables
// have their preferred values.
double launches(const Description& description, std::vector<std::int64_t> values) {
  const auto cuda = std::find_if(description.variants.begin(), description.variants.end(),
                                 [](const DescribedVariant& one) { return one.model == Model::cuda; });
  const DescribedVariant& variant = cuda == description.variants.end() ? description.variants.front() : *cuda;
  for (const DescribedTunable& one : variant.tunables) values.push_back(one.preferred);
  const StepPlan plan = plan_steps(description, variant, values);
  std::int64_t count = 0;
  for (const PlannedStep& one : plan.steps) count += one.repeat;
  return static_cast<double>(std::max<std::int64_t>(count * plan.rounds, 1));
}

Traits traits(const void* context, const Problem& problem) {
  const Description& description = kernel_of(context).description;
  Traits traits;
  for (const auto& [name, value] : description.traits)
    if (name == "loads")
      traits.loads = value;
    else if (name == "stores")
      traits.stores = value;
    else if (name == "stride")
      traits.stride_read = traits.stride_write = value;
    else
      traits.divergence = value;
  traits.launches = launches(description, size_values(description, problem));
  return traits;
}

Tolerance tolerance(const void* context, const Problem& problem) {
  const Description& description = kernel_of(context).description;
  Tolerance tolerance;
  if (description.unchecked) tolerance.absolute = INFINITY;
  if (description.unchecked || !description.tolerance) return tolerance;
  const std::vector<std::int64_t> values = size_values(description, problem);
  std::vector<double> real(values.begin(), values.end());
  real.push_back(problem.type == ElementType::float64 ? 0x1p-52 : 0x1p-23);
  tolerance.outliers = description.tolerance->outliers;
  if (!description.tolerance->absolute.empty())
    tolerance.absolute = description.tolerance->absolute.real_at(real);
  if (!description.tolerance->relative.empty())
    tolerance.relative = description.tolerance->relative.real_at(real);
  return tolerance;
}

// Returns true if some variant copies the array once, before the first launch: to constant memory, or to the
// host for a function that launches kernels. The array must therefore have the same values for every seed.
bool is_constant(const Description& description, int index) {
  for (const DescribedVariant& variant : description.variants) {
    for (const DescribedConstant& one : variant.constants)
      if (one.index == index) return true;
    for (const DescribedArgument& one : variant.arguments)
      if (variant.launcher && (one.element || one.on_host) && one.index == index) return true;
  }
  return false;
}

void initialise(const void* context, const Problem& problem, int index, std::uint64_t seed, void* data) {
  const Description& description = kernel_of(context).description;
  const DescribedArray& array = description.arrays[static_cast<std::size_t>(index)];
  if (is_constant(description, index)) seed = 1;
  fill_array(array, description.folder, array.element_type(problem.type), size_values(description, problem),
             seed, data);
}

// Returns true if the description leaves the array's values to fill_uniform, and no launch changes them.
bool fillable(const void* context, const Problem&, int index) {
  const Description& description = kernel_of(context).description;
  const DescribedArray& array = description.arrays[static_cast<std::size_t>(index)];
  return array.fill.kind == Fill::Kind::uniform && array.role == Role::in && !is_constant(description, index);
}

// ---- C++ variants

using MaxThreads = int (*)();

// Returns the number of OpenMP threads of this process, which measurements record.
int threads_of_process() {
  static const auto threads = reinterpret_cast<MaxThreads>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"));
  return threads ? threads() : 1;
}

// Opens a compiled library. A library that Clang compiled uses LLVM's OpenMP runtime. If the process itself
// uses GCC's runtime, the library must be bound to its own one. Otherwise its calls would reach both
// runtimes.
void* open_image(const Image& image, void (**give_threads)(int)) {
  const bool own_openmp = image.llvm && !address_sanitizer && !dlsym(RTLD_DEFAULT, "__kmpc_fork_call");
  const int flags = RTLD_LOCAL | (own_openmp ? RTLD_DEEPBIND : 0);
  void* library = dlopen(image.path.c_str(), RTLD_NOW | flags);
  // Functions that other files define may be missing, as long as the described functions do not call them.
  if (!library) library = dlopen(image.path.c_str(), RTLD_LAZY | flags);
  if (!library || !own_openmp || !dlsym(library, "__kmpc_fork_call")) return library;
  // LLVM's runtime counts the processors that the first calling thread may use. This first call happens while
  // the thread may still use all of them (compile_anywhere).
  if (const auto threads = reinterpret_cast<MaxThreads>(dlsym(library, "omp_get_max_threads"))) threads();
  *give_threads = reinterpret_cast<void (*)(int)>(dlsym(library, "omp_set_num_threads"));
  return library;
}

// Compiles and opens the library, once per type and combination of macros. The lookup by tuning avoids
// building the option list at every preparation.
const Opened& opened(const VariantContext& context, ElementType type, const int* tuning) {
  const std::lock_guard lock(context.mutex);
  const Opened*& known = context.known[{type, {tuning, tuning + context.variant->tunables.size()}}];
  if (known) return *known;
  const Instance instance{*context.description, *context.variant, type, tuning, context.reference};
  std::string key = label_of(instance);
  for (const std::string& one : options_of(instance)) key += " " + one;
  const auto [place, fresh] = context.opened.try_emplace(key);
  Opened& result = place->second;
  known = &result;
  if (!fresh) return result;
  const Image image = compile_host(instance);
  const KeptProcessorState kept;
  void* library = image.path.empty() ? nullptr : open_image(image, &result.give_threads);
  if (!library) {
    const char* message = image.path.empty() ? nullptr : dlerror();
    result.problem = intern(message ? std::string("cannot be loaded: ") + message : image.problem);
    return result;
  }
  result.step = reinterpret_cast<HostState::Step>(dlsym(library, "sextant_step"));
  result.prepare = reinterpret_cast<void (*)()>(dlsym(library, "sextant_prepare"));
  return result;
}

std::vector<std::int64_t> values_at(const VariantContext& context, const Problem& problem,
                                    const int* tuning) {
  std::vector<std::int64_t> values = size_values(*context.description, problem);
  for (std::size_t i = 0; i < context.variant->tunables.size(); ++i) values.push_back(tuning[i]);
  return values;
}

// Prepares the state of a variant. `type` is the type that T stands for in this run. It is double if the
// reference computes a float problem in double precision.
HostState state_of(const VariantContext& context, const Problem& problem, ElementType type, const int* tuning,
                   HostState::Step step) {
  const std::vector<std::int64_t> values = values_at(context, problem, tuning);
  return host_state(*context.description, *context.variant, values, {problem.type, type}, step);
}

const char* compile(const void* context, const Problem& problem, const int* tuning) try {
  return opened(variant_of(context), problem.type, tuning).problem;
} catch (const UserError& error) {
  return intern(error.what());
}

const char* prepare(const void* context, const Call& call, void** state) try {
  const VariantContext& variant = variant_of(context);
  const Opened& code = opened(variant, call.problem.type, call.tuning);
  if (code.problem) return code.problem;
  if (code.prepare && !code.prepared) {
    const_cast<Opened&>(code).prepared = true;
    code.prepare();
  }
  auto* made = new HostState(state_of(variant, call.problem, call.problem.type, call.tuning, code.step));
  made->give_threads = code.give_threads;
  *state = made;
  return nullptr;
} catch (const UserError& error) {
  return intern(error.what());
}

void release(const void*, void* state) { delete static_cast<HostState*>(state); }

void launch(const Call& call) {
  auto& state = *static_cast<HostState*>(call.state);
  // Calls differ only in the addresses of the kernel's arrays. The temporary arrays keep their addresses.
  const std::size_t own = state.arrays.size() - state.temporaries.size();
  for (std::size_t i = 0; i < own; ++i) state.arrays[i] = call.address(i);
  if (state.give_threads) state.give_threads(threads_of_process());
  run_steps(&state, &call);
  end_if_copy();
}

bool fits(const DescribedArgument& argument, std::int64_t value) {
  if (argument.cast == "int" || argument.cast == "int32_t") return value >= INT32_MIN && value <= INT32_MAX;
  if (argument.cast == "unsigned" || argument.cast == "uint32_t") return value >= 0 && value <= UINT32_MAX;
  return true;
}

// Returns why some repetition of a step cannot run, or null if all can. Either an argument exceeds its type,
// or the GPU cannot launch the step.
const char* why_no_step(const PlannedStep& planned, std::vector<std::int64_t> values, bool on_gpu) {
  values.push_back(0);
  for (std::int64_t set = 0; set < planned.variants; ++set) {
    values.back() = set;
    for (const DescribedArgument& one : planned.step->arguments)
      if (one.kind == DescribedArgument::Kind::expression && !fits(one, one.value.at(values)))
        return intern(one.text + " is " + std::to_string(one.value.at(values)) + " here, above " + one.cast);
    if (const char* reason = on_gpu ? why_no_launch(*planned.step, values) : nullptr) return reason;
  }
  return nullptr;
}

const char* constraint(const void* context, const Problem& problem, const int* tuning) try {
  const VariantContext& variant = variant_of(context);
  const std::vector<std::int64_t> values = values_at(variant, problem, tuning);
  for (const DescribedConstraint& one : variant.variant->constraints)
    if (one.condition.at(values) == 0) return intern(one.reason);
  for (const PlannedStep& one : plan_steps(*variant.description, *variant.variant, values).steps)
    if (const char* reason = why_no_step(one, values, variant.variant->model == Model::cuda)) return reason;
  return nullptr;
} catch (const UserError& error) {
  return intern(error.what());
}

// Returns the total size of the temporary arrays in bytes.
std::int64_t workspace(const void* context, const Problem& problem, const int* tuning) {
  const VariantContext& variant = variant_of(context);
  std::int64_t bytes = 0;
  for (const Temporary& one :
       temporaries_of(*variant.variant, problem.type, values_at(variant, problem, tuning)))
    bytes += one.elements * static_cast<std::int64_t>(element_size(one.type));
  return bytes;
}

// ---- reference

void give_results(const std::string& name, ElementType type, void* data, std::size_t count, double* results) {
  with_elements(type, data, [&]<typename T>(const T* elements) {
    for (std::size_t at = 0; at < count; ++at) {
      if constexpr (is_whole64<T>) {
        results[at] = std::bit_cast<double>(elements[at]);
      } else {
        results[at] = static_cast<double>(elements[at]);
        if (results[at] != results[at])
          throw UserError(
              "the reference left " + name + "[" + std::to_string(at) +
              "] unset or wrote a value that is not a number. The reference must set every element.");
      }
    }
  });
}

// Runs the reference function on copies of the arrays and returns its outputs as doubles. `To` is the element
// type of the copies. It is double or an integer type, or float if the reference is written for float.
template <typename From, typename To>
void run_reference(const void* context, const Problem& problem, const void* const* arrays,
                   double* const* results) {
  const KernelContext& kernel = kernel_of(context);
  const VariantContext& variant = *kernel.reference;
  constexpr ElementType type = sizeof(To) == 8                ? ElementType::float64
                               : std::is_floating_point_v<To> ? ElementType::float32
                                                              : ElementType::int32;
  const Opened& code = opened(variant, type, kernel.reference_tuning.data());
  if (code.problem) throw UserError(code.problem);
  if (code.prepare) code.prepare();
  HostState state = state_of(variant, problem, type, kernel.reference_tuning.data(), code.step);
  std::vector<GuardedMemory> copies;
  std::vector<void*> pointers;
  std::vector<ArrayPlace> places;
  for (std::size_t i = 0; i < kernel.description.arrays.size(); ++i) {
    const DescribedArray& array = kernel.description.arrays[i];
    const auto count = static_cast<std::size_t>(length(context, problem, static_cast<int>(i)));
    const ElementType own = array.element_type(type);
    copies.emplace_back(count * element_size(own));
    pointers.push_back(copies.back().data());
    places.push_back({array.name, static_cast<const char*>(pointers.back()), count * element_size(own),
                      element_size(own)});
    if (array.role == Role::out)
      set_nowhere(own, pointers.back(), count);
    else if (array.type)
      std::memcpy(pointers.back(), arrays[i], count * element_size(own));
    else
      std::copy_n(static_cast<const From*>(arrays[i]), count, static_cast<To*>(pointers.back()));
  }
  const KnownArrays known(std::move(places));
  std::copy(pointers.begin(), pointers.end(), state.arrays.begin());
  run_steps(&state, nullptr);
  for (std::size_t i = 0; i < copies.size(); ++i)
    if (const DescribedArray& array = kernel.description.arrays[i]; results[i])
      give_results(array.name, array.element_type(type), pointers[i],
                   static_cast<std::size_t>(length(context, problem, static_cast<int>(i))), results[i]);
}

// Takes the place of a missing reference: the results are zeros, and the tolerance is infinite.
void no_reference(const void* context, const Problem& problem, const void* const*, double* const* results) {
  for (std::size_t i = 0; i < kernel_of(context).description.arrays.size(); ++i)
    if (results[i]) std::fill_n(results[i], length(context, problem, static_cast<int>(i)), 0.0);
}

// Refuses a problem with extents for which the description has no names.
const char* refuse(const void* context, const Problem& problem) {
  const std::size_t names = kernel_of(context).description.shape.size();
  if (names == 0 || (problem.extents.z == 1 && (names > 1 || problem.extents.y == 1)) || names == 3)
    return nullptr;
  return names == 2 ? "its shape has only two extents" : "its shape has only one extent";
}

// ---- Kernel and Variant

Kernel kernel_form(const KernelContext& context) {
  const Description& description = context.description;
  Kernel kernel;
  kernel.name = description.name;
  kernel.group = description.group;
  kernel.formula = description.formula;
  for (const DescribedArray& one : description.arrays)
    kernel.arrays.push_back(
        {intern(one.name), one.role, one.type ? std::optional(one.type->element) : std::nullopt});
  kernel.shaped = !description.shape.empty();
  kernel.refuse = {refuse, &context};
  kernel.sizes = description.default_sizes;
  kernel.extents = {extents, &context};
  kernel.length = {length, &context};
  kernel.fillable = {fillable, &context};
  kernel.work = {work, &context};
  kernel.traits = {traits, &context};
  kernel.tolerance = {tolerance, &context};
  kernel.tolerance_reason = intern(description.unchecked   ? "nothing is checked: there is no reference"
                                   : description.tolerance ? description.tolerance->reason
                                                           : "whole numbers are exact");
  using Reference = Function<void(const Problem&, const void* const*, double* const*)>;
  using Initialise = Function<void(const Problem&, int, std::uint64_t, void*)>;
  const Initialise fill{initialise, &context};
  const auto reference = [&](auto run) {
    return description.unchecked ? Reference{no_reference, &context} : Reference{run, &context};
  };
  for (const ElementType type : description.types) switch (type) {
      case ElementType::float32:
        kernel.initialise.float32 = fill;
        kernel.reference.float32 = description.reference && description.reference->in_float
                                       ? reference(run_reference<float, float>)
                                       : reference(run_reference<float, double>);
        break;
      case ElementType::float64:
        kernel.initialise.float64 = fill;
        kernel.reference.float64 = reference(run_reference<double, double>);
        break;
      case ElementType::int32:
        kernel.initialise.int32 = fill;
        kernel.reference.int32 = reference(run_reference<std::int32_t, std::int32_t>);
        break;
      default:  // descriptions cannot have other types
        break;
    }
  return kernel;
}

Variant variant_form(const VariantContext& context) {
  const DescribedVariant& described = *context.variant;
  Variant variant;
  variant.name = described.name;
  variant.model = described.model;
  variant.description = described.description.empty() ? described.function : described.description;
  for (const DescribedTunable& one : described.tunables)
    variant.tunables.push_back({intern(one.name), one.choices, one.preferred});
  variant.constraint = {constraint, &context};
  if (!described.temporaries.empty()) variant.workspace = {workspace, &context};
  Function<void(const Call&)> run = launch;
  if (described.model == Model::cuda) {
    const CudaForm form = (described.launcher ? launcher_form : cuda_form)(*context.description, described);
    variant.memory_space = MemorySpace::cuda;
    variant.compile = form.compile;
    variant.prepare = form.prepare;
    variant.release = form.release;
    variant.unavailable = form.unavailable;
    run = form.launch;
  } else {
    variant.compile = {compile, &context};
    variant.prepare = {prepare, &context};
    variant.release = {release, &context};
  }
  for (const ElementType type : context.description->types)
    (type == ElementType::float32   ? variant.launch.float32
     : type == ElementType::float64 ? variant.launch.float64
                                    : variant.launch.int32) = run;
  return variant;
}

VariantContext& add_context(KernelContext* kernel, const DescribedVariant* variant, bool reference) {
  VariantContext& context = kernel->variants.emplace_back();
  context.description = &kernel->description;
  context.variant = variant;
  context.reference = reference;
  context.macros = macros_of(kernel->description, *variant);
  return context;
}

}  // namespace

std::string precision_of(const Description& description) {
  if (!description.has_floating_results()) return "";
  // Structs and complex numbers keep their type, and so do all arrays if T is no real type: their code runs
  // as it is written.
  const bool real_t = std::any_of(description.types.begin(), description.types.end(),
                                  [](ElementType type) { return !is_whole(type); });
  const bool as_written =
      std::all_of(description.arrays.begin(), description.arrays.end(), [&](const DescribedArray& one) {
        return one.type && (one.type->members > 1 || is_whole(one.type->element) || !real_t);
      });
  if (as_written) return "";
  return description.reference->in_float ? "in float" : "in double precision";
}

const Description* description_of_kernel(const std::string& kernel) {
  for (const KernelContext& known : contexts())
    if (known.description.name == kernel) return &known.description;
  return nullptr;
}

bool is_in_code(const std::string& kernel, const std::string& variant, const std::string& tunable) {
  for (const KernelContext& known : contexts()) {
    if (known.description.name != kernel) continue;
    for (const VariantContext& one : known.variants)
      for (std::size_t i = 0; i < one.macros.size(); ++i)
        if (one.variant->name == variant && one.variant->tunables[i].name == tunable)
          return one.macros[i] || one.variant->tunables[i].flag;
  }
  return true;
}

RegisteredKernel described(const Description& given) {
  if (!given.reference && !given.unchecked) {
    const char* in_file =
        given.file.ends_with(".json")
            ? ""
            : "Add reference = \"serial.plain\" for a variant, or reference = { file = \"ref.cpp\", "
              "function = \"…\", arguments = [ … ] } for a function. ";
    throw UserError(given.file + " names no reference, so its results cannot be checked. " + in_file +
                    "On the command line, name a host function with --reference FILE:FUNCTION, or measure "
                    "without checks with --unchecked.");
  }
  for (const DescribedVariant& one : given.variants) (void)source_text(given, one);
  if (given.reference && given.reference->variant.empty())
    (void)source_text(given, given.reference->function);
  KernelContext& kernel = contexts().emplace_back();
  kernel.description = given;
  const Description& description = kernel.description;
  if (description.reference) {
    const DescribedVariant* reference = &description.reference->function;
    for (const DescribedVariant& one : description.variants)
      if (one.name == description.reference->variant) reference = &one;
    for (const DescribedTunable& one : reference->tunables) kernel.reference_tuning.push_back(one.preferred);
    kernel.reference = &add_context(&kernel, reference, true);
  }
  RegisteredKernel registered;
  registered.unchecked = description.unchecked;
  if (description.reference && !description.reference->variant.empty())
    registered.checked_by = description.reference->variant +
                            (precision_of(description).empty() ? "" : ", run " + precision_of(description));
  registered.kernel = kernel_form(kernel);
  for (const DescribedVariant& one : description.variants)
    for (const DescribedTunable& tunable : one.tunables)
      if (!tunable.texts.empty()) registered.texts[one.name][tunable.name] = tunable.texts;
  for (const DescribedVariant& one : description.variants)
    registered.variants.push_back(variant_form(add_context(&kernel, &one, false)));
  std::stable_sort(registered.variants.begin(), registered.variants.end(),
                   [](const Variant& a, const Variant& b) { return a.model < b.model; });
  return registered;
}

std::string code_of(const Description& description) {
  Hash hash;
  std::string text;
  if (read_file(description.file, &text)) hash.add(text);
  for (const DescribedVariant& one : description.variants) hash.add(source_text(description, one));
  if (description.reference && description.reference->variant.empty())
    hash.add(source_text(description, description.reference->function));
  if (description.tolerance) hash.add(description.tolerance->reason);
  if (description.reference)
    hash.add(description.reference->variant + description.reference->function.function +
             precision_of(description));
  return hash.hex();
}

}  // namespace sextant::own
