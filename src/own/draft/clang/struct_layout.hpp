// Lists the members of a struct with several types in the order of their bytes.
#pragma once

#include <string>
#include <vector>

#include "own/draft/clang/clang_library.hpp"

namespace sextant::own {

class StructLayout {
 public:
  explicit StructLayout(long long bytes) : bytes_(bytes) {}

  // Returns the members' types and counts, with padding: "float", "unsigned short[2]", "pad[4]". Empty if the
  // struct has bit fields or too many members.
  std::vector<std::string> of(const CXType& type);

 private:
  bool add(const CXType& type);
  void put(const std::string& type, long long count, long long bytes);

  const ClangLibrary& clang_ = clang_library();
  long long bytes_, at_ = 0;
  std::vector<std::pair<std::string, long long>> members_;
};

}  // namespace sextant::own
