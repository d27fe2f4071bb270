// What a compiler said of a file's OpenACC directives, read from the notes that the build kept, and what it
// means.
#pragma once

#include <string>
#include <vector>

namespace sextant {

struct CompilerNote {
  std::string file;  // relative to the source's root
  int line = 0, column = 0;
  std::string kind;  // optimized, missed or note
  std::string text;  // as the compiler wrote it
};

// The notes of a text with one "file:line:column: kind: text" a line; other lines are passed over.
std::vector<CompilerNote> parse_notes(const std::string& text);

// What a note says in words for those who do not know the compiler; empty where nothing is to be added.
std::string meaning_of(const CompilerNote& note);

// True for what matters to the compiler's authors alone: which variables got an address.
bool is_internal(const CompilerNote& note);

// The source of a file that has these variants, with the lines empty that belong to variants other than
// `variant`: blocks `namespace name { … }  // namespace name` that other variants name in their entries
// (`name::launch`) and this one does not.
std::string source_of_variant(const std::string& source, const std::vector<std::string>& variants,
                              const std::string& variant);

// The notes that stand at a line of `file` that is not empty in `source`, and all notes of other files.
std::vector<CompilerNote> notes_within(const std::string& source, const std::string& file,
                                       const std::vector<CompilerNote>& notes);

struct ExplainedLine {
  int number = 0;
  std::string text;
  std::vector<CompilerNote> notes;  // on this line, in the compiler's order
};

// The parts of `source` that hold a directive or a note, each up to the nearest blank lines around, with the
// notes of `file` at their lines.
std::vector<std::vector<ExplainedLine>> explain_source(const std::string& source, const std::string& file,
                                                       const std::vector<CompilerNote>& notes);

}  // namespace sextant
