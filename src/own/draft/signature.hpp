// The functions that a source defines, and how their bodies use their arguments.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "own/draft/polynomial.hpp"

namespace sextant::own {

// An array whose elements serve as indices into another array. An index has the form factor * element + rest,
// where `rest` is an upper bound of the other summands. If `factor` is empty, the index has another form.
struct Chooser {
  std::string array;
  std::optional<Polynomial> factor;
  Polynomial rest;
  // True if different values are written to these elements without atomic functions. Then equal indices
  // give different results.
  bool scatters = false;
  bool operator==(const Chooser& other) const {
    return array == other.array && factor == other.factor && rest == other.rest && scatters == other.scatters;
  }
};

// What decides a value, besides exact arithmetic: a real number that was computed and then rounded to a whole
// number, or a comparison of such a number.
enum class Decided : std::uint8_t { no, rounded, compared };

// How a function uses the values of an array's elements.
struct ElementUse {
  bool truth = false;              // true if it asks whether elements are zero, or equal to a whole number
  bool valued = false;             // true if it uses their values in another way
  bool bits = false;               // true if it uses their bits
  std::set<std::string> compared;  // constants other than 0 with which it compares elements by == or !=
  std::set<long long> codes;       // the same for whole numbers, with 0
  std::set<long long> characters;  // characters that the function names, if the elements are characters

  void add(const ElementUse& other) {
    truth = truth || other.truth, valued = valued || other.valued, bits = bits || other.bits;
    compared.insert(other.compared.begin(), other.compared.end());
    codes.insert(other.codes.begin(), other.codes.end());
    characters.insert(other.characters.begin(), other.characters.end());
  }
};

struct Parameter {
  std::string type;  // type without const: "float", "unsigned int", "T"
  std::string name;
  bool pointer = false, is_const = false;  // is_const: the pointer's elements are const
  bool element = false;  // true for a struct by value, or a reference: `pointer`, with one element
  std::string member;    // type of a struct's members, or a byte if they have several types
  int members = 0;
  bool mixed = false;  // true for a struct whose members have several types
  // The types of such members, with their number: "float[2]", and "pad" for padding. Empty if unknown.
  std::vector<std::string> layout;
  std::string compared_to;  // type of the elements with which the function compares this number; may be empty
  std::string unfit;        // reason why a description cannot contain the parameter; empty if it can

  // Whether the function reads or writes the array. Only for arrays.
  bool read = false, written = false;
  bool returned = false;   // true for no parameter, but the array that takes the returned value
  bool temporary = false;  // true if the array only holds values during an execution
  bool stream = false;     // true for a CUDA stream
  bool on_host = false;    // true if the function copies the array from the host to the GPU
  std::int64_t most = 0;   // highest number for which an array of the code has room; 0: no limit
  // Array lengths for which the code certainly writes every element.
  std::vector<Polynomial> whole;
  std::vector<Polynomial> lengths;  // highest indices that are used, plus 1, in the names of other parameters
  bool has_unknown = false;         // true if some index has no known bound
  std::vector<Chooser> chosen_by;   // arrays whose elements are used as indices into this one
  // True if elements are indices of next elements, so that they form lists. `ends` is true if a negative
  // element ends a list.
  bool links = false, ends = false;
  bool sorted = false;            // true if a binary search reads the array
  bool divides = false;           // true if the function divides by elements of the array
  bool remainder = false;         // true if an index is a remainder of elements, which may be negative
  bool negative = false;          // true if the function asks whether elements, whole numbers, are negative
  Decided decided = Decided::no;  // what decides the values that the function writes
  ElementUse use;
  bool divisor = false;              // true for a whole number by which the function divides
  bool block = false;                // true if it rounds the quotient up, as for a number of blocks
  std::vector<std::string> rows_of;  // names of the arrays for which this array holds row offsets
  // What the launch gives for this number, in the names of the description; `step` is the number of the
  // repetition. Empty if the parameter has a name of its own there.
  std::optional<Polynomial> given;
};

struct TemplateParameter {
  std::string name;
  bool is_type = true;
  std::string preset;  // default value of a non-type template parameter; may be empty
};

// Name that stands for the number of threads of a kernel whose threads do not check their index.
constexpr const char* unchecked_threads = "threads";

// One axis (x, y or z) of a kernel's launch.
struct Axis {
  bool threads = false, blocks = false;   // true if the kernel uses threadIdx or blockIdx on this axis
  std::optional<Polynomial> items;        // number of threads with work, over all blocks
  std::optional<Polynomial> of_block;     // number of threads with work in each block
  std::optional<Polynomial> block_items;  // number of blocks with work
  std::int64_t launched = 0;              // block size in the launch that the file contains; 0 if unknown
  std::int64_t block_size = 0;            // block size that the code relies on; 0 if it works with any
  // Size of the smallest array of the kernel's own that all threads index by threadIdx; 0 if there is none.
  std::int64_t shared_size = 0;
  std::string block_name;  // name of the parameter that holds the block size; may be empty
  // Number of blocks in the launch that the file contains, if it is not divided by the block size. Its names
  // are those of the kernel's parameters, or of variables of the launching function.
  std::optional<Polynomial> launched_blocks;
};

// The single outermost loop of a function's body.
struct Loop {
  std::size_t at = 0;      // source offset of the loop's `for`; 0 if there are no loops or several
  std::string dependence;  // reason why an iteration may depend on another one; empty if none does
};

// A call of a function of the file, or a launch of a kernel.
struct CallSite {
  unsigned caller = 0;  // source offset of the body that contains the call
  unsigned at = 0;      // source offset of the call
  unsigned loop = 0;    // source offset of the innermost loop that contains it; 0 if there is none
  // Number of the loop's iterations: a number, or the name of the variable that holds it. Empty if unknown.
  std::string count;
  std::vector<unsigned> arguments;  // declarations of the variables in the arguments; 0 if unknown
  std::vector<std::string> passed;  // names of the arguments that are variables; empty for other arguments
  std::pair<unsigned, unsigned> swapped = {};  // declarations of two variables that the loop swaps; or zeros
  std::string counter;  // name of the variable that counts the loop's iterations from 0; may be empty
  // Values of whole arguments as sums of products of the caller's variables; empty for other arguments.
  std::vector<std::optional<Polynomial>> values;
  std::array<std::int64_t, 3> threads{};  // block size per axis of a launch; 0 if unknown
  // Number of blocks per axis of a launch, in the names of the caller. Empty if it is not a sum of products
  // of numbers and variables: then it is usually the number of threads, divided by the block size.
  std::array<std::optional<Polynomial>, 3> blocks;
  std::optional<Polynomial> shared;  // bytes of dynamic shared memory of a launch, in the same way
};

struct Signature {
  std::string returns;        // type of the returned value; empty for void
  std::string name;           // name of the function, including its namespaces
  int line = 0;               // source line with the function's name
  std::string unfit;          // reason why the function is left out; empty if it is not
  bool kernel = false;        // true for a __global__ function
  bool threads = false;       // true if the body contains an OpenMP directive
  bool launches = false;      // true if the body launches a kernel or calls CUDA functions
  bool sets_memory = false;   // true if it calls cudaMemset or cudaMemcpy
  bool copies = false;        // true if it copies results from the GPU to its arrays
  bool launcher = false;      // true if a description calls it as a CUDA variant that launches kernels itself
  bool shared = false;        // true if it uses shared memory whose size is given at the launch
  bool fixed_shared = false;  // true if it uses shared memory of a fixed size
  // Bytes of shared memory that the file's launch gives, in the names of parameters. Empty if unknown.
  std::optional<Polynomial> launched_shared;
  // Source offset of the loop that contains the file's launch of this kernel; 0 if there is none.
  unsigned launch_loop = 0;
  std::vector<TemplateParameter> templates;
  std::vector<Parameter> parameters;
  std::array<Axis, 3> axes;       // launch axes x, y and z, for kernels
  Decided decides = Decided::no;  // what decides the value that it returns
  bool elementary = false;  // true if it calls functions such as exp, whose results have several roundings
  bool compares = false;    // true if the function compares real numbers
  bool in_float = false;    // true if it computes numbers of type float
  std::optional<Polynomial> terms;  // number of terms of its longest sum of real numbers
  bool recurs = false;              // true if this is no sum, but a number of other operations in a row
  bool amplifies = false;           // true if these operations divide by what they compute
  std::vector<Polynomial> work;     // numbers of iterations of its nested loops, or of its threads and loops
  std::vector<CallSite> calls;      // where the file calls the function
  unsigned body = 0;                // source offset of the body
  bool step = false;                // true if the function is a step of one variant
  bool bound = false;  // true for one launch of a kernel, whose parameters have the names of the arguments
  std::string repeat;  // number of iterations of the loop that calls only this function; may be empty
  std::pair<std::string, std::string> swapped;  // names of parameters that this loop swaps; may be empty
  Loop loop;  // outermost loop, for host functions without OpenMP directives
};

struct SourceFunctions {
  std::vector<Signature> functions;
  // Files that define names that the source uses but does not include. They are in the source's folder or its
  // parent.
  std::vector<std::string> before;
};

// Returns the functions that have a body in the file, except main, operators, member functions and
// device-only functions. `file` determines the language and the folder in which headers are found. Missing
// headers are ignored. Throws UserError if libclang is not installed.
SourceFunctions functions_of(const std::string& source, const std::string& file);

}  // namespace sextant::own
