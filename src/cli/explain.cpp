// sextant explain: shows the compiler's notes on the OpenACC directives of a variant next to the source.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/profile/directives.hpp"
#include "base/error.hpp"
#include "base/join.hpp"
#include "cli/commands.hpp"
#include "cli/files/output.hpp"
#include "cli/options/selection.hpp"
#include "own/kernel/load.hpp"
#include "present/terminal.hpp"

namespace sextant {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ExplainOptions {
  SelectionOptions selection;
  bool all = false, json = false;
};

// Returns the folder that contains the notes and sources of the build. It has the same path relative to the
// program in the build folder and after installation.
fs::path share_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return program.parent_path().parent_path() / "share/sextant/openacc";
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

const ModelBuild& openacc_build() {
  const std::vector<ModelBuild>& builds = model_builds();
  return *std::find_if(builds.begin(), builds.end(),
                       [](const ModelBuild& build) { return build.model == Model::openacc; });
}

std::vector<std::string> openacc_names(const RegisteredKernel& entry) {
  std::vector<std::string> names;
  for (const Variant& variant : entry.variants)
    if (variant.model == Model::openacc) names.push_back(variant.name);
  return names;
}

struct Subject {
  const RegisteredKernel* entry;
  const Variant* variant;
};

// Returns the OpenACC variants of the selection. Every selected kernel or variant must have one.
std::vector<Subject> choose(const SelectionOptions& options) {
  Selection selection = options.load_and_parse();
  if (selection.kernels.empty() && loaded().empty())
    throw UserError(
        "`sextant explain` needs a kernel. Name one with -k NAME. `sextant list kernels` lists the kernels.");
  selection.names_only = true;
  const std::vector<SelectedKernel> chosen = resolve(selection).kernels;
  if (!openacc_build().built)
    throw UserError("this build has no OpenACC (" + openacc_build().reason +
                        "), so the compiler wrote no notes about OpenACC directives. `sextant doctor` says "
                        "what OpenACC needs.",
                    ExitCode::missing);
  std::vector<Subject> subjects;
  for (const SelectedKernel& kernel : chosen)
    for (const Variant* variant : kernel.variants)
      if (variant->model == Model::openacc) subjects.push_back({kernel.entry, variant});
  if (!subjects.empty()) return subjects;
  const SelectedKernel& first = chosen.front();
  const std::vector<std::string> names = openacc_names(*first.entry);
  if (names.empty())
    throw UserError(first.kernel().name +
                    " has no OpenACC variant to explain. `sextant list variants -v openacc` lists the "
                    "OpenACC variants of all kernels.");
  throw UserError(join(options.variants) +
                  " is not an OpenACC variant and has no directives. The OpenACC variants of " +
                  first.kernel().name + " are " + join(names) + ".");
}

struct Explanation {
  Subject subject;
  std::string file;  // File of the variant, relative to the root of the sources.
  bool shares_file;  // True if other variants are in the same file.
  std::vector<CompilerNote> notes;
  // For each source file, its lines with the notes on them.
  std::vector<std::pair<std::string, std::vector<std::vector<ExplainedLine>>>> sources;
};

// Returns a variant's name without its programming model: "packed" for "openacc.packed".
std::string name_within_model(const std::string& variant) { return variant.substr(variant.find('.') + 1); }

// Returns the names, without the programming model, of all variants in the subject's file.
std::vector<std::string> variants_of_file(const Subject& subject) {
  const std::string path = source_path_of_variant(*subject.entry, subject.variant->name);
  std::vector<std::string> names;
  for (const std::string& name : openacc_names(*subject.entry))
    if (source_path_of_variant(*subject.entry, name) == path) names.push_back(name_within_model(name));
  return names;
}

Explanation explain_one(const Subject& subject) {
  if (!subject.entry->loaded_from.empty())
    throw UserError("there are no compiler notes for " + subject.entry->kernel.name +
                    ", because it was loaded from your own file. To see notes, compile the file yourself "
                    "with -fopt-info-optimized-omp.");
  const fs::path share = share_folder();
  Explanation explanation;
  explanation.subject = subject;
  explanation.file = source_path_of_variant(*subject.entry, subject.variant->name);
  if (!fs::exists(share / (explanation.file + ".notes")))
    throw UserError("the compiler notes of " + subject.entry->kernel.name + " " + subject.variant->name +
                        " are not in " + share.string() +
                        ". The program was moved without its share folder. Build or install it again.",
                    ExitCode::missing);
  const std::vector<std::string> variants = variants_of_file(subject);
  explanation.shares_file = variants.size() > 1;
  const std::string own = source_of_variant(content_of(share / explanation.file), variants,
                                            name_within_model(subject.variant->name));
  explanation.notes =
      notes_within(own, explanation.file, parse_notes(content_of(share / (explanation.file + ".notes"))));
  std::vector<std::string> files = {explanation.file};
  for (const CompilerNote& note : explanation.notes)
    if (std::find(files.begin(), files.end(), note.file) == files.end()) files.push_back(note.file);
  for (const std::string& file : files)
    explanation.sources.emplace_back(
        file,
        explain_source(file == explanation.file ? own : content_of(share / file), file, explanation.notes));
  return explanation;
}

Json to_json(const Explanation& explanation) {
  Json notes = Json::array(), source = Json::array();
  for (const CompilerNote& note : explanation.notes)
    notes.push_back({{"file", note.file},
                     {"line", note.line},
                     {"column", note.column},
                     {"kind", note.kind},
                     {"text", note.text},
                     {"meaning", meaning_of(note)}});
  for (const auto& [file, parts] : explanation.sources)
    for (const auto& part : parts)
      for (const ExplainedLine& line : part)
        source.push_back({{"file", file}, {"line", line.number}, {"text", line.text}});
  return {{"kernel", explanation.subject.entry->kernel.name},
          {"variant", explanation.subject.variant->name},
          {"description", explanation.subject.variant->description},
          {"compiler", openacc_build().compiler},
          {"flags", openacc_build().flags},
          {"notes", notes},
          {"source", source}};
}

std::string to_text(const ExplainedLine& line, bool all, bool colour) {
  const char* strong = colour ? "\033[1m" : "";
  const char* plain = colour ? "\033[0m" : "";
  char number[16];
  std::snprintf(number, sizeof number, "%5d | ", line.number);
  std::string text = number + line.text + "\n";
  for (const CompilerNote& note : line.notes) {
    if (!all && is_internal(note)) continue;
    text += "      > " + std::string(strong) + note.text + plain + "\n";
    if (const std::string meaning = meaning_of(note); !meaning.empty()) text += "      >   " + meaning + "\n";
  }
  return text;
}

std::string to_text(const Explanation& explanation, bool all, bool colour) {
  const Subject& subject = explanation.subject;
  std::string text = subject.entry->kernel.name + " " + subject.variant->name + ": " +
                     subject.variant->description + "\ncompiled by " + openacc_build().compiler + "\n";
  for (const auto& [file, parts] : explanation.sources) {
    text += "\n" + file + "\n";
    if (explanation.shares_file && file != explanation.file)
      text += "(included by " + explanation.file + ", whose other variants may use it)\n";
    for (const auto& part : parts) {
      text += "\n";
      for (const ExplainedLine& line : part) text += to_text(line, all, colour);
    }
  }
  if (explanation.notes.empty()) text += "\nThe compiler has no notes.\n";
  return text;
}

void explain(const ExplainOptions& options) {
  const std::vector<Subject> subjects = choose(options.selection);
  const bool colour = inspect_terminal(STDOUT_FILENO).colour;
  Json list = Json::array();
  std::string text;
  for (const Subject& subject : subjects) {
    const Explanation explanation = explain_one(subject);
    if (options.json)
      list.push_back(to_json(explanation));
    else
      text += (text.empty() ? "" : "\n") + to_text(explanation, options.all, colour);
  }
  write_output(options.json ? list.dump(2) + "\n" : text, "");
}

}  // namespace

void add_explain(Command app, int*) {
  Command command = app.add_subcommand("explain", "Show the compiler's notes on OpenACC code");
  const auto options = std::make_shared<ExplainOptions>();
  options->selection.add_names(command);
  options->selection.add_load(command);
  command.add_flag("--all", options->all,
                   "Show compiler notes on variables that the compiler itself created, too");
  command.add_flag("--json", options->json, "Print the compiler's notes and the source lines as JSON");
  command.footer(
      "The output shows the source of each variant, with the compiler's notes below the line to which they "
      "belong. The notes come from the build of the variants. The source also includes code that the "
      "variants of a file share.\n"
      "Examples:\n"
      "  sextant explain -k increment -v openacc.kernels      shows why the loop stays sequential\n"
      "  sextant explain -k alias                             shows all OpenACC variants of a kernel");
  command.callback([options] { explain(*options); });
}

}  // namespace sextant
