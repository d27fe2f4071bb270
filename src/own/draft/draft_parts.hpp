// What a draft says of a file's functions, before it is text.
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
  std::string type;  // "T", or as descriptions name it, or of a struct of the source, then with
  std::string member;
  int members = 0;
  bool read = false, written = false, has_unknown = false;
  std::vector<Polynomial> lengths;  // in the description's names
  bool whole = true;                // each function that writes it writes every element
  std::vector<Chooser> chosen_by;   // in the description's names
  std::vector<std::string> rows_of;
};

struct DraftNumber {
  std::string name;
  bool real = false;
  bool in_lengths = false;
  bool threads = false;  // of threads that check no place: no argument of the kernels
};

// An argument of a function.
struct DraftArgument {
  bool array = false;
  std::size_t index = 0;  // of the array or number
  std::string cast;       // may be empty
  std::string launch;     // or the launch's number of threads on an axis: the name that tunes it
};

struct DraftFunction {
  Signature signature;
  std::vector<DraftArgument> arguments;
  std::set<std::size_t> results;  // arrays that it writes
  std::string called;             // "ns::scale<T, 4>"
  bool guessed = false;           // a number among its template's arguments is
};

struct DraftParts {
  std::vector<DraftFunction> functions;
  std::vector<DraftArray> arrays;
  std::vector<DraftNumber> numbers;
  std::set<std::string> types;        // T's; empty: each array says its own
  std::vector<std::string> left_out;  // "name (line 3): why"
  std::vector<std::string> before;    // files that are compiled before the source
  bool steps = false;                 // the kernels are one execution, one after the other

  const DraftNumber* number_named(const std::string& name) const;
};

// What tunes the threads of a block on an axis: block_size where there is one axis, else block_x.
std::string thread_name(const Signature& kernel, std::size_t axis);

// Throws UserError: no function has a place in a description.
DraftParts draft_parts(const std::string& source, const std::string& file, SourceFunctions found);

}  // namespace sextant::own
