// The struct that a kernel's author fills in: the problem, its reference result and its tolerance.
// Implementations are in struct Variant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "suite/function.hpp"
#include "suite/presentation.hpp"
#include "suite/problem.hpp"

namespace sextant {

enum class Role : std::uint8_t { in, out, inout };

struct ArraySpec {
  const char* name;
  Role role;
  // Fixed type of this array (indices, offsets, keys). If empty, the array has the problem's type.
  std::optional<ElementType> type = {};
};

// The least work that the problem requires, whatever the variant. Each input is read once and each output is
// written once.
struct Work {
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int64_t flops = 0;
  // number of outputs, points or updates
  std::int64_t items = 0;
  // integer operations on the data (additions, shifts, …), without address arithmetic
  std::int64_t integer_operations = 0;
  // Bytes that the busiest partition must send per call, for a problem that is partitioned over devices or
  // processes.
  std::int64_t bytes_sent = 0;
};

// Properties of the kernel's plain loop, which is in the first comment of its kernel.cpp. Each may be
// not_known. Loads and stores count array elements, including temporary arrays. An element that is read twice
// in succession counts as one load.
struct Traits {
  static constexpr double not_known = -1;

  double loads = not_known, stores = not_known;  // per item of Work
  // Stride of the innermost loop: the distance in elements between successive reads, or writes. If arrays
  // have different strides, the largest counts.
  double stride_read = not_known, stride_write = not_known;
  double special_flops = not_known;  // divisions, roots, logarithms and so on, per item
  double reduction = not_known;      // 1 if items are combined into a few results, else 0
  // Number of passes over all items, each of which needs the complete result of the previous one.
  double launches = not_known;
  // Length of the longest dependency chain: 1 for independent items, log2(n) for a sum of n elements, the
  // number of steps for a time loop.
  double depth = not_known;
  double divergence = not_known;  // fraction of items that take the other path at a data-dependent branch
};

// How the partitions of a problem communicate. The scaling model uses it.
struct Exchange {
  enum class Pattern : std::uint8_t {
    none,        // no communication, or the pattern is unknown
    planes,      // each partition sends to its two neighbours along the slowest axis
    all_reduce,  // values of all partitions are combined, and every partition gets the result
    all_to_all,  // each partition sends a block to every other one
  };
  Pattern pattern = Pattern::none;
  // index in Problem::parameters of the number of exchanges per call; -1: one exchange
  int rounds = -1;
};

// An output element passes if |got - reference| <= absolute + relative * |reference|. NaN never passes.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  // Fraction of an output's elements that may differ arbitrarily, because rounding can change a decision. The
  // fraction counts only elements that a trivial result (all zeros, or all equal to the first) has wrong.
  double outliers = 0;
};

// An integer parameter of the kernel that users can set (`-p steps=100`).
struct Parameter {
  const char* name;
  std::int64_t preferred, least, most;
  std::vector<std::int64_t> checked = {};  // further values that `sextant verify` checks
};

struct NamedProblem {
  const char* name;  // name of the class, such as "S"
  Problem problem;   // its `type` is ignored
};

// The unit of the kernel's rate in reports (`show --by programs`).
struct UnitOfWork {
  enum class Count : std::uint8_t { items, flops };
  Count count = Count::items;                           // the counted member of Work
  std::string millions_per_second = "million items/s";  // name of 10^6 units per second, such as "Mop/s"
};

// All functions are pure. All except `extents` and `length` get a complete Problem.
struct Kernel {
  std::string name;
  std::string group;    // kind of kernel: stream, reduction, stencil, matrix, stride, …
  std::string formula;  // one line, e.g. "a[i] = b[i] + s*c[i]"
  // Kernels of one family are so similar that a model trained on one must not be tested on another. If empty,
  // `group` is the family.
  std::string family;
  // One of the thirteen dwarfs (classes of algorithms) of Asanovic et al.; empty if none fits.
  std::string dwarf;
  std::vector<ArraySpec> arrays;
  // Initial values of Problem::parameters, at most four. Users can set those that parameter_list describes.
  std::array<std::int64_t, 4> parameters = {};
  std::vector<Parameter> parameter_list;
  bool shaped = false;  // true if users may choose the extents, as in -n 100x37x53

  // Returns the largest extents whose arrays together hold at most n elements, or zeros if n is too small.
  Function<Extents(std::int64_t n)> extents;
  // Returns the number of elements of arrays[index]. If null, every array has extents.count() elements.
  Function<std::int64_t(const Problem& problem, int index)> length;
  Function<Work(const Problem& problem)> work;
  Function<Traits(const Problem& problem)> traits;  // may be null if nothing is known

  // Fills arrays[index] (role in or inout) from `seed`. If null, fill_uniform draws values from [-1, 1).
  PerType<Function<void(const Problem& problem, int index, std::uint64_t seed, void* data)>> initialise;
  // Returns true if `run --fill` may fill arrays[index] with other numbers of at most 1 in magnitude, zeros
  // among them. If null, it may fill arrays (role in) that fill_uniform fills.
  Function<bool(const Problem& problem, int index)> fillable;
  // Computes the reference result in at least double precision. arrays[i] is array i before the launch, in
  // its own type. results[i] receives output i as doubles, and is null if array i is no output. A 64-bit
  // integer is stored as its bits (std::bit_cast), because a double cannot represent all of them.
  PerType<Function<void(const Problem& problem, const void* const* arrays, double* const* results)>>
      reference;
  Function<Tolerance(const Problem& problem)> tolerance;
  const char* tolerance_reason = "";
  // Returns the tolerance of element `at` of arrays[index], for short arrays whose elements differ in
  // tolerance. If null, `tolerance` applies.
  Function<Tolerance(const Problem& problem, int index, std::int64_t at)> tolerance_at;

  // Default values of N. If empty, a run uses the first named problem, or else the sizes of the default study
  // (suite/presentation.hpp).
  std::vector<std::int64_t> sizes;
  // named problems, such as the NAS classes S, W, A; may be empty
  std::vector<NamedProblem> classes;
  // Returns why the kernel does not support this problem, such as an invalid combination of parameters, or
  // null. It is called before any allocation. The user sees the text. May be null.
  Function<const char*(const Problem& problem)> refuse;

  UnitOfWork unit;
  Exchange exchange;          // how the partitions of a partitioned problem communicate
  Presentation presentation;  // only for output

  // Returns the default parameters of a Problem.
  std::array<std::int64_t, 4> standard_parameters() const {
    std::array<std::int64_t, 4> values = parameters;
    for (std::size_t i = 0; i < parameter_list.size() && i < values.size(); ++i)
      values[i] = parameter_list[i].preferred;
    return values;
  }
  bool has(ElementType type) const { return reference[type] != nullptr; }
  std::int64_t elements(const Problem& problem, int index) const {
    return length ? length(problem, index) : problem.extents.count();
  }
  ElementType type_of(const Problem& problem, int index) const {
    return arrays[static_cast<std::size_t>(index)].type.value_or(problem.type);
  }
  std::int64_t bytes(const Problem& problem, int index) const {
    return elements(problem, index) * static_cast<std::int64_t>(element_size(type_of(problem, index)));
  }
};

}  // namespace sextant
