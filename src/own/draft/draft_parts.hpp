// The contents of a drafted description of user kernels in structured form: functions, arrays and sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "own/draft/draft_names.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

struct DraftArray {
  std::string name;  // name of the array in the description
  // Element type: "T", another type name that descriptions know, or the name of a struct in the source.
  std::string type;
  std::string member;
  int members = 0;
  bool mixed = false;                // true for a struct whose members have several types
  std::vector<std::string> layout;   // as in Parameter
  bool links = false, ends = false;  // as in Parameter
  bool read = false, written = false, has_unknown = false;
  bool returned = false;            // true if a function returns its only element
  bool temporary = false;           // as in Parameter
  std::vector<Polynomial> lengths;  // number of elements, in the names that the description uses
  bool sorted = false, divides = false, negative = false, remainder = false;  // as in Parameter
  Decided decided = Decided::no;
  ElementUse use;
  bool swapped = false;      // true if a loop swaps it with another array
  bool step_writes = false;  // true if a step writes all elements before any other step reads them
  bool passed = false;       // true if a later step reads the array then
  bool whole = true;         // true if every function that writes the array writes all its elements
  // Arrays whose elements are indices into this array. Their names are those in the description.
  std::vector<Chooser> chosen_by;
  std::vector<std::string> rows_of;
};

struct DraftNumber {
  std::string name;
  bool real = false;
  bool in_lengths = false;
  // True if this number is the number of threads of a kernel whose threads do not check their index. Such a
  // number is no kernel argument.
  bool threads = false;
  bool count = false;                   // true if this is a number of repetitions
  bool divisor = false, block = false;  // as in Parameter
  std::string compared_to;              // as in Parameter
  std::int64_t most = 0;                // as in Parameter
};

// An argument of a function.
struct DraftArgument {
  bool array = false;
  bool returned = false;  // true for no argument, but the array that takes the returned value
  std::size_t index = 0;  // index into `arrays` or `numbers` of DraftParts
  std::string cast;       // type to which the argument is converted; may be empty
  // If not empty, the argument is the block size on an axis, and this is the name of the tunable for it.
  std::string launch;
  std::size_t axis = 0;  // that axis
  std::string given;     // if not empty, the expression of sizes that the launch gives; `index` is not used
  bool element = false;  // as in Parameter
  bool on_host = false;  // as in Parameter
};

struct DraftFunction {
  Signature signature;
  std::vector<DraftArgument> arguments;
  std::set<std::size_t> results;    // indices of the arrays that the function writes
  std::string called;               // the function as it is called: "ns::scale<T, 4>"
  std::string repeat;               // number of repetitions of the function; empty for one
  std::set<std::size_t> swapped;    // indices of two arrays that swap between repetitions; may be empty
  std::optional<Polynomial> terms;  // as in Signature, in the names of the description
  std::vector<Polynomial> work;
  std::string guess;  // a number among the template arguments that is a guess; may be empty
};

struct DraftParts {
  std::vector<DraftFunction> functions;
  std::vector<DraftArray> arrays;
  std::vector<DraftNumber> numbers;
  std::set<std::string> types;  // the types for which T can stand; empty if each array states its own type
  std::vector<std::string> left_out;   // functions that were left out and why: "name (line 3): why"
  std::vector<std::string> before;     // names of files that are compiled before the source
  std::vector<std::string> questions;  // what the source leaves open, one line each
  bool asks_for_launches = false;      // true if the questions ask for numbers or loops of launches
  bool steps = false;                  // true if the kernels are consecutive steps of one execution
  bool host_steps = false;             // true if host functions are
  // Source offset of the body whose launches are the steps; 0 if the steps are kernels of the file.
  unsigned launcher = 0;
  std::string launcher_name;  // name of this function; empty for main
  // The file repeats all steps in a loop: number of iterations in names of the source, then of the
  // description.
  std::string round_count, repeat;
  std::pair<std::string, std::string>
      round_swapped;              // parameters of the steps that the loop swaps; may be empty
  std::set<std::size_t> swapped;  // indices of these arrays

  const DraftNumber* number_named(const std::string& name) const;
};

// Returns the function's name and line: "saxpy (line 3)".
std::string place_of(const Signature& one);

// Returns the name of the tunable for the block size on an axis: block_size if there is one axis, else
// block_x, block_y and so on.
std::string thread_name(const Signature& kernel, std::size_t axis);

// Throws UserError if no function can be described.
DraftParts draft_parts(const std::string& source, const std::string& file, SourceFunctions found);

}  // namespace sextant::own
