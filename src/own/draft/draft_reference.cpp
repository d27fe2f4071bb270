// The reference of a drafted description.
#include <algorithm>

#include "own/draft/draft_text.hpp"

namespace sextant::own {

// Returns a function that does the work of all kernels together. Its parameters are the parameters of all
// kernels, with the names from the description.
DraftFunction Draft::all_steps() const {
  DraftFunction all;
  all.signature.name = functions_.back().signature.name;
  if (!parts_.launcher_name.empty()) all.signature.name = parts_.launcher_name;
  for (const DraftFunction& one : functions_)
    for (std::size_t i = 0; i < one.arguments.size(); ++i) {
      const DraftArgument& argument = one.arguments[i];
      if (!argument.launch.empty() || !argument.given.empty()) continue;
      const auto known =
          std::find_if(all.arguments.begin(), all.arguments.end(), [&](const DraftArgument& other) {
            return other.array == argument.array && other.index == argument.index;
          });
      const auto at = static_cast<std::size_t>(known - all.arguments.begin());
      if (known == all.arguments.end()) {
        all.arguments.push_back(argument);
        all.signature.parameters.push_back(one.signature.parameters[i]);
        all.signature.parameters[at].name =
            argument.array ? parts_.arrays[argument.index].name : parts_.numbers[argument.index].name;
      }
      Parameter& parameter = all.signature.parameters[at];
      parameter.written = parameter.written || one.signature.parameters[i].written;
    }
  return all;
}

// Returns a declaration such as "void saxpy_reference(int n, T a, const T* x, T* y)", with the arguments of
// `function`.
std::string Draft::reference_signature(const DraftFunction& function, const std::string& more) const {
  std::string text;
  for (std::size_t i = 0; i < function.arguments.size(); ++i) {
    const Parameter& one = function.signature.parameters[i];
    const DraftArgument& argument = function.arguments[i];
    const DraftArray* array = argument.array ? &parts_.arrays[argument.index] : nullptr;
    // true for a struct, whose members keep their type
    const bool has_members = array && !array->member.empty();
    const std::string type = !array ? argument.cast : has_members ? array->member : array->type;
    const bool real = type.empty() || type == "float" || type == "double";
    const std::string shown = array ? (type == arrays_.type_of_t() && !has_members ? "T" : type)
                              : argument.launch.empty() && parts_.numbers[argument.index].real && real
                                  ? "T"
                                  : one.type;
    const bool is_const = array && !one.written && !array->swapped;
    text += (text.empty() ? "" : ", ") + std::string(is_const ? "const " : "") + shown +
            (argument.array ? "* " : " ") + (one.name == "T" && array ? array->name : one.name);
  }
  return "void " + bare_name(function.signature) + "_reference(" + text + more + ")";
}

bool Draft::is_number(const DraftArgument& argument, const DraftNumber& number) const {
  return !argument.array && argument.launch.empty() && argument.given.empty() &&
         &parts_.numbers[argument.index] == &number;
}

// Returns the text of the reference, which runs in double precision unless its code uses float.
std::string Draft::reference(const std::string& stem) const {
  std::size_t host = functions_.size();
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    const Signature& one = functions_[i].signature;
    if (!one.kernel && (host == functions_.size() || (functions_[host].signature.threads && !one.threads)))
      host = i;
  }
  if (host == functions_.size()) {
    const bool several = parts_.steps || functions_.back().signature.bound;
    const DraftFunction kernel = several ? all_steps() : functions_.back();
    std::string threads, threads_type;
    for (const DraftNumber& one : parts_.numbers) {
      const bool given = std::any_of(kernel.arguments.begin(), kernel.arguments.end(),
                                     [&](const DraftArgument& argument) { return is_number(argument, one); });
      if (one.threads || (one.count && !given))
        threads += ", \"" + one.name + "\"", threads_type += ", long " + one.name;
    }
    return "# Reference: write this function as a plain loop into the file named below; T is double "
           "there.\n#   " +
           reference_signature(kernel, threads_type) + "\nreference = { file = \"" + stem +
           "_reference.cpp\", function = \"" + bare_name(kernel.signature) + "_reference\", arguments = [" +
           arguments_text(kernel, "1") + threads + "] }\n";
  }
  const DraftFunction& function = functions_[host];
  const bool serial =
      parts_.host_steps ? !has_threads() || !calls_openmp_ : function.signature.threads && without_threads();
  const std::string name = serial ? "serial.baseline" : parts_.host_steps ? "openmp.steps" : names_[host];
  for (const DraftFunction& one : functions_)
    if (&one == &function || (parts_.host_steps && one.signature.step && !one.signature.kernel))
      parameters.insert(parameters.end(), one.signature.parameters.begin(), one.signature.parameters.end());
  const bool in_float = std::any_of(parameters.begin(), parameters.end(),
                                    [](const Parameter& one) { return one.pointer && one.type == "float"; });
  const bool float_is_t =
      parts_.types.empty() ? arrays_.type_of_t() == "float" : parts_.types == std::set<std::string>{"float"};
  if (in_float && float_is_t)
    return "# The function uses float. To run it in double precision, write T instead and remove "
           "precision here.\nreference = { variant = \"" +
           name + "\", precision = \"float\" }\n";
  return "reference = \"" + name + "\"\n";
}

}  // namespace sextant::own
