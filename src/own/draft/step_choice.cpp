#include "own/draft/step_choice.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/join.hpp"

namespace sextant::own {
namespace {

using Names = std::set<std::string>;
using Functions = std::vector<Signature*>;

constexpr std::size_t most_steps = 8;

Names results_of(const Signature& one) {
  Names names;
  for (const Parameter& parameter : one.parameters)
    if (parameter.written && !parameter.temporary) names.insert(parameter.name);
  return names;
}

bool includes(const Names& all, const Names& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

bool is_read(const Parameter& one) { return one.pointer && one.read; }

bool reads_any(const Signature& one, const Names& names) {
  return std::any_of(one.parameters.begin(), one.parameters.end(), [&](const Parameter& parameter) {
    return is_read(parameter) && names.contains(parameter.name);
  });
}

// Returns true if the file launches several kernels in one loop and no kernel writes an array without reading
// it.
bool share_a_loop(const Functions& kernels) {
  const auto changes = [](const Parameter& one) { return !one.written || one.read; };
  return kernels.size() > 1 && std::all_of(kernels.begin(), kernels.end(), [&](const Signature* one) {
           return one->launch_loop > 0 && one->launch_loop == kernels.front()->launch_loop &&
                  std::all_of(one->parameters.begin(), one->parameters.end(), changes);
         });
}

bool are_kernel_steps(const Functions& kernels) {
  Names all;
  bool same = true, linked = false;
  for (const Signature* one : kernels) {
    const Names results = results_of(*one), first = results_of(*kernels.front());
    same = same && results == first;
    linked = linked || (results != first && reads_any(*one, all));
    all.insert(results.begin(), results.end());
  }
  return kernels.size() <= most_steps && ((!same && linked) || (same && share_a_loop(kernels)));
}

unsigned argument(const Signature& function, const CallSite& site, const std::string& name) {
  for (std::size_t i = 0; i < function.parameters.size() && i < site.arguments.size(); ++i)
    if (function.parameters[i].name == name) return site.arguments[i];
  return 0;
}

// Returns true if the call gives an array from its first element on. Other calls are of helpers, which get a
// part of the array.
bool is_given_whole(const Signature& function, const CallSite& site) {
  for (std::size_t i = 0; i < function.parameters.size() && i < site.passed.size(); ++i)
    if (function.parameters[i].pointer && site.passed[i].empty()) return false;
  return true;
}

// Returns true if host function `to` reads an array that `from` writes. If the file calls them, one function
// must call both and give both the same array.
bool passes(const Signature& from, const Signature& to) {
  const Names results = results_of(from);
  if (results == results_of(to)) return false;
  for (const Parameter& one : to.parameters) {
    if (!is_read(one) || !results.contains(one.name)) continue;
    if (from.calls.empty() && to.calls.empty()) return true;
    for (const CallSite& a : from.calls)
      for (const CallSite& b : to.calls)
        if (a.caller == b.caller && is_given_whole(from, a) && is_given_whole(to, b) &&
            argument(from, a, one.name) > 0 && argument(from, a, one.name) == argument(to, b, one.name))
          return true;
  }
  return false;
}

bool calls_any(const Signature& one, const Functions& others) {
  return std::any_of(others.begin(), others.end(), [&](const Signature* other) {
    return std::any_of(other->calls.begin(), other->calls.end(),
                       [&](const CallSite& site) { return site.caller == one.body; });
  });
}

// Returns the host functions of which one reads what another writes. A function that calls others is no step.
// A function that reads no array only sets start values. Of functions with the same results, the first is a
// step.
Functions host_steps(const Functions& hosts) {
  Functions candidates, steps;
  for (Signature* one : hosts) {
    const bool reads = std::any_of(one->parameters.begin(), one->parameters.end(), is_read);
    const bool other = std::any_of(candidates.begin(), candidates.end(), [&](const Signature* known) {
      return results_of(*known) == results_of(*one) && !reads_any(*one, results_of(*one));
    });
    if (reads && !other && !calls_any(*one, hosts)) candidates.push_back(one);
  }
  for (Signature* one : candidates)
    if (std::any_of(candidates.begin(), candidates.end(),
                    [&](const Signature* other) { return passes(*one, *other) || passes(*other, *one); }))
      steps.push_back(one);
  return steps.size() <= most_steps ? steps : Functions{};
}

// Returns the position of the function's first call by `caller`; 0 if there is none.
unsigned first_call(const Signature& one, unsigned caller) {
  for (const CallSite& site : one.calls)
    if (site.caller == caller) return site.at;
  return 0;
}

// Sorts steps by the order in which one function of the file calls them all, if there is such a function.
void order_steps(Functions* steps) {
  for (const CallSite& site : steps->front()->calls) {
    const auto is_called = [&](const Signature* one) { return first_call(*one, site.caller) > 0; };
    if (!std::all_of(steps->begin(), steps->end(), is_called)) continue;
    std::stable_sort(steps->begin(), steps->end(), [&](const Signature* a, const Signature* b) {
      return first_call(*a, site.caller) < first_call(*b, site.caller);
    });
    return;
  }
}

Names union_of(const Functions& functions) {
  Names all;
  for (const Signature* one : functions) all.merge(results_of(*one));
  return all;
}

// Returns the results of the steps that no other step reads.
Names last_results(const Functions& steps) {
  Names last = union_of(steps);
  for (const Signature* one : steps)
    for (const Parameter& parameter : one->parameters)
      if (is_read(parameter) && !parameter.written) last.erase(parameter.name);
  return last;
}

const Parameter* given_as(const Signature& one, const CallSite& site, unsigned variable) {
  for (std::size_t i = 0; i < one.parameters.size() && i < site.arguments.size(); ++i)
    if (one.parameters[i].pointer && variable > 0 && site.arguments[i] == variable) return &one.parameters[i];
  return nullptr;
}

// The functions that one loop of the file calls, with two arrays that it swaps.
struct SwapLoop {
  std::string count;
  Functions functions;
  std::vector<const CallSite*> sites;

  std::string name_of(unsigned variable) const {
    for (std::size_t i = 0; i < functions.size(); ++i)
      if (const Parameter* one = given_as(*functions[i], *sites[i], variable)) return one->name;
    return "";
  }
};

std::map<unsigned, SwapLoop> swap_loops(std::vector<Signature>* functions) {
  std::map<unsigned, SwapLoop> loops;
  for (Signature& one : *functions)
    for (const CallSite& site : one.calls) {
      if (site.swapped.first == 0 || site.swapped.second == 0) continue;
      SwapLoop& loop = loops[site.loop];
      loop.count = site.count;
      if (!loop.functions.empty() && loop.functions.back() == &one) continue;
      loop.functions.push_back(&one);
      loop.sites.push_back(&site);
    }
  return loops;
}

// Makes a function's two arrays results that are read, too, and gives them the same lengths.
void make_swapped(const std::string& a, const std::string& b, Signature* function) {
  Parameter *first = nullptr, *second = nullptr;
  for (Parameter& one : function->parameters) {
    if (one.name == a) first = &one;
    if (one.name == b) second = &one;
  }
  for (Parameter* one : {first, second}) one->read = one->written = true, one->whole.clear();
  first->lengths.insert(first->lengths.end(), second->lengths.begin(), second->lengths.end());
  second->lengths = first->lengths;
  first->has_unknown = second->has_unknown = first->has_unknown || second->has_unknown;
}

std::string question_of(const std::string& names, const std::string& a, const std::string& b) {
  return "the file calls " + names + " in a loop that swaps " + a + " and " + b +
         ": give `repeat` (how often?) and swap = [\"" + a + "\", \"" + b + "\"], with both as \"inout\"";
}

// Returns the names of the two arrays that the loop swaps, in the names of the functions' parameters; empty
// if a description cannot swap them.
std::pair<std::string, std::string> swapped_names(const SwapLoop& loop) {
  const CallSite& site = *loop.sites.front();
  const std::string a = loop.name_of(site.swapped.first), b = loop.name_of(site.swapped.second);
  std::map<std::string, std::string> types;
  for (const Signature* one : loop.functions)
    for (const Parameter& parameter : one->parameters)
      if (parameter.pointer) types.try_emplace(parameter.name, parameter.type);
  if (a.empty() || b.empty() || a == b || types[a] != types[b]) return {};
  return {a, b};
}

// Returns the function that calls another one, unless a loop of the caller swaps arrays: then the caller only
// repeats it. Null if there is none.
const Signature* caller_of(const Signature& called, const std::vector<Signature>& functions) {
  for (const Signature& one : functions)
    for (const CallSite& site : called.calls)
      if (&one != &called && site.caller == one.body && site.swapped.first == 0) return &one;
  return nullptr;
}

bool caller_in_loop(const Signature& caller, const Signature& called) {
  return std::any_of(called.calls.begin(), called.calls.end(), [&](const CallSite& site) {
    return site.caller == caller.body && site.swapped.first > 0;
  });
}

// Gives the loop that repeats a function to the others with the same results and arrays, such as the version
// on the host of a kernel.
void repeat_versions(const Signature& repeated, const Names& results, std::vector<Signature>* functions) {
  const auto& [a, b] = repeated.swapped;
  for (Signature& one : *functions) {
    const auto has = [&](const std::string& name) {
      return std::any_of(one.parameters.begin(), one.parameters.end(), [&](const Parameter& parameter) {
        return parameter.pointer && parameter.name == name;
      });
    };
    if (!one.swapped.first.empty() || results_of(one) != results || !has(a) || !has(b)) continue;
    one.repeat = repeated.repeat;
    one.swapped = repeated.swapped;
    make_swapped(a, b, &one);
  }
}

// Finds functions that the file calls alone in a loop that swaps two of their arrays.
void repeat_functions(std::vector<Signature>* functions, DraftParts* parts) {
  for (const auto& [at, loop] : swap_loops(functions)) {
    if (loop.functions.size() != 1 || !loop.functions.front()->swapped.first.empty()) continue;
    Signature& one = *loop.functions.front();
    const auto [a, b] = swapped_names(loop);
    if (a.empty()) continue;
    if (loop.count.empty()) {
      parts->questions.push_back(question_of(one.name, a, b));
      parts->asks_for_launches = true;
      continue;
    }
    const Names results = results_of(one);
    one.repeat = loop.count;
    one.swapped = {a, b};
    make_swapped(a, b, &one);
    repeat_versions(one, results, functions);
  }
}

// Finds a loop of the file that calls all steps and swaps two arrays.
void repeat_steps(std::vector<Signature>* functions, DraftParts* parts) {
  for (const auto& [at, loop] : swap_loops(functions)) {
    if (loop.functions.size() < 2) continue;
    const auto [a, b] = swapped_names(loop);
    if (a.empty()) continue;
    std::string names;
    std::size_t steps = 0;
    for (const Signature* one : loop.functions)
      names += (names.empty() ? "" : ", ") + one->name, steps += one->step ? 1 : 0;
    const bool of_kernels = loop.functions.front()->kernel;
    const auto all = std::count_if(functions->begin(), functions->end(), [&](const Signature& one) {
      return one.step && one.kernel == of_kernels;
    });
    if (loop.count.empty() || steps != loop.functions.size() || static_cast<std::size_t>(all) != steps) {
      parts->questions.push_back(question_of(names, a, b));
      parts->asks_for_launches = true;
      continue;
    }
    parts->round_count = loop.count;
    parts->round_swapped = {a, b};
  }
}

std::string listed(const Names& names) { return join(names); }

// Returns the reason why a description of `first`, which writes `wanted`, leaves out another function.
std::string why_other(const Signature& one, const Names& wanted, const Signature& first) {
  if (!first.repeat.empty() && caller_in_loop(one, first))
    return "it is the loop that repeats " + first.name + "; `repeat` stands for it";
  return "it writes " + listed(results_of(one)) + ", but " + first.name + " writes " + listed(wanted) +
         ". Arrays are told apart by their names: versions of one function need the same names, another "
         "function needs a file of its own";
}

// Keeps only the first launch of a chain, as the others compute something else.
void leave_out_launches(std::vector<Signature>* functions, DraftParts* parts) {
  bool any = false;
  std::erase_if(*functions, [&](const Signature& one) {
    const bool later = one.bound && any;
    if (later)
      parts->left_out.push_back(place_of(one) +
                                ": with all launches, the description would have too many "
                                "arrays or sizes");
    any = any || one.bound;
    return later;
  });
}

// Returns true if a round of the steps starts from arrays that an earlier round wrote.
bool carries(const Functions& steps) {
  Names written, before;
  for (const Signature* one : steps) {
    for (const Parameter& parameter : one->parameters)
      if (is_read(parameter) && !written.contains(parameter.name)) before.insert(parameter.name);
    written.merge(results_of(*one));
  }
  return std::any_of(before.begin(), before.end(),
                     [&](const std::string& name) { return written.contains(name); });
}

// Finds loops that launch steps in place: one loop around all launches, or loops around single ones. A loop
// whose rounds do not depend on each other only measures time.
void repeat_in_place(const Functions& steps, DraftParts* parts) {
  const CallSite& first = steps.front()->calls.front();
  const bool one_loop = std::all_of(steps.begin(), steps.end(), [&](const Signature* one) {
    return one->calls.front().loop == first.loop;
  });
  if (one_loop && first.loop > 0 && carries(steps)) parts->round_count = first.count;
  if (one_loop) return;
  for (Signature* one : steps) {
    const CallSite& site = one->calls.front();
    const auto in_loop = std::count_if(steps.begin(), steps.end(), [&](const Signature* other) {
      return other->calls.front().loop == site.loop;
    });
    if (site.loop > 0 && in_loop == 1 && one->repeat.empty() && carries({one})) one->repeat = site.count;
  }
}

}  // namespace

void leave_out_called(std::vector<Signature>* functions, DraftParts* parts) {
  Functions hosts;
  for (Signature& one : *functions)
    if (!one.kernel) hosts.push_back(&one);
  const Functions steps = host_steps(hosts);
  std::vector<Signature> kept;
  for (const Signature& one : *functions) {
    const bool is_step = std::find(steps.begin(), steps.end(), &one) != steps.end();
    const Signature* caller = one.kernel || is_step ? nullptr : caller_of(one, *functions);
    if (!caller)
      kept.push_back(one);
    else
      parts->left_out.push_back(place_of(one) + ": " + place_of(*caller) +
                                " calls it. To describe it, move it to a file of its own");
  }
  *functions = std::move(kept);
}

void choose_functions(bool may_be_steps, std::vector<Signature>* functions, DraftParts* parts) {
  if (!may_be_steps) leave_out_launches(functions, parts);
  repeat_functions(functions, parts);
  Functions kernels, hosts, ordered;
  for (Signature& one : *functions) (one.kernel ? kernels : hosts).push_back(&one);
  parts->steps =
      may_be_steps && (kernels.size() > 1 && kernels.front()->bound ? true : are_kernel_steps(kernels));
  Functions of_host = may_be_steps ? host_steps(hosts) : Functions{};
  const Names of_kernels = kernels.empty() ? Names{}
                           : parts->steps  ? union_of(kernels)
                                           : results_of(*kernels.front());
  parts->host_steps = of_host.size() > 1 && includes(union_of(of_host), of_kernels);
  if (!parts->host_steps) of_host.clear();
  const Functions& steps = parts->steps ? kernels : of_host;
  const bool any = !steps.empty();
  const Names wanted =
      any ? union_of(steps) : results_of(kernels.empty() ? functions->front() : *kernels.front());
  const Names last = any ? last_results(steps) : wanted;
  for (Functions* list : {&kernels, &of_host}) {
    if (list->empty() || (list == &kernels && !parts->steps)) continue;
    if (!list->front()->bound) order_steps(list);
    for (Signature* one : *list) one->step = true;
    ordered.insert(ordered.end(), list->begin(), list->end());
  }
  repeat_steps(functions, parts);
  if (parts->steps && parts->round_count.empty() && kernels.front()->bound) repeat_in_place(kernels, parts);
  const Signature& first = kernels.empty() ? functions->front() : *kernels.front();
  for (Signature& one : *functions) {
    if (one.step) continue;
    const Names results = results_of(one);
    if (any ? includes(wanted, results) && includes(results, last) : results == wanted)
      ordered.push_back(&one);
    else
      parts->left_out.push_back(place_of(one) + ": " + why_other(one, wanted, first));
  }
  std::vector<Signature> kept;
  for (Signature* one : ordered) kept.push_back(std::move(*one));
  *functions = std::move(kept);
}

}  // namespace sextant::own
