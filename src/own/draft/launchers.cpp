#include "own/draft/launchers.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "base/join.hpp"
#include "own/description/description_reader.hpp"
#include "own/draft/draft_launch.hpp"
#include "own/draft/launch_steps.hpp"
#include "own/draft/returned_results.hpp"
#include "own/draft/same_parameters.hpp"

namespace sextant::own {
namespace {

bool launches(const Signature& launcher, const Signature& kernel) {
  return kernel.kernel && std::any_of(kernel.calls.begin(), kernel.calls.end(),
                                      [&](const CallSite& site) { return site.caller == launcher.body; });
}

const Signature* launcher_of(const Signature& kernel, const std::vector<LauncherPair>& pairs) {
  for (const LauncherPair& pair : pairs)
    if (launches(*pair.launcher, kernel)) return pair.launcher;
  return nullptr;
}

std::set<std::string> names_in(const Signature& one) {
  std::set<std::string> names;
  for (const Parameter& parameter : one.parameters) names.insert(parameter.name);
  return names;
}

// Returns the name of the array for the number that the host function returns.
std::string result_name(const LauncherPair& pair) {
  const std::set<std::string> taken = names_in(*pair.host);
  for (std::size_t i = 0; i < pair.counterparts.size(); ++i) {
    const std::string name = without_mark(pair.launcher->parameters[i].name);
    if (pair.counterparts[i] == LauncherPair::result && !taken.contains(name)) return name;
  }
  return taken.contains("returned") ? "returned_value" : "returned";
}

// Returns the names of the launcher's parameters in the description.
NewNames names_for(const LauncherPair& pair) {
  std::set<std::string> taken = names_in(*pair.host);
  taken.merge(names_in(*pair.launcher));
  taken.insert(result_name(pair));
  NewNames names;
  for (std::size_t i = 0; i < pair.counterparts.size(); ++i) {
    const std::string& own = pair.launcher->parameters[i].name;
    const std::string plain = without_mark(own);
    if (pair.counterparts[i] >= 0)
      names[own] = pair.host->parameters[static_cast<std::size_t>(pair.counterparts[i])].name;
    else if (pair.counterparts[i] == LauncherPair::result)
      names[own] = result_name(pair);
    else if (taken.insert(plain).second)
      names[own] = plain;
  }
  return names;
}

// Makes a parameter of the launcher the host function's one.
void take_counterpart(const Parameter& of_host, Parameter* parameter) {
  const Parameter own = *parameter;
  *parameter = of_host;
  parameter->type = own.type, parameter->element = own.element;
  parameter->on_host = own.on_host, parameter->most = own.most;
  if (own.element) parameter->written = false;
}

Parameter result_array(const Parameter& own, const std::string& name) {
  Parameter array = own;
  array.name = name;
  array.written = true, array.read = array.has_unknown = false;
  array.lengths = array.whole = {Polynomial(1)};
  return array;
}

// Takes from a launch how its kernel uses an array. Lengths that need other names than `numbers` are unknown.
void take_use(const Parameter& in_kernel, const std::set<std::string>& numbers, Parameter* array) {
  array->read = array->read || in_kernel.read;
  array->written = array->written || in_kernel.written;
  array->has_unknown = array->has_unknown || in_kernel.has_unknown;
  array->use.add(in_kernel.use);
  for (const Polynomial& length : in_kernel.lengths) {
    const std::vector<std::string> names = length.names();
    if (std::all_of(names.begin(), names.end(),
                    [&](const std::string& one) { return numbers.contains(one); }))
      array->lengths.push_back(length);
    else
      array->has_unknown = true;
  }
  for (const Chooser& by : in_kernel.chosen_by) array->chosen_by.push_back(by);
}

// Returns how the kernels use an array that the launcher passes to them, in the names of the description.
// Nothing if it passes only parts of the array, or none.
std::optional<Parameter> use_by_kernels(const LauncherPair& pair, const std::string& array,
                                        const std::vector<Signature>& functions) {
  const NewNames names = names_for(pair);
  std::set<std::string> numbers;
  for (const Parameter& one : pair.host->parameters)
    if (!one.pointer) numbers.insert(one.name);
  for (const Parameter& one : pair.launcher->parameters)
    if (!one.pointer) numbers.insert(names.contains(one.name) ? names.at(one.name) : one.name);
  std::optional<Parameter> use;
  for (const Signature& kernel : functions)
    for (const CallSite& site : kernel.calls) {
      if (!kernel.kernel || site.caller != pair.launcher->body) continue;
      const Signature launch = bound_launch(kernel, site, names);
      for (std::size_t i = 0; i < site.passed.size() && i < launch.parameters.size(); ++i) {
        if (site.passed[i] != array) continue;
        if (!use) use.emplace();
        take_use(launch.parameters[i], numbers, &*use);
      }
    }
  return use;
}

// Gives an array of the host function the length that the kernels show, if the host function does not show
// one.
void take_known_length(const std::optional<Parameter>& by_kernels, Parameter* of_host) {
  if (!by_kernels || by_kernels->has_unknown || by_kernels->lengths.empty() || !of_host->has_unknown) return;
  of_host->lengths = by_kernels->lengths;
  of_host->has_unknown = false;
}

class Launcher {
 public:
  Launcher(const LauncherPair& pair, const std::vector<Signature>& functions)
      : pair_(pair), functions_(functions), names_(names_for(pair)), made_(*pair.launcher) {
    made_.kernel = made_.launcher = true;
    made_.launches = false;
    made_.terms = {}, made_.work = {};
    for (std::size_t i = 0; i < made_.parameters.size(); ++i) describe(i);
    if (pair.both_return) add_result(result_name(pair), &made_);
  }

  Signature made() { return std::move(made_); }
  std::vector<std::string> inputs;  // arrays and numbers that the host function does not take

 private:
  std::string shown(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? name : found->second;
  }

  void describe(std::size_t index) {
    Parameter& one = made_.parameters[index];
    const int counterpart = pair_.counterparts[index];
    if (one.type == "CUstream_st") {
      one.stream = true, one.pointer = one.read = one.written = false;
    } else if (counterpart >= 0) {
      describe_counterpart(pair_.host->parameters[static_cast<std::size_t>(counterpart)], &one);
    } else if (counterpart == LauncherPair::result) {
      one = result_array(one, shown(one.name));
    } else {
      if (one.pointer && !one.element) describe_array(&one);
      one.name = shown(one.name);
      if (!one.temporary) inputs.push_back(one.name);
    }
  }

  // Kernels may choose elements by arrays that the host function does not have.
  void describe_counterpart(const Parameter& of_host, Parameter* array) const {
    const std::optional<Parameter> use =
        of_host.pointer ? use_by_kernels(pair_, array->name, functions_) : std::nullopt;
    take_counterpart(of_host, array);
    take_known_length(use, array);
    if (!use) return;
    for (const Chooser& by : use->chosen_by)
      if (std::none_of(pair_.host->parameters.begin(), pair_.host->parameters.end(),
                       [&](const Parameter& one) { return one.name == by.array; }))
        array->chosen_by.push_back(by);
  }

  // An array that kernels write is temporary, because the host function does not have it.
  void describe_array(Parameter* array) const {
    const std::optional<Parameter> use = use_by_kernels(pair_, array->name, functions_);
    const bool writes = !use || use->written;
    array->lengths.clear(), array->whole.clear(), array->chosen_by.clear();
    if (use) array->lengths = use->lengths, array->chosen_by = use->chosen_by, array->use = use->use;
    array->has_unknown = !use || use->has_unknown || use->lengths.empty();
    array->temporary = !array->is_const && !array->on_host && writes;
    array->written = array->temporary, array->read = true;
  }

  const LauncherPair& pair_;
  const std::vector<Signature>& functions_;
  const NewNames names_;
  Signature made_;
};

// Makes arrays that the launcher lacks temporary, and adds the returned number to the results.
Signature host_of(const LauncherPair& pair, const std::vector<Signature>& functions,
                  const Signature& function) {
  Signature host = function;
  for (std::size_t k = 0; k < host.parameters.size(); ++k)
    if (host.parameters[k].pointer && !pair.has(static_cast<int>(k))) host.parameters[k].temporary = true;
  for (std::size_t i = 0; i < pair.counterparts.size(); ++i)
    if (const int k = pair.counterparts[i]; k >= 0 && pair.launcher->parameters[i].pointer)
      take_known_length(use_by_kernels(pair, pair.launcher->parameters[i].name, functions),
                        &host.parameters[static_cast<std::size_t>(k)]);
  if (pair.both_return || pair.has(LauncherPair::result)) add_result(result_name(pair), &host);
  return host;
}

bool has_parameters_of(const Signature& one, const Signature& host) {
  return one.returns == host.returns &&
         std::equal(one.parameters.begin(), one.parameters.end(), host.parameters.begin(),
                    host.parameters.end(), [](const Parameter& a, const Parameter& b) {
                      return a.name == b.name && a.type == b.type && a.written == b.written;
                    });
}

// Asks about arrays and numbers that only one of the two functions has.
void ask_for_others(const LauncherPair& pair, const std::vector<std::string>& inputs, DraftParts* parts) {
  const std::string& launcher = pair.launcher->name;
  const std::string& host = pair.host->name;
  if (!inputs.empty())
    parts->questions.push_back(host + " does not take " + join(inputs) + ": give values with which " +
                               launcher + " computes the same");
  std::vector<std::string> temporary;
  for (std::size_t k = 0; k < pair.host->parameters.size(); ++k)
    if (pair.host->parameters[k].pointer && !pair.has(static_cast<int>(k)))
      temporary.push_back(pair.host->parameters[k].name);
  if (!temporary.empty())
    parts->questions.push_back(launcher + " does not take " + join(temporary) + ", so nothing checks " +
                               (temporary.size() == 1 ? "this array" : "these arrays"));
}

// Returns true if the launcher changes memory itself, or calls functions that launch kernels.
bool does_more_than_launch(const Signature& launcher, const std::vector<Signature>& functions) {
  return launcher.sets_memory || std::any_of(functions.begin(), functions.end(), [&](const Signature& one) {
           return !one.kernel && one.launches &&
                  std::any_of(one.calls.begin(), one.calls.end(),
                              [&](const CallSite& site) { return site.caller == launcher.body; });
         });
}

bool has_function(const DraftParts& parts, const Signature& function) {
  return std::any_of(parts.functions.begin(), parts.functions.end(), [&](const DraftFunction& one) {
    return one.signature.name == function.name && one.signature.kernel == function.kernel;
  });
}

// Returns true if the draft has the kernel, and guesses neither its grid nor its template arguments.
bool has_known_launch(const DraftParts& parts, const Signature& kernel) {
  return has_function(parts, kernel) &&
         std::none_of(parts.functions.begin(), parts.functions.end(), [&](const DraftFunction& one) {
           return one.signature.kernel && one.signature.name == kernel.name &&
                  (!one.guess.empty() || launch_text(parts, one, "", one.signature.step).guessed);
         });
}

}  // namespace

bool describes_all(const DraftParts& parts, const std::vector<LauncherPair>& pairs,
                   const std::vector<Signature>& functions) {
  return !parts.asks_for_launches && std::all_of(pairs.begin(), pairs.end(), [&](const LauncherPair& pair) {
    return !does_more_than_launch(*pair.launcher, functions) && has_function(parts, *pair.host) &&
           std::all_of(functions.begin(), functions.end(), [&](const Signature& one) {
             return !launches(*pair.launcher, one) || has_known_launch(parts, one);
           });
  });
}

std::vector<Signature> with_launchers(const std::vector<LauncherPair>& pairs,
                                      const std::vector<Signature>& functions, DraftParts* parts) {
  std::vector<Signature> result;
  for (const Signature& one : functions) {
    const auto pair = std::find_if(pairs.begin(), pairs.end(),
                                   [&](const LauncherPair& other) { return other.launcher == &one; });
    if (pair != pairs.end()) {
      Launcher launcher(*pair, functions);
      ask_for_others(*pair, launcher.inputs, parts);
      result.push_back(launcher.made());
    } else if (const Signature* by = one.kernel ? launcher_of(one, pairs) : nullptr) {
      parts->left_out.push_back(place_of(one) + ": " + place_of(*by) + " launches it");
    } else {
      result.push_back(!one.kernel && has_parameters_of(one, *pairs.front().host)
                           ? host_of(pairs.front(), functions, one)
                           : one);
    }
  }
  return result;
}

}  // namespace sextant::own
