// Compares every default tuning with the searches recorded on an H200. None may be far from the best of its
// space.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "plan/plan.hpp"
#include "record/keys.hpp"
#include "record/search.hpp"
#include "registry/registry.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

// The least factor by which the tuning is slower than the best of its space, by the intervals. For the
// default of that time, it is the factor from the final round. Infinite for tunings that were not tried.
double least_loss(const Search& search, const Tuning& tuning) {
  if (tuning == search.standard && search.gain) return search.gain->low;
  double low = INFINITY;
  for (const SearchStep& step : search.steps)
    if (step.tuning == tuning && step.status == Status::ok) low = step.low;
  return low / best_of(search)->high;
}

// The last search of each space.
std::map<std::string, Search> searches_of(const std::string& file) {
  std::map<std::string, Search> last;
  for (const Search& search : ResultsFile(file, ResultsFile::Mode::read).load().searches)
    last[key_of(search.space)] = search;
  return last;
}

TEST(Defaults, AreCloseToTheBestOfTheRecordedSearches) {
  int compared = 0;
  for (const auto& [key, search] : searches_of(SEXTANT_TUNED_FILE)) {
    const RegisteredKernel* kernel = find_kernel(search.space.kernel);
    const Variant* variant = kernel ? find_variant(*kernel, search.space.variant) : nullptr;
    if (!variant || !best_of(search)) continue;  // this program lacks the model
    ++compared;
    const Tuning standard = default_tuning(*variant, search.space.problem);
    EXPECT_LE(least_loss(search, standard), 1.05)
        << key << ": " << tuning_text(standard) << ", best " << tuning_text(best_of(search)->tuning);
  }
  if (compared == 0) GTEST_SKIP() << "the program has none of the variants that were searched";
}

}  // namespace
}  // namespace sextant
