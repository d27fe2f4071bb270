// Models the messages between the partitions of a problem and the time they take.
// Each tier (link or network) follows Hockney's model, alpha + m / beta per message (R. W. Hockney, "The
// communication challenge for MPP: Intel Paragon and Meiko CS-2", 1994).
#pragma once

#include <string>
#include <vector>

#include "suite/kernel.hpp"

namespace sextant::scaling {

// The messages of the partition that sends most, per call: their number and their total bytes.
struct Messages {
  double count = 0, bytes = 0;
};

struct Tier {
  double latency = 0;   // alpha, seconds per message
  double per_byte = 0;  // 1 / beta, seconds per byte
};

double seconds_of(const Messages& messages, const Tier& tier);

// The exchange that a domain decomposition needs, whatever the number of partitions.
struct Cut {
  Exchange::Pattern pattern = Exchange::Pattern::none;
  double rounds = 1;  // Exchanges per call.
  // Bytes of one exchange. Pattern planes: of one side of a partition. Pattern all_reduce: of the values that
  // are combined. Pattern all_to_all: of the transposed data of all partitions (weak scaling: of one
  // partition).
  double bytes = 0;
  bool weak = false;
  double planes =
      // Planes of the whole problem; 0: one per partition. With more partitions than planes, these are blocks
      // or pencils.
      0;
  double plane_points = 0;  // points of one plane
};

// Computes Cut::bytes from the bytes that one partition sends in a call with `parts` partitions.
double bytes_of_cut(const Cut& cut, int parts, double bytes_sent);

// Messages over the links within a node and over the network between nodes. `together`: both transfer at the
// same time.
struct Load {
  Messages link, network;
  bool together = false;
};

// Returns the possible algorithms for an exchange of `parts` partitions; the fastest one counts.
// `parts_of_node`: partitions on each node; 0: all are on one node.
std::vector<Load> loads_of(const Cut& cut, int parts, int parts_of_node);

double seconds_of(const Load& load, const Tier& link, const Tier& network);
double fastest(const std::vector<Load>& loads, const Tier& link, const Tier& network);

struct TimedMessages {
  std::vector<Load> ways;  // possible algorithms, within one node
  double seconds = 0;
};

struct FittedTier {
  Tier tier;
  // All messages have the same size, so latency and bandwidth cannot be separated. The latency then holds
  // both.
  bool one_size = false;
  double message = 0;  // bytes of a message, if one_size
};

// Fits a tier by least squares of the relative errors. Neither latency nor time per byte is negative. Needs
// at least one measurement.
FittedTier fit_tier(const std::vector<TimedMessages>& measured);

}  // namespace sextant::scaling
