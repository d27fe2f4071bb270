// The description of user kernels in a file: names, arrays, sizes, variants, calls and checks. It is plain
// data; described_kernel.hpp turns it into a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "own/description/array_type.hpp"
#include "own/description/expression.hpp"
#include "suite/kernel.hpp"
#include "suite/variant.hpp"

namespace sextant::own {

// How an array is filled before a launch. The expressions use N and the sizes.
struct Fill {
  enum class Kind : std::uint8_t {
    uniform,  // uniform in [-1, 1); for integers see toolbox/host/fill_elements.hpp
    zero,
    index,        // element i is i
    between,      // uniform in [low, high); if low == high, all elements are low
    sorted,       // like `between`, but sorted in ascending order
    permutation,  // a random permutation of 0 … length - 1
    distinct,     // distinct integers in [0, high), in any order
    offsets,      // row offsets as in CSR: ascending from 0 to `high`, for rows of different lengths
    links,        // linked lists: element i is the index of a later element below `high`, or -1 at the end
    members,      // the bytes of structs whose members have several types
    file          // raw elements of the array's type, read from a file next to the description
  };
  // Members of a struct in a row. Padding and members that stay zero have no type.
  struct Members {
    std::optional<ElementType> type;
    bool truth = false;  // true for members of type bool
    std::int64_t count = 1;
    std::int64_t bytes = 1;  // of one member
  };
  Kind kind = Kind::uniform;
  Expression low = {}, high = {};  // bounds for the kinds that have them; an empty expression means 0
  std::string file = {};
  std::vector<Members> members = {};  // for the kind `members`
  bool positive = false;              // true for members that are real numbers from 1 to 2
};

struct DescribedArray {
  std::string name;
  Place place;
  Role role = Role::in;
  std::optional<ArrayType> type;  // element type; empty means the kernel's type parameter T
  Expression length;              // number of C++ elements; a float4 counts as one
  Fill fill;

  // Returns the scalar element type of this array if T is `of_t`.
  ElementType element_type(ElementType of_t) const { return type ? type->element : of_t; }
  // Returns the number of scalar elements for these values of N, shape and sizes. A float4 counts as four.
  std::int64_t elements(const std::vector<std::int64_t>& values) const;
};

struct NamedExpression {
  std::string name;
  Expression expression;
};

struct NamedNumber {
  std::string name;
  double value = 0;
};

// A tunable of a user kernel. A tunable with integer choices has an empty `texts`. Otherwise choice i stands
// for texts[i], which is the value of a macro or a compiler option.
struct DescribedTunable {
  std::string name;
  Place place;
  std::vector<int> choices;  // allowed values, in ascending order
  std::vector<std::string> texts;
  int preferred = 0;  // default value: the first choice in the file
  bool flag = false;
};

struct DescribedConstraint {
  Expression condition;
  std::string reason;
};

// An argument of a function: an array, a scalar, or an expression of sizes and tunables.
struct DescribedArgument {
  enum class Kind : std::uint8_t { array, scalar, expression, stream };  // stream: CUDA's default stream
  Kind kind = Kind::array;
  std::string text;  // the argument as written in the file
  Place place;
  // C++ type to which the argument is converted: "int", "float" and so on. If it is empty, a scalar is
  // converted to T and an expression to a 64-bit integer.
  std::string cast;
  int index = -1;  // index of the array or scalar in the description; -1 for other kinds
  // True for "*name": the function takes the array's first element, by value or by reference.
  bool element = false;
  bool on_host = false;  // true for "host(name)": a function that launches kernels gets a copy on the host
  Expression value;      // the expression; it may use the names of names_for_steps(variant)
};

// An array in constant memory. `symbol` is a __constant__ array in the source. Array `index` is copied to it
// before the first launch.
struct DescribedConstant {
  std::string symbol;
  int index = -1;
};

// The source files and compiler options for a function.
struct Compilation {
  std::vector<std::string> files;  // source files in order, relative to the description
  std::vector<std::string> include, options, defines;
  // Use nvcc instead of NVRTC for CUDA variants. Also compile host variants in .cu files with nvcc.
  bool nvcc = false;
};

// One step of an execution: a function call or kernel launch, which may be repeated. Its expressions may use
// `step`, the index of the current repetition.
struct DescribedStep {
  std::string function;  // the function as it is called: "saxpy<T>"
  Place function_place;
  std::vector<DescribedArgument> arguments;
  int result = -1;  // index of the array whose first element takes the value that the function returns, or -1
  std::vector<Expression> block, grid;  // launch dimensions, one to three expressions each; for CUDA only
  Expression shared;                    // bytes of dynamic shared memory; may be empty
  Expression repeat;                    // number of consecutive launches; empty means one
  // indices of two arrays that are swapped after each launch; may be empty
  std::vector<int> swapped;
};

// A variant of a user kernel with its steps. The base class holds the first step. Most variants have only
// this step.
struct DescribedVariant : DescribedStep {
  std::string name;  // programming model and name: "cuda.mine"
  Place place;
  Model model = Model::serial;
  // True for a CUDA variant whose function runs on the host and launches kernels on arrays in GPU memory.
  bool launcher = false;
  std::string description;
  std::vector<DescribedStep> later;  // the steps after the first one, in order
  Expression rounds;  // number of times that the whole sequence of steps is executed; empty means one
  // Indices of two arrays that are swapped after each round; may be empty.
  std::vector<int> round_swapped;
  // Arrays that exist only during an execution. Their indices follow those of the kernel's arrays.
  std::vector<DescribedArray> temporaries;
  std::vector<DescribedTunable> tunables;
  std::vector<DescribedConstraint> constraints;
  Compilation compilation;
  std::string prepare;  // name of a function without arguments that prepares the variant; may be empty
  std::vector<DescribedConstant> constants;

  std::vector<const DescribedStep*> steps() const;
};

struct DescribedReference {
  std::string variant;  // name of the variant that is the reference; empty if `function` is the reference
  DescribedVariant function;  // a function in some file, described like a serial variant
  // True if the reference runs in float, because its code uses float. Otherwise it runs in double precision.
  bool in_float = false;
};

struct DescribedTolerance {
  Expression absolute, relative;  // error bounds, which may use N, sizes and eps; either may be empty
  double outliers = 0;            // fraction of the results that may be wrong (suite/kernel.hpp, Tolerance)
  std::string reason;
};

struct Trait {
  std::string name;
  double value = 0;
};

struct Description {
  std::string file;    // the description's path as the user gave it
  std::string folder;  // folder to which paths are relative; empty means the working directory
  std::string name, group = "own", formula;
  std::vector<ElementType> types;      // the types for which T can stand
  std::vector<std::string> shape;      // names of the extents x, y, z; if empty, the sizes follow from N
  std::vector<NamedExpression> sizes;  // named sizes; each may use N, the shape and the preceding sizes
  std::vector<DescribedArray> arrays;
  std::vector<NamedNumber> scalars;
  // Number of floating-point and integer operations and of processed elements per execution, as expressions
  // of N and the sizes. Without an expression, operations are 0 and `items` is the number of elements of all
  // outputs.
  Expression flops, integers, items;
  std::optional<DescribedReference> reference;  // the reference; files in the T1 format have none
  std::optional<DescribedTolerance> tolerance;  // error bounds; integer results need none
  bool unchecked = false;                       // true if the user allowed timing without a reference
  std::vector<DescribedVariant> variants;
  std::vector<Trait> traits;
  std::vector<std::int64_t> default_sizes;  // default values of N; may be empty

  // Returns the names that expressions may use, in the order of their values: N, shape, sizes.
  std::vector<std::string> size_names() const;
  // Adds the variant's tunables to size_names().
  std::vector<std::string> names_for(const DescribedVariant& variant) const;
  // Adds `step` to names_for(variant), for the expressions of a step.
  std::vector<std::string> names_for_steps(const DescribedVariant& variant) const;
  // Returns true if some output has a floating-point type for one of the types of T.
  bool has_floating_results() const;
};

// Parse a description from text. Each throws UserError with the position of the error.
//   description_in   reads the first comment `/* sextant … */` of a source
//   description_of   reads a stand-alone TOML text
//   description_t1   reads a T1 file (JSON, used by the auto-tuning community)
Description description_in(const std::string& source, const std::string& file);
Description description_of(const std::string& toml, const std::string& file);
Description description_t1(const std::string& json, const std::string& file);

// Returns true if the source contains a comment `/* sextant … */`.
bool has_description(const std::string& source);

// Reads a description from a file. The extension decides: .json is a T1 file and .toml is a description. Any
// other file is a source that contains a description or has NAME.toml next to it. Throws UserError.
Description read_description(const std::string& path);
// Does the same with the text of a source, which need not be what the file holds.
Description read_description(const std::string& path, const std::string& source);

}  // namespace sextant::own
