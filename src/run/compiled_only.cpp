#include "run/compiled_only.hpp"

#include <set>

#include "base/plural.hpp"
#include "engine/process/compile_pool.hpp"
#include "own/compile/compile_device.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "registry/registry.hpp"
#include "run/sweep.hpp"

namespace sextant {
namespace {

bool is_compiled(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
  return variant && variant->model == Model::cuda && variant->compile;
}

}  // namespace

CompiledOnly::CompiledOnly(const std::vector<Case>& cases, const Environment& environment) {
  std::vector<Case> once;
  std::set<std::string> images, variants;
  for (const Case& one : cases) {
    if (has_device(environment, one.device) || !is_compiled(one)) continue;
    variants.insert(one.kernel + " " + one.variant);
    if (images.insert(CompilePool::code_of(one)).second) once.push_back(one);
  }
  variants_ = variants.size();
  if (once.empty()) return;
  CompilePool pool(worker_command(), arch_without_gpu);
  pool.expect(once, pool.most());
  pool.finish({});
  for (const Case& one : once) {
    const std::string problem = pool.problem_of(one);
    if (own::lacks_compiler(problem))
      lacking_ = problem;
    else if (!problem.empty())
      problems_[CompilePool::code_of(one)] = problem;
  }
}

Measurement CompiledOnly::judged(Measurement measurement) const {
  const auto known = problems_.find(CompilePool::code_of(measurement.what));
  if (measurement.status != Status::skipped || known == problems_.end()) return measurement;
  measurement.status = Status::failed;
  measurement.reason = known->second;
  return measurement;
}

std::string CompiledOnly::text() const {
  if (variants_ == 0) return "";
  return plural(variants_, "CUDA variant") + (variants_ == 1 ? " was" : " were") +
         (lacking_.empty()
              ? std::string(" compiled for ") + arch_without_gpu + ", but not run: this machine has no GPU"
              : " neither run (this machine has no GPU) nor compiled: " + lacking_);
}

}  // namespace sextant
