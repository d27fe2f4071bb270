// Tests that the kernels that `run --fill` accepts are right on all numbers that it fills in.
#include "plan/fillable.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/case/case_runner.hpp"
#include "plan/plan.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

constexpr std::int64_t small_size = 30'000, large_sizes[] = {800'000, 1'000'001};

TEST(Fillable, AreTheKernelsWhoseInputsAreAnyNumbers) {
  std::map<std::string, std::set<std::int64_t>> found;
  for (const RegisteredKernel& entry : registry())
    for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32})
      for (const std::int64_t n : {small_size, large_sizes[0], large_sizes[1]}) {
        const Kernel& kernel = entry.kernel;
        if (!kernel.has(type) || !kernel.extents) continue;
        const Problem problem{n, type, kernel.extents(n), kernel.standard_parameters()};
        if (problem.extents.count() > 0 && !why_not_filled(kernel, problem)) found[kernel.name].insert(n);
      }
  std::set<std::string> small, large;
  for (const auto& [kernel, at] : found) (at.contains(small_size) ? small : large).insert(kernel);
  EXPECT_EQ(small, (std::set<std::string>{
                       "add",           "all_to_all",   "copy",           "fft1d",         "gather_random",
                       "gather_near",   "gemm_batched", "halo3d",         "map_chain",     "rows",
                       "scale",         "scatter_near", "scatter_random", "stencil1d_2pt", "stencil2d_4pt",
                       "stencil3d_7pt", "stride16",     "stride2",        "stride4",       "stride64",
                       "transpose",     "triad"}));
  EXPECT_EQ(large, (std::set<std::string>{"matmul", "matmul_naive"}));
}

TEST(Fillable, KernelsAreRightOnAllNumbers) {
  Settings settings;
  settings.check_only = true;
  CaseRunner runner([](Stage) {});
  std::map<std::string, int> right;
  for (const std::int64_t n : large_sizes)
    for (const InputFill fill : {InputFill::normal, InputFill::small_integers, InputFill::zeros}) {
      Selection selection;
      selection.suites = {"all"};
      selection.variants = {"serial"};
      selection.sizes = {n};
      selection.fill = fill;
      for (const Case& what : plan(selection)) {
        const Measurement m = runner.run(what, settings);
        if (m.status == Status::skipped && m.reason.find("has no AVX-512") != std::string::npos) continue;
        EXPECT_EQ(m.status, Status::ok)
            << what.kernel << " " << what.variant << " " << name_of(what.problem.type) << " " << n << " "
            << name_of(fill) << ": " << m.reason;
        ++right[what.kernel];
      }
    }
  EXPECT_EQ(right.size(), 24u);
}

}  // namespace
}  // namespace sextant
