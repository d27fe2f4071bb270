// Determines how many threads a case ran on and how they were bound to cores. Cases that differ in their
// threads are different cases.
#pragma once

#include <string>

#include "record/case.hpp"
#include "record/environment.hpp"

namespace sextant {

// Threads of a case. Both members are empty if it uses no threads (serial code or a GPU), or if its session
// did not record them.
struct Threads {
  std::string count;  // number of threads, such as "16"
  // Environment variables of the binding, such as "OMP_PROC_BIND=spread OMP_PLACES=threads". Empty for the
  // default of Sextant: close, on cores.
  std::string binding;
};

// Returns the threads of a case on the CPU, according to its thread library. Their number comes from the
// case's tuning, or else from the session.
Threads threads_of(const Environment& environment, const Case& what);

// Derives a variant's thread library from its name, for older files that do not store it.
ThreadLibrary thread_library_by_name(const std::string& variant);

// Returns a text such as "16" or "16 OMP_PROC_BIND=spread OMP_PLACES=threads", or an empty text if both
// members are empty.
std::string text_of(const Threads& threads);

// Returns key_of(what) extended by the threads that a session with this environment used.
std::string key_of(const Case& what, const Environment& environment);

}  // namespace sextant
