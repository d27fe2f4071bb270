// The form a variant's author fills in: one implementation of a kernel in one model.
#pragma once

#include <cstring>
#include <string>
#include <vector>

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

// Where the pointers that `launch` gets lead to.
//   host     host memory (serial, openmp, CPU libraries; forms that carry their own data clauses)
//   cuda     device memory from cudaMalloc
//   openacc  host pointers whose arrays were mapped with `enter data`: write present(a[0:n])
//   target   the same by OpenMP's `target enter data`: write map(to: a[0:n]), which copies nothing that is mapped
//   ranks    nowhere: the variant keeps its process's part of the problem, one of Call::ranks
enum class Home : std::uint8_t { host, cuda, openacc, target, ranks };
inline constexpr std::size_t home_count = 5;

// Homes whose variants keep the problem's parts themselves: `scatter` fills them, `gather` takes the result out.
constexpr bool is_in_parts(Home home) { return home == Home::ranks; }

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

struct Call {
  Problem problem;
  const int* tuning = nullptr;    // one value per tunable, in the variant's order; read by tuned<Shape>()
  void* const* arrays = nullptr;  // in the kernel's order
  void* stream = nullptr;         // a cudaStream_t for Home::cuda, else null
  void* state = nullptr;          // what prepare left
  // Who wants to know of phases, if anybody does; set by the engine.
  void (*on_phase)(void* listener, const char* name) = nullptr;
  void* listener = nullptr;
  // For Home::ranks; else null. There `arrays` are the first rank's, whole, for scatter and gather alone, and null on all
  // others.
  const parts::Ranks* ranks = nullptr;
  parts::Do what = parts::Do::all;

  // Says that what a program does from here on belongs to the phase `name` ("": to none); a phase that comes
  // again adds up. CUDA variants: what is put on `stream` from here on; not while a graph is captured.
  void phase(const char* name) const {
    if (on_phase) on_phase(listener, name);
  }

  template <typename T>
  T* array(int index) const {
    return static_cast<T*>(arrays[index]);
  }

  template <typename Shape>
  Shape tuned() const {
    return values_of<Shape>(tuning);
  }
};

struct Variant {
  std::string name;             // model.name; filled in by the registry from the file's name
  Model model = Model::serial;  // filled in by the registry likewise
  Home home = Home::host;
  std::string description;  // one line
  std::vector<Tunable> tunables;

  // Does the kernel's work once. May return before it is done (asynchronously on `stream`).
  // Never allocates, never times, never throws.
  PerType<Function<void(const Call& call)>> launch;

  // All below may be null.
  // Why this tuning cannot run this problem, or null if it can.
  Function<const char*(const Problem& problem, const int* tuning)> constraint;
  // A better default than the tunables' preferred values for this problem: overwrites tuning in place.
  Function<void(const Problem& problem, int* tuning)> adapt;
  // Makes what launches of this call share (a plan, a workspace) into *state; returns null, or why it cannot.
  // The call's arrays hold the problem's inputs already.
  Function<const char*(const Call& call, void** state)> prepare;
  Function<void(void* state)> release;
  // Bytes that prepare allocates where the arrays live.
  Function<std::int64_t(const Problem& problem, const int* tuning)> workspace;
  // Why the variant cannot run on this machine (a library that is missing, what the current GPU lacks), or
  // null; asked when its device is open.
  Function<const char*()> unavailable;
  // True where the variant answers another question than the kernel's (`reordered`): never counted as its
  // best.
  bool aside = false;
  // Makes the code for this type and tuning where it is not built with the program; called before prepare, by
  // whoever measures. Returns null, or why it cannot be made. May be null.
  Function<const char*(const Problem& problem, const int* tuning)> compile;
  // Home::ranks: what copies are for other homes. All arrays' elements go to the parts that own them,
  // outputs, too, which are poisoned; nothing but the owned elements, since halos are a launch's to fetch.
  Function<void(const Call& call)> scatter;
  Function<void(const Call& call)> gather;  // out and inout arrays of the parts, to the host's
  // Home::ranks: whether a launch heeds Call::what.
  bool separable = false;
};

}  // namespace sextant
