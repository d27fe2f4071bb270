// Prints how long `sextant advise` takes with the built-in model. PROFILE.json is the output of `sextant list
// profile --json`. Run by hand: advice_benchmark PROFILE.json [CHOICES]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "predict/advice.hpp"
#include "predict/shipped_model.hpp"
#include "tuner/file_text.hpp"

namespace {

using namespace sextant::predict;

constexpr std::size_t known_sizes = 64;

// Returns problem i of a streaming kernel. Sizes start at 2^8 items and grow by 9 %.
Form stream(std::size_t i) {
  const auto items = static_cast<std::int64_t>(256 * std::pow(1.09, static_cast<double>(i)));
  Form form;
  form.n = 3 * items;
  form.extents = {items, 1, 1};
  form.work = {.bytes_read = 8 * items, .bytes_written = 4 * items, .flops = 2 * items, .items = items};
  form.traits.loads = 2, form.traits.stores = form.traits.stride_read = form.traits.launches = 1;
  form.arrays_in = 2, form.arrays_out = 1;
  form.bytes_in = 8 * items, form.bytes_out = 4 * items, form.working_set = 12 * items;
  return form;
}

// Returns data in which the kernel was measured with every option at `known_sizes` sizes.
DataSet measured(const Profile& profile) {
  DataSet data;
  data.machines = {{"here", profile}};
  for (std::size_t i = 0; i < known_sizes; ++i) {
    DataProblem problem = {"stream " + std::to_string(i), {}, {stream(2 * i), "stream"}};
    problem.what.kernel = "stream";
    problem.what.problem.n = problem.known.form.n;
    data.problems.push_back(problem);
    for (const Option option : all_options) {
      DataRow row;
      row.problem = i;
      row.what = problem.what;
      row.option = option;
      row.call = row.whole = {0.9e-5, 1e-5, 1.1e-5, 0.9e-5, 20};
      data.rows.push_back(row);
    }
  }
  return data;
}

void time_choices(const char* what, const Predictor& predictor, int choices) {
  std::vector<double> times;
  double sum = 0;
  for (int choice = 0; choice < choices; ++choice) {
    const Asked asked = {.kernel = "stream float",
                         .problem = "not measured",
                         .form = stream(static_cast<std::size_t>(choice) % 128)};
    const auto begin = std::chrono::steady_clock::now();
    const Prediction prediction = predictor.predict(asked);
    const std::vector<Outlook> outlooks = outlooks_of(prediction, {true, true, true, true, true, true});
    sum += decide(outlooks, 0.05).loss;
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  std::printf("%s: median %.1f us, fastest %.1f us, 95 %% below %.1f us (sum %g)\n", what,
              1e6 * times[times.size() / 2], 1e6 * times.front(), 1e6 * times[times.size() * 95 / 100], sum);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("advice_benchmark PROFILE.json [CHOICES]\n", stderr), 2;
  const int choices = argc > 2 ? std::atoi(argv[2]) : 5000;
  const Profile profile = profile_from_json(sextant::tuner::text_of_file(argv[1]));
  time_choices("nothing measured here", {shipped_model(), profile, {}, {}}, choices);
  const DataSet data = measured(profile);
  time_choices("64 sizes of the kernel measured",
               {shipped_model(),
                profile,
                data,
                {measured_problems(data, Target::call), measured_problems(data, Target::whole)}},
               choices);
}
