// Assigns the names in a description: those of the source, unless they are reserved or already used for
// another kind.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

namespace sextant::own {

class DraftNames {
 public:
  // Returns the description's name for `name` in the source. Different kinds with one name get different
  // names.
  const std::string& shown(const std::string& name, const std::string& kind);

 private:
  std::map<std::pair<std::string, std::string>, std::string> names_;
  std::set<std::string> taken_;
};

}  // namespace sextant::own
