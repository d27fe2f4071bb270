// The text of a drafted description. Each group of functions below has a source file of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "own/draft/draft.hpp"
#include "own/draft/draft_arrays.hpp"
#include "own/draft/draft_parts.hpp"

namespace sextant::own {

// Returns the serial functions before whose loops the draft puts directives for an OpenMP variant. A file
// that already has OpenMP functions gets no such variant.
std::vector<const Signature*> loops_for_threads(const DraftParts& parts);

// Returns a function's name without its namespaces.
std::string bare_name(const Signature& one);

// Returns the comment for a number among the template arguments that is a guess.
std::string guess_text(const DraftFunction& one);

// Returns a variant behind # signs, with the reasons why its iterations may depend on each other.
std::string behind_signs(const std::string& variant, const std::string& why);

class Draft {
 public:
  Draft(const DraftParts& parts, const std::string& source, const DraftAsked& asked);

  std::string text(const std::string& file) const;

 private:
  bool is_argument(const std::string& launch) const;
  bool has_unfenced_host_code(const std::string& source) const;
  bool has_kernels() const;
  bool has_threads() const;
  void name_variants();
  Polynomial most_work() const;
  std::int64_t limit_by_work(const std::string& size, bool first) const;
  std::int64_t limit_of(const std::string& size, bool first, std::string* why) const;
  std::string first_size() const;
  void split_sizes(std::vector<std::string>* from_n, std::vector<std::string>* others) const;
  std::string sizes_text() const;
  bool has_outliers() const;
  bool is_elementary() const;
  std::string problem_text() const;
  std::vector<std::string> questions() const;
  std::string files_text(const std::string& file) const;
  // If `threads` is not empty, it replaces the tunables for the block size in the list of arguments.
  std::string arguments_text(const DraftFunction& function, const std::string& threads = "") const;
  std::string function_text(const DraftFunction& function) const;
  std::string variant_text(const std::string& name, const DraftFunction& function) const;
  std::string variant(std::size_t which) const;
  std::string launch(const DraftFunction& function) const;
  std::string temporaries_of(const DraftFunction& function) const;
  bool is_temporary(const DraftArray& array) const;
  std::string temporary_length(const DraftArray& array) const;
  std::string temporary_text(const DraftArray& array) const;
  std::string temporaries(const std::function<bool(const DraftArray&)>& is_used) const;
  bool uses(const DraftFunction& one, const DraftArray& array) const;
  std::string step_text(const DraftFunction& one, const std::string& launch) const;
  std::string repeat_text(const std::string& count, const std::set<std::size_t>& swapped) const;
  std::string steps_variant(const std::string& name, bool kernels) const;
  std::string kernel_steps() const;
  std::string host_steps() const;
  std::string reference(const std::string& stem) const;
  DraftFunction all_steps() const;
  bool is_number(const DraftArgument& argument, const DraftNumber& number) const;
  std::string reference_signature(const DraftFunction& function, const std::string& more) const;
  const DraftFunction* without_threads() const;
  std::string threads_variant(const DraftFunction& loop) const;
  std::string serial_variants() const;

  const DraftParts& parts_;
  const std::vector<DraftFunction>& functions_;
  const DraftAsked& asked_;
  const DraftArrays arrays_;
  std::vector<std::string> names_;  // names of the functions' variants
  bool has_reals_ = false;          // true if the source names a type of real numbers
  bool host_code_ = false;          // true if host code stands next to kernels without an #ifdef
  bool calls_openmp_ = false;       // true if host code calls OpenMP functions; directives alone do not count
  // Tunables whose names occur as words in the source. Sextant would define them as macros, which would
  // change the source's meaning.
  std::vector<std::string> clashing_;
};

}  // namespace sextant::own
