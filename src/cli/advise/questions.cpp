#include "cli/advise/questions.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "cli/files/load.hpp"
#include "cli/files/measured_data.hpp"
#include "cli/options/tuned.hpp"
#include "own/kernel/load.hpp"
#include "predict/form_file.hpp"
#include "record/keys.hpp"
#include "tuner/file_text.hpp"

namespace sextant {

using predict::Asked;

Asked asked_of(const Kernel& kernel, const Case& problem, const DataUse& use) {
  Asked asked = {.kernel = predict::kernel_in_type(problem),
                 .problem = predict::name_of_problem(problem),
                 .form = form_with_counts(kernel, problem.problem),
                 .reuse = use.reuse,
                 .resident = use.resident};
  asked.form.cold = problem.cache == CacheMode::cold;
  return asked;
}

namespace {

// Returns a function that returns the problem at another N. The function is null for shapes and problem
// classes (S, W, A, …), because these exist at one size only.
std::function<std::optional<Asked>(std::int64_t)> sizes_of(const Kernel& kernel, const Case& problem,
                                                           const DataUse& use) {
  if (!problem.problem_class.empty() || !kernel.extents) return nullptr;
  return [&kernel, problem, use](std::int64_t n) -> std::optional<Asked> {
    Case other = problem;
    other.problem.n = n;
    other.problem.extents = kernel.extents(n);
    if (other.problem.extents.count() <= 0) return std::nullopt;
    if (kernel.refuse && kernel.refuse(other.problem)) return std::nullopt;
    return asked_of(kernel, other, use);
  };
}

bool is_admitted(const Variant& variant, const Case& one) {
  if (variant.excluded_from_ranking || is_partitioned(variant.memory_space)) return false;
  std::vector<int> values;
  for (const auto& [name, value] : one.tuning) values.push_back(value);
  return values.size() < variant.tunables.size() || !variant.refusal(one.problem, values.data());
}

void add_candidate(const Variant& variant, const Case& one, Question* question) {
  const auto option = predict::option_of(model_of(one.variant), one.device);
  if (!option || !is_admitted(variant, one)) return;
  question->offered[static_cast<std::size_t>(*option)] = true;
  const bool turns = predict::takes_turns(one.variant);
  std::size_t& count = question->asked.variants[static_cast<std::size_t>(*option)];
  if (*option == predict::Option::openmp)
    question->asked.threads_take_turns = turns && (count == 0 || question->asked.threads_take_turns);
  ++count;
  std::vector<Case>& candidates = question->candidates[static_cast<std::size_t>(*option)];
  // The first of them is advised if none was measured.
  const auto place = std::find_if(candidates.begin(), candidates.end(), [&](const Case& other) {
    return !turns && predict::takes_turns(other.variant);
  });
  candidates.insert(place, one);
}

}  // namespace

DataUse parse_reuse(const std::string& text) {
  if (text == "resident") return {1, true};
  std::int64_t uses = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), uses);
  if (error != std::errc() || end != text.data() + text.size() || uses < 1 || uses > 1'000'000'000)
    throw UserError("`" + text +
                    "` of --reuse is not valid. Write the number of calls for each copy of the data, from 1 "
                    "on. Write `resident` if the data are on the device already.");
  return {static_cast<double>(uses), false};
}

std::vector<Question> questions_of(const SelectionOptions& typed, const DataUse& use,
                                   std::vector<std::string>* notes) {
  const Selection selection = typed.load_and_parse();
  if (selection.kernels.empty() && selection.suites.empty() && loaded().empty())
    throw UserError(
        "`sextant advise` needs a kernel and a size, such as -k matmul -n 1Mi. `sextant list kernels` lists "
        "the kernels. --form FILE describes a kernel without code.");
  std::vector<Question> questions;
  for (const auto& [entry, variant, one] : resolve(selection, notes).cases) {
    const Case problem = problem_case(one);
    const Kernel& kernel = entry->kernel;
    auto same = std::find_if(questions.begin(), questions.end(), [&](const Question& question) {
      return key_of(question.what) == key_of(problem);
    });
    if (same == questions.end())
      same = questions.insert(same, {.what = problem,
                                     .asked = asked_of(kernel, problem, use),
                                     .candidates = {},
                                     .at_size = sizes_of(kernel, problem, use)});
    add_candidate(*variant, one, &*same);
  }
  return questions;
}

std::vector<Question> questions_of_form(const std::string& file, const SelectionOptions& typed,
                                        const DataUse& use) {
  if (!typed.kernels.empty() || !typed.suites.empty() || !typed.loads.empty() || !typed.variants.empty())
    throw UserError(
        "--form describes a kernel without code, so -k, -v, --suite and --load have no meaning. Leave them "
        "out.");
  const Selection selection = typed.parse();
  const predict::WrittenForm form = predict::read_form(tuner::text_of_file(file), file);
  std::vector<std::int64_t> sizes = selection.sizes;
  if (form.extents && sizes.empty()) sizes = {form.extents->count()};
  if (sizes.empty())
    throw UserError(file + " has no `extents`. Give the number of items with -n, such as -n 1Mi.");
  if (form.extents && (sizes.size() > 1 || sizes[0] != form.extents->count()))
    throw UserError(file + " has `extents`, which already give the number of items. Leave -n out.");
  std::vector<ElementType> types = selection.types;
  if (types.empty()) types = {form.type.value_or(ElementType::float32)};
  std::vector<Question> questions;
  for (const ElementType type : types) {
    const auto ask = [form, type, use](std::int64_t items) -> std::optional<Asked> {
      return Asked{.kernel = {},
                   .problem = {},
                   .form = predict::form_of(form, items, type),
                   .reuse = use.reuse,
                   .resident = use.resident};
    };
    for (const std::int64_t items : sizes) {
      Question question;
      question.what.kernel = form.name;
      question.what.problem = {items, type, form.extents.value_or(Extents{items, 1, 1}), {}};
      question.asked = *ask(items);
      for (const predict::Option option : {predict::Option::serial, predict::Option::openmp,
                                           predict::Option::openacc, predict::Option::cuda})
        question.offered[static_cast<std::size_t>(option)] = true;
      if (!form.extents) question.at_size = ask;
      questions.push_back(question);
    }
  }
  return questions;
}

void use_tuned_launches(const std::vector<std::string>& files, std::vector<Question>* questions) {
  std::vector<Case> all;
  for (const Question& question : *questions)
    for (const std::vector<Case>& candidates : question.candidates)
      all.insert(all.end(), candidates.begin(), candidates.end());
  // Names of variants without a stored tuning. They are ignored, because this is common.
  std::vector<std::string> unused;
  for (const std::string& file : files)
    if (const Results results = load_results(file); !results.searches.empty()) use_tuned(file, &all, &unused);
  auto next = all.begin();
  for (Question& question : *questions)
    for (std::vector<Case>& candidates : question.candidates)
      for (Case& one : candidates) one = *next++;
}

}  // namespace sextant
