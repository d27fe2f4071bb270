// The functions that a source defines, read without a C++ parser: enough to draft a description of them.
#pragma once

#include <string>
#include <vector>

namespace sextant::own {

struct Parameter {
  std::string type;  // without const, * and __restrict__: "float", "unsigned int", "T"
  std::string name;
  bool pointer = false, is_const = false;  // is_const: of what a pointer leads to
};

// The one loop at the outside of a function's body.
struct Loop {
  std::size_t at = 0;      // of the first character of its `for`; 0: there is none, or there are several
  std::string dependence;  // what may make an iteration depend on another; empty: none does
};

struct Signature {
  std::string name;
  int line = 0;                  // of the name
  bool kernel = false;           // __global__
  bool threads = false;          // an OpenMP directive stands in it
  bool two_dimensional = false;  // threadIdx.y stands in it
  std::vector<std::string> template_types;
  std::vector<Parameter> parameters;
  Loop loop;  // of a function of the host without directives
};

// Those at the outside of the file and within namespaces and extern "C", but for main, operators and members.
std::vector<Signature> signatures_of(const std::string& source);

// A description of the file's functions, the comment with all its lines, to stand at the head of the file. What cannot
// be known of a signature is guessed and marked with a comment. Throws UserError: there is no function to describe, or
// there is a description.
std::string draft_of(const std::string& source, const std::string& file);

// The source with the directive that the draft's form with threads needs, fenced to be there for that variant alone; the
// source as it is where the draft has no such form.
std::string with_directive(const std::string& source);

}  // namespace sextant::own
