// Models the messages between the partitions of a problem and their time. Both tiers (links within a node,
// network between nodes) follow Hockney's model: a message of m bytes takes alpha + m / beta seconds. Source:
// R. W. Hockney, "The communication challenge for MPP: Intel Paragon and Meiko CS-2", 1994.
#pragma once

#include <string>
#include <vector>

#include "suite/kernel.hpp"

namespace sextant::scaling {

// Number and total bytes of the messages that the busiest partition sends per call.
struct Messages {
  double count = 0, bytes = 0;
};

struct Tier {
  double latency = 0;   // alpha: seconds per message
  double per_byte = 0;  // 1 / beta: seconds per byte
};

double seconds_of(const Messages& messages, const Tier& tier);

// How a problem is divided into partitions, and which data they exchange, for any number of partitions.
struct Cut {
  Exchange::Pattern pattern = Exchange::Pattern::none;
  double rounds = 1;  // number of exchanges per call
  // Bytes of one exchange:
  //   planes      bytes that a partition sends to one neighbour
  //   all_reduce  bytes of the values that are combined
  //   all_to_all  bytes of the transposed data of all partitions (weak scaling: of one partition)
  double bytes = 0;
  bool weak = false;
  // Number of planes of the whole problem; 0: one plane per partition. With more partitions than planes, they
  // are blocks or pencils instead of slabs.
  double planes = 0;
  double plane_points = 0;  // number of points in one plane
};

// Computes Cut::bytes from `bytes_sent`, the bytes that one of `parts` partitions sends per call.
double bytes_of_cut(const Cut& cut, int parts, double bytes_sent);

// The messages of a partition: over links within its node, and over the network. If `together` is true, both
// transfer at the same time.
struct Load {
  Messages link, network;
  bool together = false;
};

// Returns the messages of each possible algorithm; the fastest one counts. `parts` is the number of
// partitions, `parts_of_node` their number on each node (0: all on one node).
std::vector<Load> loads_of(const Cut& cut, int parts, int parts_of_node);

double seconds_of(const Load& load, const Tier& link, const Tier& network);
double fastest(const std::vector<Load>& loads, const Tier& link, const Tier& network);

struct TimedMessages {
  std::vector<Load> algorithms;  // messages of each possible algorithm on one node
  double seconds = 0;
};

struct FittedTier {
  Tier tier;
  // True if all messages have the same size. Latency and bandwidth cannot be separated then, so `latency`
  // includes the time for the bytes.
  bool one_size = false;
  double message = 0;  // size of each message in bytes, if one_size is true
};

// Fits latency and time per byte by least squares of the relative errors. Both stay non-negative. Needs at
// least one measurement.
FittedTier fit_tier(const std::vector<TimedMessages>& measured);

}  // namespace sextant::scaling
