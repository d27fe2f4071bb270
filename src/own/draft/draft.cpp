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
#include "own/description/array_type.hpp"
#include "own/description/description.hpp"
#include "own/description/description_reader.hpp"
#include "own/draft/draft_launch.hpp"
#include "own/draft/draft_parts.hpp"
#include "suite/element.hpp"

namespace sextant::own {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_whole_type(const std::string& type) {
  const std::optional<ArrayType> known = array_type_named(type);
  return known && is_whole(known->element);
}

std::size_t degree_of(const DraftArray& array) {
  std::size_t most = 0;
  for (const Polynomial& one : array.lengths) most = std::max(most, one.degree());
  return most;
}

std::string type_text(const DraftArray& array) {
  return array.member.empty() ? "\"" + array.type + "\""
                              : "{ struct = \"" + array.type + "\", member = \"" + array.member +
                                    "\", members = " + std::to_string(array.members) + " }";
}

bool is_word_of(const std::string& source, const std::string& name) {
  return std::regex_search(source, std::regex("\\b" + name + "\\b"));
}

std::string guess_text(const DraftFunction& one) {
  return one.guess.empty() ? "" : "  # " + one.guess + " is a guess";
}

std::string bare_name(const Signature& one) { return one.name.substr(one.name.rfind(':') + 1); }

class Draft {
 public:
  Draft(const DraftParts& parts, const std::string& source, const DraftAsked& asked)
      : parts_(parts), functions_(parts.functions), asked_(asked) {
    calls_openmp_ = source.find("omp_") != std::string::npos;
    host_code_ = has_unfenced_host_code(source);
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
  bool has_whole_results() const;
  void name_variants();
  Polynomial spanned() const;
  std::string default_length() const;
  std::string length_of(const DraftArray& array) const;
  std::string highest_choice(const DraftArray& array, const Chooser& by) const;
  std::string array_text(const DraftArray& array) const;
  std::string sizes_text() const;
  std::string files_text(const std::string& file) const;
  // If `threads` is not empty, it replaces the tunables for the block size in the list of arguments.
  std::string arguments_text(const DraftFunction& function, const std::string& threads = "") const;
  std::string function_text(const DraftFunction& function) const;
  std::string variant_text(const std::string& name, const DraftFunction& function) const;
  std::string variant(std::size_t which) const;
  std::string launch(const DraftFunction& function) const;
  bool is_temporary(const DraftArray& array) const;
  std::string temporaries() const;
  std::string steps() const;
  std::string type_of_t() const;
  std::string reference(const std::string& stem) const;
  DraftFunction all_steps() const;
  std::string reference_signature(const DraftFunction& function, const std::string& more) const;
  const DraftFunction* without_threads() const;
  std::string threads_variant(const DraftFunction& loop) const;
  std::string serial_variants() const;

  const DraftParts& parts_;
  const std::vector<DraftFunction>& functions_;
  const DraftAsked& asked_;
  std::vector<std::string> names_;  // names of the functions' variants
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

bool Draft::has_whole_results() const {
  const bool whole_t = parts_.types == std::set<std::string>{"int"};
  return std::all_of(parts_.arrays.begin(), parts_.arrays.end(), [&](const DraftArray& one) {
    return !one.written || (one.type == "T" ? whole_t : is_whole_type(one.type));
  });
}

// Names the variants. The first serial function becomes the baseline to which speed-ups refer.
void Draft::name_variants() {
  bool has_baseline = false;
  for (const DraftFunction& one : functions_) {
    const Signature& signature = one.signature;
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

// Returns an exclusive upper bound for the values in array `by`, which serve as indices into `array`.
std::string Draft::highest_choice(const DraftArray& array, const Chooser& by) const {
  const std::string all = length_of(array);
  if (!by.factor || array.lengths.size() > 1) return all;
  const Polynomial length = array.lengths.empty() ? spanned() : array.lengths[0];
  const std::optional<Polynomial> most = (length - by.rest - Polynomial(1) + *by.factor).divided(*by.factor);
  return most && most->grows() ? most->text() : all;
}

// Returns a default length for arrays whose indices do not determine it: the product of the sizes. Zero
// without sizes.
Polynomial Draft::spanned() const {
  for (const DraftNumber& one : parts_.numbers)
    if (one.threads) return Polynomial::of(one.name);
  Polynomial product(1);
  std::size_t taken = 0;
  const bool any_used = std::any_of(parts_.numbers.begin(), parts_.numbers.end(),
                                    [](const DraftNumber& one) { return one.in_lengths; });
  for (const DraftNumber& one : parts_.numbers)
    if (!one.real && taken < 3 && (!any_used || one.in_lengths))
      product = product * Polynomial::of(one.name), ++taken;
  return taken > 0 ? product : Polynomial(0);
}

std::string Draft::default_length() const {
  const Polynomial product = spanned();
  return product == Polynomial(0) ? "N / " + std::to_string(parts_.arrays.size()) : product.text();
}

std::string Draft::length_of(const DraftArray& array) const {
  std::string text;
  for (const Polynomial& one : array.lengths)
    text = text.empty() ? one.text() : "max(" + text + ", " + one.text() + ")";
  const bool in_rows = std::any_of(parts_.arrays.begin(), parts_.arrays.end(), [&](const DraftArray& one) {
    return std::find(one.rows_of.begin(), one.rows_of.end(), array.name) != one.rows_of.end();
  });
  // If the only known index is a constant, it does not bound the unknown indices.
  const std::optional<std::int64_t> constant =
      array.lengths.size() == 1 ? array.lengths[0].constant() : std::nullopt;
  // Values that serve as indices are filled below the constant.
  if (array.has_unknown && constant && (*constant == 1 || array.chosen_by.empty()))
    text = *constant == 1 ? "" : "max(" + text + ", " + default_length() + ")";
  return !text.empty() ? text : (in_rows ? "8 * " : "") + default_length();
}

std::string Draft::array_text(const DraftArray& array) const {
  const auto length_named = [&](const std::string& name) {
    for (const DraftArray& one : parts_.arrays)
      if (one.name == name) return length_of(one);
    return default_length();
  };
  const bool own = array.type != "T";
  const std::string& number = array.member.empty() ? array.type : array.member;
  const bool whole =
      own ? !array.mixed && is_whole_type(number) : parts_.types == std::set<std::string>{"int"};
  const char* role = !array.written ? "in" : array.read || !array.whole ? "inout" : "out";
  std::string fill, question;
  for (const DraftArray& one : parts_.arrays)
    for (const Chooser& by : one.chosen_by)
      if (whole && by.array == array.name) fill = "{ low = 0, high = \"" + highest_choice(one, by) + "\" }";
  if (whole && !array.rows_of.empty()) fill = "{ offsets = \"" + length_named(array.rows_of[0]) + "\" }";
  if (array.mixed && (!array.written || array.read)) fill = "\"zero\"";
  if (array.returned && array.read) fill = "\"zero\"";
  const bool positive = asked_.positive && !whole && fill.empty() && (!array.written || array.read);
  if (positive) fill = "{ low = 1, high = 2 }";
  if (array.has_unknown)
    question = array.lengths.empty() ? "length is a guess" : "length covers only the simple indices";
  if (whole && fill.empty() && !array.written)
    question +=
        std::string(question.empty() ? "" : "; ") + "fill = { low = 0, high = 256 } if these are indices";
  if (positive)
    question +=
        std::string(question.empty() ? "" : "; ") + "negative numbers gave results that are no numbers";
  if (array.mixed)
    question += std::string(question.empty() ? "" : "; ") +
                "bytes of a struct of several types: fill = \"….bin\" if zeros are no input";
  if (std::string(role) == "inout" && !array.returned)
    question += std::string(question.empty() ? "" : "; ") +
                (array.read ? "it is also read: fill = \"zero\" if sums start from it"
                            : "\"out\" if every element is written");
  return "  { name = \"" + array.name + "\", role = \"" + role + "\", length = \"" + length_of(array) + "\"" +
         (own ? ", type = " + type_text(array) : "") + (fill.empty() ? "" : ", fill = " + fill) + " }," +
         (question.empty() ? "" : "  # " + question) + "\n";
}

// Returns the description's line `sizes`. Sizes that occur in array lengths are computed from N. All other
// sizes are 1.
std::string Draft::sizes_text() const {
  std::vector<std::string> from_n, others;
  const bool any_used = std::any_of(parts_.numbers.begin(), parts_.numbers.end(),
                                    [](const DraftNumber& one) { return one.in_lengths; });
  for (const DraftNumber& one : parts_.numbers) {
    if (one.real) continue;
    const bool follows = any_used ? one.in_lengths : from_n.size() < 3;
    (follows ? from_n : others).push_back(one.name);
  }
  std::size_t degree = 0;
  for (const DraftArray& one : parts_.arrays)
    degree = std::max(degree, one.lengths.empty() ? spanned().degree() : degree_of(one));
  const std::string share = parts_.arrays.size() == 1 ? "N" : "N / " + std::to_string(parts_.arrays.size());
  const std::string first = degree <= 1 ? share : std::string(degree == 2 ? "sqrt(" : "cbrt(") + share + ")";
  std::string text, threads;
  for (const std::string& one : from_n) {
    const bool whole_blocks = parts_.number_named(one)->threads;
    if (whole_blocks) threads = "; no thread checks its index: `" + one + "` must be a multiple of the block";
    text += (text.empty() ? "" : ", ") + one + " = \"" + (&one == &from_n[0] ? first : from_n[0]) +
            (whole_blocks ? " // 1024 * 1024\"" : "\"");
  }
  for (const std::string& one : others) text += (text.empty() ? "" : ", ") + one + " = 1";
  return text.empty() ? ""
                      : "sizes = { " + text + " }  # from N, the elements of all arrays" + threads +
                            (others.empty() ? "" : "; 1 is a guess") + "\n";
}

std::string Draft::arguments_text(const DraftFunction& function, const std::string& threads) const {
  const bool float_t = parts_.types == std::set<std::string>{"float"};
  const bool double_t = parts_.types == std::set<std::string>{"double"};
  std::string text;
  for (const DraftArgument& one : function.arguments) {
    if (one.returned) continue;
    std::string argument = one.array            ? parts_.arrays[one.index].name
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
  return text;
}

std::string Draft::variant_text(const std::string& name, const DraftFunction& function) const {
  return "[variant.\"" + name + "\"]\n" + function_text(function);
}

std::string Draft::variant(std::size_t which) const {
  const DraftFunction& function = functions_[which];
  return "\n" + variant_text(names_[which], function) + (function.signature.kernel ? launch(function) : "");
}

std::string Draft::launch(const DraftFunction& function) const {
  return launch_text(parts_, function, length_of(parts_.arrays[*function.results.begin()]), false).text;
}

// Returns true for an array that only passes data between steps. No host function uses such an array.
bool Draft::is_temporary(const DraftArray& array) const {
  if (!parts_.steps || !array.written || !array.read) return false;
  bool has_host = false;
  for (const DraftFunction& one : functions_) {
    if (one.signature.kernel) continue;
    has_host = true;
    for (const DraftArgument& argument : one.arguments)
      if (argument.array && &parts_.arrays[argument.index] == &array) return false;
  }
  return has_host;
}

std::string Draft::temporaries() const {
  std::string list;
  for (const DraftArray& one : parts_.arrays)
    if (is_temporary(one))
      list += (list.empty() ? "" : ", ") + ("{ name = \"" + one.name) + "\", length = \"" + length_of(one) +
              "\"" + (one.type == "T" ? "" : ", type = " + type_text(one)) + " }";
  return list.empty() ? "" : "temporaries = [" + list + "]\n";
}

// Returns one variant that runs all kernels as its steps.
std::string Draft::steps() const {
  std::string list, launches;
  for (const DraftFunction& one : functions_) {
    if (!one.signature.kernel) continue;
    const LaunchText launched =
        launch_text(parts_, one, length_of(parts_.arrays[*one.results.begin()]), true);
    std::string line;
    for (const char c :
         "function = \"" + one.called + "\"\narguments = [" + arguments_text(one) + "]\n" + launched.text)
      line += c == '\n' ? std::string(", ") : std::string(1, c);
    while (line.ends_with(", ")) line.resize(line.size() - 2);
    list += "  { " + line + " }," + (launched.guessed ? "  # grid: one element per thread?" : "") +
            guess_text(one) + "\n";
  }
  return "\n# Each kernel is a step, in the order of the file; add `repeat` to steps that are launched "
         "several times.\n[variant.\"cuda.steps\"]\n" +
         temporaries() + "steps = [\n" + list + "]\n" +
         (list.find("\"block_size\"") == std::string::npos
              ? ""
              : "tune = { block_size = [128, 64, 256, 512, 1024] }\n");
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
  for (const DraftFunction& one : functions_)
    for (std::size_t i = 0; i < one.arguments.size(); ++i) {
      const DraftArgument& argument = one.arguments[i];
      if (!argument.launch.empty()) continue;
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
    const std::string shown = array ? (type == type_of_t() && !has_members ? "T" : type)
                              : argument.launch.empty() && parts_.numbers[argument.index].real && real
                                  ? "T"
                                  : one.type;
    text += (text.empty() ? "" : ", ") + std::string(argument.array && !one.written ? "const " : "") + shown +
            (argument.array ? "* " : " ") + (one.name == "T" && array ? array->name : one.name);
  }
  return "void " + bare_name(function.signature) + "_reference(" + text + more + ")";
}

// Returns the type that T stands for if the description has no key `types`. This is the first array type that
// is float or double. Empty if there is none.
std::string Draft::type_of_t() const {
  for (const DraftArray& one : parts_.arrays)
    if (parts_.types.empty() && (one.type == "float" || one.type == "double")) return one.type;
  return "";
}

// Returns the text of the reference, which runs in double precision unless its code uses float.
std::string Draft::reference(const std::string& stem) const {
  std::size_t host = functions_.size();
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    const Signature& one = functions_[i].signature;
    if (!one.kernel && (host == functions_.size() || (functions_[host].signature.threads && !one.threads)))
      host = i;
  }
  if (host == functions_.size()) {
    const DraftFunction kernel = parts_.steps ? all_steps() : functions_.back();
    std::string threads, threads_type;
    for (const DraftNumber& one : parts_.numbers)
      if (one.threads) threads = ", \"" + one.name + "\"", threads_type = ", long " + one.name;
    return "# Reference: write this function as a plain loop into the file named below; T is double "
           "there.\n#   " +
           reference_signature(kernel, threads_type) + "\nreference = { file = \"" + stem +
           "_reference.cpp\", function = \"" + bare_name(kernel.signature) + "_reference\", arguments = [" +
           arguments_text(kernel, "1") + threads + "] }\n";
  }
  const DraftFunction& function = functions_[host];
  const std::string name = function.signature.threads && without_threads() ? "serial.baseline" : names_[host];
  const auto& parameters = function.signature.parameters;
  const bool in_float = std::any_of(parameters.begin(), parameters.end(),
                                    [](const Parameter& one) { return one.pointer && one.type == "float"; });
  const bool float_is_t =
      parts_.types.empty() ? type_of_t() == "float" : parts_.types == std::set<std::string>{"float"};
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

// Returns the serial function for which an OpenMP variant is also drafted, or null. A file that already has
// OpenMP functions gets no such variant.
const Signature* loop_for_threads(const std::vector<DraftFunction>& functions) {
  const Signature* serial = nullptr;
  for (const DraftFunction& one : functions) {
    if (one.signature.threads) return nullptr;
    if (!one.signature.kernel && !serial) serial = &one.signature;
  }
  return serial && serial->loop.at > 0 && serial->loop.dependence.empty() ? serial : nullptr;
}

// Returns an OpenMP variant of a serial function, with a directive before the function's loop. The variant is
// commented out if the directive may be wrong.
std::string Draft::threads_variant(const DraftFunction& loop) const {
  const std::string text = variant_text("openmp." + lower(bare_name(loop.signature)), loop);
  if (loop_for_threads(functions_))
    return "\n# The same function; the directive before its loop applies only to this variant.\n" + text;
  const std::string why = loop.signature.loop.at == 0 ? "it is not one loop" : loop.signature.loop.dependence;
  std::string behind =
      "\n# OpenMP variant. Check first that no iteration needs the result of another: " + why +
      ".\n# Then write `#pragma omp parallel for` before the loop and remove these # signs.\n# ";
  for (const char c : text) behind += c == '\n' ? std::string("\n# ") : std::string(1, c);
  return behind.substr(0, behind.size() - 2);
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
    if (!is_temporary(one)) text += array_text(one);
  text += "]\n";
  std::string scalars;
  for (const DraftNumber& one : parts_.numbers)
    if (one.real) scalars += (scalars.empty() ? "scalars = { " : ", ") + one.name + " = 0.5";
  text += scalars.empty() ? "" : scalars + " }\n";
  text += "work = { flops = 0 }  # of one execution\n" + reference(name);
  if (!has_whole_results())
    text +=
        "tolerance = { absolute = \"8 * eps\", relative = \"8 * eps\", reason = \"a guess: give the "
        "number of roundings\" }\n";
  if (!parts_.before.empty()) text += files_text(file);
  if (host_code_)
    text +=
        "compiler = \"nvcc\"  # the file also has host code; nvrtc takes a tenth of the time, if #ifdef "
        "separates host code and kernels\n";
  for (std::size_t i = 0; i < functions_.size(); ++i)
    if (!parts_.steps || !functions_[i].signature.kernel) text += variant(i);
  if (parts_.steps) text += steps();
  text += serial_variants();
  for (const std::string& one : clashing_)
    text = std::regex_replace(text, std::regex("\\b" + one + "\\b"), "launch_" + one);
  for (const std::string& one : parts_.left_out) text += "# left out: " + one + "\n";
  return text + "*/\n";
}

}  // namespace

std::string draft_of(const std::string& source, const std::string& file, SourceFunctions found,
                     const DraftAsked& asked) {
  if (has_description(source))
    throw UserError(file + " already has a description. `sextant verify --load " + file + "` checks it.");
  std::vector<std::string> of_host;
  if (!asked.no_host.empty())
    std::erase_if(found.functions, [&](const Signature& one) {
      if (!one.kernel) of_host.push_back(one.name);
      return !one.kernel;
    });
  DraftParts parts = draft_parts(source, file, std::move(found));
  if (!of_host.empty()) parts.left_out.push_back(join(of_host) + ": " + asked.no_host);
  return Draft(parts, source, asked).text(file);
}

std::string draft_of(const std::string& source, const std::string& file) {
  return draft_of(source, file, functions_of(source, file), {});
}

std::string with_directive(const std::string& source, const std::string& file, SourceFunctions found) {
  const DraftParts parts = draft_parts(source, file, std::move(found));
  const Signature* function = loop_for_threads(parts.functions);
  if (!function) return source;
  // Start of the line that contains the loop.
  const std::size_t line = source.rfind('\n', function->loop.at) + 1;
  const bool first = source.find_first_not_of(" \t", line) == function->loop.at;
  const char* fence = "#ifdef SEXTANT_MODEL_OPENMP\n#pragma omp parallel for\n#endif\n";
  return std::string(source).insert(first ? line : function->loop.at,
                                    (first ? "" : "\n") + std::string(fence));
}

}  // namespace sextant::own
