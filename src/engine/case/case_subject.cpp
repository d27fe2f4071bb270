#include "engine/case/case_subject.hpp"

#include <algorithm>
#include <cstdio>

#include "engine/form/warnings.hpp"
#include "machine/thread_count.hpp"
#include "plan/fillable.hpp"
#include "plan/plan.hpp"
#include "record/statistics.hpp"
#include "registry/registry.hpp"
#include "suite/thread_count.hpp"

namespace sextant {
namespace {

// Returns the number of OpenMP threads that the case requests. It is 0 if the case requests none, or if the
// number is a tunable of its variant.
int threads_asked(const Case& what, const Variant& variant) {
  if (!takes_thread_count(variant)) return 0;
  const auto given = std::find_if(what.tuning.begin(), what.tuning.end(),
                                  [](const auto& pair) { return pair.first == thread_count; });
  return given == what.tuning.end() ? 0 : given->second.number;
}

}  // namespace

std::string find_subject(const Case& what, CaseSubject* subject) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (!entry) return "this build has no kernel " + what.kernel;
  subject->kernel = &entry->kernel;
  subject->variant = find_variant(*entry, what.variant);
  if (!subject->variant) return "this build has no variant " + what.variant + " of " + what.kernel;
  subject->unchecked = entry->unchecked;
  subject->problem = what.problem;
  subject->cache = what.cache;
  subject->fill = what.fill;
  if (what.fill == InputFill::uniform) return {};
  const char* why = why_not_filled(entry->kernel, what.problem);
  return why ? std::string("other numbers cannot fill its inputs: it has ") + why : "";
}

std::string tune_subject(const Case& what, const char* there, CaseSubject* subject) {
  const Variant& variant = *subject->variant;
  if (!subject->kernel->has(what.problem.type) || !variant.launch[what.problem.type])
    return what.variant + " has no code for " + name_of(what.problem.type);
  if (what.problem.extents.count() <= 0) return "N = " + std::to_string(what.problem.n) + " is too small";
  for (const Tunable& tunable : variant.tunables) {
    const auto given = std::find_if(what.tuning.begin(), what.tuning.end(),
                                    [&](const auto& pair) { return pair.first == tunable.name; });
    if (given == what.tuning.end()) return "the case gives no value for " + std::string(tunable.name);
    subject->tuning.push_back(given->second);
  }
  if (const char* reason = variant.refusal(subject->problem, subject->tuning.data())) return reason;
  subject->threads = threads_asked(what, variant);
  if (subject->threads > openmp_threads())
    return std::to_string(subject->threads) + " threads are requested, but OpenMP has " +
           std::to_string(openmp_threads()) + " " + there + "; set OMP_NUM_THREADS to allow more";
  return {};
}

bool is_standard(const Case& what, const CaseSubject& subject) {
  Tuning standard = default_tuning(*subject.variant, subject.problem);
  if (subject.threads > 0) standard.emplace_back(thread_count, openmp_threads());
  return what.tuning == standard;
}

CaseData::CaseData(const CaseSubject& subject, const Settings& settings, const StageListener& stage)
    : kernel(subject.kernel->name),
      problem(subject.problem),
      fill(subject.fill),
      guard_bytes(settings.guard_bytes),
      seed(settings.seed),
      workset(std::make_unique<Workset>(*subject.kernel, subject.problem, settings.seed,
                                        static_cast<std::size_t>(settings.guard_bytes), subject.fill)) {
  stage(Stage::computing_reference);
  workset->compute_reference();
}

bool CaseData::is_of(const CaseSubject& subject, const Settings& settings) const {
  return kernel == subject.kernel->name && problem.type == subject.problem.type &&
         problem.n == subject.problem.n && problem.extents == subject.problem.extents &&
         problem.parameters == subject.problem.parameters && fill == subject.fill &&
         guard_bytes == settings.guard_bytes && seed == settings.seed;
}

AuditFilling CaseData::next_filling(const std::string& variant, bool is_search, bool compared) {
  AuditFilling next = next_number(variant, is_search, compared);
  if (workset->has_same_inputs()) next.number = timed_filling;
  return next;
}

AuditFilling CaseData::next_number(const std::string& variant, bool is_search, bool compared) {
  constexpr Filling first_of_one = 1u << 16;
  if (!compared) return {first_of_one + alone_++, true};
  const Filling count = audited_[variant]++, most = static_cast<Filling>(audits());
  if (is_search || has_long_reference()) return {1 + count % most, count < most};
  if (!is_large()) return {1 + count, true};
  return count % 2 == 0 ? AuditFilling{1 + count / 2, true} : AuditFilling{timed_filling, false};
}

bool CaseData::has_long_reference() const { return workset->reference_seconds() > 0.1; }

bool CaseData::is_large() const { return workset->total_bytes() > (std::size_t{8} << 20); }

// Large arrays get two audits: one on new inputs, whose call finds an earlier right result in the outputs,
// and one on the timed inputs, whose call finds poison. Further new inputs would take as long as all samples.
int CaseData::audits() const {
  const std::size_t most = is_large() ? 2 : 3;
  return static_cast<int>(has_long_reference() ? std::min(most, workset->most_fillings()) : most);
}

void forget(Measurement* measurement, Status status, const std::string& reason) {
  Measurement left;
  left.what = measurement->what;
  left.seed = measurement->seed;
  left.timestamp = measurement->timestamp;
  left.work = measurement->work;
  left.error = measurement->error;
  left.tolerance = measurement->tolerance;
  left.status = status;
  left.reason = reason;
  *measurement = std::move(left);
}

}  // namespace sextant
