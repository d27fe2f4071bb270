#include "cli/new/file_draft.hpp"

#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/child.hpp"
#include "base/error.hpp"
#include "cli/files/output.hpp"
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

// Returns the rest of the first comment of the draft that begins so.
std::string line_of(const std::string& draft, const std::string& begin) {
  const std::size_t at = draft.find("# " + begin);
  if (at == std::string::npos) return "";
  const std::size_t from = at + 2 + begin.size();
  return draft.substr(from, draft.find('\n', from) - from);
}

bool has_reference(const std::string& draft) { return draft.find("_reference.cpp\"") == std::string::npos; }

bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

std::string source_of(const std::string& file) {
  const std::filesystem::path path = file;
  const std::string ending = path.extension();
  if (ending != ".cu" && ending != ".cpp" && ending != ".cc")
    throw UserError(file + " is not a source file. Name a .cu, .cpp or .cc file.");
  std::string source;
  if (!own::read_file(path, &source))
    throw UserError("there is no file " + file + ". Write the file, or name another one.");
  if (source.starts_with("\xEF\xBB\xBF"))
    source.erase(0, 3);  // Removes the byte order mark, which is valid only at the start of a file.
  return source;
}

class FileDraft {
 public:
  explicit FileDraft(const std::string& file)
      : file_(file), source_(source_of(file)), functions_(own::functions_of(source_, file)) {
    if (find_kernel(std::filesystem::path(file).stem().string())) asked_.prefix = "my_";
    take(asked_);
    if (!has_reference(draft_) && own::has_host_version(functions_)) describe_host_only();
    write();
  }

  // Changes the draft until it can be loaded, as far as possible.
  void make_loadable();
  void tell() const;

 private:
  bool has_variant(const std::string& model) const {
    return draft_.find("\n[variant.\"" + model) != std::string::npos;
  }
  void take(const own::DraftAsked& asked) {
    draft_ = own::draft_of(source_, file_, functions_, asked);
    described_ = asked.no_host.empty() ? own::with_directive(source_, file_, functions_, asked) : source_;
    asked_ = asked;
  }
  void write() const { write_in_place(draft_ + described_, file_); }
  void describe_host_only();
  bool corrects_by_trials();
  bool loads_with_other_inputs();

  const std::string file_, source_;
  const own::SourceFunctions functions_;
  own::DraftAsked asked_;
  std::string draft_, described_;  // the description, and the source with directives
};

// Drafts a function on the host without the kernels, of which it seems to be the reference.
void FileDraft::describe_host_only() {
  const own::DraftAsked before = asked_;
  own::DraftAsked changed = asked_;
  changed.no_kernels =
      "no function on the host has their arrays by name or order, as a reference needs. Give both the same "
      "names";
  try {
    take(changed);
    if (has_reference(draft_)) return;
  } catch (const UserError&) {  // the functions on the host do not fit a description
  }
  take(before);
}

// Corrects the draft by trial runs of its reference. Returns false if they changed nothing, or if the changed
// description cannot be loaded.
bool FileDraft::corrects_by_trials() {
  const own::DraftAsked before = asked_;
  own::DraftAsked changed = asked_;
  changed.changes = own::changes_by_trials(source_, file_, functions_, asked_);
  if (changed.changes.empty()) return false;
  for (const own::RealFill real : {own::RealFill::usual, own::RealFill::positive, own::RealFill::small}) {
    changed.real = real;
    take(changed);
    write();
    const std::string why = why_not_loaded(file_);
    if (why.empty()) return true;
    if (!holds(why, "not a number")) break;
  }
  take(before);
  write();
  return false;
}

// Drafts again with other inputs: positive ones for code such as a logarithm, small ones for code such as a
// filter with feedback. Returns true if this draft can be loaded.
bool FileDraft::loads_with_other_inputs() {
  const own::DraftAsked before = asked_;
  for (const own::RealFill real : {own::RealFill::positive, own::RealFill::small}) {
    own::DraftAsked changed = before;
    changed.real = real;
    take(changed);
    write();
    if (why_not_loaded(file_).empty()) return true;
  }
  take(before);
  return false;
}

void FileDraft::make_loadable() {
  if ((!has_variant("serial.") && !has_variant("openmp.")) || corrects_by_trials()) return;
  const std::string why = why_not_loaded(file_);
  if (why.empty() || (holds(why, "not a number") && loads_with_other_inputs())) return;
  own::DraftAsked changed = asked_;
  // Functions that compile stay in the description: their arrays may be too short, or hold no valid indices.
  const bool leaves_out = has_variant("cuda.") && holds(why, "compile");
  (leaves_out ? changed.no_host : changed.problem) = why;
  take(changed);
  write();
  if (!leaves_out)
    std::fprintf(stderr, "the description cannot be loaded yet: %s\n",
                 line_of(draft_, "it cannot be loaded yet: ").c_str());
}

void FileDraft::tell() const {
  if (described_ != source_)
    std::fprintf(stderr,
                 "added `#pragma omp parallel for` before the loop, for the variant openmp only, because its "
                 "iterations are independent\n");
  if (const std::string line = line_of(draft_, "left out: "); holds(line, "It returns a number"))
    std::fprintf(stderr, "left out: %s\n", line.c_str());
  if (!has_reference(draft_))
    std::fprintf(stderr,
                 "no function on the host gives the kernels' results. Write the reference function; the "
                 "description names its file and first line\n");
  std::fprintf(stderr,
               "%s now begins with a description of its functions. Read it, correct the guesses, then\n"
               "  sextant verify --load %s\n",
               file_.c_str(), shell_text({file_}).c_str());
}

}  // namespace

void describe_file(const std::string& file) {
  FileDraft draft(file);
  draft.make_loadable();
  draft.tell();
}

}  // namespace sextant
