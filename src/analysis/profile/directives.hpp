// Reads a compiler's notes on the OpenACC directives of a file, which the build stored, and explains them.
#pragma once

#include <string>
#include <vector>

namespace sextant {

struct CompilerNote {
  std::string file;  // path relative to the root of the source tree
  int line = 0, column = 0;
  std::string kind;  // optimized, missed or note
  std::string text;  // the message as the compiler wrote it
};

// Parses lines of the form "file:line:column: kind: text" and ignores other lines.
std::vector<CompilerNote> parse_notes(const std::string& text);

// Explains a note in plain words for readers who do not know the compiler; empty if nothing can be added.
std::string meaning_of(const CompilerNote& note);

// True for notes about compiler internals, such as which variables have an address.
bool is_internal(const CompilerNote& note);

// Returns the source with the code of other variants replaced by blank lines, so that line numbers stay
// valid. Such code is a block `namespace name { … }  // namespace name`. It becomes blank if another
// variant's entry names it (`name::launch`) and `variant` does not use it.
std::string source_of_variant(const std::string& source, const std::vector<std::string>& variants,
                              const std::string& variant);

// Returns the notes at lines of `file` that are not blank in `source`, and all notes of other files.
std::vector<CompilerNote> notes_within(const std::string& source, const std::string& file,
                                       const std::vector<CompilerNote>& notes);

struct ExplainedLine {
  int number = 0;
  std::string text;
  std::vector<CompilerNote> notes;  // notes about this line, in the compiler's order
};

// Returns the passages of `source` that contain a directive or a note, with the notes of `file` at their
// lines. Each passage extends to the nearest blank lines.
std::vector<std::vector<ExplainedLine>> explain_source(const std::string& source, const std::string& file,
                                                       const std::vector<CompilerNote>& notes);

}  // namespace sextant
