#include "run/without_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"

namespace sextant {

WithoutGpu::WithoutGpu(const Selection& selection, Environment environment, bool listed)
    : environment_(std::move(environment)),
      listed_(listed || !selection.variants.empty() || !selection.device.empty()),
      listed_libraries_(listed || !selection.device.empty() ||
                        std::any_of(selection.variants.begin(), selection.variants.end(),
                                    [](const std::string& one) { return one.starts_with("library."); })) {}

bool WithoutGpu::takes(const Case& what) {
  const std::string model = model_of(what.variant);
  const bool is_library = model == "library";
  if ((is_library ? listed_libraries_ : listed_) || has_device(environment_, what.device)) return false;
  variants_.insert(what.kernel + " " + what.variant);
  models_.insert(is_library ? "library.*" : model);
  return true;
}

std::string WithoutGpu::text() const {
  if (variants_.empty()) return "";
  return fmt::format("{} skipped: this machine has no GPU (list them with -v {})",
                     plural(variants_.size(), "GPU variant"), fmt::join(models_, ","));
}

}  // namespace sextant
