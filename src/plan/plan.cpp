#include "plan/plan.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/join.hpp"
#include "plan/problems.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"

namespace sextant {
namespace {

void check_types(const Selection& selection, const std::vector<SelectedKernel>& chosen) {
  for (const ElementType type : selection.types)
    if (std::none_of(chosen.begin(), chosen.end(),
                     [&](const SelectedKernel& one) { return one.kernel().has(type); }))
      throw UserError(std::string("none of the selected kernels has the type ") + name_of(type) +
                      ". `sextant list kernels` says which types each has.");
}

constexpr ElementType all_types[] = {ElementType::float32, ElementType::float64, ElementType::int32};

void add_once(const std::string& note, std::vector<std::string>* notes) {
  if (std::find(notes->begin(), notes->end(), note) == notes->end()) notes->push_back(note);
}

void plan_variant(const SelectedKernel& chosen, const Variant& variant, bool every_tuning,
                  Selection selection, Case one, std::vector<Case>* cases, std::vector<std::string>* notes) {
  one.variant = variant.name;
  one.thread_library = variant.threads_by();
  selection.tunings = current_tunings(selection.tunings, one);
  const ChoiceTexts& texts = chosen.entry->texts;
  std::vector<Tuning> tunings = every_tuning ? tunings_to_check(variant, one.problem, selection, texts)
                                             : tunings_of(variant, one.problem, selection, texts, false);
  const std::string note =
      one.kernel + " " + one.variant + " has none of the tuning values asked for, left out";
  if (tunings.empty()) add_once(note, notes);
  for (Tuning& tuning : tunings) {
    one.tuning = std::move(tuning);
    add_texts(texts, one.variant, &one.tuning);
    cases->push_back(one);
  }
}

// The cases of one place after the other: a place's processes are started once for all of them.
void plan_problem(const SelectedKernel& chosen, const SizedProblem& plain, ElementType type,
                  const Selection& selection, std::vector<Case>* cases, std::vector<std::string>* notes) {
  const bool grows = selection.weak_scaling && !is_of_each_part(chosen.kernel(), plain.problem);
  if (selection.weak_scaling && !grows)
    add_once(chosen.kernel().name + ": its size is each part's in any case, --scale weak changes nothing",
             notes);
  for (const std::string& text : places_in(selection.device)) {
    const std::optional<Place> place = place_of(text);
    const int parts = place ? place->parts() : 1;
    const std::optional<SizedProblem> sized = times_as_much(chosen.kernel(), plain, grows ? parts : 1);
    if (!sized) {
      notes->push_back(chosen.kernel().name + " has no problem " + std::to_string(parts) +
                       " times as large as " +
                       (plain.name.empty() ? std::to_string(plain.problem.n) : plain.name) + ", left out");
      continue;
    }
    Case one;
    one.kernel = chosen.kernel().name;
    one.problem_class = sized->name;
    one.problem = sized->problem;
    one.problem.type = type;
    one.problem.parts = parts;
    one.cache = selection.cache;
    for (const Variant* variant : chosen.variants) {
      if (!variant->launch[type] || (place && !suits(*variant, *place))) continue;
      one.device = place ? text : default_device(*variant);
      plan_variant(chosen, *variant, sized->every_tuning, selection, one, cases, notes);
    }
  }
}

}  // namespace

std::vector<Case> plan(const Selection& selection, std::vector<std::string>* notes) {
  std::vector<std::string> unheard;
  if (!notes) notes = &unheard;
  const std::vector<SelectedKernel> chosen = select_variants(selection, notes);
  check_types(selection, chosen);
  check_classes(selection, chosen);
  check_parameters(selection, chosen);
  check_tunings(selection, chosen);

  std::vector<Case> cases;
  for (const SelectedKernel& one : chosen) {
    if (one.variants.empty()) continue;
    for (const ElementType type : all_types) {
      const bool wanted = selection.types.empty() || std::find(selection.types.begin(), selection.types.end(),
                                                               type) != selection.types.end();
      if (!wanted || !one.kernel().has(type)) continue;
      const std::vector<SizedProblem> problems = problems_of(one.kernel(), selection, type, notes);
      for (const SizedProblem& sized : problems) plan_problem(one, sized, type, selection, &cases, notes);
    }
  }
  std::vector<std::string> once;  // types share most notes
  for (const std::string& note : *notes) add_once(note, &once);
  *notes = std::move(once);
  if (cases.empty())
    throw UserError(notes->empty()
                        ? "the selection has no case: no variant has all that is asked for. `sextant list "
                          "variants` says what each has."
                        : "the selection has no case: " + join(*notes) + ".");
  return cases;
}

}  // namespace sextant
