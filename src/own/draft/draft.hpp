// Drafts the description (TOML) of the user kernels in a C++ or CUDA source. The user completes the draft.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "own/draft/draft_changes.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

// How arrays of real numbers are filled: with numbers from -1 to 1, from 1 to 2, or from -0.125 to 0.125.
enum class RealFill : std::uint8_t { usual, positive, small };

// Options of draft_of.
struct DraftAsked {
  std::string prefix;               // prefix of the kernel's name; the rest of the name is that of the file
  RealFill real = RealFill::usual;  // fill of arrays of real numbers
  std::string problem;              // reason why the description cannot be loaded yet; empty if it can
  std::string no_host;              // reason why host functions are left out; empty if they are included
  std::string no_kernels = {};      // the same for kernels
  DraftChanges changes = {};        // what trial runs found
};
// Returns a description of the file's functions as a comment for the head of the file. Facts that the source
// does not state are guessed and marked. Throws UserError if there is no function to describe, if the file
// has a description, or if libclang is missing.
std::string draft_of(const std::string& source, const std::string& file, SourceFunctions found,
                     const DraftAsked& asked);
// Does the same, but reads the functions from the source itself.
std::string draft_of(const std::string& source, const std::string& file);

// Returns true if a function on the host is a version of a kernel or of a function that launches one, as far
// as their names tell.
bool has_host_version(const SourceFunctions& found);

// Returns the arrays of such a description whose lengths are guesses, because no index gives them.
std::set<std::string> arrays_of_unknown_length(const std::string& source, const std::string& file,
                                               SourceFunctions found, const DraftAsked& asked);

// Returns the source with an OpenMP directive before the loop of a serial function. The result is used only
// for that function's OpenMP variant. Returns the source unchanged if no loop can be divided among threads.
std::string with_directive(const std::string& source, const std::string& file, SourceFunctions found,
                           const DraftAsked& asked = {});

}  // namespace sextant::own
