// Names in a description: those of the source, unless they have a meaning there or stand for something else
// already.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

namespace sextant::own {

class DraftNames {
 public:
  // The description's name of what functions call `name`; `kind` tells apart what is not the same.
  const std::string& shown(const std::string& name, const std::string& kind);

 private:
  std::map<std::pair<std::string, std::string>, std::string> names_;
  std::set<std::string> taken_;
};

}  // namespace sextant::own
