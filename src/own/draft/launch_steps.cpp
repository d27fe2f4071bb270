#include "own/draft/launch_steps.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "own/draft/launches.hpp"
#include "own/draft/same_parameters.hpp"

namespace sextant::own {
namespace {

constexpr std::size_t most_launches = 16;
constexpr const char* repetition = "step";  // name of the number of the repetition in a description

struct KernelLaunch {
  const Signature* kernel = nullptr;
  CallSite site;

  // Returns the variable that the launch gives for a parameter; empty for other arguments.
  std::string variable(std::size_t parameter) const {
    return parameter < site.passed.size() ? site.passed[parameter] : "";
  }
};

using Chain = std::vector<KernelLaunch>;

std::set<std::string> arrays_of(const KernelLaunch& one, bool read, bool written) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < one.kernel->parameters.size(); ++i) {
    const Parameter& parameter = one.kernel->parameters[i];
    if (parameter.pointer && ((read && parameter.read) || (written && parameter.written)))
      names.insert(one.variable(i));
  }
  names.erase("");
  return names;
}

bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& one) { return b.contains(one); });
}

// Returns true if the second launch reads what the first one writes; in a loop, the next round counts, too.
// Kernels that change the same arrays may be versions of each other, unless one loop launches both.
bool is_linked(const KernelLaunch& first, const KernelLaunch& second) {
  const bool same = arrays_of(first, true, true) == arrays_of(second, true, true) &&
                    arrays_of(first, false, true) == arrays_of(second, false, true);
  const bool one_loop = first.site.loop > 0 && first.site.loop == second.site.loop;
  const auto feeds = [](const KernelLaunch& from, const KernelLaunch& to) {
    return meet(arrays_of(from, false, true), arrays_of(to, true, false));
  };
  return (feeds(first, second) && (!same || one_loop)) || (one_loop && feeds(second, first));
}

// Returns true if a launch only repeats the one before it, as a warm-up does.
bool repeats(const KernelLaunch& before, const KernelLaunch& one) {
  const bool one_loop = one.site.loop > 0 && before.site.loop == one.site.loop;
  return before.kernel == one.kernel && before.site.passed == one.site.passed &&
         before.site.values == one.site.values && !one_loop;
}

// Returns the launches of a function that are linked with another one, in the order of the file.
Chain chain_of(unsigned caller, const std::vector<Signature>& functions) {
  Chain all, chain;
  for (const Signature& one : functions)
    for (const CallSite& site : one.calls)
      if (one.kernel && site.caller == caller) all.push_back({&one, site});
  std::sort(all.begin(), all.end(),
            [](const KernelLaunch& a, const KernelLaunch& b) { return a.site.at < b.site.at; });
  all.erase(std::unique(all.begin(), all.end(), repeats), all.end());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < all.size(); ++k)
      if (i != k && is_linked(all[std::min(i, k)], all[std::max(i, k)])) {
        chain.push_back(all[i]);
        break;
      }
  return chain;
}

Chain longest_chain(const std::vector<Signature>& functions) {
  Chain longest;
  for (const Signature& one : functions)
    for (const CallSite& site : one.calls)
      if (Chain chain = one.kernel ? chain_of(site.caller, functions) : Chain{};
          chain.size() > longest.size())
        longest = std::move(chain);
  return longest;
}

// Returns the parameters' names for the variables of the launches; nothing if a parameter's name stands for
// several variables, or a variable has several such names.
NewNames names_of_parameters(const Chain& chain) {
  NewNames names, variables;
  for (const KernelLaunch& one : chain)
    for (std::size_t i = 0; i < one.kernel->parameters.size(); ++i) {
      const std::string variable = one.variable(i), &name = one.kernel->parameters[i].name;
      if (variable.empty() || variable == one.site.counter) continue;
      if (names.try_emplace(variable, name).first->second != name ||
          variables.try_emplace(name, variable).first->second != variable)
        return {};
    }
  return names;
}

bool same_types(const Signature& launcher, const Signature& host) {
  std::vector<const Parameter*> given;
  for (const Parameter& one : launcher.parameters)
    if (one.type != "CUstream_st") given.push_back(&one);
  return given.size() == host.parameters.size() &&
         std::equal(given.begin(), given.end(), host.parameters.begin(),
                    [](const Parameter* a, const Parameter& b) {
                      return a->pointer == b.pointer && a->type == b.type;
                    });
}

// Returns the names that a function on the host has for the launcher's parameters, by their order. The two
// have the same types, and they are versions of each other by name or the only such functions.
NewNames names_by_order(const Signature* launcher, const std::vector<const Signature*>& hosts) {
  if (!launcher) return {};
  const Signature* found = nullptr;
  for (const Signature* one : hosts)
    if (same_types(*launcher, *one) && (!found || stem_of(one->name) == stem_of(launcher->name))) found = one;
  NewNames names;
  if (!found) return names;
  auto at = found->parameters.begin();
  for (const Parameter& one : launcher->parameters)
    if (one.type != "CUstream_st") names[one.name] = (at++)->name;
  return names;
}

// Returns the names that functions on the host have for variables such as d_x.
NewNames names_by_mark(const Chain& chain, const std::vector<const Signature*>& hosts) {
  NewNames names;
  for (const KernelLaunch& one : chain)
    for (const std::string& variable : one.site.passed)
      for (const Signature* host : hosts)
        for (const Parameter& parameter : host->parameters)
          if (parameter.name == without_mark(variable)) names[variable] = parameter.name;
  return names;
}

// Returns true if a function on the host has each array that the chain writes last.
bool has_results(const Chain& chain, const NewNames& names, const std::vector<const Signature*>& hosts) {
  std::set<std::string> last;
  for (const KernelLaunch& one : chain) {
    for (const std::string& name : arrays_of(one, true, false)) last.erase(name);
    for (const std::string& name : arrays_of(one, false, true)) last.insert(name);
  }
  return std::any_of(hosts.begin(), hosts.end(), [&](const Signature* host) {
    return std::all_of(last.begin(), last.end(), [&](const std::string& variable) {
      const auto found = names.find(variable);
      return std::any_of(host->parameters.begin(), host->parameters.end(), [&](const Parameter& one) {
        return one.written && one.name == (found == names.end() ? variable : found->second);
      });
    });
  });
}

NewNames names_for(const Chain& chain, const std::vector<Signature>& functions) {
  const Signature* launcher = nullptr;
  std::vector<const Signature*> hosts;
  for (const Signature& one : functions) {
    if (one.body == chain.front().site.caller && !one.kernel) launcher = &one;
    if (!one.kernel && !one.launches) hosts.push_back(&one);
  }
  const NewNames own = names_of_parameters(chain);
  const std::vector<NewNames> all = {own, names_by_order(launcher, hosts), names_by_mark(chain, hosts)};
  for (const NewNames& names : all)
    if (!names.empty() && has_results(chain, names, hosts)) return names;
  return own;
}

// Replaces a name in a polynomial by another polynomial.
Polynomial replaced(const Polynomial& in, const std::string& name, const Polynomial& by) {
  if (!in.has(name)) return in;
  const auto [factor, rest] = in.divided_with_rest(Polynomial::of(name));
  return replaced(factor, name, by) * by + rest;
}

void replace(const std::string& name, const Polynomial& by, Signature* function) {
  const auto put = [&](Polynomial* one) { *one = replaced(*one, name, by); };
  const auto put_if = [&](std::optional<Polynomial>* one) {
    if (*one) put(&**one);
  };
  for (Parameter& one : function->parameters) {
    for (std::vector<Polynomial>* list : {&one.lengths, &one.whole})
      for (Polynomial& length : *list) put(&length);
    for (Chooser& by_array : one.chosen_by) put_if(&by_array.factor), put(&by_array.rest);
  }
  for (Axis& axis : function->axes)
    for (std::optional<Polynomial>* one : {&axis.items, &axis.of_block, &axis.block_items}) put_if(one);
  put_if(&function->terms);
  put_if(&function->launched_shared);
  for (Polynomial& one : function->work) put(&one);
}

// Returns the last value of a loop's counter.
Polynomial last_of(const CallSite& site) {
  const bool number = site.count.find_first_not_of("0123456789") == std::string::npos;
  return (number ? Polynomial(std::stoll(site.count)) : Polynomial::of(site.count)) - Polynomial(1);
}

bool is_whole_number(const Parameter& one) {
  return !one.pointer && one.type != "float" && one.type != "double" && one.type != "T";
}

bool is_block_size(const Signature& kernel, const Parameter& one) {
  return std::any_of(kernel.axes.begin(), kernel.axes.end(),
                     [&](const Axis& axis) { return axis.block_name == one.name; });
}

// Makes a signature of one launch. `names` are those of the launcher's variables in the description.
Signature bound(const KernelLaunch& launch, const NewNames& names) {
  Signature one = *launch.kernel;
  const CallSite& site = launch.site;
  one.bound = true;
  one.calls = {site};
  take_launch(site, &one);
  const auto shown = [&](const std::string& name) {
    const auto found = names.find(name);
    return name == site.counter ? repetition : found == names.end() ? name : found->second;
  };
  NewNames renamed;
  std::map<std::string, Polynomial> values;
  for (std::size_t i = 0; i < one.parameters.size(); ++i) {
    Parameter& parameter = one.parameters[i];
    const std::optional<Polynomial> value = i < site.values.size() ? site.values[i] : std::nullopt;
    const std::string variable = launch.variable(i);
    const bool plain = !variable.empty() && variable != site.counter;
    if (is_block_size(one, parameter)) continue;
    if (is_whole_number(parameter) && value && !(plain && *value == Polynomial::of(variable))) {
      parameter.given = value->renamed(shown);
      values[parameter.name] = site.counter.empty() ? *value : replaced(*value, site.counter, last_of(site));
      values[parameter.name] = values[parameter.name].renamed(shown);
    } else if (plain) {
      renamed[parameter.name] = shown(variable);
    }
  }
  for (Parameter& parameter : one.parameters)
    if (parameter.given) renamed[parameter.name] = parameter.name + " given";
  rename_parameters(renamed, &one);
  for (const auto& [name, value] : values) replace(name + " given", value, &one);
  NewNames restored;
  for (Parameter& parameter : one.parameters)
    if (parameter.given) restored[parameter.name] = parameter.name.substr(0, parameter.name.find(' '));
  rename_parameters(restored, &one);
  return one;
}

// Asks for numbers that the launcher computes in a way that is not known, such as a width that halves.
void ask_for_numbers(const KernelLaunch& launch, DraftParts* parts) {
  const std::vector<Parameter>& parameters = launch.kernel->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string name = launch.variable(i);
    const bool known = i < launch.site.values.size() && launch.site.values[i];
    if (!is_whole_number(parameters[i]) || name.empty() || known ||
        is_block_size(*launch.kernel, parameters[i]))
      continue;
    const std::string question = "the file computes " + name + " before it launches " + launch.kernel->name +
                                 ": write it as an expression of sizes, and of `step` if it changes";
    parts->asks_for_launches = true;
    if (std::find(parts->questions.begin(), parts->questions.end(), question) == parts->questions.end())
      parts->questions.push_back(question);
  }
}

// Returns true if each array that a launch gets is a variable.
bool gets_whole_arrays(const KernelLaunch& launch) {
  for (std::size_t i = 0; i < launch.kernel->parameters.size(); ++i)
    if (launch.kernel->parameters[i].pointer && launch.variable(i).empty()) return false;
  return true;
}

}  // namespace

Signature bound_launch(const Signature& kernel, const CallSite& site, const NewNames& names) {
  return bound({&kernel, site}, names);
}

void bind_launches(const std::function<bool(const Signature&)>& fits, std::vector<Signature>* functions,
                   DraftParts* parts) {
  const Chain chain = longest_chain(*functions);
  if (chain.empty() || chain.size() > most_launches) return;
  const bool all = std::all_of(chain.begin(), chain.end(), [&](const KernelLaunch& one) {
    return gets_whole_arrays(one) && fits(*one.kernel);
  });
  const NewNames names = names_for(chain, *functions);
  std::vector<Signature> result;
  const auto in_chain = [&](const Signature& kernel) {
    return std::any_of(chain.begin(), chain.end(),
                       [&](const KernelLaunch& one) { return one.kernel == &kernel; });
  };
  const Signature& first = *chain.front().kernel;
  if (all)
    for (const KernelLaunch& one : chain) {
      result.push_back(bound(one, names));
      ask_for_numbers(one, parts);
    }
  for (const Signature& one : *functions) {
    if (!one.kernel || (!all && (&one == &first || !in_chain(one))))
      result.push_back(one);
    else if (!all)
      parts->left_out.push_back(place_of(one) + ": the file launches it with results of " + place_of(first) +
                                ", but not all these launches can be steps: a step gets variables that point "
                                "to whole arrays, and numbers");
    else if (!in_chain(one))
      parts->left_out.push_back(place_of(one) + ": it is not launched in a row with " + place_of(first));
  }
  parts->launcher = all ? chain.front().site.caller : 0;
  *functions = std::move(result);
}

}  // namespace sextant::own
