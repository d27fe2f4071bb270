// What a file says of its own kernels: names, arrays, sizes, variants, how they are called and checked. Plain
// data; described_kernel.hpp makes a kernel of it.
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

// How an array is filled before a launch. Expressions are of N and sizes.
struct Fill {
  enum class Kind : std::uint8_t {
    uniform,  // in [-1, 1); whole numbers as toolbox/host/fill_elements.hpp has them
    zero,
    index,        // 0, 1, 2, …
    between,      // uniform in [low, high); low == high: that value
    sorted,       // the same, ascending
    permutation,  // of 0 … length - 1
    distinct,     // indices from 0 on and below `high`, each once at most, in any order
    offsets,      // of rows of uneven length: ascending from 0 to `high`
    file          // raw elements of the array's type; beside the description
  };
  Kind kind = Kind::uniform;
  Expression low, high;  // empty: 0
  std::string file;
};

struct DescribedArray {
  std::string name;
  Place place;
  Role role = Role::in;
  std::optional<ArrayType> type;  // none: T
  Expression length;              // as functions count them: a float4 is one
  Fill fill;

  // Of its elements, where T is `of_t`.
  ElementType element_type(ElementType of_t) const { return type ? type->element : of_t; }
  // Elements at these values of N, shape and sizes, of which a struct has several.
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

// `texts` is empty for whole numbers; else choice i stands for texts[i]: what a macro is defined as or, for a
// flag, the compiler's option.
struct DescribedTunable {
  std::string name;
  Place place;
  std::vector<int> choices;  // ascending
  std::vector<std::string> texts;
  int preferred = 0;  // the first that was listed
  bool flag = false;
};

struct DescribedConstraint {
  Expression condition;
  std::string reason;
};

// One of a function's arguments: an array, a scalar, or an expression of sizes and tunables.
struct DescribedArgument {
  enum class Kind : std::uint8_t { array, scalar, expression };
  Kind kind = Kind::array;
  std::string text;  // as written
  Place place;
  std::string cast;  // "int", "float", …; empty: T for a scalar, a 64-bit integer for an expression
  int index = -1;    // of the array or scalar
  Expression value;  // of an expression; its names are names_for(variant)
};

// `symbol` is a __constant__ array of the source, filled with array `index` before the first launch.
struct DescribedConstant {
  std::string symbol;
  int index = -1;
};

// What a compiler is given besides the function.
struct Compilation {
  std::vector<std::string> files;  // sources, in order; as named, relative to the description
  std::vector<std::string> include, options, defines;
  bool nvcc = false;  // compiles CUDA variants, in place of NVRTC, and host variants of .cu files
};

// One function call, or one kernel launch, of an execution. Expressions may use `step`, the number of the
// repetition.
struct DescribedStep {
  std::string function;  // as it is called, "saxpy<T>"
  Place function_place;
  std::vector<DescribedArgument> arguments;
  std::vector<Expression> block, grid;  // one to three each; CUDA alone
  Expression shared;                    // bytes; may be empty
  Expression repeat;                    // launches in a row; empty: one
  std::vector<int> swapped;             // two arrays that change places between them; may be empty
};

// A variant is its own first step; most have no other.
struct DescribedVariant : DescribedStep {
  std::string name;  // "cuda.mine"
  Place place;
  Model model = Model::serial;
  std::string description;
  std::vector<DescribedStep> later;  // further steps, in order
  Expression rounds;                 // executions of all steps, one after the other; empty: one
  std::vector<int> round_swapped;    // two arrays that change places between rounds; may be empty
  std::vector<DescribedArray>
      temporaries;  // arrays that live during an execution; they follow the kernel's arrays
  std::vector<DescribedTunable> tunables;
  std::vector<DescribedConstraint> constraints;
  Compilation compilation;
  std::string prepare;  // a function without arguments; may be empty
  std::vector<DescribedConstant> constants;

  std::vector<const DescribedStep*> steps() const;
};

struct DescribedReference {
  std::string variant;        // one of the variants, or
  DescribedVariant function;  // a function of a file, as a serial variant
  bool in_float = false;      // runs as it is written, in float; else in double precision
};

struct DescribedTolerance {
  Expression absolute, relative;  // of N, sizes and eps; either may be empty
  double outliers = 0;            // a share of the results
  std::string reason;
};

struct Trait {
  std::string name;
  double value = 0;
};

struct Description {
  std::string file;    // the description's own, as the user named it
  std::string folder;  // where files are looked for; may be empty: where the program runs
  std::string name, group = "own", formula;
  std::vector<ElementType> types;      // T's
  std::vector<std::string> shape;      // names of the extents x, y, z; empty: sizes follow from N
  std::vector<NamedExpression> sizes;  // each of N, shape and the sizes before it
  std::vector<DescribedArray> arrays;
  std::vector<NamedNumber> scalars;
  Expression flops, items;                      // of N and sizes; empty: 0; the elements of all outputs
  std::optional<DescribedReference> reference;  // T1 files name none
  std::optional<DescribedTolerance> tolerance;  // whole numbers need none
  bool unchecked = false;                       // timed without a reference, as was asked for
  std::vector<DescribedVariant> variants;
  std::vector<Trait> traits;
  std::vector<std::int64_t> default_sizes;  // N where none is asked for; may be empty

  // The names of expressions, in the order of their values: N, shape, sizes.
  std::vector<std::string> size_names() const;
  // The same and the variant's tunables.
  std::vector<std::string> names_for(const DescribedVariant& variant) const;
  // The same and `step`: what a step's expressions may use.
  std::vector<std::string> names_for_steps(const DescribedVariant& variant) const;
  // Whether a result is no whole number, in any of the types.
  bool has_floating_results() const;
};

// Reads a description from its text. Each throws UserError with the place of what is wrong.
//   description_in   the first comment `/* sextant … */` of a source
//   description_of   TOML that stands alone
//   description_t1   a T1 file of the auto-tuning community; fixed sizes, no reference
Description description_in(const std::string& source, const std::string& file);
Description description_of(const std::string& toml, const std::string& file);
Description description_t1(const std::string& json, const std::string& file);

// Whether a source holds such a comment.
bool has_description(const std::string& source);

// Reads the file, by its ending: .json is T1, .toml a description, all else a source that holds one or has
// NAME.toml beside it. Throws UserError.
Description read_description(const std::string& path);

}  // namespace sextant::own
