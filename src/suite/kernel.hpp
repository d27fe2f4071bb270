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

// The least work that the problem itself requires, independent of the variant: each input is read once and
// each output is written once.
struct Work {
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int64_t flops = 0;
  std::int64_t items = 0;  // outputs, points or updates: the unit in which the kernel's work is counted
  // Integer operations on the data (additions, shifts, …), without address arithmetic.
  std::int64_t integer_operations = 0;
  // For a partitioned problem: the least number of bytes that the busiest part must send with this domain
  // decomposition. 0 if nothing is sent.
  std::int64_t bytes_sent = 0;
};

// Access pattern of the kernel's plain loop, the first comment in its folder. Each member may be not_known.
// Loads and stores count array elements, including the loop's workspace. An element that is read twice in
// succession counts as one load.
struct Traits {
  static constexpr double not_known = -1;

  double loads = not_known, stores = not_known;  // per item of Work
  // Stride of the innermost loop in elements: distance between successive reads, or successive writes. The
  // array with the largest stride counts.
  double stride_read = not_known, stride_write = not_known;
  double special_flops = not_known;  // divisions, roots, logarithms and similar, per item
  double reduction = not_known;      // 1 if items are combined into a few results, else 0
  // Passes over all items in which each pass needs the complete result of the previous one.
  double launches = not_known;
  // Longest chain of dependent operations on elements, in the best possible order. It is 1 for independent
  // items, log2(n) for a sum of n elements, and the number of steps for a time loop.
  double depth = not_known;
  double divergence = not_known;  // fraction of items that take another path at a data-dependent branch
};

// The communication pattern between the parts of a partitioned problem. The scaling model uses it.
struct Exchange {
  enum class Pattern : std::uint8_t {
    none,        // no communication, or the pattern is unknown
    planes,      // decomposition along the slowest axis; each part sends to its two neighbours
    all_reduce,  // values of all parts are combined, and all parts get the result
    all_to_all,  // each part sends a block to every other part
  };
  Pattern pattern = Pattern::none;
  int rounds = -1;  // index in Problem::parameters of the number of exchanges per call; -1: one exchange
};

// An output element passes when |got - reference| <= absolute + relative * |reference|. NaN never passes.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  // The fraction of an output's elements that may differ arbitrarily, because a rounding can flip a decision.
  // The fraction refers to elements that trivial results get wrong: all zeros, or the first element
  // everywhere.
  double outliers = 0;
};

// One of Problem::parameters that users can set (`-p steps=100`). Its values are integers.
struct Parameter {
  const char* name;
  std::int64_t preferred, least, most;
  std::vector<std::int64_t> checked = {};  // further values that `verify` checks, besides `preferred`
};

struct NamedProblem {
  const char* name;  // e.g. "S"
  Problem problem;   // `type` is ignored
};

// The unit in which the kernel's rate is reported (`show --by programs`).
struct UnitOfWork {
  enum class Count : std::uint8_t { items, flops };
  Count count = Count::items;                           // the member of Work that is counted
  std::string millions_per_second = "million items/s";  // name of 10^6 units per second: "Mop/s", "MLUPS"
};

// All functions are pure. All but `extents` and `length` are called with a complete Problem.
struct Kernel {
  std::string name;
  std::string group;    // stream, reduction, stencil, matrix, stride, …
  std::string formula;  // one line, e.g. "a[i] = b[i] + s*c[i]"
  // Kernels of one family are too similar to test a prediction for one on data of another. Empty: `group`.
  std::string family;
  // One of the thirteen dwarfs of Asanovic et al. (dense, sparse, spectral, …); empty if none fits.
  std::string dwarf;
  std::vector<ArraySpec> arrays;
  // Copied into every Problem. Users can set element i if parameter_list has an entry i; at most four.
  std::array<std::int64_t, 4> parameters = {};
  std::vector<Parameter> parameter_list;
  bool shaped = false;  // also accepts explicit extents: -n 100x37x53

  // Returns the largest extents whose arrays hold at most n elements together. Zero extents: n is too small.
  Function<Extents(std::int64_t n)> extents;
  // Returns the number of elements of arrays[index]. If null, every array has extents.count() elements.
  Function<std::int64_t(const Problem& problem, int index)> length;
  Function<Work(const Problem& problem)> work;
  Function<Traits(const Problem& problem)> traits;  // may be null if nothing is known

  // Fills arrays[index] (role in or inout) from `seed`. If null, fill_uniform draws values from [-1, 1).
  PerType<Function<void(const Problem& problem, int index, std::uint64_t seed, void* data)>> initialise;
  // Computes the reference result, at least in double precision. arrays[i] holds array i in its own type, as
  // before the launch. results[i] receives array i as doubles if its role is out or inout, and is null
  // otherwise. A 64-bit integer is stored by its bits (std::bit_cast), since a double cannot represent all of
  // them.
  PerType<Function<void(const Problem& problem, const void* const* arrays, double* const* results)>>
      reference;
  Function<Tolerance(const Problem& problem)> tolerance;
  const char* tolerance_reason = "";
  // The tolerance of element `at` of arrays[index], if tolerances differ between elements. Intended for short
  // arrays. If null, `tolerance` applies.
  Function<Tolerance(const Problem& problem, int index, std::int64_t at)> tolerance_at;

  // Default values of N. If empty, the default is the first class, or else the study's four sizes.
  std::vector<std::int64_t> sizes;
  std::vector<NamedProblem> classes;  // named problems (S, W, A, …); empty if the kernel is sized by N alone
  // Returns why the kernel does not support this problem (for example an invalid combination of parameters),
  // or null. The text is shown to the user. It is called before any allocation, and may itself be null.
  Function<const char*(const Problem& problem)> refuse;

  UnitOfWork unit;
  Exchange exchange;          // between the parts of a partitioned problem
  Presentation presentation;  // used for output only

  // Returns the parameters of a Problem for which the user sets none.
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
