// The stencils' coefficients: v = u + alpha * (second differences along x, y and z),
// alpha = diffusivity * time step / spacing^2.
#pragma once

namespace sextant::heat3d {

// Weights of the central second difference of order 2R at distance 0 … R (B. Fornberg, Generation of finite
// difference formulas on arbitrarily spaced grids, Math. Comp. 51 (1988), table 1).
inline constexpr double second_difference[4][5] = {
    {-2.0, 1.0},
    {-5.0 / 2, 4.0 / 3, -1.0 / 12},
    {-49.0 / 18, 3.0 / 2, -3.0 / 20, 1.0 / 90},
    {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560},
};

// The symbol of three second differences reaches down to -12, -16, -18.1, -19.5 for R = 1 … 4 (all waves of
// two points' length), so that a step is stable up to alpha = 2 / 19.5 = 0.1025; 1/16 is exact in binary and
// damps every wave.
inline constexpr double alpha = 1.0 / 16;

// c[k] of the reference loop.
constexpr double coefficient(int radius, int k) {
  const double weight = second_difference[radius - 1][k];
  return k == 0 ? 1 + 3 * alpha * weight : alpha * weight;
}

// As a local constant, so that device code has them as immediate operands.
template <int radius, typename T>
struct Coefficients {
  T at[radius + 1] = {};
  constexpr Coefficients() {
    for (int k = 0; k <= radius; ++k) at[k] = static_cast<T>(coefficient(radius, k));
  }
};

}  // namespace sextant::heat3d
