#include "cli/measured_data.hpp"

#include <cstdio>

#include "base/error.hpp"
#include "cli/load.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

// What this build's kernels say of a problem.
std::optional<predict::KnownForm> registered_form(const Case& what) {
  const Kernel* kernel = kernel_of_problem(what);
  if (!kernel) return std::nullopt;
  return predict::KnownForm{predict::form_of(*kernel, what.problem),
                            kernel->family.empty() ? kernel->group : kernel->family};
}

}  // namespace

const Kernel* kernel_of_problem(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (!entry || !entry->kernel.has(what.problem.type)) return nullptr;
  const Kernel& kernel = entry->kernel;
  if (!predict::is_problem_of(kernel, what.problem)) return nullptr;
  return kernel.refuse && kernel.refuse(what.problem) ? nullptr : &kernel;
}

predict::DataSet data_set_of(std::vector<Results> files) {
  return predict::data_set_of(predict::joined(std::move(files)), registered_form);
}

predict::DataSet data_set_of(const std::vector<std::string>& files) {
  std::vector<Results> results;
  for (const std::string& file : files) results.push_back(load_results(file));
  predict::DataSet data = data_set_of(std::move(results));
  for (const std::string& why : data.left_out) std::fprintf(stderr, "left out: %s\n", why.c_str());
  if (data.rows.empty()) throw UserError("there is no measured case of a kernel that this build knows.");
  return data;
}

}  // namespace sextant
