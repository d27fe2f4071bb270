// Formats the measured links between GPUs (ceilings link_*): a table of GPU pairs and a sentence.
#pragma once

#include <string>
#include <vector>

#include "present/table.hpp"
#include "record/environment.hpp"

namespace sextant {

// The links between the GPUs of one device group.
struct LinksView {
  std::string team;  // name of the device group: "gpu0-3"
  Table pairs;       // rates of copies, with one row per source GPU and one column per destination GPU
  std::string text;  // a sentence such as "copies 391 GB/s to 394 GB/s, both ways at once …"
  // Lists pairs whose copies have less than 80 % of the fastest pair's rate; empty if there are none.
  std::string slow;  // for example "gpu0 to gpu2 (98.1 GB/s)"
};

// Returns one view for each device group with link ceilings.
std::vector<LinksView> links_views(const std::vector<Ceiling>& ceilings);

}  // namespace sextant
