// The functions that a source defines, and what their bodies say of their arguments.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "own/draft/polynomial.hpp"

namespace sextant::own {

// An array whose elements stand in an index, as `factor * element + rest` with `rest` at its highest; no
// factor: in another way.
struct Chooser {
  std::string array;
  std::optional<Polynomial> factor;
  Polynomial rest;
  bool operator==(const Chooser& other) const {
    return array == other.array && factor == other.factor && rest == other.rest;
  }
};

struct Parameter {
  std::string type;  // of the number, or of an array's elements, without const: "float", "unsigned int", "T"
  std::string name;
  bool pointer = false, is_const = false;  // is_const: of what a pointer leads to
  std::string member;  // of a struct of the source, whose members have one type: that type
  int members = 0;
  std::string unfit;  // why a description has no place for it; empty: it has

  // Of an array.
  bool read = false, written = false;
  std::vector<Polynomial>
      whole;  // lengths up to which every element is written, by the code's own conditions
  std::vector<Polynomial> lengths;   // one more than its highest indices, in names of numbers
  bool has_unknown = false;          // an index whose bound is not known
  std::vector<Chooser> chosen_by;    // arrays whose elements are its indices
  std::vector<std::string> rows_of;  // its elements are where the rows of these arrays begin
};

struct TemplateParameter {
  std::string name;
  bool is_type = true;
  std::string preset;  // the default of a number; may be empty
};

// The number of threads that a kernel has where none of them checks its place.
constexpr const char* unchecked_threads = "threads";

// x, y or z of a kernel's launch.
struct Axis {
  bool threads = false, blocks = false;   // whether the kernel asks for its place among them
  std::optional<Polynomial> items;        // threads that have work, of all blocks
  std::optional<Polynomial> of_block;     // those of each block
  std::optional<Polynomial> block_items;  // blocks that have work
  std::int64_t launched = 0;              // threads of a block where the file launches it; 0: not known
  std::int64_t block_size = 0;            // that the code assumes; 0: any
  std::string block_name;  // the parameter that is the number of threads of a block; may be empty
};

// The one loop at the outside of a function's body.
struct Loop {
  std::size_t at = 0;      // of the first character of its `for`; 0: there is none, or there are several
  std::string dependence;  // what may make an iteration depend on another; empty: none does
};

struct Signature {
  std::string name;           // with its namespaces
  int line = 0;               // of the name
  std::string unfit;          // why it is left out; empty: it is not
  bool kernel = false;        // __global__
  bool threads = false;       // an OpenMP directive stands in it
  bool launches = false;      // a kernel, or it calls CUDA's functions
  bool shared = false;        // shared memory whose size the launch says
  bool fixed_shared = false;  // shared memory whose size the code says: so many threads as the file launches
  unsigned launch_loop = 0;   // where the loop begins in which the file launches it; 0: in none
  std::vector<TemplateParameter> templates;
  std::vector<Parameter> parameters;
  std::array<Axis, 3> axes;  // of a kernel
  Loop loop;                 // of a function of the host without directives
};

struct SourceFunctions {
  std::vector<Signature> functions;
  std::vector<std::string> before;  // files of the source's folder, or of the one above, that define names
                                    // which it has from nowhere
};

// Those with a body in the file itself, but for main, operators, members and what runs on a device only.
// `file` tells the language and where headers are looked for; headers that are missing are passed over.
// Throws UserError: there is no libclang.
SourceFunctions functions_of(const std::string& source, const std::string& file);

}  // namespace sextant::own
