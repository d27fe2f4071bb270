// The variants of a drafted description that are one function each.
#include <algorithm>

#include "own/description/description_reader.hpp"
#include "own/draft/draft_launch.hpp"
#include "own/draft/draft_text.hpp"

namespace sextant::own {

std::string guess_text(const DraftFunction& one) {
  return one.guess.empty() ? "" : "  # " + one.guess + " is a guess";
}

std::string behind_signs(const std::string& variant, const std::string& why) {
  std::string behind =
      "\n# OpenMP variant. Check first that no iteration needs the result of another: " + why +
      ".\n# Then write `#pragma omp parallel for` before the loop and remove these # signs.\n# ";
  for (const char c : variant) behind += c == '\n' ? std::string("\n# ") : std::string(1, c);
  return behind.substr(0, behind.size() - 2);
}

std::string Draft::arguments_text(const DraftFunction& function, const std::string& threads) const {
  const bool float_t = parts_.types == std::set<std::string>{"float"};
  const bool double_t = parts_.types == std::set<std::string>{"double"};
  std::string text;
  for (const DraftArgument& one : function.arguments) {
    if (one.returned) continue;
    std::string argument = !one.given.empty()   ? one.given
                           : one.on_host        ? "host(" + parts_.arrays[one.index].name + ")"
                           : one.array          ? (one.element ? "*" : "") + parts_.arrays[one.index].name
                           : one.launch.empty() ? parts_.numbers[one.index].name
                           : !threads.empty()   ? threads
                                                : threads_text(function.signature, one.axis, parts_.steps);
    const bool as_t = (one.cast == "float" && float_t) || (one.cast == "double" && double_t);
    if (!one.cast.empty() && !as_t) argument = one.cast + "(" + argument + ")";
    text += (text.empty() ? "\"" : ", \"") + argument + "\"";
  }
  return text;
}

std::string Draft::function_text(const DraftFunction& function) const {
  std::string text = "function = \"" + function.called + "\"" + guess_text(function) + "\narguments = [" +
                     arguments_text(function) + "]\n";
  for (const DraftArgument& one : function.arguments)
    if (one.returned) text += "result = \"" + parts_.arrays[one.index].name + "\"\n";
  if (function.signature.launcher) text = "launcher = true\n" + text;
  return temporaries_of(function) + text + repeat_text(function.repeat, function.swapped);
}

std::string Draft::variant_text(const std::string& name, const DraftFunction& function) const {
  return "[variant.\"" + name + "\"]\n" + function_text(function);
}

std::string Draft::variant(std::size_t which) const {
  const DraftFunction& function = functions_[which];
  const bool kernel = function.signature.kernel && !function.signature.launcher;
  const char* comment = "\n# This function launches kernels itself, on arrays in GPU memory.\n";
  return (function.signature.launcher ? comment : "\n") + variant_text(names_[which], function) +
         (kernel ? launch(function) : "");
}

std::string Draft::launch(const DraftFunction& function) const {
  return launch_text(parts_, function, arrays_.length_of(parts_.arrays[*function.results.begin()]), false)
      .text;
}

// Returns the lines that repeat a function or all steps.
std::string Draft::repeat_text(const std::string& count, const std::set<std::size_t>& swapped) const {
  if (count.empty()) return "";
  const std::string number = is_identifier(count) ? "\"" + count + "\"" : count;
  std::string names;
  for (const std::size_t one : swapped)
    names += (names.empty() ? "\"" : ", \"") + parts_.arrays[one].name + "\"";
  return "repeat = " + number + "\n" + (names.empty() ? "" : "swap = [" + names + "]\n");
}

// Returns the line with the function's arrays that only hold values during an execution.
std::string Draft::temporaries_of(const DraftFunction& function) const {
  return temporaries([&](const DraftArray& one) { return one.temporary && uses(function, one); });
}

// Returns the serial version with which OpenMP variants are compared, or null. This is the serial function,
// if there is one. Otherwise it is the first OpenMP function, compiled without OpenMP, unless host code calls
// OpenMP functions.
const DraftFunction* Draft::without_threads() const {
  const DraftFunction* threaded = nullptr;
  for (const DraftFunction& one : functions_) {
    if (!one.signature.kernel && !one.signature.threads) return &one;
    if (one.signature.threads && !one.signature.kernel && !threaded) threaded = &one;
  }
  return calls_openmp_ ? nullptr : threaded;
}

std::vector<const Signature*> loops_for_threads(const DraftParts& parts) {
  std::vector<const Signature*> loops;
  bool any = false;
  for (const DraftFunction& one : parts.functions) {
    if (one.signature.threads) return {};
    if (one.signature.kernel || (parts.host_steps ? !one.signature.step : any)) continue;
    any = true;
    if (one.signature.loop.at > 0 && one.signature.loop.dependence.empty()) loops.push_back(&one.signature);
  }
  return loops;
}

// Returns an OpenMP variant of a serial function, with a directive before the function's loop. The variant is
// commented out if the directive may be wrong.
std::string Draft::threads_variant(const DraftFunction& loop) const {
  const std::string text = variant_text("openmp." + lower(bare_name(loop.signature)), loop);
  if (!loops_for_threads(parts_).empty())
    return "\n# The same function; the directive before its loop applies only to this variant.\n" + text;
  return behind_signs(text,
                      loop.signature.loop.at == 0 ? "it is not one loop" : loop.signature.loop.dependence);
}

// Returns serial variants with the compiler options of the OpenMP variants. They run on one core, and so
// separate the gain of threads from the gain of the compiler options.
std::string Draft::serial_variants() const {
  const DraftFunction* loop = without_threads();
  if (!loop || std::find(names_.begin(), names_.end(), "serial.native") != names_.end()) return "";
  return (loop->signature.threads ? "\n" + variant_text("serial.baseline", *loop) : "") +
         "\n# The same function with the compiler options of openmp, on one core: the baseline for the "
         "gain of threads.\n" +
         variant_text("serial.native", *loop) + (has_threads() ? "" : threads_variant(*loop));
}

}  // namespace sextant::own
