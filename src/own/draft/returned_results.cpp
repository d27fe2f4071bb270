#include "own/draft/returned_results.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "own/description/array_type.hpp"
#include "own/draft/function_fit.hpp"

namespace sextant::own {
namespace {

// Returns the name of the array of one element that a kernel writes as its only result; may be empty.
std::string single_result(const Signature& kernel) {
  std::string name;
  for (const Parameter& one : kernel.parameters) {
    if (!one.written) continue;
    if (!name.empty() || one.has_unknown || one.lengths != std::vector<Polynomial>{Polynomial(1)}) return "";
    name = one.name;
  }
  return name;
}

// Returns true if each array of the host function is an array of the kernel, too.
bool has_arrays_of(const Signature& host, const Signature& kernel) {
  return std::all_of(host.parameters.begin(), host.parameters.end(), [&](const Parameter& one) {
    return !one.pointer || std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                                       [&](const Parameter& other) { return other.name == one.name; });
  });
}

std::set<std::string> parameter_names(const Signature& one) {
  std::set<std::string> names;
  for (const Parameter& parameter : one.parameters) names.insert(parameter.name);
  return names;
}

}  // namespace

bool returns_a_number(const Signature& one) {
  const bool reads = std::any_of(one.parameters.begin(), one.parameters.end(),
                                 [](const Parameter& parameter) { return parameter.pointer; });
  return reads && array_type_named(one.returns).has_value();
}

void add_result(const std::string& name, Signature* function) {
  Parameter result;
  result.type = function->returns;
  result.name = name;
  result.pointer = result.written = result.returned = true;
  result.lengths = result.whole = {Polynomial(1)};
  function->parameters.push_back(std::move(result));
}

std::string result_name(const Signature& one, const std::vector<Signature>& all) {
  if (why_unfit(one) != writes_nothing || !returns_a_number(one)) return "";
  const Signature* last = nullptr;
  bool any = false;
  for (const Signature& other : all) {
    const std::string why = why_unfit(other);
    if (why == writes_nothing && returns_a_number(other)) last = &other;
    any = any || why.empty();
    const std::string name = why.empty() && other.kernel ? single_result(other) : "";
    if (!name.empty() && has_arrays_of(one, other)) return name;
  }
  return !any && parameter_names(one) == parameter_names(*last) ? "result" : "";
}

void add_returned(std::vector<Signature>* functions, DraftParts* parts) {
  const auto names = [](const Signature& one) {
    std::set<std::string> all;
    for (const Parameter& parameter : one.parameters)
      if (parameter.written) all.insert(parameter.name);
    return all;
  };
  const auto returns = [](const Signature& one) {
    return !one.kernel && array_type_named(one.returns) && !one.parameters.back().returned;
  };
  const auto fits = [&](const Signature& one) {
    return returns(one) && one.returns == functions->front().returns &&
           names(one) == names(functions->front());
  };
  const bool all = std::all_of(functions->begin(), functions->end(), fits);
  for (Signature& one : *functions) {
    if (all)
      add_result(parameter_names(one).contains("returned") ? "returned_value" : "returned", &one);
    else if (returns(one))
      parts->questions.push_back(
          place_of(one) + " returns a number that nothing checks: result = \"ARRAY\" stores it in an array");
  }
}

}  // namespace sextant::own
