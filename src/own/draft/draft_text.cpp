#include "own/draft/draft_text.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>

#include "own/description/description_reader.hpp"
#include "own/draft/draft_tolerance.hpp"
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

}  // namespace

std::string bare_name(const Signature& one) { return one.name.substr(one.name.rfind(':') + 1); }

Draft::Draft(const DraftParts& parts, const std::string& source, const DraftAsked& asked)
    : parts_(parts), functions_(parts.functions), asked_(asked), arrays_(parts, asked.real, asked.changes) {
  calls_openmp_ = source.find("omp_") != std::string::npos;
  host_code_ = has_unfenced_host_code(source);
  has_reals_ = names_reals(source);
  name_variants();
  for (const char* name : {"block_size", "block_x", "block_y", "block_z"})
    if (is_word_of(source, name) && !is_argument(name)) clashing_.push_back(name);
}

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

// Returns the line `files`: the files that define names which the source needs, then the source itself.
std::string Draft::files_text(const std::string& file) const {
  namespace fs = std::filesystem;
  std::string text;
  for (const std::string& one : parts_.before)
    text += "\"" + fs::path(one).lexically_relative(fs::absolute(file).parent_path()).string() + "\", ";
  return "files = [" + text + "\"" + fs::path(file).filename().string() +
         "\"]  # the files before it define names that it uses\n";
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

}  // namespace sextant::own
