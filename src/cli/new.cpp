// sextant new: creates a folder for a user kernel, or adds a description at the start of a source file.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "base/child.hpp"
#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/files/output.hpp"
#include "cli/new/folder.hpp"
#include "own/compile/cache.hpp"
#include "own/draft/draft.hpp"
#include "own/trial/trials.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

// Returns the reason why the file cannot be loaded: its host functions do not compile, do not link, or fail
// at small sizes. Empty if it can be loaded.
std::string why_not_loaded(const std::string& file) {
  constexpr double longest = 60;  // Time limit in seconds.
  const Ended ended = run_to_end({"/proc/self/exe", "list", "variants", "--load", file}, longest);
  if (ended.well()) return "";
  std::string text = ended.log.substr(0, ended.log.find_first_of(";\n"));
  for (const char* known : {"sextant: ", "error: "})
    if (text.starts_with(known)) text.erase(0, std::strlen(known));
  const std::string known = std::filesystem::path(file).filename().string() + " cannot be loaded: ";
  if (text.starts_with(known)) text.erase(0, known.size());
  return text.empty() ? "it cannot be loaded" : text;
}

// Drafts again with other inputs: positive ones for code such as a logarithm, small ones for code such as a
// filter with feedback. Returns true if this draft can be loaded, and then changes `asked` and `draft`.
bool loads_with_other_inputs(const std::string& file, const std::string& described, const std::string& source,
                             const own::SourceFunctions& functions, own::DraftAsked* asked,
                             std::string* draft) {
  for (const own::RealFill real : {own::RealFill::positive, own::RealFill::small}) {
    own::DraftAsked changed = *asked;
    changed.real = real;
    const std::string other = own::draft_of(source, file, functions, changed);
    write_in_place(other + described, file);
    if (!why_not_loaded(file).empty()) continue;
    *asked = changed, *draft = other;
    return true;
  }
  return false;
}

// Corrects the draft, which `file` holds, by trial runs of its reference. Returns false if they changed
// nothing, or if the changed description cannot be loaded.
bool corrects_by_trials(const std::string& file, const std::string& described, const std::string& source,
                        const own::SourceFunctions& functions, own::DraftAsked* asked, std::string* draft) {
  own::DraftAsked changed = *asked;
  changed.changes = own::changes_by_trials(source, file, functions, *asked);
  if (changed.changes.empty()) return false;
  for (const own::RealFill real : {own::RealFill::usual, own::RealFill::positive, own::RealFill::small}) {
    changed.real = real;
    const std::string other = own::draft_of(source, file, functions, changed);
    write_in_place(other + described, file);
    const std::string why = why_not_loaded(file);
    if (why.empty()) {
      *asked = changed, *draft = other;
      return true;
    }
    if (why.find("not a number") == std::string::npos) break;
  }
  write_in_place(*draft + described, file);
  return false;
}

bool has_reference(const std::string& draft) { return draft.find("_reference.cpp\"") == std::string::npos; }

// Drafts a function on the host without the kernels, of which it seems to be the reference, if the draft with
// both has no reference.
void describe_host_only(const std::string& source, const std::string& file,
                        const own::SourceFunctions& functions, own::DraftAsked* asked, std::string* draft) {
  if (has_reference(*draft) || !own::has_host_version(functions)) return;
  own::DraftAsked changed = *asked;
  changed.no_kernels =
      "no function on the host has their arrays by name or order, as a reference needs. Give both the same "
      "names";
  try {
    const std::string other = own::draft_of(source, file, functions, changed);
    if (!has_reference(other)) return;
    *asked = changed, *draft = other;
  } catch (const UserError&) {  // the functions on the host do not fit a description
  }
}

// Returns the rest of the first comment of the draft that begins so.
std::string line_of(const std::string& draft, const std::string& begin) {
  const std::size_t at = draft.find("# " + begin);
  if (at == std::string::npos) return "";
  const std::size_t from = at + 2 + begin.size();
  return draft.substr(from, draft.find('\n', from) - from);
}

void describe_file(const std::string& file) {
  const std::filesystem::path path = file;
  const std::string ending = path.extension();
  if (ending != ".cu" && ending != ".cpp" && ending != ".cc")
    throw UserError(file + " is not a source file. Name a .cu, .cpp or .cc file.");
  std::string source;
  if (!own::read_file(path, &source))
    throw UserError("there is no file " + file + ". Write the file, or name another one.");
  if (source.starts_with("\xEF\xBB\xBF"))
    source.erase(0, 3);  // Removes the byte order mark, which is valid only at the start of a file.
  const own::SourceFunctions functions = own::functions_of(source, file);
  std::string described = own::with_directive(source, file, functions);
  own::DraftAsked asked;
  if (find_kernel(path.stem().string())) asked.prefix = "my_";
  std::string draft = own::draft_of(source, file, functions, asked);
  describe_host_only(source, file, functions, &asked, &draft);
  write_in_place(draft + described, file);
  const auto has_variant = [&](const std::string& model) {
    return draft.find("\n[variant.\"" + model) != std::string::npos;
  };
  if (has_variant("serial.") || has_variant("openmp.")) {
    const bool corrected = corrects_by_trials(file, described, source, functions, &asked, &draft);
    const std::string why = corrected ? "" : why_not_loaded(file);
    // Functions that compile stay in the description: their arrays may be too short, or hold no valid
    // indices.
    const bool compiles = why.find("compile") == std::string::npos;
    const bool others = why.find("not a number") != std::string::npos &&
                        loads_with_other_inputs(file, described, source, functions, &asked, &draft);
    if (!why.empty() && !others && has_variant("cuda.") && !compiles) {
      asked.no_host = why;
      draft = own::draft_of(source, file, functions, asked);
      described = source;
    } else if (!why.empty() && !others) {
      asked.problem = why;
      draft = own::draft_of(source, file, functions, asked);
      std::fprintf(stderr, "the description cannot be loaded yet: %s\n",
                   line_of(draft, "it cannot be loaded yet: ").c_str());
    }
    write_in_place(draft + described, file);
  }
  if (described != source)
    std::fprintf(stderr,
                 "added `#pragma omp parallel for` before the loop, for the variant openmp only, because its "
                 "iterations are independent\n");
  if (const std::string line = line_of(draft, "left out: ");
      line.find("It returns a number") != std::string::npos)
    std::fprintf(stderr, "left out: %s\n", line.c_str());
  if (!has_reference(draft))
    std::fprintf(stderr,
                 "no function on the host gives the kernels' results. Write the reference function; the "
                 "description names its file and first line\n");
  std::fprintf(stderr,
               "%s now begins with a description of its functions. Read it, correct the guesses, then\n"
               "  sextant verify --load %s\n",
               file.c_str(), shell_text({file}).c_str());
}

void make_folder(const std::string& path) {
  write_kernel_folder(path);
  std::fprintf(stderr,
               "%s holds a working example. Replace it by your kernel, then\n  sextant verify --load %s\n",
               path.c_str(), shell_text({path}).c_str());
}

}  // namespace

void add_new(Command app, int*) {
  Command command = app.add_subcommand("new", "Create the files for a kernel of your own");
  const auto file = std::make_shared<std::string>();
  command
      .add_option("what", *file,
                  "Create folder NAME with an example kernel, or write a kernel description into FILE")
      .type_name("NAME|FILE.cu|FILE.cpp")
      .required();
  command.footer(
      "`sextant new FILE` writes a description of the file's functions into the first comment of FILE. The "
      "command also adds an OpenMP directive before a loop whose iterations are independent. Only the "
      "variant `openmp` uses that directive.\n"
      "Examples:\n"
      "  sextant new saxpy               writes kernel.cpp, serial.cpp, openmp.cpp, cuda.cu, CMakeLists.txt\n"
      "  sextant verify --load saxpy     builds the folder, then checks the kernel\n"
      "  sextant new saxpy.cu            describes the functions of that file");
  command.callback([file] {
    if (std::filesystem::path(*file).has_extension())
      describe_file(*file);
    else
      make_folder(*file);
  });
}

}  // namespace sextant
