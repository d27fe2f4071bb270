#include "run/without_gpu.hpp"

#include <fmt/format.h>

#include "base/plural.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"

namespace sextant {

WithoutGpu::WithoutGpu(const Selection& selection, Environment environment, bool listed)
    : environment_(std::move(environment)),
      listed_(listed || !selection.variants.empty() || !selection.device.empty()) {}

bool WithoutGpu::takes(const Case& what) {
  if (listed_ || has_device(environment_, what.device)) return false;
  variants_.insert(what.kernel + " " + what.variant);
  models_.insert(model_of(what.variant));
  return true;
}

std::string WithoutGpu::text() const {
  if (variants_.empty()) return "";
  return fmt::format("{} skipped: this machine has no GPU (list them with -v {})",
                     plural(variants_.size(), "GPU variant"), fmt::join(models_, ","));
}

}  // namespace sextant
