// Published results of the official NAS problem classes, and the number of pairs in each ring.
#pragma once

#include "ep.hpp"

namespace sextant::ep {

// A NAS problem class such as S or W. The signed sums are the verification values of NPB up to 3.4.1
// (EP/verify.f90). The sums of absolute values and the accepted pairs are from NPB 3.4.2. The ring counts
// come from an independent program; they agree with published outputs (A, B, C) and add up to `accepted`.
struct Official {
  const char* name;
  int pairs_log2;  // log2 of the number of pairs, called M in NPB
  double sx, sy, abs_sx, abs_sy, accepted;
  double rings[ring_count];

  constexpr std::int64_t pairs() const { return std::int64_t{1} << pairs_log2; }
};

inline constexpr Official official[] = {
    {"S",
     24,
     -3.247834652034740e3,
     -6.958407078382297e3,
     1.051299420395306e7,
     1.051517131857535e7,
     13176389,
     {6140517, 5865300, 1100361, 68546, 1648, 17}},
    {"W",
     25,
     -2.863319731645753e3,
     -6.320053679109499e3,
     2.102505525182392e7,
     2.103162209578822e7,
     26354769,
     {12281576, 11729692, 2202726, 137368, 3371, 36}},
    {"A",
     28,
     -4.295875165629892e3,
     -1.580732573678431e4,
     1.682235632304711e8,
     1.682195123368299e8,
     210832767,
     {98257395, 93827014, 17611549, 1110028, 26536, 245}},
    {"B",
     30,
     4.033815542441498e4,
     -2.660669192809235e4,
     6.728927543423024e8,
     6.728951822504275e8,
     843345606,
     {393058470, 375280898, 70460742, 4438852, 105691, 948, 5}},
    {"C",
     32,
     4.764367927995374e4,
     -8.084072988043731e4,
     2.691444083862931e9,
     2.691519118724585e9,
     3373275903,
     {1572172634, 1501108549, 281805648, 17761221, 424017, 3821, 13}},
    {"D",
     36,
     1.982481200946593e5,
     -1.020596636361769e5,
     4.306350280812112e10,
     4.306347571859157e10,
     53972171957,
     {25154622775, 24017899906, 4508609839, 284201296, 6776403, 61541, 197}},
};

// Returns the problem class with exactly this number of pairs, or null.
constexpr const Official* official_for(std::int64_t pairs) {
  for (const Official& one : official)
    if (one.pairs() == pairs) return &one;
  return nullptr;
}

}  // namespace sextant::ep
