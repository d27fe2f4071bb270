// Writes a results file of about CASES cases, made by formulas, for viewing and timing reports. Run by hand:
//     report_sample FILE CASES [SAMPLES [SIZES]]
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "report_results.hpp"

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "report_sample FILE CASES [SAMPLES [SIZES]]\n");
    return 2;
  }
  using namespace sextant;
  test::StudyOptions options;
  options.kernels = {"copy",          "scale",  "add",      "triad",        "reduction", "stencil1d_2pt",
                     "stencil2d_4pt", "matvec", "matmul",   "matmul_naive", "stride2",   "stride4",
                     "stride16",      "rows",   "stride64", "stencil3d_7pt"};
  options.types = {ElementType::float32, ElementType::float64};
  options.samples = count > 3 ? std::atoi(arguments[3]) : 50;
  if (count > 4) {  // between 8 thousand and 1 billion elements
    options.sizes.clear();
    const int sizes = std::max(1, std::atoi(arguments[4]));
    for (int i = 0; i < sizes; ++i)
      options.sizes.push_back(static_cast<std::int64_t>(7936 * std::pow(2.0, 17.0 * i / sizes)));
  }
  const int problems = static_cast<int>(options.kernels.size() * options.types.size() * options.sizes.size());
  options.tunings = std::max(1, std::atoi(arguments[2]) / problems - 4);
  const Results results = test::study_results(options);
  ResultsFile(arguments[1], ResultsFile::Mode::write).add_missing(results);
  std::printf("%zu cases\n", results.measurements.size());
}
