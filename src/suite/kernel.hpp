// The form a kernel's author fills in: the problem itself, without any way of computing it fast.
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
  std::optional<ElementType> type =
      {};  // of indices and the like, whatever the problem's is; none: the problem's
};

// What the problem itself asks for, whatever the variant does: each input read once, each output written
// once.
struct Work {
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int64_t flops = 0;
  std::int64_t items = 0;  // outputs, points, updates: what the kernel is counted in
  std::int64_t integer_operations =
      0;  // additions, shifts and the like on what is computed; none of addresses
  // Of a problem in parts: what the part that sends most has to send, at least, as the problem is cut. 0:
  // nothing.
  std::int64_t bytes_sent = 0;
};

// How the kernel's plain loop, as the first comment of its folder has it, goes through its data. Each member
// may be not_known. Loads and stores are elements of arrays, the loop's own workspace included; an element
// that is read twice in a row is loaded once.
struct Traits {
  static constexpr double not_known = -1;

  double loads = not_known, stores = not_known;  // an item of Work
  // Elements between what the innermost loop reads, or writes, and what it reads or writes next, of the array
  // where that is most.
  double stride_read = not_known, stride_write = not_known;
  double special_flops = not_known;  // an item: divisions, roots, logarithms and the like
  double reduction = not_known;      // 1: items are combined into a few results, 0: they are not
  double launches = not_known;       // passes over all items, each of which needs the whole of the one before
  // The longest chain of operations on elements each of which needs the one before, in the best order there
  // is: 1 of independent items, log2(n) of a sum of n, the number of steps of a time loop.
  double depth = not_known;
  double divergence = not_known;  // share of items that leave the others' path at a branch on data
};

// How the parts of a problem that is cut tell each other what they need: what a model of many parts goes by.
struct Exchange {
  enum class Pattern : std::uint8_t {
    none,        // nothing, or it is not said how
    planes,      // cut along the slowest axis, each part sends to its two neighbours
    all_reduce,  // values of all parts combined, for all of them
    all_to_all,  // each part has something for each other one
  };
  Pattern pattern = Pattern::none;
  int rounds = -1;  // which of Problem::parameters counts the exchanges of a call; -1: there is one
};

// An output element passes when |got - reference| <= absolute + relative * |reference|. NaN never passes.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  // The share of an output's elements that may be anything: decisions that a rounding turns. It counts of
  // those elements that zeros, or the first element everywhere, would get wrong.
  double outliers = 0;
};

// One of Problem::parameters that users choose (`-p steps=100`); counts, so whole numbers.
struct Parameter {
  const char* name;
  std::int64_t preferred, least, most;
  std::vector<std::int64_t> checked = {};  // values that `verify` takes, beside the preferred one
};

struct NamedProblem {
  const char* name;  // e.g. "S"
  Problem problem;   // its type is ignored
};

// What a rate of the kernel counts (`show --by programs`).
struct UnitOfWork {
  enum class Count : std::uint8_t { items, flops };
  Count count = Count::items;                           // which part of Work
  std::string millions_per_second = "million items/s";  // the name of a million a second: "Mop/s", "MLUPS"
};

// A kernel's functions are pure; all but `extents` and `length` are called with a complete Problem.
struct Kernel {
  std::string name;
  std::string group;    // stream, reduction, stencil, matrix, stride, …
  std::string formula;  // one line, e.g. "a[i] = b[i] + s*c[i]"
  std::string family;   // kernels that teach too much of each other to test a prediction on; empty: the group
  std::string dwarf;  // of the thirteen of Asanovic et al.: dense, sparse, spectral, …; empty: none of them
  std::vector<ArraySpec> arrays;
  std::array<std::int64_t, 4> parameters = {};  // copied into every Problem, but for what users may choose:
  std::vector<Parameter> parameter_list;        // parameter i of a Problem, four at most; may be empty
  bool shaped = false;                          // takes extents as they are, too: -n 100x37x53

  // The largest extents whose arrays hold at most n elements together. Zero extents: n is too small.
  Function<Extents(std::int64_t n)> extents;
  // Elements of array `index` (order of `arrays`); null: extents.count() for every array.
  Function<std::int64_t(const Problem& problem, int index)> length;
  Function<Work(const Problem& problem)> work;
  Function<Traits(const Problem& problem)> traits;  // may be null: nothing is known

  // Fills array `index` (in and inout ones) from `seed`; null: uniform in [-1, 1) by fill_uniform.
  PerType<Function<void(const Problem& problem, int index, std::uint64_t seed, void* data)>> initialise;
  // arrays[i] holds array i in its own type, as before the launch; results[i] is to be filled in double
  // for each out and inout array, and is null for the others. At least double precision throughout. Of 64-bit
  // whole numbers, not all of which a double holds, the number itself stands in the double's place
  // (std::bit_cast).
  PerType<Function<void(const Problem& problem, const void* const* arrays, double* const* results)>>
      reference;
  Function<Tolerance(const Problem& problem)> tolerance;
  const char* tolerance_reason = "";
  // What element `at` of array `index` allows, where elements differ; for short arrays. Null: `tolerance`.
  Function<Tolerance(const Problem& problem, int index, std::int64_t at)> tolerance_at;

  std::vector<std::int64_t> sizes;  // N where none is asked for; empty: the first class, or the study's four
  std::vector<NamedProblem> classes;  // named problems (S, W, A, …); empty for kernels sized by N alone
  // Why this problem is none of the kernel's (parameters that do not go together), or null; may itself be
  // null. Asked before anything is allocated; what it says goes to the user.
  Function<const char*(const Problem& problem)> refuse;

  UnitOfWork unit;            // what is counted
  Exchange exchange;          // between the parts of a problem that is cut
  Presentation presentation;  // for readers of results alone

  // The parameters of a Problem for which nothing else is asked.
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
