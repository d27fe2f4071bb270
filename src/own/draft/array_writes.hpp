// The order in which a function writes and reads the elements of its arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "own/draft/signature.hpp"

namespace sextant::own {

class ArrayWrites {
 public:
  // Sets `read` and `whole` of the function's parameters.
  explicit ArrayWrites(Signature* function) : function_(function) {}

  // Records that all elements from `low` to `high` are written, or each k-th one of them. If the writes of
  // the same number of elements begin at 0, 1, … k - 1, they write all elements together. `end` is the end of
  // the outermost loop that contains the write; 0 outside loops.
  void write(std::size_t parameter, const Polynomial& low, const Polynomial& high, unsigned end);
  // Records that an element is read. In host code, a loop that ended may have written all elements before.
  void read(std::size_t parameter, unsigned end);
  // Decides for each array that was read after it was written whether the read values are older than that.
  void finish();

 private:
  void write_all(std::size_t parameter, const Polynomial& length, unsigned end);

  Signature* function_;
  // Maps a parameter to the end of the outermost loop in which all its elements were written.
  std::map<std::size_t, unsigned> written_until_;
  // Maps a parameter and a number of elements to the first indices of writes of so many elements.
  std::map<std::pair<std::size_t, std::string>, std::set<std::int64_t>> part_begins_;
  std::set<std::size_t> read_later_;  // parameters that are read after such a loop
};

}  // namespace sextant::own
