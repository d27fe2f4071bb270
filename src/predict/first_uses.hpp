// The cost of the first use of a library in a process: loading it, creating its handle, loading its kernels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/profile.hpp"

namespace sextant::predict {

// Name of the library that a variant uses: "cublas" for library.cublas_batched. Empty if it uses none.
std::string library_of(const std::string& variant);

// The first-use cost in seconds of each library on a machine (by machine_name), as the median over sessions.
// It is the first preparation plus the first call in a session, minus an ordinary call. The result is a list
// of ceilings of "cpu" or "gpu0" with names such as first_use_cublas.
std::vector<Ceiling> first_uses(const Results& results, const std::string& machine);

// Additional seconds of the variant's first call in a process. Nothing if it uses no library, or if the cost
// was not measured on the machine.
std::optional<double> first_use(const Profile& profile, const std::string& variant);

// True if the ceiling is a first-use cost. Such costs are derived from cases and are not stored with a
// machine's ceilings.
bool is_first_use(const Ceiling& ceiling);

// Adds the first-use ceilings in `other` that the profile does not contain.
void add_first_uses(const std::vector<Ceiling>& other, Profile* profile);

}  // namespace sextant::predict
