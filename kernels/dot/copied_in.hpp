// What the OpenACC variants share whose directives copy both arrays in on every call.
#pragma once

#include <cstdlib>

#include "suite/tunables.hpp"

namespace sextant::dot {

// The gangs that add up: the choices are half a gang to four for each of the 132 multiprocessors of an H200.
struct Gangs {
  int num_gangs = 264;
};

inline std::vector<Tunable> gangs_tunables() {
  return tunables<Gangs>({{"num_gangs", &Gangs::num_gangs, {66, 132, 264, 528}}});
}

inline std::int64_t product_bytes(const Problem& problem) {
  return problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
}

// Gives the variant's calls a state: host memory for the products, made before the first launch.
inline void keep_products(Variant& variant) {
  variant.prepare = [](const Call& call, void** state) -> const char* {
    *state = std::malloc(static_cast<std::size_t>(product_bytes(call.problem)));
    return *state ? nullptr : "no host memory for the products";
  };
  variant.release = std::free;
  variant.workspace = [](const Problem& problem, const int*) { return product_bytes(problem); };
}

}  // namespace sextant::dot
