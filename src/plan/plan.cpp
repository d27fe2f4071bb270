#include "plan/plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/join.hpp"
#include "plan/fillable.hpp"
#include "plan/problems.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

// Adds the cases of one problem, grouped by device, so that each device's processes are started only once.
void add_cases(const SelectedKernel& chosen, const SizedProblem& sized, const Selection& selection,
               std::vector<ResolvedCase>* cases, std::vector<std::string>* notes) {
  const RegisteredKernel& entry = *chosen.entry;
  for (const auto& [variant, device] : chosen.places[sized.place].variants) {
    if (!variant->launch[sized.problem.type]) continue;
    Case one{entry.kernel.name, variant->name,  sized.name,           sized.problem, {}, device,
             selection.cache,   selection.fill, variant->threads_by()};
    std::vector<Tuning> tunings = tunings_of(*variant, one, sized.every_tuning, selection, entry.texts);
    if (tunings.empty())
      notes->push_back(entry.kernel.name + " " + variant->name +
                       " is left out, because it has none of the values of --tunings");
    for (Tuning& tuning : tunings) {
      one.tuning = std::move(tuning);
      cases->push_back({&entry, variant, one});
    }
  }
}

// Returns why the variant cannot run the problem with this tuning, or null.
const char* refusal(const ResolvedCase& one) {
  std::vector<int> values;
  for (std::size_t i = 0; i < one.variant->tunables.size(); ++i) values.push_back(one.what.tuning[i].second);
  return one.variant->refusal(one.what.problem, values.data());
}

// Throws UserError if all cases refuse the requested tuning.
void check_that_some_tuning_is_taken(const std::vector<ResolvedCase>& cases) {
  for (const ResolvedCase& one : cases)
    if (!refusal(one)) return;
  const ResolvedCase& first = cases.front();
  throw UserError("no variant accepts the values of --tunings: " + first.what.kernel + " " +
                  first.what.variant + " rejects " + tuning_text(first.what.tuning) + " (" + refusal(first) +
                  "). Choose other values, or all valid ones with `-t all`.");
}

// The problems whose inputs cannot be filled with the numbers that the user asks for.
class Unfilled {
 public:
  explicit Unfilled(InputFill fill) : fill_(fill) {}

  // Returns true if the problem is left out.
  bool leaves_out(const Kernel& kernel, const SizedProblem& sized) {
    if (fill_ == InputFill::uniform) return false;
    const Problem& problem = sized.problem;
    const char* why = why_not_filled(kernel, problem);
    if (why)
      problems_[why].push_back(
          {kernel.name, std::string(name_of(problem.type)) + " " +
                            (sized.name.empty() ? std::to_string(problem.n) : sized.name)});
    return why != nullptr;
  }

  // Adds a note. Throws UserError if there are no other cases.
  void tell(const std::vector<ResolvedCase>& cases, std::vector<std::string>* notes) const {
    if (problems_.empty()) return;
    const std::string option = std::string("--fill ") + name_of(fill_);
    if (cases.empty())
      throw UserError(option + " cannot fill the inputs of " + text(cases) +
                      ". Choose kernels with uniform inputs, such as triad, or leave --fill out.");
    notes->push_back(option + " leaves out " + text(cases));
  }

 private:
  struct Left {
    std::string kernel, problem;
  };

  // Names the kernels, or some of their problems if others of them are among the `cases`, with the reasons.
  std::string text(const std::vector<ResolvedCase>& cases) const {
    std::vector<std::string> texts;
    for (const auto& [why, problems] : problems_) {
      std::vector<std::string> names;
      for (const Left& left : problems) {
        const bool in_part = std::any_of(cases.begin(), cases.end(), [&](const ResolvedCase& one) {
          return one.what.kernel == left.kernel;
        });
        const std::string name = left.kernel + (in_part ? " " + left.problem : "");
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
      texts.push_back(join(names) + " (" + why + ")");
    }
    return join(texts);
  }

  InputFill fill_;
  std::map<std::string, std::vector<Left>> problems_;  // by reason
};

// Removes repeated notes. Most notes occur once per type and variant.
void keep_once(std::vector<std::string>* notes) {
  std::vector<std::string> once;
  for (std::string& note : *notes)
    if (std::find(once.begin(), once.end(), note) == once.end()) once.push_back(std::move(note));
  *notes = std::move(once);
}

}  // namespace

Resolved resolve(const Selection& selection, std::vector<std::string>* notes) {
  std::vector<std::string> unheard;
  if (!notes) notes = &unheard;
  Resolved resolved{select_variants(selection, notes), {}};
  if (selection.names_only) return resolved;
  check_problems(selection, resolved.kernels);
  check_tunings(selection, resolved.kernels);
  Unfilled unfilled(selection.fill);
  for (const SelectedKernel& one : resolved.kernels)
    for (const SizedProblem& sized : problems_of(one, selection, notes))
      if (!unfilled.leaves_out(one.kernel(), sized)) add_cases(one, sized, selection, &resolved.cases, notes);
  unfilled.tell(resolved.cases, notes);
  keep_once(notes);
  if (resolved.cases.empty())
    throw UserError(notes->empty() ? "the options select no case, because no variant matches all of them. "
                                     "`sextant list variants` shows what each variant supports."
                                   : "the options select no case: " + join(*notes) +
                                         ". Choose other sizes or variants.");
  if (!selection.tunings.empty() && !selection.searched) check_that_some_tuning_is_taken(resolved.cases);
  return resolved;
}

std::vector<Case> cases_of(std::vector<ResolvedCase> resolved) {
  std::vector<Case> cases;
  cases.reserve(resolved.size());
  for (ResolvedCase& one : resolved) cases.push_back(std::move(one.what));
  return cases;
}

std::vector<Case> plan(const Selection& selection, std::vector<std::string>* notes) {
  return cases_of(resolve(selection, notes).cases);
}

}  // namespace sextant
