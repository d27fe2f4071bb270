// Splits the data set into training and test parts for cross-validation. Related rows stay together.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "predict/data_set.hpp"

namespace sextant::predict {

enum class Split : std::uint8_t {
  size_out,  // holds out a decade of sizes; sizes within a factor of two of the decade are in neither part
  size_between,        // holds out every second size of each kernel
  family_out,          // holds out a family of similar kernels
  machine_out,         // holds out all hosts with the same processor, GPU and link
  family_machine_out,  // holds out a family and a machine at once; training contains neither
};
inline constexpr Split all_splits[] = {Split::size_out, Split::size_between, Split::family_out,
                                       Split::machine_out, Split::family_machine_out};

// Name of the split and of its file: "size-out", "size-between", "kernel-out", "machine-out" or
// "kernel-machine-out".
const char* name_of(Split split);
Split split_of(std::string_view name);  // throws UserError for an unknown name

enum class Part : std::uint8_t { train, test, neither };

// The folds of a split. They come from the data set's own fold file or, if there is none, are computed.
class Folds {
 public:
  // Throws UserError if the data set's fold file lacks a group or lists one twice.
  Folds(const DataSet& data, Split split);
  const std::vector<std::string>& names() const { return names_; }
  // The part (train, test or neither) of each row while `fold` is held out.
  std::vector<Part> parts(const std::string& fold) const;
  // The fold in which the row is tested.
  const std::string& fold_of(std::size_t row) const { return fold_of_row_[row]; }
  // Text of the file folds/<name>.csv: the fold of each group.
  std::string csv() const;

 private:
  const DataSet* data_;
  Split split_;
  void make();
  void read(const std::string& csv, const std::string& name);

  std::vector<std::string> names_, fold_of_row_;
  // By row: folds whose sizes are so near that the row must not be in their training part.
  std::vector<std::set<std::string>> near_of_row_;
};

// The problem's number of elements, or of items if it has no size.
double size_of(const DataProblem& problem);

// For each problem: the rank (from 0) of its size among the sizes of its kernel and type.
std::vector<std::size_t> places_among_sizes(const DataSet& data);

// Lists the names and sizes in the training part that reveal times of the test part.
std::vector<std::string> leaks(const DataSet& data, Split split, const std::vector<Part>& parts);

}  // namespace sextant::predict
