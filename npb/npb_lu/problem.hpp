// Definitions shared by all variants of npb_lu, NAS LU: the flow equations by symmetric successive
// over-relaxation. A step has an upward and a downward sweep over all points. In each sweep a point depends
// on its predecessors along all three axes (Bailey et al., "The NAS Parallel Benchmarks", RNR-94-007, section
// 3.4).
//
//     u = initial values; f = forcing                          // boundary values stay fixed
//     for (t = 1; t <= iterations; ++t) {
//       v = dt * (f + S(u)) at interior points, 0 on the boundary
//       for k, j, i rising:
//         v = D^-1 (v - omega (Lz[k-1] v[k-1] + Ly[j-1] v[j-1] + Lx[i-1] v[i-1]))
//       for k, j, i falling:
//         v = v - D^-1 omega (Ux[i+1] v[i+1] + Uy[j+1] v[j+1] + Uz[k+1] v[k+1])
//       u += v / (omega (2 - omega))
//     }
//     norms = rms of f + S(u), rms of u - exact solution, an integral of pressure over six faces
//
// L, D and U are 5 x 5 blocks. L and U depend on u at the point in their index, D on u at the point itself.
// `prepare` computes f; a launch computes all the rest. NPB's own timing excludes the initial values and the
// norms.
#pragma once

#include "suite/variant.hpp"
#include "toolbox/npb_flow/problem.hpp"

namespace sextant::npb_lu {

using namespace npb::flow;

inline constexpr double omega = 1.2;

// The problem classes (S, W, A …) published with NPB 3.4.2 (LU/verify.f90).
inline constexpr Class classes[] = {
    {"S",
     12,
     50,
     0.5,
     {1.6196343210976702e-02, 2.1976745164821318e-03, 1.5179927653399185e-03, 1.5029584435994323e-03,
      3.4264073155896461e-02},
     {6.4223319957960924e-04, 8.4144342047347926e-05, 5.8588269616485186e-05, 5.8474222595157350e-05,
      1.3103347914111294e-03},
     7.8418928865937083e+00},
    {"W",
     33,
     300,
     0.0015,
     {0.1236511638192e+02, 0.1317228477799e+01, 0.2550120713095e+01, 0.2326187750252e+01,
      0.2826799444189e+02},
     {0.4867877144216e+00, 0.5064652880982e-01, 0.9281818101960e-01, 0.8570126542733e-01,
      0.1084277417792e+01},
     0.1161399311023e+02},
    {"A",
     64,
     250,
     2.0,
     {7.7902107606689367e+02, 6.3402765259692870e+01, 1.9499249727292479e+02, 1.7845301160418537e+02,
      1.8384760349464247e+03},
     {2.9964085685471943e+01, 2.8194576365003349e+00, 7.3473412698774742e+00, 6.7139225687777051e+00,
      7.0715315688392578e+01},
     2.6030925604886277e+01},
    {"B",
     102,
     250,
     2.0,
     {3.5532672969982736e+03, 2.6214750795310692e+02, 8.8333721850952190e+02, 7.7812774739425265e+02,
      7.3087969592545314e+03},
     {1.1401176380212709e+02, 8.1098963655421574e+00, 2.8480597317698308e+01, 2.5905394567832939e+01,
      2.6054907504857413e+02},
     4.7887162703308227e+01},
    {"C",
     162,
     250,
     2.0,
     {1.03766980323537846e+04, 8.92212458801008552e+02, 2.56238814582660871e+03, 2.19194343857831427e+03,
      1.78078057261061185e+04},
     {2.15986399716949279e+02, 1.55789559239863600e+01, 5.41318863077207766e+01, 4.82262643154045421e+01,
      4.55902910043250358e+02},
     6.66404553572181300e+01},
    {"D",
     408,
     300,
     1.0,
     {0.4868417937025e+05, 0.4696371050071e+04, 0.1218114549776e+05, 0.1033801493461e+05,
      0.7142398413817e+05},
     {0.3752393004482e+03, 0.3084128893659e+02, 0.9434276905469e+02, 0.8230686681928e+02,
      0.7002620636210e+03},
     0.8334101392503e+02},
    {"E",
     1020,
     300,
     0.5,
     {0.2099641687874e+06, 0.2130403143165e+05, 0.5319228789371e+05, 0.4509761639833e+05,
      0.2932360006590e+06},
     {0.4800572578333e+03, 0.4221993400184e+02, 0.1210851906824e+03, 0.1047888986770e+03,
      0.8363028257389e+03},
     0.9512163272273e+02},
};

inline double time_step(const Problem& problem) { return npb::flow::time_step(classes, points(problem)); }

inline constexpr int result_count = norm_count + 1;  // one more for the integral

}  // namespace sextant::npb_lu
