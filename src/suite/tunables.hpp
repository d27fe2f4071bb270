// Gives a variant its tunables (launch parameters that users can set) as a struct of ints, so that its code
// reads `tile.tile_m`:
//
//     struct Tile {
//       int tile_m = 64, tile_n = 64;  // the preferred values
//     };
//
//     void launch(const Call& call) { const auto tile = call.tuned<Tile>(); … tile.tile_m … }
//     const char* constraint(const Problem& problem, const Tile& tile);
//     void adapt(const Problem& problem, Tile& tile);
//
//     variant.tunables = tunables<Tile>({{"tile_m", &Tile::tile_m, {16, 32, 64, 128}},
//                                        {"tile_n", &Tile::tile_n, {32, 64, 128}}});
//     variant.constraint = by_name<constraint>;
//     variant.adapt = by_name<adapt>;
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "suite/variant.hpp"

namespace sextant {

// A member of `Shape` with its allowed values in ascending order.
template <typename Shape, typename Member = int Shape::*>
struct TunableMember {
  const char* name;
  Member member;
  std::vector<int> choices;
};

// Returns the tunables in the order of the struct's members. A member's initial value is the preferred value.
// Throws std::logic_error unless `members` lists all members in that order. Otherwise values would be
// assigned to the wrong members.
template <typename Shape>
std::vector<Tunable> tunables(const std::vector<TunableMember<Shape>>& members) {
  const Shape preferred;
  if (members.size() * sizeof(int) != sizeof(Shape))
    throw std::logic_error("tunables: not one entry for each member");
  std::vector<Tunable> list;
  for (const TunableMember<Shape>& one : members) {
    const int* value = &(preferred.*one.member);
    if (value != reinterpret_cast<const int*>(&preferred) + list.size())
      throw std::logic_error(std::string("tunables: ") + one.name + " is not at its member's place");
    list.push_back({one.name, one.choices, *value});
  }
  return list;
}

namespace detail {

template <auto function>
struct ByName;

// Wraps a constraint or workspace function: Result function(const Problem&, const Shape&).
template <typename Result, typename Shape, Result (*function)(const Problem&, const Shape&)>
struct ByName<function> {
  static Result call(const Problem& problem, const int* tuning) {
    return function(problem, values_of<Shape>(tuning));
  }
};

// Wraps an adapt function: void function(const Problem&, Shape&).
template <typename Shape, void (*function)(const Problem&, Shape&)>
struct ByName<function> {
  static void call(const Problem& problem, int* tuning) {
    Shape values = values_of<Shape>(tuning);
    function(problem, values);
    std::memcpy(tuning, static_cast<const void*>(&values), sizeof values);
  }
};

}  // namespace detail

// Converts a function that takes a struct of tunables into one that takes an array of ints, for
// Variant::constraint, adapt and workspace.
template <auto function>
inline constexpr auto by_name = detail::ByName<function>::call;

}  // namespace sextant
