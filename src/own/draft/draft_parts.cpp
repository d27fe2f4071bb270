#include "own/draft/draft_parts.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/join.hpp"
#include "own/draft/collector.hpp"
#include "own/draft/function_fit.hpp"
#include "own/draft/launch_steps.hpp"
#include "own/draft/launchers.hpp"
#include "own/draft/returned_results.hpp"
#include "own/draft/same_parameters.hpp"
#include "own/draft/step_choice.hpp"

namespace sextant::own {
namespace {

constexpr std::ptrdiff_t most_sizes = 16;

// Gives arrays that a loop swaps the same lengths.
void lengthen_swapped(const std::set<std::size_t>& swapped, DraftParts* parts) {
  std::vector<Polynomial> lengths;
  for (const std::size_t one : swapped)
    for (const Polynomial& length : parts->arrays[one].lengths) lengths.push_back(length);
  lengths = longest_lengths(lengths);
  for (const std::size_t one : swapped) parts->arrays[one].lengths = lengths;
}

// Adds the functions to the draft. A function is left out if it would exceed the limit of arrays or sizes.
void collect(const std::string& source, const std::string& file, std::vector<Signature> functions,
             DraftParts* parts) {
  DraftNames names;
  std::set<std::string> fixed;
  for (Signature& one : functions) {
    DraftParts with = *parts;
    DraftNames with_names = names;
    std::set<std::string> with_fixed = fixed;
    const std::string place = place_of(one);
    add_function(source, std::move(one), &with, &with_names, &with_fixed);
    const auto sizes =
        std::count_if(with.numbers.begin(), with.numbers.end(), [](const DraftNumber& n) { return !n.real; });
    if (with.arrays.size() > most_arrays || sizes > most_sizes) {
      parts->left_out.push_back(place + ": with it, the description would have more than 16 arrays or sizes");
      continue;
    }
    *parts = std::move(with), names = std::move(with_names), fixed = std::move(with_fixed);
  }
  if (parts->functions.empty())
    throw UserError(file +
                    ": every function has more than 16 arrays or sizes. Give one function fewer parameters.");
  choose_types(fixed, parts);
  lengthen_swapped(parts->swapped, parts);
  for (const DraftFunction& one : parts->functions) lengthen_swapped(one.swapped, parts);
}

}  // namespace

std::string place_of(const Signature& one) { return one.name + " (line " + std::to_string(one.line) + ")"; }

const DraftNumber* DraftParts::number_named(const std::string& name) const {
  const auto found =
      std::find_if(numbers.begin(), numbers.end(), [&](const DraftNumber& one) { return one.name == name; });
  return found == numbers.end() ? nullptr : &*found;
}

namespace {

// Adds the functions, of which some are left out, to `parts`.
DraftParts parts_of(const std::string& source, const std::string& file, SourceFunctions found,
                    DraftParts parts) {
  parts.before = std::move(found.before);
  std::vector<Signature> fit;
  std::vector<std::size_t> numbers;  // indices of left_out of the functions that return a number
  std::set<std::string> names;
  bind_launches([](const Signature& one) { return why_unfit(one).empty(); }, &found.functions, &parts);
  for (const Signature& one : found.functions)
    if (parts.launcher > 0 && one.body == parts.launcher) parts.launcher_name = one.name;
  for (std::string& line : name_parameters_alike(&found.functions))
    parts.questions.push_back(std::move(line));
  const std::vector<Signature> all = found.functions;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const std::string name = result_name(all[i], all); !name.empty())
      add_result(name, &found.functions[i]);
  for (Signature& one : found.functions) {
    std::string why = why_unfit(one);
    if (why.empty() && !names.insert(one.name).second && !one.bound)
      why = "an earlier function has the same name";
    if (why.empty())
      fit.push_back(std::move(one));
    else if (parts.launcher > 0 && one.body == parts.launcher)
      parts.left_out.push_back(place_of(one) + ": the steps stand for its launches");
    else
      parts.left_out.push_back(place_of(one) + ": " + why);
    if (why == writes_nothing && returns_a_number(one) && one.calls.empty())
      numbers.push_back(parts.left_out.size() - 1);
  }
  // A description has one result.
  if (!fit.empty())
    for (const std::size_t one : numbers)
      parts.left_out[one] += ". It returns a number, but " + place_of(fit.front()) +
                             " writes an array, and a description has one kind of result. To describe it, "
                             "move it to a file of its own";
  if (fit.empty()) {
    std::string message =
        file +
        " has no function to describe: a function needs parameters that are arrays and numbers, and must "
        "write to one of the arrays";
    for (const std::string& one : parts.left_out) message += "\n  " + one;
    throw UserError(message);
  }
  leave_out_called(&fit, &parts);
  add_returned(&fit, &parts);
  const auto drafted = [&](bool may_be_steps) {
    DraftParts result = parts;
    std::vector<Signature> functions = fit;
    choose_functions(may_be_steps, &functions, &result);
    const std::size_t chosen = functions.size();
    collect(source, file, std::move(functions), &result);
    return std::pair(result, result.functions.size() == chosen);
  };
  auto [result, whole] = drafted(true);
  return (result.steps || result.host_steps) && !whole ? drafted(false).first : result;
}

bool has_launcher(const DraftParts& parts) {
  return std::any_of(parts.functions.begin(), parts.functions.end(),
                     [](const DraftFunction& one) { return one.signature.launcher; });
}

// A source that hides host code from the compiler of its kernels hides its launchers, too.
bool hides_host_code(const std::string& source) {
  return source.find("SEXTANT_MODEL_CUDA") != std::string::npos;
}

}  // namespace

DraftParts draft_parts(const std::string& source, const std::string& file, SourceFunctions found) {
  const std::vector<Signature> functions = found.functions;
  std::vector<LauncherPair> pairs;
  if (!hides_host_code(source)) pairs = launcher_pairs(functions);
  if (pairs.empty()) return parts_of(source, file, std::move(found), {});
  DraftParts kernels, launchers;
  try {
    kernels = parts_of(source, file, found, {});
    if (describes_all(kernels, pairs, functions)) return kernels;
  } catch (const UserError&) {  // the launchers may fit
  }
  found.functions = with_launchers(pairs, functions, &launchers);
  launchers = parts_of(source, file, std::move(found), std::move(launchers));
  return has_launcher(launchers) || kernels.functions.empty() ? launchers : kernels;
}

}  // namespace sextant::own
