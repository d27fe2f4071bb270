// What a process's first use of a library costs: loading it, its handle, its first kernels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/profile.hpp"

namespace sextant::predict {

// "cublas" of library.cublas_batched; empty: the variant is no library's.
std::string library_of(const std::string& variant);

// Of each library that a machine (machine_name) used: by how much the first preparation and the first call of
// its first case in a session took longer than a call, in seconds; the median of the sessions. As ceilings of
// "cpu" or "gpu0", named first_use_cublas.
std::vector<Ceiling> first_uses(const Results& results, const std::string& machine);

// Seconds that a process's first call of the variant takes longer; nothing: it is no library's, or nobody
// measured it there.
std::optional<double> first_use(const Profile& profile, const std::string& variant);

// Whether it is such a cost: made of a machine's cases, and never stored with its ceilings.
bool is_first_use(const Ceiling& ceiling);

// Those ceilings of `other`, which the profile has none of by their names.
void add_first_uses(const std::vector<Ceiling>& other, Profile* profile);

}  // namespace sextant::predict
