// What trial runs of the reference replaced in a draft.
#pragma once

#include <map>
#include <string>

namespace sextant::own {

struct DraftChange {
  std::string text;  // as in the description
  std::string why;   // for the comment in the draft
};

struct DraftChanges {
  std::map<std::string, DraftChange> lengths, fills;  // by array
  std::map<std::string, DraftChange> sizes;           // by size

  bool relative_only = false;  // true if results shrink as sizes grow, so that the tolerance must be relative

  bool empty() const { return lengths.empty() && fills.empty() && sizes.empty() && !relative_only; }
};

}  // namespace sextant::own
