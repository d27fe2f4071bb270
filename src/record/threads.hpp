// How many threads a case ran on, and where they were bound: cases of other threads are other cases.
#pragma once

#include <string>

#include "record/case.hpp"
#include "record/environment.hpp"

namespace sextant {

// Both empty where a case has no threads of its own (serial, on a GPU) or its session does not say.
struct Threads {
  std::string count;    // "16"
  std::string binding;  // "OMP_PROC_BIND=spread OMP_PLACES=threads"; empty for Sextant's own, close to cores
};

// Of a case on the CPU, by its thread library: the count that the tuning says, else the session's.
Threads threads_of(const Environment& environment, const Case& what);

// The thread library of a variant of a file that does not say: a rule by the names that such files have.
ThreadLibrary thread_library_by_name(const std::string& variant);

// "16", "16 OMP_PROC_BIND=spread OMP_PLACES=threads"; empty where `threads` is.
std::string text_of(const Threads& threads);

// key_of(what), and the threads by which a session with this environment measured it.
std::string key_of(const Case& what, const Environment& environment);

}  // namespace sextant
