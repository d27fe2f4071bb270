#include "plan/describe.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "plan/plan.hpp"
#include "suite/preparation.hpp"

namespace sextant {
namespace {

// Returns true if the variant's name contains "reordered". Such a variant solves a different problem than the
// kernel. The name is all that is known of variants that this build lacks.
bool is_named_reordered(const std::string& variant) { return variant.find("reordered") != std::string::npos; }

// Adds the description of the kernel that `m` measured to a session of an old results file, if it is missing.
void complete(Session* session, Measurement* m) {
  KernelDescription& description = session->kernels[m->what.kernel];
  const RegisteredKernel* entry = find_kernel(m->what.kernel);
  const Variant* variant = entry ? find_variant(*entry, m->what.variant) : nullptr;
  if (!variant) {
    std::vector<std::string>& excluded = description.excluded_from_ranking;
    if (is_named_reordered(m->what.variant) &&
        std::find(excluded.begin(), excluded.end(), m->what.variant) == excluded.end())
      excluded.push_back(m->what.variant);
  } else if (m->status == Status::ok && !m->standard_tuning) {
    m->standard_tuning = m->what.tuning == default_tuning(*variant, m->what.problem);
  }
}

}  // namespace

KernelDescription describe(const RegisteredKernel& entry) {
  const Kernel& kernel = entry.kernel;
  KernelDescription description;
  description.group = kernel.group;
  description.formula = kernel.formula;
  description.dwarf = kernel.dwarf;
  for (const Parameter& parameter : kernel.parameter_list)
    description.parameters.emplace_back(parameter.name);
  for (const ArraySpec& array : kernel.arrays)
    description.arrays.push_back({array.name, array.role, array.type ? name_of(*array.type) : "T"});
  description.unit = kernel.unit;
  description.exchange = kernel.exchange;
  for (const NamedProblem& problem : kernel.classes) description.problems.emplace_back(problem.name);
  for (const Variant& variant : entry.variants) {
    if (variant.excluded_from_ranking) description.excluded_from_ranking.push_back(variant.name);
    if (!needs_gpu(variant) && variant.model != Model::serial)
      description.thread_libraries[variant.name] = variant.threads_by();
    if (prepares_for_inputs(variant)) description.preparations[variant.name] = variant.prepare_depends_on;
  }
  description.texts = entry.texts;
  description.study = kernel.presentation.study;
  description.report = kernel.presentation.report;
  description.published = kernel.presentation.published;
  return description;
}

KernelDescriptions describe(const std::vector<Case>& cases) {
  KernelDescriptions descriptions;
  for (const Case& one : cases)
    if (!descriptions.contains(one.kernel))
      if (const RegisteredKernel* entry = find_kernel(one.kernel))
        descriptions.emplace(one.kernel, describe(*entry));
  return descriptions;
}

void complete(Results* results) {
  std::unordered_map<std::int64_t, Session*> sessions;
  for (Session& session : results->sessions) sessions[session.id] = &session;
  std::set<std::pair<const Session*, std::string>> old;  // kernels without a description, by session
  for (StoredMeasurement& stored : results->measurements) {
    const auto found = sessions.find(stored.session);
    if (found == sessions.end()) continue;
    Session* session = found->second;
    const std::string& kernel = stored.measurement.what.kernel;
    if (!session->kernels.contains(kernel)) {
      const RegisteredKernel* entry = find_kernel(kernel);
      session->kernels.emplace(kernel, entry ? describe(*entry) : KernelDescription());
      old.emplace(session, kernel);
    }
    if (old.contains({session, kernel})) complete(session, &stored.measurement);
  }
}

}  // namespace sextant
