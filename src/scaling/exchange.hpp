// What parts send each other, and how long that takes: Hockney's model, alpha + m / beta a message, of each
// tier (R. W. Hockney, "The communication challenge for MPP: Intel Paragon and Meiko CS-2", 1994).
#pragma once

#include <string>
#include <vector>

#include "suite/kernel.hpp"

namespace sextant::scaling {

// Messages of the part that has most to send, a call: how many, and their bytes together.
struct Messages {
  double count = 0, bytes = 0;
};

struct Tier {
  double latency = 0;   // alpha, seconds a message
  double per_byte = 0;  // 1 / beta, seconds
};

double seconds_of(const Messages& messages, const Tier& tier);

// What an exchange is about, whatever the number of parts.
struct Cut {
  Exchange::Pattern pattern = Exchange::Pattern::none;
  double rounds = 1;  // exchanges of a call
  // planes: bytes of one side; all_reduce: bytes that are combined; all_to_all: bytes of what is transposed,
  // all parts' together (weak scaling: of one part's). Each of one round.
  double bytes = 0;
  bool weak = false;
  double planes =
      0;  // of the whole problem; 0: as many as there are parts. More parts are cut into blocks, pencils
  double plane_points = 0;  // points of one plane
};

// The bytes of a cut, by what one part sends in a call of `parts`.
double bytes_of_cut(const Cut& cut, int parts, double bytes_sent);

// Over the links of a node and over the network. `together`: the bytes of both travel at a time.
struct Load {
  Messages link, network;
  bool together = false;
};

// The ways in which `parts` can do it, of which the fastest counts; parts_of_node: 0: all are on one.
std::vector<Load> loads_of(const Cut& cut, int parts, int parts_of_node);

double seconds_of(const Load& load, const Tier& link, const Tier& network);
double fastest(const std::vector<Load>& loads, const Tier& link, const Tier& network);

struct TimedMessages {
  std::vector<Load> ways;  // within one node
  double seconds = 0;
};

struct FittedTier {
  Tier tier;
  // All messages were of one size: latency and bandwidth cannot be told apart, and the latency holds both.
  bool one_size = false;
  double message = 0;  // bytes of one, where one_size
};

// Least squares of the relative errors; neither part is negative. Needs one message at least.
FittedTier fit_tier(const std::vector<TimedMessages>& measured);

}  // namespace sextant::scaling
