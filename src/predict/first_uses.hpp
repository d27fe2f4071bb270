// The cost of the first use of a library in a process: loading it, creating its handle, loading its first
// kernels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/profile.hpp"

namespace sextant::predict {

// Name of the library that a variant uses: "cublas" for library.cublas_batched. Empty if it uses none.
std::string library_of(const std::string& variant);

// The first-use cost of each library on a machine (by machine_name), in seconds. In each session, it is the
// first preparation plus the first call of the first case that uses the library, minus an ordinary call. The
// result is the median over sessions. It is returned as ceilings of "cpu" or "gpu0" with names such as
// first_use_cublas.
std::vector<Ceiling> first_uses(const Results& results, const std::string& machine);

// Additional seconds that the variant's first call in a process takes. Nothing if it uses no library, or if
// this cost was not measured on the machine.
std::optional<double> first_use(const Profile& profile, const std::string& variant);

// True if the ceiling is a first-use cost. These are derived from a machine's cases and are never stored with
// its ceilings.
bool is_first_use(const Ceiling& ceiling);

// Adds the first-use ceilings in `other` whose names the profile does not contain.
void add_first_uses(const std::vector<Ceiling>& other, Profile* profile);

}  // namespace sextant::predict
