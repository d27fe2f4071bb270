#include "engine/form/stage.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "base/error.hpp"
#include "machine/host_gpus.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

constexpr std::array<std::string_view, 4> class_names = {"loose", "device", "alone", "light"};
struct StageForm {
  Stage stage;
  const char* name;
  StageClass on_gpu;    // class of the stage if the case runs on a GPU
  bool checks = false;  // true if the stage has class `light` in cases that hardly load the host
};

constexpr StageForm stages[] = {
    {Stage::starting, "starting", StageClass::loose, true},
    {Stage::starting_gpu, "starting the GPU", StageClass::loose},
    {Stage::loading_code, "loading code for the GPU", StageClass::loose},
    {Stage::allocating, "allocating", StageClass::loose, true},
    {Stage::computing_reference, "computing the reference", StageClass::loose},
    {Stage::timing_allocation, "timing the allocation", StageClass::alone},
    {Stage::allocating_on_device, "allocating on the device", StageClass::loose},
    {Stage::copying, "copying", StageClass::alone},
    {Stage::compiling, "compiling", StageClass::loose},
    {Stage::preparing, "preparing", StageClass::loose, true},
    {Stage::checking, "checking", StageClass::loose, true},
    {Stage::reaching_steady_state, "reaching a steady state", StageClass::device},
    {Stage::warming_up, "warming up", StageClass::device},
    {Stage::sampling, "sampling", StageClass::device},
    {Stage::reading_gpu_state, "reading the GPU's state", StageClass::device},
    {Stage::timing_after_pauses, "timing after pauses", StageClass::device},
    {Stage::sampling_computation, "sampling without exchange", StageClass::loose},
    {Stage::sampling_exchange, "sampling the exchange", StageClass::loose},
    {Stage::timing_on_device, "timing on the device", StageClass::device},
    {Stage::reading_counters, "reading hardware counters", StageClass::device},
    {Stage::measuring_energy, "measuring energy", StageClass::device},
    {Stage::timing_phases, "timing phases", StageClass::device},
    {Stage::checking_again, "checking again", StageClass::loose, true},
    {Stage::timing_end_to_end, "timing end to end", StageClass::alone},
    {Stage::waiting_for_turn, "waiting for its turn", StageClass::loose},
    {Stage::waiting_for_compilers, "waiting for compilers", StageClass::loose},
    {Stage::unknown, "in a stage of another release", StageClass::loose},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < std::size(stages); ++i)
    if (stages[i].stage != static_cast<Stage>(i)) return false;
  return std::size(stages) == static_cast<std::size_t>(Stage::unknown) + 1;
}
static_assert(is_in_order());

const StageForm& form_of(Stage stage) { return stages[static_cast<std::size_t>(stage)]; }

// Returns true if the case runs on a GPU but its arrays are in host memory, so that its call copies them.
bool copies_in_its_call(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
  return variant && variant->memory_space == MemorySpace::host && host_gpus().empty();
}

}  // namespace

const char* name_of(Stage stage) { return form_of(stage).name; }

Stage stage_from(const std::string& name) {
  const auto found = std::find_if(std::begin(stages), std::end(stages),
                                  [&](const StageForm& form) { return form.name == name; });
  return found == std::end(stages) ? Stage::unknown : found->stage;
}

StageClass class_of_stage(Stage stage, const Case& what, bool is_light) {
  const StageForm& form = form_of(stage);
  if (what.device == "cpu") return StageClass::alone;
  if (is_light && form.checks) return StageClass::light;
  return form.on_gpu == StageClass::device && copies_in_its_call(what) ? StageClass::alone : form.on_gpu;
}

const char* name_of(StageClass one) { return class_names[static_cast<std::size_t>(one)].data(); }

StageClass stage_class_from(const std::string& name) {
  const auto found = std::find(class_names.begin(), class_names.end(), name);
  if (found == class_names.end()) throw UserError("there is no class of measuring stages `" + name + "`");
  return static_cast<StageClass>(found - class_names.begin());
}

}  // namespace sextant
