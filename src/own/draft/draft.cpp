// Writes a draft of the description of user kernels. It guesses facts that the source does not state, and
// marks them as guesses.
#include "own/draft/draft.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <vector>

#include "base/error.hpp"
#include "base/join.hpp"
#include "own/description/description.hpp"
#include "own/description/description_reader.hpp"
#include "own/draft/draft_arrays.hpp"
#include "own/draft/draft_launch.hpp"
#include "own/draft/draft_parts.hpp"
#include "own/draft/draft_tolerance.hpp"
#include "own/draft/same_parameters.hpp"
#include "own/draft/tokens.hpp"

namespace sextant::own {
namespace {

bool is_word_of(const std::string& source, const std::string& name) {
  return std::regex_search(source, std::regex("\\b" + name + "\\b"));
}

// Returns true if the source, without its comments, names a type of real numbers.
bool names_reals(const std::string& source) {
  const Tokens tokens = tokens_of(source);
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& one) {
    const std::string text = lower(one.text);
    return text.find("float") != std::string::npos || text.find("double") != std::string::npos ||
           text.find("half") != std::string::npos || text.find("real") != std::string::npos ||
           text.starts_with("vec");
  });
}

std::string guess_text(const DraftFunction& one) {
  return one.guess.empty() ? "" : "  # " + one.guess + " is a guess";
}

std::string bare_name(const Signature& one) { return one.name.substr(one.name.rfind(':') + 1); }

// Returns a variant behind # signs, with the reasons why its iterations may depend on each other.
std::string behind_signs(const std::string& variant, const std::string& why) {
  std::string behind =
      "\n# OpenMP variant. Check first that no iteration needs the result of another: " + why +
      ".\n# Then write `#pragma omp parallel for` before the loop and remove these # signs.\n# ";
  for (const char c : variant) behind += c == '\n' ? std::string("\n# ") : std::string(1, c);
  return behind.substr(0, behind.size() - 2);
}

class Draft {
 public:
  Draft(const DraftParts& parts, const std::string& source, const DraftAsked& asked)
      : parts_(parts), functions_(parts.functions), asked_(asked), arrays_(parts, asked.real, asked.changes) {
    calls_openmp_ = source.find("omp_") != std::string::npos;
    host_code_ = has_unfenced_host_code(source);
    has_reals_ = names_reals(source);
    name_variants();
    for (const char* name : {"block_size", "block_x", "block_y", "block_z"})
      if (is_word_of(source, name) && !is_argument(name)) clashing_.push_back(name);
  }

  std::string text(const std::string& file) const;

 private:
  bool is_argument(const std::string& launch) const;
  bool has_unfenced_host_code(const std::string& source) const;
  bool has_kernels() const;
  bool has_threads() const;
  void name_variants();
  Polynomial most_work() const;
  std::string limit_of(const std::string& size, bool first) const;
  std::string sizes_text() const;
  bool has_outliers() const;
  bool is_elementary() const;
  std::string problem_text() const;
  std::vector<std::string> questions() const;
  std::string files_text(const std::string& file) const;
  // If `threads` is not empty, it replaces the tunables for the block size in the list of arguments.
  std::string arguments_text(const DraftFunction& function, const std::string& threads = "") const;
  std::string function_text(const DraftFunction& function) const;
  std::string variant_text(const std::string& name, const DraftFunction& function) const;
  std::string variant(std::size_t which) const;
  std::string launch(const DraftFunction& function) const;
  bool is_temporary(const DraftArray& array) const;
  std::string temporaries(bool kernels) const;
  bool uses(const DraftFunction& one, const DraftArray& array) const;
  std::string step_text(const DraftFunction& one, const std::string& launch) const;
  std::string repeat_text(const std::string& count, const std::set<std::size_t>& swapped) const;
  std::string steps_variant(const std::string& name, bool kernels) const;
  std::string kernel_steps() const;
  std::string host_steps() const;
  std::string reference(const std::string& stem) const;
  DraftFunction all_steps() const;
  bool is_number(const DraftArgument& argument, const DraftNumber& number) const;
  std::string reference_signature(const DraftFunction& function, const std::string& more) const;
  const DraftFunction* without_threads() const;
  std::string threads_variant(const DraftFunction& loop) const;
  std::string serial_variants() const;

  const DraftParts& parts_;
  const std::vector<DraftFunction>& functions_;
  const DraftAsked& asked_;
  const DraftArrays arrays_;
  std::vector<std::string> names_;  // names of the functions' variants
  bool has_reals_ = false;          // true if the source names a type of real numbers
  bool host_code_ = false;          // true if host code stands next to kernels without an #ifdef
  bool calls_openmp_ = false;       // true if host code calls OpenMP functions; directives alone do not count
  // Tunables whose names occur as words in the source. Sextant would define them as macros, which would
  // change the source's meaning.
  std::vector<std::string> clashing_;
};

// Returns true if a kernel takes the tunable `launch` (its block size) as an argument.
bool Draft::is_argument(const std::string& launch) const {
  return std::any_of(functions_.begin(), functions_.end(), [&](const DraftFunction& one) {
    return std::any_of(one.arguments.begin(), one.arguments.end(),
                       [&](const DraftArgument& argument) { return argument.launch == launch; });
  });
}

bool Draft::has_kernels() const {
  return std::any_of(functions_.begin(), functions_.end(),
                     [](const DraftFunction& one) { return one.signature.kernel; });
}

bool Draft::has_threads() const {
  return std::any_of(functions_.begin(), functions_.end(),
                     [](const DraftFunction& one) { return one.signature.threads; });
}

bool Draft::has_unfenced_host_code(const std::string& source) const {
  const auto holds = [&](const char* text) { return source.find(text) != std::string::npos; };
  const bool all_kernels = std::all_of(functions_.begin(), functions_.end(),
                                       [](const DraftFunction& one) { return one.signature.kernel; });
  return (has_kernels() || holds("__global__")) && !holds("SEXTANT_MODEL_CUDA") && !holds("__CUDACC_RTC__") &&
         (holds("#include") || holds("<<<") || holds("main") || !all_kernels);
}

// Names the variants. The first serial function becomes the baseline to which speed-ups refer.
void Draft::name_variants() {
  bool has_baseline = parts_.host_steps;
  for (const DraftFunction& one : functions_) {
    const Signature& signature = one.signature;
    if (signature.step) {
      names_.emplace_back();
      continue;
    }
    const bool serial = !signature.kernel && !signature.threads;
    std::string name = serial && !has_baseline ? "serial.baseline"
                                               : (signature.kernel    ? "cuda."
                                                  : signature.threads ? "openmp."
                                                                      : "serial.") +
                                                     lower(bare_name(signature)).substr(0, 50);
    has_baseline = has_baseline || serial;
    const std::string base = name;
    for (int i = 2; std::find(names_.begin(), names_.end(), name) != names_.end(); ++i)
      name = base + "_" + std::to_string(i);
    names_.push_back(name);
  }
}

// Returns the largest number of iterations of a function, if it grows at least with the square of the arrays'
// lengths. Zero otherwise.
Polynomial Draft::most_work() const {
  std::size_t degree = 1;
  for (const DraftArray& one : parts_.arrays) degree = std::max(degree, degree_of(one));
  Polynomial most(0);
  for (const DraftFunction& function : functions_)
    for (Polynomial work : function.work) {
      for (const std::string& name : work.names())
        if (const DraftNumber* one = parts_.number_named(name); !one || !one->in_lengths || one->threads)
          work = work.with(name, 1);
      if (work.degree() >= 2 * degree && work.degree() > most.degree()) most = work;
    }
  return most;
}

// Returns an upper limit for a size on which quadratic work depends, so that a check takes seconds; empty for
// other sizes. The first of several such sizes has none.
std::string Draft::limit_of(const std::string& size, bool first) const {
  const Polynomial work = most_work();
  const bool several = work.names().size() > 1;
  if (!work.has(size) || (several && first)) return "";
  if (several) return work.degree() == 2 ? "512" : "64";
  return work.degree() == 2 ? "4096" : work.degree() == 3 ? "256" : "64";
}

// Returns true if comparisons of computed real numbers decide whole numbers among the results, or if results
// of functions such as exp are rounded to whole numbers. Single elements may then differ.
bool Draft::has_outliers() const {
  if (!has_reals_) return false;
  return std::any_of(parts_.arrays.begin(), parts_.arrays.end(), [&](const DraftArray& one) {
    return one.written && arrays_.is_whole(one) && !is_temporary(one) &&
           (one.decided == Decided::compared || (one.decided == Decided::rounded && is_elementary()));
  });
}

bool Draft::is_elementary() const {
  return std::any_of(functions_.begin(), functions_.end(),
                     [](const DraftFunction& one) { return one.signature.elementary; });
}

// Returns the reason why the description cannot be loaded. If a function crashes, the reason names the arrays
// whose lengths or indices are guesses.
std::string Draft::problem_text() const {
  if (asked_.problem.find("was killed by signal") == std::string::npos) return asked_.problem;
  std::string names;
  for (const DraftArray& one : parts_.arrays)
    if (one.has_unknown || !one.chosen_by.empty()) names += (names.empty() ? "" : ", ") + one.name;
  return names.empty() ? asked_.problem
                       : "a host function crashes at small sizes. Correct the lengths of " + names +
                             ", or the fills of the arrays that hold their indices";
}

// Returns the lines that ask what the source leaves open.
std::vector<std::string> Draft::questions() const {
  std::vector<std::string> all = parts_.questions;
  if (!asked_.problem.empty()) all.insert(all.begin(), "it cannot be loaded yet: " + problem_text());
  bool sorted = false, searches = false;
  for (const DraftArray& one : parts_.arrays) {
    sorted = sorted || one.sorted;
    if (!one.written || is_temporary(one)) continue;
    if (arrays_.is_whole(one) && one.decided == Decided::rounded && !is_elementary())
      all.push_back(one.name +
                    " gets computed numbers that are rounded: does tolerance need outliers = 0.001?");
    if (!arrays_.is_whole(one) && one.decided == Decided::compared)
      all.push_back("comparisons of computed numbers decide values of " + one.name +
                    ": does tolerance need outliers = 0.001?");
  }
  for (const DraftFunction& one : functions_)
    for (const char* name : {"search", "bound", "merge"})
      searches = searches || lower(bare_name(one.signature)).find(name) != std::string::npos;
  if (searches && !sorted)
    all.emplace_back("must an array be sorted? fill = { low = 0, high = 256, sorted = true }");
  return all;
}

// Returns the value of a number that no length depends on. A limit for elements of an array is in the middle
// of the numbers that fill the array.
std::string guess_of(const DraftNumber& one) {
  if (one.compared_to == "unsigned char") return "128";
  if (one.compared_to == "unsigned short") return "32768";
  if (one.compared_to.starts_with("unsigned")) return "1000000";
  return one.divisor ? "16" : one.count ? "10" : "1";
}

// Returns the description's line `sizes`. Sizes that occur in array lengths are computed from N. All other
// sizes are 1.
std::string Draft::sizes_text() const {
  std::vector<std::string> from_n, others;
  const bool any_used = std::any_of(parts_.numbers.begin(), parts_.numbers.end(),
                                    [](const DraftNumber& one) { return one.in_lengths; });
  for (const DraftNumber& one : parts_.numbers) {
    if (one.real) continue;
    const auto change = asked_.changes.sizes.find(one.name);
    const bool constant = change != asked_.changes.sizes.end() && !change->second.text.starts_with('"');
    const bool follows = constant   ? false
                         : any_used ? one.in_lengths && !one.count && !one.block
                                    : from_n.size() < 3;
    (follows ? from_n : others).push_back(one.name);
  }
  std::size_t degree = 0;
  for (const DraftArray& one : parts_.arrays)
    degree = std::max(degree, !asked_.changes.empty() ? arrays_.degree_with_changes(one)
                              : one.lengths.empty()   ? arrays_.spanned().degree()
                                                      : degree_of(one));
  const std::string share = parts_.arrays.size() == 1 ? "N" : "N / " + std::to_string(parts_.arrays.size());
  const std::string first = degree <= 1 ? share : std::string(degree == 2 ? "sqrt(" : "cbrt(") + share + ")";
  std::string text, threads, limited, found;
  const auto add_changed = [&](const std::string& size) {
    const auto change = asked_.changes.sizes.find(size);
    if (change == asked_.changes.sizes.end()) return false;
    text += (text.empty() ? "" : ", ") + size + " = " + change->second.text;
    found += "; " + size + ": " + change->second.why;
    return true;
  };
  for (const std::string& one : from_n) {
    if (add_changed(one)) continue;
    const bool whole_blocks = parts_.number_named(one)->threads;
    if (whole_blocks) threads = "; no thread checks its index: `" + one + "` must be a multiple of the block";
    const std::string limit = limit_of(one, &one == &from_n[0]);
    const std::string value = &one == &from_n[0] ? first : from_n[0];
    if (!limit.empty()) limited = "; limited, as the work grows with " + most_work().text();
    text += (text.empty() ? "" : ", ") + one + " = \"" +
            (limit.empty() ? value : "min(" + value + ", " + limit + ")") +
            (whole_blocks ? " // 1024 * 1024\"" : "\"");
  }
  std::string guesses;
  for (const std::string& one : others) {
    if (add_changed(one)) continue;
    const std::string guess = guess_of(*parts_.number_named(one));
    text += (text.empty() ? "" : ", ") + one + " = " + guess;
    if (guesses.find("; " + guess + " is") == std::string::npos) guesses += "; " + guess + " is a guess";
  }
  return text.empty() ? ""
                      : "sizes = { " + text + " }  # from N, the elements of all arrays" + threads + guesses +
                            limited + found + "\n";
}

std::string Draft::arguments_text(const DraftFunction& function, const std::string& threads) const {
  const bool float_t = parts_.types == std::set<std::string>{"float"};
  const bool double_t = parts_.types == std::set<std::string>{"double"};
  std::string text;
  for (const DraftArgument& one : function.arguments) {
    if (one.returned) continue;
    std::string argument = !one.given.empty()   ? one.given
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
  return text + repeat_text(function.repeat, function.swapped);
}

std::string Draft::variant_text(const std::string& name, const DraftFunction& function) const {
  return "[variant.\"" + name + "\"]\n" + function_text(function);
}

std::string Draft::variant(std::size_t which) const {
  const DraftFunction& function = functions_[which];
  return "\n" + variant_text(names_[which], function) + (function.signature.kernel ? launch(function) : "");
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

bool Draft::uses(const DraftFunction& one, const DraftArray& array) const {
  return std::any_of(one.arguments.begin(), one.arguments.end(), [&](const DraftArgument& argument) {
    return argument.array && &parts_.arrays[argument.index] == &array;
  });
}

// Returns true for an array that only passes data between steps. There is another variant, which does not use
// it.
bool Draft::is_temporary(const DraftArray& array) const {
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

std::string Draft::temporaries(bool kernels) const {
  std::string list;
  for (const DraftArray& one : parts_.arrays) {
    const bool used = std::any_of(functions_.begin(), functions_.end(), [&](const DraftFunction& function) {
      return function.signature.kernel == kernels && uses(function, one);
    });
    if (used && is_temporary(one))
      list += (list.empty() ? "" : ", ") + ("{ name = \"" + one.name) + "\", length = \"" +
              arrays_.length_of(one) + "\"" + (one.type == "T" ? "" : ", type = " + type_text(one)) + " }";
  }
  return list.empty() ? "" : "temporaries = [" + list + "]\n";
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
  return "[variant.\"" + name + "\"]\n" + temporaries(kernels) + "steps = [\n" + list + "]\n" +
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

// Returns the line `files`: the files that define names which the source needs, then the source itself.
std::string Draft::files_text(const std::string& file) const {
  namespace fs = std::filesystem;
  std::string text;
  for (const std::string& one : parts_.before)
    text += "\"" + fs::path(one).lexically_relative(fs::absolute(file).parent_path()).string() + "\", ";
  return "files = [" + text + "\"" + fs::path(file).filename().string() +
         "\"]  # the files before it define names that it uses\n";
}

// Returns the serial functions before whose loops the draft puts directives for an OpenMP variant. A file
// that already has OpenMP functions gets no such variant.
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

std::string Draft::text(const std::string& file) const {
  std::string name = lower(std::filesystem::path(file).stem().string());
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  if (!is_identifier(name)) name = "own_" + name;
  name = asked_.prefix + name;
  std::string text = "/* sextant\nname = \"" + name + "\"\nformula = \"\"  # one line: the formula\n";
  for (const std::string& one : parts_.types)
    text += (&one == &*parts_.types.begin() ? "types = [\"" : ", \"") + one + "\"";
  text += parts_.types.empty() ? "" : "]\n";
  text += sizes_text() + "arrays = [\n";
  for (const DraftArray& one : parts_.arrays)
    if (!is_temporary(one)) text += arrays_.text(one);
  text += "]\n";
  std::string scalars;
  for (const DraftNumber& one : parts_.numbers)
    if (one.real) scalars += (scalars.empty() ? "scalars = { " : ", ") + one.name + " = 0.5";
  text += scalars.empty() ? "" : scalars + " }\n";
  text += "work = { flops = 0 }  # of one execution\n" + reference(name);
  text += tolerance_text(parts_, arrays_, has_outliers(), asked_.changes.relative_only);
  if (!parts_.before.empty()) text += files_text(file);
  if (host_code_)
    text +=
        "compiler = \"nvcc\"  # the file also has host code; nvrtc takes a tenth of the time, if #ifdef "
        "separates host code and kernels\n";
  for (std::size_t i = 0; i < functions_.size(); ++i)
    if (!functions_[i].signature.step) text += variant(i);
  if (parts_.steps) text += kernel_steps();
  text += parts_.host_steps ? host_steps() : serial_variants();
  for (const std::string& one : clashing_)
    text = std::regex_replace(text, std::regex("\\b" + one + "\\b"), "launch_" + one);
  for (const std::string& one : questions()) text += "# " + one + "\n";
  for (const std::string& one : parts_.left_out) text += "# left out: " + one + "\n";
  return text + "*/\n";
}

// Removes the functions that are left out.
void keep_asked(const DraftAsked& asked, std::vector<Signature>* functions) {
  std::erase_if(*functions, [&](const Signature& one) {
    return !(one.kernel ? asked.no_kernels : asked.no_host).empty();
  });
}

std::vector<std::string> names_of(const std::vector<Signature>& functions) {
  std::vector<std::string> names;
  for (const Signature& one : functions) names.push_back(one.name);
  return names;
}

}  // namespace

std::string draft_of(const std::string& source, const std::string& file, SourceFunctions found,
                     const DraftAsked& asked) {
  if (has_description(source))
    throw UserError(file + " already has a description. `sextant verify --load " + file + "` checks it.");
  const std::vector<std::string> all = names_of(found.functions);
  keep_asked(asked, &found.functions);
  const std::vector<std::string> kept = names_of(found.functions);
  DraftParts parts = draft_parts(source, file, std::move(found));
  std::vector<std::string> gone;
  for (const std::string& one : all)
    if (std::find(kept.begin(), kept.end(), one) == kept.end()) gone.push_back(one);
  if (!gone.empty())
    parts.left_out.push_back(join(gone) + ": " + (asked.no_host.empty() ? asked.no_kernels : asked.no_host));
  return Draft(parts, source, asked).text(file);
}

std::string draft_of(const std::string& source, const std::string& file) {
  return draft_of(source, file, functions_of(source, file), {});
}

bool has_host_version(const SourceFunctions& found) {
  const auto is_version = [&](const Signature& host) {
    return std::any_of(found.functions.begin(), found.functions.end(), [&](const Signature& one) {
      return (one.kernel || one.launches) && stem_of(one.name) == stem_of(host.name);
    });
  };
  return std::any_of(found.functions.begin(), found.functions.end(),
                     [&](const Signature& one) { return !one.kernel && !one.launches && is_version(one); });
}

std::set<std::string> arrays_of_unknown_length(const std::string& source, const std::string& file,
                                               SourceFunctions found, const DraftAsked& asked) {
  keep_asked(asked, &found.functions);
  std::set<std::string> names;
  for (const DraftArray& one : draft_parts(source, file, std::move(found)).arrays)
    if (one.has_unknown && (one.lengths.empty() || one.lengths[0].constant())) names.insert(one.name);
  return names;
}

std::string with_directive(const std::string& source, const std::string& file, SourceFunctions found,
                           const DraftAsked& asked) {
  keep_asked(asked, &found.functions);
  const DraftParts parts = draft_parts(source, file, std::move(found));
  std::vector<std::size_t> places;
  for (const Signature* one : loops_for_threads(parts)) places.push_back(one->loop.at);
  std::sort(places.rbegin(), places.rend());
  std::string text = source;
  for (const std::size_t at : places) {
    const std::size_t line = source.rfind('\n', at) + 1;  // start of the line that contains the loop
    const bool first = source.find_first_not_of(" \t", line) == at;
    const char* fence = "#ifdef SEXTANT_MODEL_OPENMP\n#pragma omp parallel for\n#endif\n";
    text.insert(first ? line : at, (first ? "" : "\n") + std::string(fence));
  }
  return text;
}

}  // namespace sextant::own
