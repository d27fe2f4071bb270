// The contents of a draft in structured form.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "own/draft/draft_names.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

struct DraftArray {
  std::string name;  // in the description
  // "T", another type name of descriptions, or the name of a struct in the source.
  std::string type;
  std::string member;
  int members = 0;
  bool read = false, written = false, has_unknown = false;
  std::vector<Polynomial> lengths;  // in the names of the description
  bool whole = true;                // every function that writes the array writes all its elements
  std::vector<Chooser> chosen_by;   // in the names of the description
  std::vector<std::string> rows_of;
};

struct DraftNumber {
  std::string name;
  bool real = false;
  bool in_lengths = false;
  // Number of threads of a kernel whose threads do not check their index; not a kernel argument.
  bool threads = false;
};

// An argument of a function.
struct DraftArgument {
  bool array = false;
  std::size_t index = 0;  // index of the array or number
  std::string cast;       // may be empty
  // If not empty, the argument is the block size on an axis, and this is the tunable's name.
  std::string launch;
};

struct DraftFunction {
  Signature signature;
  std::vector<DraftArgument> arguments;
  std::set<std::size_t> results;  // indices of the arrays that it writes
  std::string called;             // "ns::scale<T, 4>"
  bool guessed = false;           // a number among the template arguments is a guess
};

struct DraftParts {
  std::vector<DraftFunction> functions;
  std::vector<DraftArray> arrays;
  std::vector<DraftNumber> numbers;
  std::set<std::string> types;        // types of T; empty if each array states its type
  std::vector<std::string> left_out;  // "name (line 3): why"
  std::vector<std::string> before;    // files that are compiled before the source
  bool steps = false;                 // the kernels are consecutive steps of one execution

  const DraftNumber* number_named(const std::string& name) const;
};

// Returns the tunable for the block size on an axis: block_size if there is one axis, else block_x and so on.
std::string thread_name(const Signature& kernel, std::size_t axis);

// Throws UserError if no function can be described.
DraftParts draft_parts(const std::string& source, const std::string& file, SourceFunctions found);

}  // namespace sextant::own
