#include "plan/plan.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/pattern.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "suite/thread_count.hpp"

namespace sextant {
namespace {

constexpr ElementType all_types[] = {ElementType::float32, ElementType::float64, ElementType::int32};

std::string joined(const std::vector<std::string>& texts, const std::string& between = ", ") {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : between) + text;
  return all;
}

using Chosen = SelectedKernel;

// What an empty list of kernels means, once there are any.
bool is_loaded(const RegisteredKernel& entry) { return !entry.loaded_from.empty(); }

constexpr const char* study_suite = "study";
const std::vector<std::string> built_suites = {"kernels", "programs", "npb", "patterns"};

// The study, whether it is asked for by its name or by nothing.
bool is_study(const Selection& selection) {
  const bool named = selection.suites.size() == 1 && selection.suites.front() == study_suite;
  return selection.kernels.empty() && (named || selection.suites.empty()) && !selection.asks_for_problems() &&
         selection.parameters.empty() && !selection.small_problems;
}

bool in_study(const Kernel& kernel) { return kernel.study.study == default_study; }

bool in_suite(const RegisteredKernel& entry, const std::string& suite) {
  return suite == "all" || entry.suite == suite || (suite == study_suite && in_study(entry.kernel));
}

// Suites of the project that this build leaves out.
std::vector<std::string> suites_left_out() {
  std::vector<std::string> left_out;
  for (const std::string& suite : built_suites)
    if (std::none_of(registry().begin(), registry().end(),
                     [&](const RegisteredKernel& entry) { return entry.suite == suite; }))
      left_out.push_back(suite);
  return left_out;
}

// Every suite asked for must be one that has kernels here.
void check_suites(const Selection& selection) {
  for (const std::string& suite : selection.suites) {
    if (std::any_of(registry().begin(), registry().end(),
                    [&](const RegisteredKernel& entry) { return in_suite(entry, suite); }))
      continue;
    if (std::find(built_suites.begin(), built_suites.end(), suite) != built_suites.end())
      throw UserError("the suite " + suite + " is left out of this build. Build it with all of them: " +
                          "cmake -DSEXTANT_SUITES='" + joined(built_suites, ";") + "'.",
                      ExitCode::missing);
    if (suite == "own") throw UserError("the suite own is what --load brings in, and nothing is loaded.");
    throw UserError("there is no suite `" + suite + "`." +
                    did_you_mean(suite, {"study", "kernels", "programs", "npb", "patterns", "own", "all"}) +
                    " Suites are study, kernels, programs, npb, patterns, own and all.");
  }
}

bool in_suites(const RegisteredKernel& entry, const Selection& selection) {
  return selection.suites.empty() ||
         std::any_of(selection.suites.begin(), selection.suites.end(),
                     [&](const std::string& suite) { return in_suite(entry, suite); });
}

// Whether an entry's folder has a program before it: such an entry is that program with more of its results, for checks.
bool follows_its_program(const RegisteredKernel& entry) {
  const auto& all = registry();
  const auto first = std::find_if(all.begin(), all.end(), [&](const RegisteredKernel& other) {
    return other.folder == entry.folder && other.suite == entry.suite;
  });
  return !entry.kernel.classes.empty() && !entry.folder.empty() && &*first != &entry &&
         !first->kernel.classes.empty();
}

std::vector<Chosen> choose_kernels(const Selection& selection) {
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
      const std::vector<std::string> left = suites_left_out();
      throw UserError("no kernel" + (selection.suites.empty() ? "" : " of " + joined(selection.suites)) +
                      " matches `" + pattern + "`." + did_you_mean(pattern, names) +
                      " `sextant list kernels` lists them." +
                      (left.empty() ? "" : " This build leaves out the suites " + joined(left) + "."));
    }
  }
  const bool own = selection.kernels.empty() && selection.suites.empty() &&
                   std::any_of(registry().begin(), registry().end(), is_loaded);
  const bool study = is_study(selection);
  std::vector<Chosen> chosen;
  for (const RegisteredKernel& entry : registry()) {
    if (own     ? is_loaded(entry)
        : study ? in_study(entry.kernel)
                : in_suites(entry, selection) && (selection.kernels.empty() || wanted.contains(&entry)))
      chosen.push_back({&entry, {}});
  }
  if (selection.kernels.empty() && !selection.suites.empty() && !selection.classes.empty())
    std::erase_if(chosen, [](const Chosen& one) { return follows_its_program(*one.entry); });
  return chosen;
}

bool matches(const Variant& variant, const Pattern& expression) {
  return expression.matches(name_of(variant.model)) || expression.matches(variant.name);
}

// Why this build has no variant of these kernels that matches, if it was left out; empty: there is no such name.
std::string why_left_out(const Pattern& expression, const std::vector<Chosen>& chosen) {
  for (const ModelBuild& build : model_builds())
    if (!build.built && expression.matches(name_of(build.model)))
      return std::string("the model ") + name_of(build.model) + " is left out of this build: " + build.reason;
  for (const LeftOut& left : left_out()) {
    if (!expression.matches(left.variant) && !expression.matches(model_of(left.variant))) continue;
    if (std::any_of(chosen.begin(), chosen.end(),
                    [&](const Chosen& one) { return one.entry->folder == left.folder; }))
      return "the variant " + left.variant + " is left out of this build: " + left.reason;
  }
  return {};
}

[[noreturn]] void refuse_variant(const std::string& pattern, const std::vector<Chosen>& chosen) {
  std::vector<std::string> names;
  for (const Chosen& one : chosen)
    for (const Variant& variant : one.entry->variants)
      for (const std::string& name : {std::string(name_of(variant.model)), variant.name})
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  const std::string where = chosen.size() == 1 ? " of " + chosen.front().kernel().name : "";
  throw UserError("no variant" + where + " matches `" + pattern + "`." + did_you_mean(pattern, names) +
                  " `sextant list variants` lists them.");
}

// What is left out of the build is a note where other patterns find something.
void choose_variants(const Selection& selection, std::vector<Chosen>* chosen,
                     std::vector<std::string>* notes) {
  std::vector<Pattern> expressions;
  std::vector<std::string> left_out_texts;
  for (const std::string& pattern : selection.variants) {
    expressions.emplace_back(pattern, "--variants");
    const bool found = std::any_of(chosen->begin(), chosen->end(), [&](const Chosen& one) {
      return std::any_of(one.entry->variants.begin(), one.entry->variants.end(),
                         [&](const Variant& variant) { return matches(variant, expressions.back()); });
    });
    if (found) continue;
    left_out_texts.push_back(why_left_out(expressions.back(), *chosen));
    if (left_out_texts.back().empty()) refuse_variant(pattern, *chosen);
  }
  if (!left_out_texts.empty() && left_out_texts.size() == selection.variants.size())
    throw UserError(left_out_texts.front() + ". `sextant doctor` says what each model needs.",
                    ExitCode::missing);
  if (notes) notes->insert(notes->end(), left_out_texts.begin(), left_out_texts.end());
  // The study compares what its models were; what came later is asked for.
  const auto in_study = [&](const Variant& variant) {
    return !is_study(selection) || (variant.model != Model::stdpar && variant.model != Model::target);
  };
  for (Chosen& one : *chosen) {
    for (const Variant& variant : one.entry->variants)
      if (expressions.empty() ? in_study(variant)
                              : std::any_of(expressions.begin(), expressions.end(),
                                            [&](const Pattern& e) { return matches(variant, e); }))
        one.variants.push_back(&variant);
    // What others are compared with comes first, whatever the files' names.
    std::stable_partition(one.variants.begin(), one.variants.end(),
                          [](const Variant* variant) { return variant->name == "serial.baseline"; });
  }
}

// Whether a variant runs at a place.
bool suits(const Variant& variant, const Place& place) {
  if (is_in_parts(variant.home) != place.in_parts() || needs_gpu(variant) != place.on_gpu) return false;
  return !place.in_parts() || has_a_process_each(variant) == (place.ranks > 0);
}

std::string how_parts_are_asked_for(const Variant& variant) {
  if (!has_a_process_each(variant))
    return variant.name +
           " runs on several GPUs, each of which has a part of the problem: -d says which, e.g. -d gpu0:1,gpu0-1,gpu0-3.";
  const std::string processes = variant.name + " runs with several processes, each of which has ";
  return processes + (needs_gpu(variant)
                          ? "a GPU and a part of the problem: -d says how many, e.g. -d 1xgpu,2xgpu,4xgpu."
                          : "a part of the problem: -d says how many, e.g. -d 1xcpu,2xcpu,4xcpu.");
}

// The first of those selected, if each of them runs in parts.
const Variant* first_if_all_in_parts(const std::vector<Chosen>& chosen) {
  const Variant* first = nullptr;
  for (const Chosen& one : chosen)
    for (const Variant* variant : one.variants) {
      if (!is_in_parts(variant->home)) return nullptr;
      if (!first) first = variant;
    }
  return first;
}

// Those that run in parts are chosen by a place, which says in how many.
void leave_out_parted(const Selection& selection, std::vector<Chosen>* chosen) {
  const Variant* left = nullptr;
  bool any = false;
  for (Chosen& one : *chosen) {
    for (const Variant* variant : one.variants)
      if (is_in_parts(variant->home)) left = variant;
    std::erase_if(one.variants, [](const Variant* variant) { return is_in_parts(variant->home); });
    any |= !one.variants.empty();
  }
  if (any || !left || selection.variants.empty()) return;
  throw UserError(how_parts_are_asked_for(*left));
}

// Why nothing that is selected runs at a place, for people.
std::string where_others_run(const Place& place) {
  if (place.ranks > 0 && place.on_gpu)
    return "variants of ranks with a GPU each do, such as cuda.mpi_staged of heat3d_r1; gpu0-3 is four GPUs of one process";
  if (place.ranks > 0) return "variants of ranks do, such as openmp.mpi of triad";
  if (place.is_team()) return "variants of teams do, such as cuda.peers of all_reduce";
  return place.on_gpu ? "serial, openmp, stdpar and CPU libraries run on cpu"
                      : "cuda, openacc and target run on GPUs";
}

void choose_device(const Selection& selection, std::vector<Chosen>* chosen) {
  if (selection.device.empty() && selection.parted) return;
  if (selection.device.empty()) return leave_out_parted(selection, chosen);
  std::vector<Place> places;
  for (const std::string& text : places_in(selection.device)) {
    const std::optional<Place> place = place_of(text);
    if (!place)
      throw UserError(
          "there is no device `" + text +
          "`. Devices are named cpu, gpu0, gpu1, …; 2xcpu is two processes with half of the cores each, 2xgpu "
          "two with a GPU each, gpu0-3 four GPUs of one process, gpu0:2 two parts on one GPU (16 parts at most); "
          "`sextant list devices` lists them.");
    places.push_back(*place);
    const bool any = std::any_of(chosen->begin(), chosen->end(), [&](const Chosen& one) {
      return std::any_of(one.variants.begin(), one.variants.end(),
                         [&](const Variant* variant) { return suits(*variant, *place); });
    });
    if (any) continue;
    if (place->on_gpu && !place->in_parts() && selection.variants.empty())
      throw UserError(
          "no model of this build runs on " + text + ". `sextant doctor` says what each model needs.",
          ExitCode::missing);
    const Variant* parted = place->in_parts() ? nullptr : first_if_all_in_parts(*chosen);
    if (parted) throw UserError(how_parts_are_asked_for(*parted));
    throw UserError("none of the selected variants runs on " + text + ": " + where_others_run(*place) +
                    ". `sextant list variants` says where each runs.");
  }
  for (Chosen& one : *chosen)
    std::erase_if(one.variants, [&](const Variant* variant) {
      return std::none_of(places.begin(), places.end(),
                          [&](const Place& place) { return suits(*variant, place); });
    });
}

void check_types(const Selection& selection, const std::vector<Chosen>& chosen) {
  for (const ElementType type : selection.types)
    if (std::none_of(chosen.begin(), chosen.end(), [&](const Chosen& one) { return one.kernel().has(type); }))
      throw UserError(std::string("none of the selected kernels has the type ") + name_of(type) +
                      ". `sextant list kernels` says which types each has.");
}

// Whether `key` is the threads of a variant that has them beside its tunables; refuses what no number of threads is.
bool is_thread_count(const std::string& key, const std::vector<TunedValue>& values,
                     const std::vector<Chosen>& chosen) {
  if (key != thread_count) return false;
  for (const Chosen& one : chosen)
    for (const Variant* variant : one.variants) {
      if (!takes_thread_count(*variant)) continue;
      if (std::any_of(values.begin(), values.end(), [](int value) { return value < 1; }))
        throw UserError("threads cannot be fewer than 1.");
      return true;
    }
  return false;
}

// Held against the tunables of the selected variants: each key must be one, each value one of its choices.
void check_tunings(const Selection& selection, const std::vector<Chosen>& chosen) {
  for (const auto& [key, values] : selection.tunings) {
    if (is_thread_count(key, values, chosen)) continue;
    std::vector<std::string> names;
    std::vector<TunedValue> choices;
    for (const Chosen& one : chosen)
      for (const Variant* variant : one.variants)
        for (const Tunable& tunable : variant->tunables) {
          if (std::find(names.begin(), names.end(), tunable.name) == names.end())
            names.push_back(tunable.name);
          if (tunable.name != key) continue;
          for (const TunedValue& value : values_of(*variant, tunable, one.entry->texts))
            if (!is_asked(value, choices)) choices.push_back(value);
        }
    if (choices.empty())
      throw UserError(
          "none of the selected variants has a tunable `" + key + "`." + did_you_mean(key, names) +
          (names.empty() ? " They have no tunables at all."
                         : " Theirs are " + joined(names) + "; `sextant list variants` lists them."));
    std::stable_sort(choices.begin(), choices.end(), [](int a, int b) { return a < b; });
    for (const TunedValue& value : values) {
      if (std::any_of(choices.begin(), choices.end(),
                      [&](const TunedValue& choice) { return is_asked(choice, value); }))
        continue;
      std::vector<std::string> allowed;
      for (const TunedValue& choice : choices) allowed.push_back(value_text(choice));
      throw UserError(key + " cannot be " + value_text(value) + ". Its choices are " + joined(allowed) + ".");
    }
  }
}

std::int64_t smallest_size(const Kernel& kernel, std::int64_t too_small) {
  std::int64_t low = too_small, high = too_small;
  while (kernel.extents(high).count() == 0 && high < (std::int64_t{1} << 40)) high *= 2;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (kernel.extents(middle).count() == 0 ? low : high) = middle;
  }
  return high;
}

struct Sized {
  std::string name;  // of the class, or what else says which problem it is; empty for a plain N
  Problem problem;   // but for its type
  bool every_tuning = false;
};

void add_sizes(const Kernel& kernel, std::vector<std::int64_t> sizes, std::vector<Sized>* problems,
               std::vector<std::string>* notes) {
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (!kernel.extents && !sizes.empty())
    notes->push_back(kernel.name + " has no sizes but named problems: sizes are left out for it");
  else
    for (const std::int64_t n : sizes) {
      const Problem problem{n, ElementType::float32, kernel.extents(n), kernel.standard_parameters()};
      if (problem.extents.count() > 0)
        problems->push_back({"", problem});
      else
        notes->push_back(kernel.name + ": N = " + std::to_string(n) +
                         " is too small, left out; the smallest is " +
                         std::to_string(smallest_size(kernel, n)));
    }
}

void add_shapes(const Kernel& kernel, const std::vector<Extents>& shapes, std::vector<Sized>* problems,
                std::vector<std::string>* notes) {
  if (!kernel.shaped && !shapes.empty()) {
    notes->push_back(kernel.name + " takes no shapes: they are left out for it");
    return;
  }
  for (const Extents& shape : shapes)
    problems->push_back(
        {shape_text(shape), {shape.count(), ElementType::float32, shape, kernel.standard_parameters()}});
}

// A parameter's value, and a name that says it.
void set_parameter(const Kernel& kernel, std::size_t index, std::int64_t value, Sized* sized) {
  sized->problem.parameters[index] = value;
  if (sized->name.empty()) sized->name = std::to_string(sized->problem.n);
  sized->name += std::string(" ") + kernel.parameter_list[index].name + '=' + std::to_string(value);
}

constexpr std::int64_t tuned_size = 8192;

// What `verify` takes (of a kernel that refuses three extents, shapes of two): tiny, odd, prime, uneven, round and (for what wants powers of two) long sizes; at one of them every tuning; and at few of them
// the further values of parameters that are to be checked.
void add_small(const Kernel& kernel, std::vector<Sized>* problems, std::vector<std::string>* notes) {
  static const std::vector<std::int64_t> sizes = {
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 17, 97, 1000, 4099, 7936, 8192, 31193, 65536, 130560, 500009};
  static const std::vector<Extents> shapes = {
      {1, 1, 1},   {2, 3, 4},   {8, 4, 2},   {32, 16, 8},  {7, 5, 3},    {33, 17, 9}, {64, 13, 31},
      {131, 6, 5}, {5, 131, 6}, {6, 5, 131}, {1024, 4, 2}, {2, 1024, 4}, {4, 2, 1024}};
  static const std::vector<Extents> flat_shapes = {{1, 1, 1},    {2, 3, 1},    {3, 2, 1},      {8, 4, 1},
                                                   {7, 5, 1},    {33, 17, 1},  {32, 16, 1},    {64, 13, 1},
                                                   {131, 6, 1},  {5, 131, 1},  {1000, 333, 1}, {1024, 4, 1},
                                                   {4, 1024, 1}, {1, 4099, 1}, {4099, 1, 1},   {500, 500, 1}};
  static const Extents tuned_shapes[] = {{32, 16, 8}, {32, 16, 1}, {33, 17, 1}},
                       stepped_shapes[] = {{33, 17, 9}, {131, 6, 5}, {32, 16, 8}};
  const bool flat =
      kernel.refuse && kernel.refuse({64, ElementType::float32, {2, 4, 8}, kernel.standard_parameters()});
  if (kernel.shaped)
    add_shapes(kernel, flat ? flat_shapes : shapes, problems, notes);
  else
    add_sizes(kernel, sizes, problems, notes);
  const std::size_t plain = problems->size();
  for (std::size_t at = 0; at < plain; ++at) {
    Sized& sized = (*problems)[at];
    const bool tuned = std::find(std::begin(tuned_shapes), std::end(tuned_shapes), sized.problem.extents) !=
                       std::end(tuned_shapes);
    sized.every_tuning = kernel.shaped ? tuned : sized.problem.n == tuned_size;
    const bool stepped = std::find(std::begin(stepped_shapes), std::end(stepped_shapes),
                                   sized.problem.extents) != std::end(stepped_shapes);
    if (!(kernel.shaped ? stepped : sized.every_tuning)) continue;
    const Sized like = sized;
    for (std::size_t i = 0; i < kernel.parameter_list.size(); ++i)
      for (const std::int64_t value : kernel.parameter_list[i].checked) {
        problems->push_back(like);
        problems->back().every_tuning = false;
        set_parameter(kernel, i, value, &problems->back());
      }
  }
}

// Of a selection that asks for none.
void add_defaults(const Kernel& kernel, bool small, std::vector<Sized>* problems,
                  std::vector<std::string>* notes) {
  if (small && (kernel.shaped || kernel.extents)) return add_small(kernel, problems, notes);
  if (!kernel.sizes.empty()) return add_sizes(kernel, kernel.sizes, problems, notes);
  if (!kernel.classes.empty())
    problems->push_back({kernel.classes.front().name, kernel.classes.front().problem});
  else
    add_sizes(kernel, {std::begin(study_sizes), std::end(study_sizes)}, problems, notes);
}

// Each problem with each of the values asked for of each of the kernel's parameters.
std::vector<Sized> with_parameters(const Kernel& kernel, const Selection& selection,
                                   std::vector<Sized> problems) {
  for (std::size_t i = 0; i < kernel.parameter_list.size(); ++i) {
    const auto asked = selection.parameters.find(kernel.parameter_list[i].name);
    if (asked == selection.parameters.end()) continue;
    std::vector<Sized> longer;
    for (const Sized& sized : problems)
      for (const std::int64_t value : asked->second) {
        longer.push_back(sized);
        if (sized.problem.parameters[i] == value) continue;
        set_parameter(kernel, i, value, &longer.back());
      }
    problems = std::move(longer);
  }
  return problems;
}

// The elements of a kernel's arrays at a size: of the largest, and of all.
struct ArrayElements {
  std::int64_t largest = 0, all = 0;
};

ArrayElements elements_at(const Kernel& kernel, std::int64_t n) {
  const Problem problem{n, ElementType::float32, kernel.extents(n), kernel.standard_parameters()};
  ArrayElements result;
  for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
    const std::int64_t elements = kernel.elements(problem, static_cast<int>(i));
    result.largest = std::max(result.largest, elements);
    result.all += elements;
  }
  return result;
}

// The N at which the kernel's largest array has `elements`, or as many as it can have below that.
std::int64_t size_of_array(const Kernel& kernel, std::int64_t elements) {
  const auto arrays = static_cast<std::int64_t>(kernel.arrays.size());
  std::int64_t low = 0, high = (elements + 1) * (arrays + 1);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (elements_at(kernel, middle).largest <= elements ? low : high) = middle;
  }
  const std::int64_t all = elements_at(kernel, low).all;  // no more than the arrays need
  return all > 0 && kernel.extents(all) == kernel.extents(low) ? all : low;
}

// N of all that is asked for as a number, with a note on what it was understood as where that is not N itself.
std::vector<std::int64_t> sizes_of(const Kernel& kernel, const Selection& selection, ElementType type,
                                   std::vector<std::string>* notes) {
  std::vector<std::int64_t> sizes = selection.sizes;
  if (!kernel.extents) {  // add_sizes says that they are left out
    sizes.insert(sizes.end(), selection.array_sizes.begin(), selection.array_sizes.end());
    sizes.insert(sizes.end(), selection.byte_sizes.begin(), selection.byte_sizes.end());
    return sizes;
  }
  for (const std::int64_t elements : selection.array_sizes) {
    const std::int64_t n = size_of_array(kernel, elements);
    sizes.push_back(n);
    notes->push_back(kernel.name + ": " + std::to_string(elements) + "/array is N = " + std::to_string(n) +
                     ", the largest array has " + std::to_string(elements_at(kernel, n).largest) +
                     " elements");
  }
  for (const std::int64_t bytes : selection.byte_sizes) {
    const std::int64_t n = bytes / static_cast<std::int64_t>(element_size(type));
    sizes.push_back(std::max<std::int64_t>(n, 1));
    notes->push_back(kernel.name + ": " + std::to_string(bytes) + " bytes of " + name_of(type) +
                     " are N = " + std::to_string(sizes.back()));
  }
  return sizes;
}

// The problems of one kernel: sizes, smallest first, shapes, the named ones.
std::vector<Sized> problems_of(const Kernel& kernel, const Selection& selection, ElementType type,
                               std::vector<std::string>* notes) {
  std::vector<Sized> problems;
  if (!selection.asks_for_problems()) add_defaults(kernel, selection.small_problems, &problems, notes);
  add_sizes(kernel, sizes_of(kernel, selection, type, notes), &problems, notes);
  add_shapes(kernel, selection.shapes, &problems, notes);
  for (const NamedProblem& named : kernel.classes)
    if (std::find(selection.classes.begin(), selection.classes.end(), named.name) != selection.classes.end())
      problems.push_back({named.name, named.problem});
  problems = with_parameters(kernel, selection, std::move(problems));
  for (Sized& sized : problems) sized.problem.type = type;
  std::erase_if(problems, [&](const Sized& sized) {
    const char* reason = kernel.refuse ? kernel.refuse(sized.problem) : nullptr;
    // Of the problems for checks some are none of this kernel's, as they should be.
    if (reason && !selection.small_problems)
      notes->push_back(kernel.name + ": " +
                       (sized.name.empty() ? "N = " + std::to_string(sized.problem.n) : sized.name) +
                       " is left out: " + reason);
    return reason != nullptr;
  });
  return problems;
}

// Each parameter asked for must be some selected kernel's, each value within its range.
void check_parameters(const Selection& selection, const std::vector<Chosen>& chosen) {
  for (const auto& [key, values] : selection.parameters) {
    std::vector<std::string> names;
    bool known = false;
    for (const Chosen& one : chosen)
      for (const Parameter& parameter : one.kernel().parameter_list) {
        if (std::find(names.begin(), names.end(), parameter.name) == names.end())
          names.emplace_back(parameter.name);
        if (parameter.name != key) continue;
        known = true;
        for (const std::int64_t value : values)
          if (value < parameter.least || value > parameter.most)
            throw UserError(key + " of " + one.kernel().name + " cannot be " + std::to_string(value) +
                            ": it lies between " + std::to_string(parameter.least) + " and " +
                            std::to_string(parameter.most) + ".");
      }
    if (!known)
      throw UserError("none of the selected kernels has a parameter `" + key + "`." +
                      did_you_mean(key, names) +
                      (names.empty() ? " They have none." : " Theirs are " + joined(names) + "."));
  }
}

void check_classes(const Selection& selection, const std::vector<Chosen>& chosen) {
  for (const std::string& wanted : selection.classes) {
    std::vector<std::string> names;
    for (const Chosen& one : chosen)
      for (const NamedProblem& named : one.kernel().classes)
        if (std::find(names.begin(), names.end(), named.name) == names.end()) names.push_back(named.name);
    if (std::find(names.begin(), names.end(), wanted) != names.end()) continue;
    throw UserError("no selected kernel has a problem class `" + wanted + "`." +
                    (names.empty()
                         ? " They are sized by numbers: 7936, 64Ki, 2^20, 1Ki:64Mi:x4 or 32:2048:+32."
                         : did_you_mean(wanted, names) + " Theirs are " + joined(names) + "."));
  }
}

std::vector<int> sorted(std::vector<int> values) {
  std::sort(values.begin(), values.end());
  return values;
}

// Each of the tunings with each of the values of one more tunable.
std::vector<Tuning> combined(const std::vector<Tuning>& tunings, const char* name,
                             const std::vector<int>& values) {
  std::vector<Tuning> longer;
  for (const Tuning& tuning : tunings)
    for (const int value : values) {
      longer.push_back(tuning);
      longer.back().emplace_back(name, value);
    }
  return longer;
}

// The tunings asked for, in ascending order of their values, the first tunable changing slowest. Empty if the
// variant has none of the values asked for one of its tunables.
std::vector<Tuning> tunings_of(const Variant& variant, const Problem& problem, const Selection& selection,
                               const ChoiceTexts& texts, bool all) {
  const Tuning standard = default_tuning(variant, problem);
  std::vector<Tuning> tunings = {{}};
  for (std::size_t i = 0; i < variant.tunables.size(); ++i) {
    const Tunable& tunable = variant.tunables[i];
    std::vector<int> values = {standard[i].second};
    const auto asked = selection.tunings.find(tunable.name);
    if (asked != selection.tunings.end()) {
      values.clear();
      for (const TunedValue& choice : values_of(variant, tunable, texts))
        if (is_asked(choice, asked->second)) values.push_back(choice);
    } else if (all || selection.all_tunings) {
      values = tunable.choices;
    }
    tunings = combined(tunings, tunable.name, values);
  }
  const auto threads = selection.tunings.find(thread_count);
  if (threads == selection.tunings.end() || !takes_thread_count(variant)) return tunings;
  return combined(tunings, thread_count, sorted({threads->second.begin(), threads->second.end()}));
}

// The standard tuning, and each other choice of each tunable with the others as they are there.
std::vector<Tuning> each_choice(const Variant& variant, const Problem& problem) {
  const Tuning standard = default_tuning(variant, problem);
  std::vector<Tuning> tunings = {standard};
  for (std::size_t i = 0; i < variant.tunables.size(); ++i)
    for (const int choice : variant.tunables[i].choices)
      if (choice != standard[i].second) {
        tunings.push_back(standard);
        tunings.back()[i].second = choice;
      }
  return tunings;
}

// Every tuning where there are few, else every choice of each tunable.
std::vector<Tuning> tunings_to_check(const Variant& variant, const Problem& problem,
                                     const Selection& selection, const ChoiceTexts& texts) {
  constexpr std::size_t few = 64;
  std::size_t all = 1;
  for (const Tunable& tunable : variant.tunables) all = std::min(2 * few, all * tunable.choices.size());
  const bool asked = !selection.tunings.empty() || selection.all_tunings;
  return asked || all <= few ? tunings_of(variant, problem, selection, texts, true)
                             : each_choice(variant, problem);
}

// Whether a size is each part's, however many there are: a collective's arrays grow with the parts.
bool is_of_each_part(const Kernel& kernel, Problem problem) {
  if (!kernel.length) return false;
  problem.extents.x *= 2;  // so that two parts are even
  problem.parts = 2;
  const std::int64_t of_two = kernel.length(problem, 0);
  problem.parts = 1;
  return of_two == 2 * kernel.length(problem, 0);
}

// `factor` times as much of the slowest axis. Empty where there is no such problem.
std::optional<Sized> times_as_much(const Kernel& kernel, const Sized& sized, int factor) {
  if (factor == 1) return sized;
  Sized larger = sized;
  Problem& problem = larger.problem;
  std::int64_t& slowest = problem.extents.z > 1   ? problem.extents.z
                          : problem.extents.y > 1 ? problem.extents.y
                                                  : problem.extents.x;
  constexpr std::int64_t most = std::int64_t{1} << 50;
  if (problem.n > most / factor || problem.extents.count() > most / factor) return {};
  slowest *= factor;
  problem.n *= factor;
  if (larger.name.empty()) larger.name = std::to_string(sized.problem.n);
  larger.name += each_part;
  return kernel.refuse && kernel.refuse(problem) ? std::nullopt : std::optional(larger);
}

void add_once(const std::string& note, std::vector<std::string>* notes) {
  if (std::find(notes->begin(), notes->end(), note) == notes->end()) notes->push_back(note);
}

void plan_variant(const Chosen& chosen, const Variant& variant, bool every_tuning, const Selection& selection,
                  Case one, std::vector<Case>* cases, std::vector<std::string>* notes) {
  one.variant = variant.name;
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
void plan_problem(const Chosen& chosen, const Sized& plain, ElementType type, const Selection& selection,
                  std::vector<Case>* cases, std::vector<std::string>* notes) {
  const bool grows = selection.weak_scaling && !is_of_each_part(chosen.kernel(), plain.problem);
  if (selection.weak_scaling && !grows)
    add_once(chosen.kernel().name + ": its size is each part's in any case, --scale weak changes nothing",
             notes);
  for (const std::string& text : places_in(selection.device)) {
    const std::optional<Place> place = place_of(text);
    const int parts = place ? place->parts() : 1;
    const std::optional<Sized> sized = times_as_much(chosen.kernel(), plain, grows ? parts : 1);
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

std::vector<const RegisteredKernel*> study_kernels() {
  std::vector<const RegisteredKernel*> kernels;
  for (const RegisteredKernel& entry : registry())
    if (in_study(entry.kernel)) kernels.push_back(&entry);
  std::stable_sort(kernels.begin(), kernels.end(), [](const RegisteredKernel* a, const RegisteredKernel* b) {
    return a->kernel.study.place < b->kernel.study.place;
  });
  return kernels;
}

const char* default_device(const Variant& variant) { return needs_gpu(variant) ? "gpu0" : "cpu"; }

std::vector<TunedValue> values_of(const Variant& variant, const Tunable& tunable, const ChoiceTexts& texts) {
  Tuning named;
  for (const int choice : tunable.choices) named.emplace_back(tunable.name, choice);
  add_texts(texts, variant.name, &named);
  std::vector<TunedValue> values;
  for (const auto& [name, value] : named) values.push_back(value);
  return values;
}

Tuning default_tuning(const Variant& variant, const Problem& problem) {
  std::vector<int> values;
  for (const Tunable& tunable : variant.tunables) values.push_back(tunable.preferred);
  if (variant.adapt) variant.adapt(problem, values.data());
  Tuning tuning;
  for (std::size_t i = 0; i < values.size(); ++i) tuning.emplace_back(variant.tunables[i].name, values[i]);
  return tuning;
}

std::vector<SelectedKernel> select_variants(const Selection& selection, std::vector<std::string>* notes) {
  std::vector<Chosen> chosen = choose_kernels(selection);
  choose_variants(selection, &chosen, notes);
  choose_device(selection, &chosen);
  return chosen;
}

std::vector<Case> plan(const Selection& selection, std::vector<std::string>* notes) {
  std::vector<std::string> unheard;
  if (!notes) notes = &unheard;
  const std::vector<Chosen> chosen = select_variants(selection, notes);
  check_types(selection, chosen);
  check_classes(selection, chosen);
  check_parameters(selection, chosen);
  check_tunings(selection, chosen);

  std::vector<Case> cases;
  for (const Chosen& one : chosen) {
    if (one.variants.empty()) continue;
    for (const ElementType type : all_types) {
      const bool wanted = selection.types.empty() || std::find(selection.types.begin(), selection.types.end(),
                                                               type) != selection.types.end();
      if (!wanted || !one.kernel().has(type)) continue;
      const std::vector<Sized> problems = problems_of(one.kernel(), selection, type, notes);
      for (const Sized& sized : problems) plan_problem(one, sized, type, selection, &cases, notes);
    }
  }
  std::vector<std::string> once;  // types share most notes
  for (const std::string& note : *notes)
    if (std::find(once.begin(), once.end(), note) == once.end()) once.push_back(note);
  *notes = std::move(once);
  if (cases.empty())
    throw UserError(notes->empty()
                        ? "the selection has no case: no variant has all that is asked for. `sextant list "
                          "variants` says what each has."
                        : "the selection has no case: " + joined(*notes) + ".");
  return cases;
}

}  // namespace sextant
