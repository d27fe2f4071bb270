// Properties of a cluster's network, read from a TOML file.
#pragma once

#include <string>

#include "scaling/exchange.hpp"

namespace sextant::scaling {

struct Network {
  std::string file;
  double latency = 0;        // seconds per message between nodes
  double bandwidth = 0;      // bytes per second that one device can send
  int devices_per_node = 1;  // number of partitions on a node
  Tier tier() const { return {latency, 1 / bandwidth}; }
};

// Parses a text with one key per line: "latency = 2e-6", "bandwidth = 25e9", "devices_per_node = 4". Throws
// UserError with the line of an error.
Network read_network(const std::string& text, const std::string& file);

}  // namespace sextant::scaling
