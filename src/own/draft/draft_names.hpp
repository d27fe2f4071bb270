// Assigns the names in a drafted description. They are the names in the source, unless a name is reserved or
// already used for something of another kind.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

namespace sextant::own {

class DraftNames {
 public:
  // Returns the name that the description uses for `name` in the source. `kind` says what it names; two
  // things of different kinds never get the same name.
  const std::string& shown(const std::string& name, const std::string& kind);

 private:
  std::map<std::pair<std::string, std::string>, std::string> names_;
  std::set<std::string> taken_;
};

}  // namespace sextant::own
