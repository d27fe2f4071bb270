// Determines how many threads a case ran on, and their binding to cores. Results with different threads are
// kept apart.
#pragma once

#include <string>

#include "record/case.hpp"
#include "record/environment.hpp"

namespace sextant {

// Threads of a case. Both members are empty for serial code, for a GPU, and if the session did not record
// them.
struct Threads {
  std::string count;  // number of threads, such as "16"
  // Environment variables of the binding, such as "OMP_PROC_BIND=spread OMP_PLACES=threads". Empty for
  // Sextant's default, which is "OMP_PROC_BIND=close OMP_PLACES=cores".
  std::string binding;
};

// Returns the threads of a case on the CPU. Their number comes from the case's tuning, or else from the
// session.
Threads threads_of(const Environment& environment, const Case& what);

// Derives a variant's thread library from its name. Older files do not store it.
ThreadLibrary thread_library_by_name(const std::string& variant);

// Formats threads as "16" or "16 OMP_PROC_BIND=spread OMP_PLACES=threads". Empty if both members are empty.
std::string text_of(const Threads& threads);

// Returns key_of(what) together with the threads that a session with this environment used.
std::string key_of(const Case& what, const Environment& environment);

}  // namespace sextant
