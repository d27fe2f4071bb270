#include "engine/form/stage.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.hpp"
#include "machine/stand_in.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

constexpr std::array<std::string_view, 4> class_names = {"loose", "device", "alone", "light"};
constexpr std::array<std::string_view, 3> shared_stages = {"timing the allocation", "copying",
                                                           "timing end to end"};
constexpr std::array<std::string_view, 6> device_stages = {"warming up",
                                                           "sampling",
                                                           "reading the GPU's state",
                                                           "timing on the device",
                                                           "reading hardware counters",
                                                           "timing phases"};
constexpr std::array<std::string_view, 5> checking_stages = {"starting", "allocating", "preparing",
                                                             "checking", "checking again"};

// Host arrays on a GPU: the call copies them.
bool copies_in_its_call(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
  return variant && variant->memory_space == MemorySpace::host && stand_in_gpus().empty();
}

}  // namespace

StageClass class_of_stage(const std::string& stage, const Case& what, bool is_light) {
  const auto is_in = [&](const auto& list) {
    return std::find(list.begin(), list.end(), stage) != list.end();
  };
  if (what.device == "cpu" || is_in(shared_stages)) return StageClass::alone;
  if (is_light && is_in(checking_stages)) return StageClass::light;
  if (!is_in(device_stages)) return StageClass::loose;
  return copies_in_its_call(what) ? StageClass::alone : StageClass::device;
}

const char* name_of(StageClass one) { return class_names[static_cast<std::size_t>(one)].data(); }

StageClass stage_class_from(const std::string& name) {
  const auto found = std::find(class_names.begin(), class_names.end(), name);
  if (found == class_names.end()) throw UserError("there is no class of stages `" + name + "`");
  return static_cast<StageClass>(found - class_names.begin());
}

}  // namespace sextant
