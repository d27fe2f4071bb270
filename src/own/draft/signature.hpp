// The functions that a source defines, and the use of their arguments in their bodies.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "own/draft/polynomial.hpp"

namespace sextant::own {

// An array whose elements are used as an index in the form `factor * element + rest`. `rest` is the upper
// bound of the other terms. Without `factor` the form is different.
struct Chooser {
  std::string array;
  std::optional<Polynomial> factor;
  Polynomial rest;
  bool operator==(const Chooser& other) const {
    return array == other.array && factor == other.factor && rest == other.rest;
  }
};

struct Parameter {
  std::string type;  // without const: "float", "unsigned int", "T"
  std::string name;
  bool pointer = false, is_const = false;  // is_const: the pointer's elements are const
  std::string member;                      // for a struct whose members all have one type: that type
  int members = 0;
  std::string unfit;  // why a description cannot contain it; empty if it can

  // For arrays only.
  bool read = false, written = false;
  // Lengths up to which the code certainly writes every element.
  std::vector<Polynomial> whole;
  std::vector<Polynomial> lengths;   // highest indices + 1, in names of numbers
  bool has_unknown = false;          // an index has no known bound
  std::vector<Chooser> chosen_by;    // arrays whose elements are its indices
  std::vector<std::string> rows_of;  // it holds row offsets of these arrays
};

struct TemplateParameter {
  std::string name;
  bool is_type = true;
  std::string preset;  // default of a non-type parameter; may be empty
};

// The name of the number of threads of a kernel whose threads do not check their index.
constexpr const char* unchecked_threads = "threads";

// One axis (x, y or z) of a kernel's launch.
struct Axis {
  bool threads = false, blocks = false;   // the kernel uses threadIdx, blockIdx
  std::optional<Polynomial> items;        // number of threads with work, over all blocks
  std::optional<Polynomial> of_block;     // number of threads with work in each block
  std::optional<Polynomial> block_items;  // number of blocks with work
  std::int64_t launched = 0;              // block size in the file's launch; 0 if unknown
  std::int64_t block_size = 0;            // block size that the code assumes; 0 if any
  std::string block_name;                 // the parameter that holds the block size; may be empty
};

// The single outermost loop of a function's body.
struct Loop {
  std::size_t at = 0;      // offset of its `for`; 0 if there are none or several
  std::string dependence;  // why an iteration may depend on another; empty if none does
};

struct Signature {
  std::string name;           // including namespaces
  int line = 0;               // source line of the name
  std::string unfit;          // why it is left out; empty if it is not
  bool kernel = false;        // __global__
  bool threads = false;       // contains an OpenMP directive
  bool launches = false;      // launches a kernel or calls CUDA functions
  bool shared = false;        // uses shared memory whose size the launch sets
  bool fixed_shared = false;  // shared memory has a fixed size
  unsigned launch_loop = 0;   // offset of the loop that contains the file's launch; 0 if there is none
  std::vector<TemplateParameter> templates;
  std::vector<Parameter> parameters;
  std::array<Axis, 3> axes;  // for kernels
  Loop loop;                 // for host functions without directives
};

struct SourceFunctions {
  std::vector<Signature> functions;
  // Files of the source's folder or its parent that define names that the source uses but does not include.
  std::vector<std::string> before;
};

// Returns the functions with a body in the file, except main, operators, member functions and device-only
// functions. `file` determines the language and the folder of headers. Missing headers are ignored. Throws
// UserError if libclang is not installed.
SourceFunctions functions_of(const std::string& source, const std::string& file);

}  // namespace sextant::own
