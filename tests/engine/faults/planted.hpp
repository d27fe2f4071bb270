// Declares copies of variants in parts that stop doing their work after the first calls, and an honest copy.
// The real variant does the work of the first calls, on the real devices.
#pragma once

#include <string>
#include <vector>

#include "record/measurement.hpp"
#include "suite/team.hpp"

namespace sextant {

// What a copy does after its first calls:
//   honest               all of the work, in every call
//   skips_a_part         the last part does not change its arrays
//   does_nothing         the launch returns at once
//   repeats_its_answer   every part gets the arrays of an earlier call again
//   leaves_out_exchange  every part computes, but nothing is exchanged
enum class Cheat : std::uint8_t {
  honest,
  skips_a_part,
  does_nothing,
  repeats_its_answer,
  leaves_out_exchange
};

const char* name_of(Cheat cheat);

// A variant of the build, and the copies of it that are made. On ranks without a GPU there is no
// repeats_its_answer. On ranks skips_a_part needs a separable variant, or one without messages.
struct Original {
  std::string kernel, variant;
  std::vector<Cheat> cheats;

  // the name of the kernel that has the copies
  std::string planted_kernel() const { return "planted_" + kernel + "_" + variant; }
};

inline const std::vector<Cheat> cheats_without_exchange = {Cheat::honest, Cheat::skips_a_part,
                                                           Cheat::does_nothing, Cheat::repeats_its_answer};
inline const std::vector<Cheat> cheats_with_exchange = {Cheat::honest, Cheat::skips_a_part,
                                                        Cheat::does_nothing, Cheat::repeats_its_answer,
                                                        Cheat::leaves_out_exchange};

// Adds the kernel with the copies to the registry. Returns false if the build lacks the variant. `wait` waits
// for the streams of a device group; it is null for parts in host memory and for ranks.
bool plant(const Original& original, void (*wait)(const parts::Team& team) = nullptr);

// Returns the case of a copy, made from a case of the original.
Case planted_case(const Original& original, Cheat cheat, Case of_original);

// Returns how the timed measurement of a copy differs from the expected one, or an empty string. A copy that
// stops its work must pass the check, and then be wrong in an audit.
std::string unexpected_end(Cheat cheat, const Measurement& measurement);

}  // namespace sextant
