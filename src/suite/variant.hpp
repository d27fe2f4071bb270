// The struct that a variant's author fills in: one implementation of a kernel in one programming model.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "suite/choices.hpp"
#include "suite/function.hpp"
#include "suite/parts.hpp"
#include "suite/problem.hpp"

namespace sextant {

// Programming models. stdpar: C++ parallel algorithms; target: OpenMP offloading; library: a call of a
// numerical library.
enum class Model : std::uint8_t { serial, openmp, openacc, cuda, library, stdpar, target };

// Returns true for directive-based models that offload to a GPU. Without a GPU they run on the host.
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

// Where a variant's arrays are.
//   host         host memory (serial, openmp, CPU libraries; variants with their own data clauses)
//   cuda         device memory from cudaMalloc
//   openacc      host pointers with a device copy made by `enter data`: use present(a[0:n])
//   target       the same with OpenMP's `target enter data`: use map(to: a[0:n]), which then copies nothing
//   partitioned  the variant itself stores its partition of each array (suite/parts.hpp)
enum class MemorySpace : std::uint8_t { host, cuda, openacc, target, partitioned };
inline constexpr std::size_t memory_space_count = 5;

constexpr bool is_partitioned(MemorySpace space) { return space == MemorySpace::partitioned; }

// Which inputs the state from `prepare` depends on:
//   sizes      reusable for all inputs of the same sizes
//   structure  reusable for other values with the same indices, offsets or graph
//   values     only for these inputs
enum class DependsOn : std::uint8_t { sizes, structure, values };

// The library that runs a variant's threads on the CPU. `of_model` means OpenMP for openmp, TBB for stdpar,
// and none for all other models.
enum class ThreadLibrary : std::uint8_t { of_model, none, openmp, tbb, openblas, fftw };

constexpr ThreadLibrary thread_library_of(Model model) {
  return model == Model::openmp   ? ThreadLibrary::openmp
         : model == Model::stdpar ? ThreadLibrary::tbb
                                  : ThreadLibrary::none;
}

// A launch parameter and its allowed values. `choices` is in ascending order and contains `preferred`.
struct Tunable {
  const char* name;  // such as block_size, block_x, items_per_thread, vector_length, tile
  std::vector<int> choices;
  int preferred;
};

// Converts a tuning to a struct of ints with one member per tunable (suite/tunables.hpp).
template <typename Shape>
Shape values_of(const int* tuning) {
  Shape values;
  std::memcpy(static_cast<void*>(&values), tuning, sizeof values);
  return values;
}

// An array that a launch uses: the address of its allocation, and its offset in bytes from that address.
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
  const int* tuning = nullptr;      // one value per tunable; read by tuned<Shape>()
  const ArrayAt* arrays = nullptr;  // in the kernel's order; read by array<T>(index)
  void* stream = nullptr;           // a cudaStream_t for MemorySpace::cuda, else null
  void* state = nullptr;            // the state that prepare created
  // Called when the launch begins or ends a phase (see phase()). Set by the engine; may be null.
  void (*on_phase)(void* listener, const char* name) = nullptr;
  void* listener = nullptr;
  parts::CallInParts parts = {};  // for partitioned problems only (suite/parts.hpp)

  // Begins a phase, a named section of the launch that is timed separately; "" ends it. Times of a repeated
  // phase are added. In CUDA variants, a phase contains the work that is enqueued on `stream` from now on. Do
  // not call it while a CUDA graph is captured.
  void phase(const char* name) const {
    if (on_phase) on_phase(listener, name);
  }

  // Returns null if the call has no arrays, as on MPI ranks other than 0.
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

// One implementation of a kernel. All functions except `launch` may be null.
struct Variant {
  std::string name = {};         // without the programming model, which the registry adds as a prefix
  std::string description = {};  // one line of text for users
  MemorySpace memory_space = MemorySpace::host;
  std::vector<Tunable> tunables = {};

  // Executes the kernel once. It may return before the work on `stream` is complete. It must not allocate
  // memory or measure time, and may throw only NoSuchInstance.
  PerType<Function<void(const Call& call)>> launch = {};

  // Returns why this tuning cannot run this problem, or null if it can.
  Function<const char*(const Problem& problem, const int* tuning)> constraint = {};
  // Replaces the preferred values in `tuning` by better defaults for this problem.
  Function<void(const Problem& problem, int* tuning)> adapt = {};
  // Creates state, such as a plan or a workspace, for all launches with the same arrays. Returns null, or why
  // it failed. A state that was set before a failure is released, too. The call's arrays already contain the
  // inputs.
  Function<const char*(const Call& call, void** state)> prepare = {};
  DependsOn prepare_depends_on = DependsOn::sizes;
  Function<void(void* state)> release = {};
  // Returns the bytes that prepare allocates in the variant's memory space.
  Function<std::int64_t(const Problem& problem, const int* tuning)> workspace = {};
  // Returns why the variant cannot run on this machine (missing library or GPU feature), or null. It is
  // called after the device was opened.
  Function<const char*()> unavailable = {};
  // Compiles the variant at run time for this type and tuning. It is called before prepare. Returns null, or
  // why compilation failed. Null for variants that are compiled with the program.
  Function<const char*(const Problem& problem, const int* tuning)> compile = {};
  // True if the variant solves a slightly different problem, such as one with reordered data.
  bool excluded_from_ranking = false;
  // True if the variant is meant for arrays that exceed every cache. Times for small problems then do not
  // predict those for large ones.
  bool for_large_arrays = false;
  parts::VariantInParts parts = {};                        // for partitioned problems only (suite/parts.hpp)
  ThreadLibrary thread_library = ThreadLibrary::of_model;  // read it with threads_by()

  Model model = Model::serial;  // set by the registry from the name of the source file

  // Returns the library whose threads the variant uses on the CPU; never `of_model`.
  ThreadLibrary threads_by() const {
    return thread_library == ThreadLibrary::of_model ? thread_library_of(model) : thread_library;
  }

  // Returns why this tuning cannot run this problem, or null if it can. The reason may be that no code was
  // compiled for a tunable's value.
  const char* refusal(const Problem& problem, const int* tuning_values) const {
    try {
      return constraint ? constraint(problem, tuning_values) : nullptr;
    } catch (const NoSuchInstance&) {
      return "no code was compiled for one of its choices";
    }
  }
};

// Returns a copy of the variant with another name.
inline Variant named(const char* name, Variant variant) {
  variant.name = name;
  return variant;
}

}  // namespace sextant
