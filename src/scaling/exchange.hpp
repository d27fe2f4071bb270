// Models the messages between the partitions of a problem, and the time that they take. Each tier (link
// within a node, or network between nodes) follows Hockney's model: a message of m bytes takes alpha + m /
// beta. Source: R. W. Hockney, "The communication challenge for MPP: Intel Paragon and Meiko CS-2", 1994.
#pragma once

#include <string>
#include <vector>

#include "suite/kernel.hpp"

namespace sextant::scaling {

// The messages that one partition sends per call, for the partition that sends most: their number and their
// total bytes.
struct Messages {
  double count = 0, bytes = 0;
};

struct Tier {
  double latency = 0;   // alpha: seconds per message
  double per_byte = 0;  // 1 / beta: seconds per byte
};

double seconds_of(const Messages& messages, const Tier& tier);

// A domain decomposition and the exchange that it needs, independent of the number of partitions.
struct Cut {
  Exchange::Pattern pattern = Exchange::Pattern::none;
  double rounds = 1;  // number of exchanges per call
  // Bytes of one exchange.
  //   planes      bytes that a partition sends to one neighbour
  //   all_reduce  bytes of the values that are combined
  //   all_to_all  bytes of the transposed data of all partitions (weak scaling: of one partition)
  double bytes = 0;
  bool weak = false;
  // Number of planes of the whole problem; 0: one plane per partition. With more partitions than planes, the
  // partitions are blocks or pencils.
  double planes = 0;
  double plane_points = 0;  // number of points in one plane
};

// Computes Cut::bytes from `bytes_sent`, the bytes that one partition sends in a call with `parts`
// partitions.
double bytes_of_cut(const Cut& cut, int parts, double bytes_sent);

// The messages that a partition sends over links within its node and over the network to other nodes. If
// `together` is true, both transfer at the same time.
struct Load {
  Messages link, network;
  bool together = false;
};

// Returns one Load for each algorithm that can perform the exchange; the fastest one counts. `parts` is the
// number of partitions, `parts_of_node` their number on each node; if that is 0, all are on one node.
std::vector<Load> loads_of(const Cut& cut, int parts, int parts_of_node);

double seconds_of(const Load& load, const Tier& link, const Tier& network);
double fastest(const std::vector<Load>& loads, const Tier& link, const Tier& network);

struct TimedMessages {
  std::vector<Load> algorithms;  // messages of each possible algorithm, if all partitions are on one node
  double seconds = 0;
};

struct FittedTier {
  Tier tier;
  // True if all messages have the same size, so that latency and bandwidth cannot be separated. The fitted
  // latency then includes the time for the bytes.
  bool one_size = false;
  double message = 0;  // size of the messages in bytes, if one_size is true
};

// Fits latency and time per byte by least squares of the relative errors. Neither becomes negative. Needs at
// least one measurement.
FittedTier fit_tier(const std::vector<TimedMessages>& measured);

}  // namespace sextant::scaling
