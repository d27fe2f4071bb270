// The form a variant's author fills in: one implementation of a kernel in one model.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "suite/choices.hpp"
#include "suite/function.hpp"
#include "suite/parts.hpp"
#include "suite/problem.hpp"

namespace sextant {

// stdpar: C++'s parallel algorithms; target: OpenMP's offloading.
enum class Model : std::uint8_t { serial, openmp, openacc, cuda, library, stdpar, target };

// Models whose directives a compiler offloads: without a GPU their regions run on the host.
constexpr bool is_offloaded(Model model) { return model == Model::openacc || model == Model::target; }

constexpr const char* name_of(Model model) {
  switch (model) {
    case Model::serial:
      return "serial";
    case Model::openmp:
      return "openmp";
    case Model::openacc:
      return "openacc";
    case Model::cuda:
      return "cuda";
    case Model::library:
      return "library";
    case Model::stdpar:
      return "stdpar";
    case Model::target:
      return "target";
  }
  return "?";
}

// Where a variant wants its arrays.
//   host         host memory (serial, openmp, CPU libraries; variants that carry their own data clauses)
//   cuda         device memory from cudaMalloc
//   openacc      host pointers with a device copy by `enter data`: write present(a[0:n])
//   target       the same by OpenMP's `target enter data`: write map(to: a[0:n]), which copies nothing then
//   partitioned  none: the variant keeps its part of the problem itself (suite/parts.hpp)
enum class MemorySpace : std::uint8_t { host, cuda, openacc, target, partitioned };
inline constexpr std::size_t memory_space_count = 5;

constexpr bool is_partitioned(MemorySpace space) { return space == MemorySpace::partitioned; }

// What a variant's `prepare` depends on. A state made from sizes serves all inputs of these sizes; one made
// from the structure (indices, offsets, graphs) serves other values; one made from values serves these inputs
// alone.
enum class DependsOn : std::uint8_t { sizes, structure, values };

// Whose threads a variant computes with on the CPU: that library's settings say how many they are.
// `of_model`: OpenMP's for openmp, TBB's for stdpar, none for all other models.
enum class ThreadLibrary : std::uint8_t { of_model, none, openmp, tbb, openblas, fftw };

constexpr ThreadLibrary thread_library_of(Model model) {
  return model == Model::openmp   ? ThreadLibrary::openmp
         : model == Model::stdpar ? ThreadLibrary::tbb
                                  : ThreadLibrary::none;
}

// A launch parameter with the values it may take; `choices` is ascending and holds `preferred`.
struct Tunable {
  const char* name;  // block_size, block_x, items_per_thread, vector_length, tile, …
  std::vector<int> choices;
  int preferred;
};

// The values of a tuning as a struct of ints, one member a tunable (suite/tunables.hpp).
template <typename Shape>
Shape values_of(const int* tuning) {
  Shape values;
  std::memcpy(static_cast<void*>(&values), tuning, sizeof values);
  return values;
}

// An array as a launch gets it: an allocation and where the array begins in it, in bytes.
struct ArrayAt {
  void* base = nullptr;
  std::int64_t offset = 0;

  ArrayAt() = default;
  ArrayAt(void* address) : base(address) {}
  ArrayAt(void* allocation, std::int64_t bytes) : base(allocation), offset(bytes) {}
  void* address() const { return static_cast<char*>(base) + offset; }
};

struct Call {
  Problem problem;
  const int* tuning = nullptr;      // one value per tunable, in the variant's order; read by tuned<Shape>()
  const ArrayAt* arrays = nullptr;  // in the kernel's order; read by array<T>(index)
  void* stream = nullptr;           // a cudaStream_t for MemorySpace::cuda, else null
  void* state = nullptr;            // what prepare left
  // The listener for phases; set by the engine, may be null.
  void (*on_phase)(void* listener, const char* name) = nullptr;
  void* listener = nullptr;
  parts::CallInParts parts = {};  // of problems in parts alone: suite/parts.hpp

  // Says that what a program does from here on belongs to the phase `name` ("": to none); a phase that comes
  // again adds up. CUDA variants: what is put on `stream` from here on; not while a graph is captured.
  void phase(const char* name) const {
    if (on_phase) on_phase(listener, name);
  }

  // Null where the call has no arrays: on all ranks but the first.
  void* address(std::size_t index) const { return arrays ? arrays[index].address() : nullptr; }

  template <typename T>
  T* array(int index) const {
    return static_cast<T*>(arrays[index].address());
  }

  template <typename Shape>
  Shape tuned() const {
    return values_of<Shape>(tuning);
  }
};

// A plain value: a file of variants returns a list of them. All functions but `launch` may be null.
struct Variant {
  std::string name = {};         // without its model, which the registry puts before it
  std::string description = {};  // one line
  MemorySpace memory_space = MemorySpace::host;
  std::vector<Tunable> tunables = {};

  // Does the kernel's work once. May return before it is done (asynchronously on `stream`).
  // Never allocates, never times, throws nothing but NoSuchInstance.
  PerType<Function<void(const Call& call)>> launch = {};

  // Why this tuning cannot run this problem, or null if it can.
  Function<const char*(const Problem& problem, const int* tuning)> constraint = {};
  // A better default than the tunables' preferred values for this problem: overwrites tuning in place.
  Function<void(const Problem& problem, int* tuning)> adapt = {};
  // Makes what launches of this call share (a plan, a workspace) into *state; returns null, or why it cannot.
  // The call's arrays hold the problem's inputs already.
  Function<const char*(const Call& call, void** state)> prepare = {};
  DependsOn prepare_depends_on = DependsOn::sizes;
  Function<void(void* state)> release = {};
  // Bytes that prepare allocates in the variant's memory space.
  Function<std::int64_t(const Problem& problem, const int* tuning)> workspace = {};
  // Why the variant cannot run on this machine (a library that is missing, what the current GPU lacks), or
  // null; asked when its device is open.
  Function<const char*()> unavailable = {};
  // Makes the code for this type and tuning where it is not built with the program; called before prepare, by
  // whoever measures. Returns null, or why it cannot be made.
  Function<const char*(const Problem& problem, const int* tuning)> compile = {};
  // True where the variant answers another question than the kernel's (`reordered`): never counted as its
  // best.
  bool excluded_from_ranking = false;
  // True where the variant is meant for arrays that no cache holds: its times at small sizes say nothing of
  // large ones.
  bool for_large_arrays = false;
  parts::VariantInParts parts = {};                        // of problems in parts alone: suite/parts.hpp
  ThreadLibrary thread_library = ThreadLibrary::of_model;  // read by threads_by()

  Model model = Model::serial;  // filled in by the registry from the file's name

  // Whose threads it computes with on the CPU; never `of_model`.
  ThreadLibrary threads_by() const {
    return thread_library == ThreadLibrary::of_model ? thread_library_of(model) : thread_library;
  }

  // Why this tuning cannot run this problem, or null: the constraint's reason, or that no code was compiled
  // for a choice.
  const char* refusal(const Problem& problem, const int* tuning_values) const {
    try {
      return constraint ? constraint(problem, tuning_values) : nullptr;
    } catch (const NoSuchInstance&) {
      return "no code was compiled for one of its choices";
    }
  }
};

// The variant under another name: what a list has of a function that makes a variant.
inline Variant named(const char* name, Variant variant) {
  variant.name = name;
  return variant;
}

}  // namespace sextant
