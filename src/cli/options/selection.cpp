#include "cli/options/selection.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/error.hpp"
#include "base/intern.hpp"
#include "base/nearest.hpp"
#include "cli/options/own.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

// Splits the text at each of `separators`, except inside brackets and quotes. The comma in `a{1,2}` thus
// stays part of the expression.
std::vector<std::string> split(const std::string& text, const std::string& separators) {
  std::vector<std::string> parts = {""};
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      parts.back() += c;
      parts.back() += text[++i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '(' || c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ')' || c == ']' || c == '}')) --depth;
    if (depth <= 0 && !quoted && separators.find(c) != std::string::npos)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::vector<std::string> patterns(const std::vector<std::string>& texts, const std::string& option) {
  std::vector<std::string> all;
  for (const std::string& text : texts)
    for (std::string& part : split(text, ",")) {
      if (part.empty())
        throw UserError("`" + text + "` of " + option +
                        " has an empty entry. Write exactly one comma between two names.");
      all.push_back(std::move(part));
    }
  return all;
}

// Reverses the quoting of value_text. Text without quotes is returned unchanged.
std::string unquoted(const std::string& text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return text;
  std::string plain;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\' && i + 2 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

// Splits at blanks. A word that starts with a dash continues the previous value, because the shell has
// removed its quotes: `-t flag="-O3 -g"`.
std::vector<std::string> tunings_in(const std::string& text) {
  std::vector<std::string> parts;
  for (const std::string& part : split(text, " "))
    if (part.starts_with('-') && !parts.empty())
      parts.back() += " " + part;
    else if (!part.empty())
      parts.push_back(part);
  return parts;
}

void parse_tuning(const std::string& text, Selection* selection) {
  if (text == "all") {
    selection->all_tunings = true;
    return;
  }
  const auto refuse = [&](const std::string& why) {
    throw UserError("`" + text + "` of --tunings " + why +
                    ". Write names with values, such as block_size=128,256 threads=1,2, or write `all`.");
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse("does not begin with a name and =");
  std::vector<TunedValue>& values = selection->tunings[text.substr(0, equals)];
  for (const std::string& part : split(text.substr(equals + 1), ",")) {
    if (part.empty()) refuse("has an empty value. Write \"\" for an empty text");
    TunedValue value;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value.number);
    if (error != std::errc() || end != part.data() + part.size()) value = {0, intern(unquoted(part))};
    if (std::none_of(values.begin(), values.end(),
                     [&](const TunedValue& one) { return value_text(one) == value_text(value); }))
      values.push_back(value);
  }
}

void parse_parameter(const std::string& text, Selection* selection) {
  const auto refuse = [&](const std::string& why) {
    throw UserError("`" + text + "` of --parameters " + why +
                    ". Write names with values, such as steps=1,100.");
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse("does not begin with a name and =");
  std::vector<std::int64_t>& values = selection->parameters[text.substr(0, equals)];
  for (const std::string& part : split(text.substr(equals + 1), ",")) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size())
      refuse("has the value `" + part + "`, which is not a whole number");
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
}

ElementType parse_type(const std::string& text) {
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32})
    if (text == name_of(type)) return type;
  throw UserError("there is no element type `" + text + "`." +
                  did_you_mean(text, {"float", "double", "int"}) + " Choose `float`, `double` or `int`.");
}

InputFill parse_fill(const std::string& text) {
  std::vector<std::string> names;
  for (const InputFill fill : all_input_fills) {
    if (text == name_of(fill)) return fill;
    names.emplace_back(name_of(fill));
  }
  throw UserError("`" + text + "` is not a value of --fill." + did_you_mean(text, names) +
                  " Choose `uniform`, `normal`, `small-integers` or `zeros`.");
}

Option add_list(Command command, const char* names, std::vector<std::string>* list, const char* help,
                const char* placeholder) {
  return command.add_option(names, *list, help)
      .type_name(placeholder)
      .allow_extra_args(false)
      .group("Selection");
}

void add_sizes(Command command, bool positionals, SelectionOptions* options) {
  add_list(command, "-n,--sizes", &options->sizes,
           "Select sizes N: elements in total (`7936,64Ki`, or `1Ki:64Mi:x4` in steps of factor 4), elements "
           "per array (`10M/array`), bytes (`1GiB`), shape (`100x37`) or class (`A`, of benchmarks)",
           "LIST");
  add_list(command, "-p,--parameters", &options->parameters,
           "Select values of kernel parameters, such as 1 and 100 steps with `steps=1,100` (default each "
           "kernel's own values)",
           "KEY=LIST")
      .allow_extra_args(!positionals);
}

void add_type(Command command, SelectionOptions* options) {
  add_list(command, "--type", &options->types,
           "Select element types of the arrays (default all types that a kernel supports)",
           "float|double|int");
}

}  // namespace

void SelectionOptions::add_names(Command command) {
  add_list(command, "-k,--kernels", &kernels,
           "Select kernels whose whole name matches the regular expression RE; commas separate several "
           "expressions",
           "RE");
  add_list(command, "-v,--variants", &variants,
           "Select programming models or variants (kernel implementations) by regular expression, such as "
           "`cuda`, `cuda.shared` or `openacc.*`",
           "RE");
}

void SelectionOptions::add_suite(Command command) {
  add_list(command, "--suite", &suites,
           "Select suites (sets of kernels): `study`, `kernels`, `programs`, `npb`, `patterns`, `own` "
           "(kernels of `--load`) or `all`",
           "NAME");
}

void SelectionOptions::add_problems(Command command, bool positionals) {
  add_sizes(command, positionals, this);
  add_type(command, this);
}

void SelectionOptions::add_all(Command command, bool positionals) {
  add_each(
      command, positionals,
      "Select launch settings: `block_size=128,256`, or `all` (default each implementation's own choice)");
}

void SelectionOptions::add_all_and_tuned(Command command) {
  add_each(command, false,
           "Select launch settings: `block_size=128,256`, `all`, or `tuned=FILE` (the fastest that `sextant "
           "tune` stored in FILE) (default each implementation's own choice)");
}

void SelectionOptions::add_each(Command command, bool positionals, const char* help_of_tunings) {
  add_names(command);
  add_sizes(command, positionals, this);
  add_list(command, "-t,--tunings", &tunings, help_of_tunings, "KEY=LIST").allow_extra_args(!positionals);
  add_type(command, this);
  command
      .add_option("-d,--device", device,
                  "Select devices, such as `cpu`, `gpu1`, `2xcpu` (two MPI ranks) or `gpu0-3` (four GPUs "
                  "together) (default cpu,gpu0)")
      .type_name("LIST")
      .take_last()
      .group("Selection");
}

void SelectionOptions::add_parts(Command command) {
  command
      .add_option("--scale", scale,
                  "Divide the problem among ranks or GPUs (`strong`), or give each a whole problem (`weak`) "
                  "(default strong)")
      .type_name("strong|weak")
      .take_last()
      .group("Selection");
  command
      .add_option(
          "--launcher", launcher,
          "Start MPI ranks with this command, where `{}` means the number of ranks (default srun or mpirun)")
      .type_name("TEXT")
      .take_last()
      .group(rarely_used);
}

void SelectionOptions::add_load(Command command) {
  add_list(command, "--load", &loads,
           "Load your own kernels from a source file, folder or shared library (see `sextant new`)", "PATH");
  add_asked(command);
}

void SelectionOptions::add_asked(Command command) {
  const auto add = [&](const char* name, std::string* text, const char* help, const char* placeholder) {
    command.add_option(name, *text, help).type_name(placeholder).take_last().group(rarely_used);
  };
  add("--as", &asked.name,
      "Rename your own kernel (of `--load` or `--loads`) to NAME in tables and results files", "NAME");
  add("--reference", &asked.reference,
      "Check your own kernel's results against the C++ function FUNCTION in FILE (or a CPU implementation of "
      "the kernel, by name)",
      "FILE:FUNCTION");
  add("--tolerance", &asked.tolerance,
      "Accept errors up to these limits in your own kernel's results, such as `relative=1e-5,absolute=1e-6`",
      "LIST");
  command
      .add_flag("--unchecked", asked.unchecked,
                "Time your own kernel without checking its results, and append `_unchecked` to its name")
      .group(rarely_used);
}

void SelectionOptions::add_cache(Command command) {
  command
      .add_option("--cache", cache,
                  "Keep the device's caches filled (`warm`), or clear the caches before each timing (`cold`) "
                  "(default warm)")
      .type_name("warm|cold")
      .take_last()
      .group("Measuring");
}

void SelectionOptions::add_fill(Command command) {
  command
      .add_option("--fill", fill,
                  "Fill floating-point inputs with these numbers, where a kernel has uniform ones (default "
                  "uniform)")
      .type_name("uniform|normal|small-integers|zeros")
      .take_last()
      .group("Measuring");
}

Selection SelectionOptions::parse() const {
  Selection selection;
  selection.kernels = patterns(kernels, "--kernels");
  selection.suites = patterns(suites, "--suite");
  selection.variants = patterns(variants, "--variants");
  for (const std::string& text : sizes) parse_sizes(text, &selection);
  for (const std::string& text : tunings)
    for (const std::string& part : tunings_in(text)) parse_tuning(part, &selection);
  for (const std::string& text : parameters)
    for (const std::string& part : split(text, " "))
      if (!part.empty()) parse_parameter(part, &selection);
  for (const std::string& text : types)
    for (const std::string& part : split(text, ",")) selection.types.push_back(parse_type(part));
  selection.device = device;
  if (!scale.empty() && scale != "weak" && scale != "strong")
    throw UserError("`" + scale +
                    "` is not a value of --scale. Choose `strong` to divide the problem among the parts, or "
                    "`weak` to give each part the whole problem.");
  selection.weak_scaling = scale == "weak";
  // This variable is read when ranks are started.
  if (!launcher.empty()) ::setenv("SEXTANT_LAUNCHER", launcher.c_str(), 1);
  if (!cache.empty() && cache != "warm" && cache != "cold")
    throw UserError("there is no cache mode `" + cache + "`. Choose `warm` or `cold`.");
  selection.cache = cache == "cold" ? CacheMode::cold : CacheMode::warm;
  if (!fill.empty()) selection.fill = parse_fill(fill);
  return selection;
}

Selection SelectionOptions::load_and_parse() const {
  Selection selection = parse();
  load_own(loads, asked);
  return selection;
}

}  // namespace sextant
