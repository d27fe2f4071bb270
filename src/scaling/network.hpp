// What was not measured of a cluster and is taken to be so: a file of TOML.
#pragma once

#include <string>

#include "scaling/exchange.hpp"

namespace sextant::scaling {

struct Network {
  std::string file;
  double latency = 0;        // seconds a message between nodes
  double bandwidth = 0;      // bytes a second out of one device
  int devices_per_node = 1;  // parts
  Tier tier() const { return {latency, 1 / bandwidth}; }
};

// latency = 2e-6, bandwidth = 25e9, devices_per_node = 4. Throws UserError with the line of what is wrong.
Network read_network(const std::string& text, const std::string& file);

}  // namespace sextant::scaling
