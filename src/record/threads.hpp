// Determines how many threads a case ran on and how they were bound. Cases that differ in their threads are
// different cases.
#pragma once

#include <string>

#include "record/case.hpp"
#include "record/environment.hpp"

namespace sextant {

// Both fields are empty if the case uses no threads (serial, or on a GPU) or its session does not record
// them.
struct Threads {
  std::string count;  // "16"
  // "OMP_PROC_BIND=spread OMP_PLACES=threads"; empty for Sextant's default, close to cores.
  std::string binding;
};

// Returns the threads of a case on the CPU, according to its thread library. The count comes from the tuning,
// else from the session.
Threads threads_of(const Environment& environment, const Case& what);

// Derives a variant's thread library from its name, for older files that do not state it.
ThreadLibrary thread_library_by_name(const std::string& variant);

// Returns "16" or "16 OMP_PROC_BIND=spread OMP_PLACES=threads", or an empty text if both fields are empty.
std::string text_of(const Threads& threads);

// Returns key_of(what) with the threads that a session with this environment used.
std::string key_of(const Case& what, const Environment& environment);

}  // namespace sextant
