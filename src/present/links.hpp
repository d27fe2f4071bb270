// Formats the measured links between GPUs (ceilings link_*) as a table of GPU pairs and a sentence.
#pragma once

#include <string>
#include <vector>

#include "present/table.hpp"
#include "record/environment.hpp"

namespace sextant {

// The links of one device group.
struct LinksView {
  std::string team;  // "gpu0-3"
  Table pairs;       // copies from a row's GPU to a column's
  std::string text;  // for example "copies 391 GB/s to 394 GB/s, both ways at once …"
  // Pairs whose copies have less than 80 % of the fastest rate; empty if there are none.
  std::string slow;  // for example "gpu0 to gpu2 (98.1 GB/s)"
};

// One view for each device group with link ceilings.
std::vector<LinksView> links_views(const std::vector<Ceiling>& ceilings);

}  // namespace sextant
