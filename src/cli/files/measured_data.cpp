#include "cli/files/measured_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/error.hpp"
#include "base/plural.hpp"
#include "cli/files/load.hpp"
#include "own/trial/instructions.hpp"
#include "predict/data_folder.hpp"
#include "registry/registry.hpp"
#include "tuner/file_text.hpp"

namespace sextant {
namespace {

// Returns the features of a problem according to the kernels of this build.
std::optional<predict::KnownForm> registered_form(const Case& what) {
  const Kernel* kernel = kernel_of_problem(what);
  if (!kernel) return std::nullopt;
  predict::KnownForm known = {form_with_counts(*kernel, what.problem),
                              kernel->family.empty() ? kernel->group : kernel->family};
  known.form.cold = what.cache == CacheMode::cold;
  return known;
}

predict::KernelParameters registered_parameters(const std::string& kernel) {
  predict::KernelParameters found;
  const RegisteredKernel* entry = find_kernel(kernel);
  if (!entry) return found;
  found.standard = entry->kernel.standard_parameters();
  for (const Parameter& parameter : entry->kernel.parameter_list) found.names.emplace_back(parameter.name);
  return found;
}

// Reads an exported table, named "FILE.csv" or "HOST=FILE.csv".
void add_exported(const std::string& named_file, std::vector<predict::ExportedCase>* all) {
  const std::size_t sign = named_file.find('=');
  const bool named = sign != std::string::npos && named_file.find('/') > sign;
  const std::string host = named ? named_file.substr(0, sign) : "",
                    file = named_file.substr(named ? sign + 1 : 0);
  const std::string text = tuner::text_of_file(file);
  std::vector<predict::ExportedCase> cases =
      adding_step("Write the table again with `sextant export RESULTS -o " + file + "`.",
                  [&] { return predict::read_exported(text, file, host, registered_parameters); });
  for (predict::ExportedCase& one : cases) all->push_back(std::move(one));
}

// Returns an error that names the files that were read and the cases that were left out.
UserError nothing_measured(const std::vector<std::string>& files, const Results& all) {
  const auto skipped = std::count_if(all.measurements.begin(), all.measurements.end(), [](const auto& one) {
    return one.measurement.status == Status::skipped;
  });
  return UserError(
      fmt::format("{} contains no measurement of a kernel that this build knows. The results files have {} "
                  "(skipped: {}). `sextant show FILE` says why. `sextant list kernels` lists "
                  "the kernels of this build.",
                  fmt::join(files, ", "), plural(all.measurements.size(), "case"), skipped));
}

}  // namespace

predict::Form form_with_counts(const Kernel& kernel, const Problem& problem) {
  predict::Form form = predict::form_of(kernel, problem);
  if (has_traits(form)) return form;
  // An instruction is an operation or moves data for one.
  if (const auto instructions = own::counted_instructions(kernel.name, problem))
    form.work.integer_operations =
        std::max(form.work.integer_operations, static_cast<std::int64_t>(*instructions) - form.work.flops);
  return form;
}

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
  predict::DataSet folders;
  std::vector<std::string> others;
  for (const std::string& file : files)
    if (is_data_set_folder(file))
      predict::append(data_set_in(file), &folders);
    else
      others.push_back(file);
  if (others.empty()) return folders;
  std::vector<Results> results;
  std::vector<predict::ExportedCase> exported;
  for (const std::string& file : others)
    if (file.ends_with(".csv"))
      add_exported(file, &exported);
    else
      results.push_back(load_results(file));
  const Results all = predict::joined(std::move(results));
  predict::DataSet data = predict::data_set_of(all, registered_form, exported);
  for (const std::string& why : data.left_out) std::fprintf(stderr, "left out: %s\n", why.c_str());
  if (data.rows.empty()) throw nothing_measured(others, all);
  predict::append(std::move(folders), &data);
  return data;
}

}  // namespace sextant
