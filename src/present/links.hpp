// What the links among GPUs can do (ceilings link_*), for people: a table from each GPU to each other one,
// and a sentence.
#pragma once

#include <string>
#include <vector>

#include "present/table.hpp"
#include "record/environment.hpp"

namespace sextant {

// Of one team.
struct LinksView {
  std::string team;  // "gpu0-3"
  Table pairs;       // copies from a row's GPU to a column's
  std::string text;  // "copies 391 GB/s to 394 GB/s, both ways at once …"
  std::string slow;  // "gpu0 to gpu2 (98.1 GB/s)": pairs whose copies are a fifth slower than the fastest;
                     // empty if none
};

// Nothing for devices without links.
std::vector<LinksView> links_views(const std::vector<Ceiling>& ceilings);

}  // namespace sextant
