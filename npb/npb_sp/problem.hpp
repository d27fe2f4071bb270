// Definitions shared by all variants of npb_sp, NAS SP: the flow equations in the diagonalized Beam-Warming
// scheme. Its factors are scalar pentadiagonal systems along the three axes (Bailey et al., "The NAS Parallel
// Benchmarks", RNR-94-007, section 3.6).
//
//     u = initial values; f = forcing                          // boundary values stay fixed
//     for (t = 1; t <= iterations; ++t) {
//       b = dt * (f + S(u)) at interior points
//       b = T1(u) b;   for each line along x: solve for components 1-3, 4 and 5 of b
//       b = N b;       for each line along y: the same
//       b = P b;       for each line along z: the same
//       u += T2(u) b
//     }
//     norms = rms of f + S(u), rms of u - exact solution
//
// The systems of a line differ in the term 0, +c or -c, where c is the speed of sound. `prepare` computes f;
// a launch computes all the rest. NPB's own timing excludes the initial values and the norms.
#pragma once

#include "suite/variant.hpp"
#include "toolbox/npb_flow/problem.hpp"

namespace sextant::npb_sp {

using namespace npb::flow;

// The problem classes (S, W, A …) published with NPB 3.4.2 (SP/verify.f90).
inline constexpr Class classes[] = {
    {"S",
     12,
     100,
     0.015,
     {2.7470315451339479e-02, 1.0360746705285417e-02, 1.6235745065095532e-02, 1.5840557224455615e-02,
      3.4849040609362460e-02},
     {2.7289258557377227e-05, 1.0364446640837285e-05, 1.6154798287166471e-05, 1.5750704994480102e-05,
      3.4177666183390531e-05}},
    {"W",
     36,
     400,
     0.0015,
     {0.1893253733584e-02, 0.1717075447775e-03, 0.2778153350936e-03, 0.2887475409984e-03,
      0.3143611161242e-02},
     {0.7542088599534e-04, 0.6512852253086e-05, 0.1049092285688e-04, 0.1128838671535e-04,
      0.1212845639773e-03}},
    {"A",
     64,
     400,
     0.0015,
     {2.4799822399300195e0, 1.1276337964368832e0, 1.5028977888770491e0, 1.4217816211695179e0,
      2.1292113035138280e0},
     {1.0900140297820550e-04, 3.7343951769282091e-05, 5.0092785406541633e-05, 4.7671093939528255e-05,
      1.3621613399213001e-04}},
    {"B",
     102,
     400,
     0.001,
     {0.6903293579998e+02, 0.3095134488084e+02, 0.4103336647017e+02, 0.3864769009604e+02,
      0.5643482272596e+02},
     {0.9810006190188e-02, 0.1022827905670e-02, 0.1720597911692e-02, 0.1694479428231e-02,
      0.1847456263981e-01}},
    {"C",
     162,
     400,
     0.00067,
     {0.5881691581829e+03, 0.2454417603569e+03, 0.3293829191851e+03, 0.3081924971891e+03,
      0.4597223799176e+03},
     {0.2598120500183e+00, 0.2590888922315e-01, 0.5132886416320e-01, 0.4806073419454e-01,
      0.5483377491301e+00}},
    {"D",
     408,
     500,
     0.00030,
     {0.1044696216887e+05, 0.3204427762578e+04, 0.4648680733032e+04, 0.4238923283697e+04,
      0.7588412036136e+04},
     {0.5089471423669e+01, 0.5323514855894e+00, 0.1187051008971e+01, 0.1083734951938e+01,
      0.1164108338568e+02}},
};

inline double time_step(const Problem& problem) { return npb::flow::time_step(classes, points(problem)); }

}  // namespace sextant::npb_sp
