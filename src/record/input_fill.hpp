// The numbers that fill the floating-point inputs of a timed problem.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace sextant {

// uniform: as the kernel draws its inputs, which are uniform in [-1, 1) unless the kernel has its own. The
// others replace uniform inputs. normal: normal numbers of standard deviation 1/4, at most 1 in magnitude.
// small_integers: -1, 0 and 1. zeros: 0.
enum class InputFill : std::uint8_t { uniform, normal, small_integers, zeros };

inline constexpr std::array all_input_fills = {InputFill::uniform, InputFill::normal,
                                               InputFill::small_integers, InputFill::zeros};

constexpr const char* name_of(InputFill fill) {
  switch (fill) {
    case InputFill::uniform:
      return "uniform";
    case InputFill::normal:
      return "normal";
    case InputFill::small_integers:
      return "small-integers";
    case InputFill::zeros:
      return "zeros";
  }
  return "?";
}

// Returns `before` and the name of a fill. Empty for uniform inputs, which tables do not name.
inline std::string text_of(InputFill fill, const char* before = "") {
  return fill == InputFill::uniform ? std::string() : std::string(before) + name_of(fill);
}

// Returns the variance of a fill's numbers over that of uniform ones, 1/3. Absolute tolerances, which are
// stated for uniform inputs, are multiplied by it. This is right for products of two inputs; for sums of
// inputs the root would do.
constexpr double variance_over_uniform(InputFill fill) {
  switch (fill) {
    case InputFill::normal:
      return 3;
    case InputFill::small_integers:
      return 2;
    default:
      return 1;
  }
}

// Describes a fill for titles: "inputs all zeros". Empty for uniform inputs.
constexpr const char* description_of(InputFill fill) {
  switch (fill) {
    case InputFill::uniform:
      return "";
    case InputFill::normal:
      return "inputs normal numbers";
    case InputFill::small_integers:
      return "inputs -1, 0 and 1";
    case InputFill::zeros:
      return "inputs all zeros";
  }
  return "?";
}

}  // namespace sextant
