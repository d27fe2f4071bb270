// The variants of a drafted description that have several steps.
#include <algorithm>

#include "own/draft/draft_launch.hpp"
#include "own/draft/draft_text.hpp"

namespace sextant::own {
namespace {

const std::string long_length = "N + 65536";

}  // namespace

bool Draft::uses(const DraftFunction& one, const DraftArray& array) const {
  return std::any_of(one.arguments.begin(), one.arguments.end(), [&](const DraftArgument& argument) {
    return argument.array && &parts_.arrays[argument.index] == &array;
  });
}

// Returns true for an array that only passes data between steps. There is another variant, which does not use
// it.
bool Draft::is_temporary(const DraftArray& array) const {
  if (array.temporary) return true;
  if (!array.written || !(array.read || array.passed)) return false;
  bool in_kernels = false, in_hosts = false, others = false;
  for (const DraftFunction& one : functions_) {
    const bool used = uses(one, array);
    if (!one.signature.step && used) return false;
    others = others || !one.signature.step;
    (one.signature.kernel ? in_kernels : in_hosts) |= used;
  }
  return others ? in_kernels || in_hosts : parts_.steps && parts_.host_steps && in_kernels != in_hosts;
}

// Returns the length of a temporary array. If no index bounds it, it is longer than all arrays together and
// than a table for numbers of 16 bits.
std::string Draft::temporary_length(const DraftArray& array) const {
  const bool found = asked_.changes.lengths.contains(array.name);
  if (!array.temporary || !array.has_unknown || found) return arrays_.length_of(array);
  return array.lengths.empty() ? long_length : "max(" + arrays_.length_of(array) + ", " + long_length + ")";
}

// Returns the entry of a temporary array.
std::string Draft::temporary_text(const DraftArray& array) const {
  return "{ name = \"" + array.name + "\", length = \"" + temporary_length(array) + "\"" +
         (array.type == "T" ? "" : ", type = " + type_text(array)) + " }";
}

// Returns the line with the temporary arrays that a variant uses.
std::string Draft::temporaries(const std::function<bool(const DraftArray&)>& is_used) const {
  std::string list, guess;
  for (const DraftArray& one : parts_.arrays) {
    if (!is_temporary(one) || !is_used(one)) continue;
    const std::string text = temporary_text(one);
    list += (list.empty() ? "" : ", ") + text;
    if (text.find(long_length) != std::string::npos) guess = "  # a guess: no index bounds the lengths";
  }
  return list.empty() ? "" : "temporaries = [" + list + "]" + guess + "\n";
}

// Returns an entry of `steps`: the lines of a variant in one line.
std::string Draft::step_text(const DraftFunction& one, const std::string& launch) const {
  std::string line, result;
  for (const DraftArgument& argument : one.arguments)
    if (argument.returned) result = "result = \"" + parts_.arrays[argument.index].name + "\"\n";
  for (const char c : "function = \"" + one.called + "\"\narguments = [" + arguments_text(one) + "]\n" +
                          result + launch + repeat_text(one.repeat, one.swapped))
    line += c == '\n' ? std::string(", ") : std::string(1, c);
  while (line.ends_with(", ")) line.resize(line.size() - 2);
  return "  { " + line + " },";
}

// Returns a variant that runs all kernels, or all steps on the host, one after the other.
std::string Draft::steps_variant(const std::string& name, bool kernels) const {
  const auto is_used = [&](const DraftArray& one) {
    return std::any_of(functions_.begin(), functions_.end(), [&](const DraftFunction& function) {
      return function.signature.kernel == kernels && uses(function, one);
    });
  };
  std::string list;
  std::int64_t block_size = 0;
  for (const DraftFunction& one : functions_) {
    if (!one.signature.step || one.signature.kernel != kernels) continue;
    if (block_size == 0 && threads_text(one.signature, 0, true) == "block_size")
      block_size = one.signature.axes[0].launched;
    LaunchText launched;
    if (kernels)
      launched = launch_text(parts_, one, arrays_.length_of(parts_.arrays[*one.results.begin()]), true);
    list += step_text(one, launched.text) + (launched.guessed ? "  # grid: one element per thread?" : "") +
            guess_text(one) + "\n";
  }
  return "[variant.\"" + name + "\"]\n" + temporaries(is_used) + "steps = [\n" + list + "]\n" +
         repeat_text(parts_.repeat, parts_.swapped) +
         (list.find("\"block_size\"") == std::string::npos
              ? ""
              : "tune = { block_size = " + block_sizes_to_try(block_size) + " }\n");
}

std::string Draft::kernel_steps() const {
  const std::string order = parts_.launcher > 0
                                ? "Each launch is a step, in the order of the launches" +
                                      (parts_.launcher_name.empty() ? "" : " by " + parts_.launcher_name) +
                                      ". Arrays have the names of the launches' arguments, or those that a "
                                      "host function has for them"
                                : "Each kernel is a step, in the order of the file; add `repeat` to steps "
                                  "that are launched several "
                                  "times";
  return "\n# " + order + ".\n" + steps_variant("cuda.steps", true);
}

// Returns the variants whose steps are host functions.
std::string Draft::host_steps() const {
  const std::string order = "\n# Each function is a step, in the order in which the file calls them.\n";
  const std::string threads = steps_variant("openmp.steps", false);
  const std::string serial =
      order + steps_variant("serial.baseline", false) +
      "\n# The same steps with the compiler options of openmp, on one core: the baseline "
      "for the gain of threads.\n" +
      steps_variant("serial.native", false);
  if (has_threads()) return (calls_openmp_ ? "" : serial) + order + threads;
  std::string why;
  for (const DraftFunction& one : functions_) {
    if (!one.signature.step || one.signature.kernel) continue;
    const Loop& loop = one.signature.loop;
    if (loop.at > 0 && loop.dependence.empty())
      return serial + "\n# The same steps; the directives before their loops apply only to this variant.\n" +
             threads;
    why += (why.empty() ? "" : "; ") + bare_name(one.signature) + ": " +
           (loop.at == 0 ? "it is not one loop" : loop.dependence);
  }
  return serial + behind_signs(threads, why);
}

}  // namespace sextant::own
