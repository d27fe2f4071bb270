// Compares every default tuning with searches recorded on an H200. No default may be much slower than the
// best tuning of its space.
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

// Returns the smallest factor by which the tuning is slower than the best one, by the intervals. For the
// default, the final comparison gives it. Infinite if the tuning was not tried.
double least_loss(const Search& search, const Tuning& tuning) {
  if (tuning == search.standard && search.gain) return search.gain->low;
  double low = INFINITY;
  for (const SearchStep& step : search.steps)
    if (step.tuning == tuning && step.status == Status::ok) low = step.low;
  return low / best_of(search)->high;
}

// Returns the last search of each space.
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
    if (!variant || !best_of(search)) continue;  // this build lacks the variant
    ++compared;
    const Tuning standard = default_tuning(*variant, search.space.problem);
    EXPECT_LE(least_loss(search, standard), 1.05)
        << key << ": " << tuning_text(standard) << ", best " << tuning_text(best_of(search)->tuning);
  }
  if (compared == 0) GTEST_SKIP() << "the program has none of the variants that were searched";
}

}  // namespace
}  // namespace sextant
