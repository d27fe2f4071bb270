// Which rows of the data set may teach what is judged on which: by groups, never by rows.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "predict/data_set.hpp"

namespace sextant::predict {

enum class Split : std::uint8_t {
  size_out,            // a decade of sizes; sizes within a factor of two of it teach nothing
  size_between,        // every second size of a kernel
  family_out,          // a family of kernels
  machine_out,         // a processor with its GPU and link, whatever its hosts are called
  family_machine_out,  // both: nothing of the family, nothing of the machine
};
inline constexpr Split all_splits[] = {Split::size_out, Split::size_between, Split::family_out,
                                       Split::machine_out, Split::family_machine_out};

// The split's name, which is its file's: "size-out", "size-between", "kernel-out", "machine-out",
// "kernel-machine-out".
const char* name_of(Split split);
Split split_of(std::string_view name);  // throws UserError

enum class Part : std::uint8_t { train, test, neither };

// The data set's rows dealt out to the folds of a split: as the file says that came with it, else by its
// groups.
class Folds {
 public:
  // Throws UserError for a file that lacks a group or has one twice.
  Folds(const DataSet& data, Split split);
  const std::vector<std::string>& names() const { return names_; }
  // The part of each row of the data set while `fold` is held out.
  std::vector<Part> parts(const std::string& fold) const;
  // The fold that row `row` is tested in.
  const std::string& fold_of(std::size_t row) const { return fold_of_row_[row]; }
  // The file folds/<name>.csv: for each group its fold.
  std::string csv() const;

 private:
  const DataSet* data_;
  Split split_;
  void make();
  void read(const std::string& csv, const std::string& name);

  std::vector<std::string> names_, fold_of_row_;
  std::vector<std::set<std::string>> near_of_row_;  // folds of which the row is too near to teach
};

// Elements of the problem, or its items where it has no size.
double size_of(const DataProblem& problem);

// By problem: which one of the sizes of its kernel and type it is, from 0.
std::vector<std::size_t> places_among_sizes(const DataSet& data);

// What a model could learn from the training part of what it is judged on; a line a finding, none if all is
// well.
std::vector<std::string> leaks(const DataSet& data, Split split, const std::vector<Part>& parts);

}  // namespace sextant::predict
