// The struct that a kernel's author fills in: the problem, its reference result and its tolerance. It
// contains no implementation to be measured.
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

// The least amount of work that the problem itself requires, whichever variant solves it. Each input is read
// once and each output is written once.
struct Work {
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int64_t flops = 0;
  // number of outputs, points or updates: the unit in which the kernel's work is counted
  std::int64_t items = 0;
  // Integer operations on the data (additions, shifts, …), without address arithmetic.
  std::int64_t integer_operations = 0;
  // For a problem that is partitioned over several devices or processes: the least number of bytes that one
  // partition must send (the one that sends most). 0 if nothing is sent.
  std::int64_t bytes_sent = 0;
};

// Access pattern of the kernel's plain loop, which the first comment in its kernel.cpp shows. Each member may
// be not_known. Loads and stores count array elements, including temporary arrays of the loop. An element
// that is read twice in succession counts as one load.
struct Traits {
  static constexpr double not_known = -1;

  double loads = not_known, stores = not_known;  // loads and stores per item of Work
  // Stride of the innermost loop in elements: the distance between successive reads, or between successive
  // writes. If arrays have different strides, this is the largest.
  double stride_read = not_known, stride_write = not_known;
  double special_flops = not_known;  // divisions, roots, logarithms and similar operations per item
  double reduction = not_known;      // 1 if items are combined into a few results, else 0
  // Number of passes over all items. Each pass needs the complete result of the previous one.
  double launches = not_known;
  // Longest chain of dependent operations on elements, in the best possible order. It is 1 for independent
  // items, log2(n) for a sum of n elements, and the number of steps for a time loop.
  double depth = not_known;
  double divergence = not_known;  // fraction of items that take another path at a data-dependent branch
};

// How the partitions of a partitioned problem communicate. The scaling model uses it.
struct Exchange {
  enum class Pattern : std::uint8_t {
    none,        // no communication, or the pattern is unknown
    planes,      // decomposition along the slowest axis; each partition sends to its two neighbours
    all_reduce,  // values of all partitions are combined, and each gets the result
    all_to_all,  // each partition sends a block to every other one
  };
  Pattern pattern = Pattern::none;
  // index in Problem::parameters of the number of exchanges per call; -1: one exchange per call
  int rounds = -1;
};

// An output element passes when |got - reference| <= absolute + relative * |reference|. NaN never passes.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  // The fraction of an output's elements that may differ arbitrarily, because rounding can flip a decision.
  // Only elements that trivial results would get wrong are counted. Trivial results are all zeros, or the
  // first element everywhere.
  double outliers = 0;
};

// A parameter of the kernel that users can set (`-p steps=100`). Its values are integers.
struct Parameter {
  const char* name;
  std::int64_t preferred, least, most;
  std::vector<std::int64_t> checked = {};  // values that `verify` checks in addition to `preferred`
};

struct NamedProblem {
  const char* name;  // name of the class, such as "S"
  Problem problem;   // the problem itself; its member `type` is ignored
};

// The unit in which the kernel's rate is reported (`show --by programs`).
struct UnitOfWork {
  enum class Count : std::uint8_t { items, flops };
  Count count = Count::items;                           // which member of Work is counted
  std::string millions_per_second = "million items/s";  // name of 10^6 units per second: "Mop/s", "MLUPS"
};

// All functions are pure. All except `extents` and `length` get a complete Problem.
struct Kernel {
  std::string name;
  std::string group;    // kind of kernel: stream, reduction, stencil, matrix, stride, …
  std::string formula;  // one line, e.g. "a[i] = b[i] + s*c[i]"
  // Kernels of one family are so similar that the accuracy of a prediction for one must not be tested with a
  // model trained on another. If empty, `group` is the family.
  std::string family;
  // One of the thirteen dwarfs of Asanovic et al. (dense, sparse, spectral, …); empty if none fits.
  std::string dwarf;
  std::vector<ArraySpec> arrays;
  // Initial values of Problem::parameters. Users can set element i if parameter_list has an entry i. At most
  // four.
  std::array<std::int64_t, 4> parameters = {};
  std::vector<Parameter> parameter_list;
  bool shaped = false;  // true if the kernel also accepts explicit extents, as in -n 100x37x53

  // Returns the largest extents whose arrays hold at most n elements together. Zero extents: n is too small.
  Function<Extents(std::int64_t n)> extents;
  // Returns the number of elements of arrays[index]. If null, every array has extents.count() elements.
  Function<std::int64_t(const Problem& problem, int index)> length;
  Function<Work(const Problem& problem)> work;
  Function<Traits(const Problem& problem)> traits;  // may be null if nothing is known

  // Fills arrays[index] (role in or inout) from `seed`. If null, fill_uniform draws values from [-1, 1).
  PerType<Function<void(const Problem& problem, int index, std::uint64_t seed, void* data)>> initialise;
  // Computes the reference result in at least double precision. arrays[i] holds array i in its own type, with
  // the contents before the launch. If array i is an output (role out or inout), results[i] receives it as
  // doubles; otherwise results[i] is null. A 64-bit integer is stored by its bits (std::bit_cast), because a
  // double cannot represent all of them.
  PerType<Function<void(const Problem& problem, const void* const* arrays, double* const* results)>>
      reference;
  Function<Tolerance(const Problem& problem)> tolerance;
  const char* tolerance_reason = "";
  // Returns the tolerance of element `at` of arrays[index], for kernels whose tolerance differs between
  // elements. Intended for short arrays. If null, `tolerance` applies.
  Function<Tolerance(const Problem& problem, int index, std::int64_t at)> tolerance_at;

  // Values of N that a run uses by default. If empty, it uses the first named problem, or else the four sizes
  // of the default study (suite/presentation.hpp).
  std::vector<std::int64_t> sizes;
  // named problems, such as the NAS classes S, W, A; empty if the kernel has only sizes N
  std::vector<NamedProblem> classes;
  // Returns why the kernel does not support this problem (for example an invalid combination of parameters),
  // or null if it does. The text is shown to the user. It is called before any allocation, and may itself be
  // null.
  Function<const char*(const Problem& problem)> refuse;

  UnitOfWork unit;
  Exchange exchange;          // how the partitions of a partitioned problem communicate
  Presentation presentation;  // used for output only

  // Returns the parameters of a Problem if the user sets none.
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
