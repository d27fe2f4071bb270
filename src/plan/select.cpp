#include "plan/select.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/join.hpp"
#include "base/nearest.hpp"
#include "base/pattern.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"

namespace sextant {
namespace {

// Returns true for a user kernel. If any is loaded, an empty selection means only these kernels.
bool is_loaded(const RegisteredKernel& entry) { return !entry.loaded_from.empty(); }

constexpr const char* study_suite = "study";
const std::vector<std::string> built_suites = {"kernels", "programs", "npb", "patterns"};

// Returns true if the selection is the default study, by name or because nothing is selected.
bool is_study(const Selection& selection) {
  const bool named = selection.suites.size() == 1 && selection.suites.front() == study_suite;
  return selection.kernels.empty() && (named || selection.suites.empty()) && !selection.asks_for_problems() &&
         selection.parameters.empty() && !selection.small_problems;
}

bool in_study(const Kernel& kernel) { return kernel.presentation.study.study == default_study; }

bool in_suite(const RegisteredKernel& entry, const std::string& suite) {
  return suite == "all" || entry.suite == suite || (suite == study_suite && in_study(entry.kernel));
}

const std::string remedy_for_suites =
    "Build it with all of them: cmake -DSEXTANT_SUITES='" + join(built_suites, ";") + "'.";

// Throws UserError if a requested suite has no kernels in this build.
void check_suites(const Selection& selection) {
  for (const std::string& suite : selection.suites) {
    if (std::any_of(registry().begin(), registry().end(),
                    [&](const RegisteredKernel& entry) { return in_suite(entry, suite); }))
      continue;
    if (std::find(built_suites.begin(), built_suites.end(), suite) != built_suites.end())
      throw UserError("the suite " + suite + " is left out of this build. " + remedy_for_suites,
                      ExitCode::missing);
    if (suite == "own")
      throw UserError(
          "the suite `own` holds the kernels that --load loads, but no kernel is loaded. Add --load FILE.");
    throw UserError("there is no suite `" + suite + "`." +
                    did_you_mean(suite, {"study", "kernels", "programs", "npb", "patterns", "own", "all"}) +
                    " The suites are study, kernels, programs, npb, patterns, own and all.");
  }
}

bool in_suites(const RegisteredKernel& entry, const Selection& selection) {
  return selection.suites.empty() ||
         std::any_of(selection.suites.begin(), selection.suites.end(),
                     [&](const std::string& suite) { return in_suite(entry, suite); });
}

// Returns true for a further kernel in a program's folder. It is the same program with more output arrays,
// and exists only for checks.
bool follows_its_program(const RegisteredKernel& entry) {
  const auto& all = registry();
  const auto first = std::find_if(all.begin(), all.end(), [&](const RegisteredKernel& other) {
    return other.folder == entry.folder && other.suite == entry.suite;
  });
  return !entry.kernel.classes.empty() && !entry.folder.empty() && &*first != &entry &&
         !first->kernel.classes.empty();
}

std::vector<SelectedKernel> choose_kernels(const Selection& selection) {
  check_suites(selection);
  std::set<const RegisteredKernel*> wanted;
  std::vector<std::string> names;
  for (const RegisteredKernel& entry : registry())
    if (in_suites(entry, selection)) names.push_back(entry.kernel.name);
  for (const std::string& pattern : selection.kernels) {
    const Pattern expression(pattern, "--kernels");
    bool found = false;
    for (const RegisteredKernel& entry : registry()) {
      if (!in_suites(entry, selection) || !expression.matches(entry.kernel.name)) continue;
      wanted.insert(&entry);
      found = true;
    }
    if (!found) {
      const std::vector<std::string> left = suites_left_out(registry());
      throw UserError("no kernel" + (selection.suites.empty() ? "" : " of " + join(selection.suites)) +
                      " matches `" + pattern + "`." + did_you_mean(pattern, names) +
                      " `sextant list kernels` lists them." +
                      (left.empty() ? "" : " This build leaves out the suites " + join(left) + "."));
    }
  }
  const bool own = selection.kernels.empty() && selection.suites.empty() &&
                   std::any_of(registry().begin(), registry().end(), is_loaded);
  const bool study = is_study(selection);
  std::vector<SelectedKernel> chosen;
  for (const RegisteredKernel& entry : registry()) {
    if (own     ? is_loaded(entry)
        : study ? in_study(entry.kernel)
                : in_suites(entry, selection) && (selection.kernels.empty() || wanted.contains(&entry)))
      chosen.push_back({.entry = &entry});
  }
  if (selection.kernels.empty() && !selection.suites.empty() && !selection.classes.empty())
    std::erase_if(chosen, [](const SelectedKernel& one) { return follows_its_program(*one.entry); });
  return chosen;
}

bool matches(const Variant& variant, const Pattern& expression) {
  return expression.matches(name_of(variant.model)) || expression.matches(variant.name);
}

// Returns why this build lacks the variant that the pattern names, or "" if there is no such variant.
std::string why_left_out(const Pattern& expression, const std::vector<SelectedKernel>& chosen) {
  for (const ModelBuild& build : model_builds())
    if (!build.built && expression.matches(name_of(build.model)))
      return std::string("the model ") + name_of(build.model) + " is left out of this build: " + build.reason;
  for (const LeftOut& left : left_out()) {
    if (!expression.matches(left.variant) && !expression.matches(model_of(left.variant))) continue;
    if (std::any_of(chosen.begin(), chosen.end(),
                    [&](const SelectedKernel& one) { return one.entry->folder == left.folder; }))
      return "the variant " + left.variant + " is left out of this build: " + left.reason;
  }
  return {};
}

[[noreturn]] void refuse_variant(const std::string& pattern, const std::vector<SelectedKernel>& chosen) {
  std::vector<std::string> names;
  for (const SelectedKernel& one : chosen)
    for (const Variant& variant : one.entry->variants)
      for (const std::string& name : {std::string(name_of(variant.model)), variant.name})
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  const std::string where = chosen.size() == 1 ? " of " + chosen.front().kernel().name : "";
  throw UserError("no variant" + where + " matches `" + pattern + "`." + did_you_mean(pattern, names) +
                  " `sextant list variants` lists them.");
}

// Selects the variants of each kernel. A variant that this build lacks gives a note if another pattern
// matches, else an error.
void choose_variants(const Selection& selection, std::vector<SelectedKernel>* chosen,
                     std::vector<std::string>* notes) {
  std::vector<Pattern> expressions;
  std::vector<std::string> left_out_texts;
  for (const std::string& pattern : selection.variants) {
    expressions.emplace_back(pattern, "--variants");
    const bool found = std::any_of(chosen->begin(), chosen->end(), [&](const SelectedKernel& one) {
      return std::any_of(one.entry->variants.begin(), one.entry->variants.end(),
                         [&](const Variant& variant) { return matches(variant, expressions.back()); });
    });
    if (found) continue;
    left_out_texts.push_back(why_left_out(expressions.back(), *chosen));
    if (left_out_texts.back().empty()) refuse_variant(pattern, *chosen);
  }
  if (!left_out_texts.empty() && left_out_texts.size() == selection.variants.size())
    throw UserError(left_out_texts.front() + ". `sextant doctor` shows what each model needs.",
                    ExitCode::missing);
  if (notes) notes->insert(notes->end(), left_out_texts.begin(), left_out_texts.end());
  // the study includes variants of stdpar and target only on request
  const auto in_study = [&](const Variant& variant) {
    return !is_study(selection) || (variant.model != Model::stdpar && variant.model != Model::target);
  };
  for (SelectedKernel& one : *chosen) {
    for (const Variant& variant : one.entry->variants)
      if (expressions.empty() ? in_study(variant)
                              : std::any_of(expressions.begin(), expressions.end(),
                                            [&](const Pattern& e) { return matches(variant, e); }))
        one.variants.push_back(&variant);
    // the other variants are compared with the baseline, so it comes first
    std::stable_partition(one.variants.begin(), one.variants.end(),
                          [](const Variant* variant) { return variant->name == "serial.baseline"; });
  }
}

std::string how_parts_are_asked_for(const Variant& variant) {
  if (!variant.parts.needs_mpi)
    return variant.name +
           " divides the problem over several GPUs. Name them with -d, such as -d gpu0:1,gpu0-1,gpu0-3.";
  const std::string processes = variant.name + " runs with several processes, each of which has ";
  return processes + (needs_gpu(variant) ? "a GPU and a part of the problem. Choose the number of processes "
                                           "with -d, such as -d 1xgpu,2xgpu,4xgpu."
                                         : "a part of the problem. Choose the number of processes with -d, "
                                           "such as -d 1xcpu,2xcpu,4xcpu.");
}

// Returns the first selected variant if all selected variants partition their problem, else null.
const Variant* first_if_all_in_parts(const std::vector<SelectedKernel>& chosen) {
  const Variant* first = nullptr;
  for (const SelectedKernel& one : chosen)
    for (const Variant* variant : one.variants) {
      if (!is_partitioned(variant->memory_space)) return nullptr;
      if (!first) first = variant;
    }
  return first;
}

// Removes the variants that partition their problem, unless the device states the number of partitions, as in
// 4xcpu.
void leave_out_parted(const Selection& selection, std::vector<SelectedKernel>* chosen) {
  const Variant* left = nullptr;
  bool any = false;
  for (SelectedKernel& one : *chosen) {
    for (const Variant* variant : one.variants)
      if (is_partitioned(variant->memory_space)) left = variant;
    std::erase_if(one.variants, [](const Variant* variant) { return is_partitioned(variant->memory_space); });
    any |= !one.variants.empty();
  }
  if (any || !left || selection.variants.empty()) return;
  throw UserError(how_parts_are_asked_for(*left));
}

// Returns the last part of an error message: which variants run on such a device.
std::string where_others_run(const Place& place) {
  if (place.ranks > 0 && place.on_gpu)
    return "this device is for MPI variants with a GPU per rank, such as cuda.mpi_staged of heat3d_r1. Write "
           "gpu0-3 for four GPUs of one process";
  if (place.ranks > 0) return "this device is for MPI variants, such as openmp.mpi of triad";
  if (place.is_team())
    return "this device is for variants that use several GPUs from one process, such as cuda.peers";
  return place.on_gpu ? "serial, openmp, stdpar and CPU libraries run on cpu"
                      : "cuda, openacc and target run on GPUs";
}

bool suits(const Variant& variant, const Place& place) {
  if (is_partitioned(variant.memory_space) != place.in_parts() || needs_gpu(variant) != place.on_gpu)
    return false;
  return !place.in_parts() || variant.parts.needs_mpi == (place.ranks > 0);
}

// Throws UserError if no selected variant runs on the device, or if timing on it would be meaningless.
void check_place(const Selection& selection, const std::string& text, const Place& place,
                 const std::vector<SelectedKernel>& chosen) {
  if (selection.timed && place.sharing > 1)
    throw UserError(
        text + " is " + std::to_string(place.sharing) +
        " partitions on one GPU. Only `sextant verify` runs them, because their times do not apply to "
        "several GPUs. Write gpu0-1 for two GPUs, or gpu0:1 for a device group of one GPU.");
  for (const SelectedKernel& one : chosen)
    for (const Variant* variant : one.variants)
      if (suits(*variant, place)) return;
  if (place.on_gpu && !place.in_parts() && selection.variants.empty())
    throw UserError("no programming model of this build runs on " + text +
                        ". `sextant doctor` shows what each model needs.",
                    ExitCode::missing);
  const Variant* parted = place.in_parts() ? nullptr : first_if_all_in_parts(chosen);
  if (parted) throw UserError(how_parts_are_asked_for(*parted));
  throw UserError("none of the selected variants runs on " + text + ": " + where_others_run(place) +
                  ". `sextant list variants` shows where each variant runs.");
}

void choose_default_devices(const Selection& selection, std::vector<SelectedKernel>* chosen) {
  if (!selection.names_only) leave_out_parted(selection, chosen);
  for (SelectedKernel& one : *chosen) {
    SelectedPlace& place = one.places.emplace_back();
    for (const Variant* variant : one.variants) place.variants.push_back({variant, default_device(*variant)});
  }
}

void choose_devices(const Selection& selection, std::vector<SelectedKernel>* chosen) {
  if (selection.device.empty()) return choose_default_devices(selection, chosen);
  for (const std::string& text : places_in(selection.device)) {
    const std::optional<Place> place = place_of(text);
    if (!place)
      throw UserError(
          "there is no device `" + text +
          "`. Single devices are cpu, gpu0, gpu1 and so on. 2xcpu means two processes with half of the cores "
          "each, and 2xgpu two processes with a GPU each. gpu0-3 means four GPUs of one process, and gpu0:2 "
          "two partitions (at most 16) on one GPU. `sextant list devices` lists the devices.");
    check_place(selection, text, *place, *chosen);
    for (SelectedKernel& one : *chosen) {
      SelectedPlace& at = one.places.emplace_back(SelectedPlace{place->parts(), {}});
      for (const Variant* variant : one.variants)
        if (suits(*variant, *place)) at.variants.push_back({variant, text});
    }
  }
  for (SelectedKernel& one : *chosen)
    std::erase_if(one.variants, [&](const Variant* variant) {
      return std::none_of(one.places.begin(), one.places.end(), [&](const SelectedPlace& place) {
        return std::any_of(place.variants.begin(), place.variants.end(),
                           [&](const PlacedVariant& placed) { return placed.variant == variant; });
      });
    });
}

}  // namespace

const char* default_device(const Variant& variant) { return needs_gpu(variant) ? "gpu0" : "cpu"; }

std::vector<std::string> suites_left_out(const std::deque<RegisteredKernel>& built) {
  std::vector<std::string> left_out;
  for (const std::string& suite : built_suites)
    if (std::none_of(built.begin(), built.end(),
                     [&](const RegisteredKernel& entry) { return entry.suite == suite; }))
      left_out.push_back(suite);
  return left_out;
}

std::string note_on_suites(const Selection& selection, const std::deque<RegisteredKernel>& built) {
  const std::vector<std::string> left = suites_left_out(built);
  const bool all =
      std::find(selection.suites.begin(), selection.suites.end(), "all") != selection.suites.end();
  if (!all || left.empty()) return "";
  return std::string("this build leaves out ") + (left.size() == 1 ? "the suite " : "the suites ") +
         join(left) + ". " + remedy_for_suites;
}

std::vector<SelectedKernel> select_variants(const Selection& selection, std::vector<std::string>* notes) {
  std::vector<SelectedKernel> chosen = choose_kernels(selection);
  const std::string left_out = note_on_suites(selection, registry());
  if (notes && !left_out.empty()) notes->push_back(left_out);
  choose_variants(selection, &chosen, notes);
  choose_devices(selection, &chosen);
  return chosen;
}

}  // namespace sextant
