// Tests of scores for selectors, which choose an option such as CUDA, where the best choice is known.
#include "predict/evaluate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fraction_of.hpp"
#include "predict/analytic_model.hpp"
#include "predict/residuals.hpp"
#include "predict/scores.hpp"
#include "predict/train/untaught.hpp"
#include "standard_model.hpp"

namespace sextant::predict {
namespace {

Interval exactly(double seconds) { return {seconds, seconds, seconds, seconds, 10}; }

Form form_at(std::int64_t n) {
  Form form;
  form.n = n;
  form.work = {.bytes_read = 8 * n, .bytes_written = 4 * n, .flops = n, .items = n};
  form.traits.launches = 1;
  form.bytes_in = 8 * n, form.bytes_out = 4 * n, form.working_set = 12 * n;
  return form;
}

// A machine whose ceilings give exactly the times in made_up, if code has the usual efficiency.
DataMachine machine() {
  Session session;
  session.environment = {{"cpu", "A Processor"}, {"openmp.threads", "4"}};
  session.ceilings = {{"cpu", "read", 1 << 20, 4e10 / of_plain_code.memory},
                      {"cpu", "fp32", 0, 1e12 / of_plain_code.arithmetic},
                      {"cpu", "read_core", 1 << 20, 1e10 / of_plain_code.memory},
                      {"cpu", "fp32_core", 0, 2.5e11 / of_plain_code.arithmetic},
                      {"cpu", "launch_openmp", 0, 1e-6}};
  return {"m", profile_of(session)};
}

Answer chosen(Option option) {
  Answer answer;
  answer.choice = option;
  return answer;
}

// Returns a selector that always gives `answer`.
Selector says(const Answer& answer) {
  return {"it", [answer](const DataSet&, Target, const ProblemsByTarget&) -> Choose {
            return [answer](const Contest&) { return answer; };
          }};
}

// Times of the families `a`, `b` and `c` on a machine without a GPU. Serial code is the fastest at small
// sizes, OpenMP at large ones.
DataSet made_up() {
  DataSet data;
  data.machines = {machine()};
  for (const char* family : {"a", "b", "c"})
    for (const std::int64_t n : {100, 1000, 100'000, 1'000'000}) {
      DataProblem problem = {std::string(family) + std::to_string(n), {}, {form_at(n), family}};
      problem.what.kernel = family;
      problem.what.problem.n = n;
      data.problems.push_back(problem);
      for (const Option option : {Option::serial, Option::openmp}) {
        DataRow row;
        row.problem = data.problems.size() - 1;
        row.what = problem.what;
        row.option = option;
        const double serial = 1.2e-9 * static_cast<double>(n);
        row.call = exactly(option == Option::serial ? serial : 1e-6 + serial / 4);
        row.whole = row.call;
        data.rows.push_back(row);
      }
    }
  return data;
}

TEST(Contest, KnowsItsBestAndWhatTiesWithIt) {
  Contest contest;
  contest.times[0] = exactly(2);                       // serial
  contest.times[1] = Interval{0.9, 1, 1.1, 0.9, 10};   // openmp
  contest.times[4] = Interval{1.05, 1.2, 1.3, 1, 10};  // cuda: within the noise
  EXPECT_EQ(contest.best(), Option::openmp);
  EXPECT_EQ(contest.fraction(Option::openmp), 1);
  EXPECT_EQ(contest.fraction(Option::cuda), 1);
  EXPECT_EQ(contest.fraction(Option::serial), 0.5);
  EXPECT_EQ(contest.fraction(Option::openacc),
            0.1);  // an option that was not measured counts as ten times slower than the best
}

TEST(Untaught, CasesAreCountedByTheReasonWhyTheyTeachNothing) {
  DataSet data = made_up();
  EXPECT_TRUE(untaught(data).empty());
  data.machines.push_back({"bare", {}});
  data.rows[0].machine = data.rows[1].machine = 1;
  data.rows[2].status = Status::wrong;
  data.rows[3].option.reset();
  const std::vector<Untaught> reasons = untaught(data);
  ASSERT_EQ(reasons.size(), 3u);
  EXPECT_EQ(reasons[0].cases, 2u);
  EXPECT_EQ(reasons[0].why, "of bare, a machine without ceilings");
  EXPECT_EQ(reasons[1].cases, 1u);
  EXPECT_EQ(reasons[1].why, "without a correct result");
  EXPECT_EQ(reasons[2].why, "of variants that advice does not consider");
  DataRow on_gpu = data.rows[4];  // a GPU time of a new family, which has no CPU time
  on_gpu.option = Option::cuda;
  data.problems.push_back({"d", {}, {form_at(1), "d"}});
  on_gpu.problem = data.problems.size() - 1;
  data.rows.push_back(on_gpu);
  EXPECT_EQ(untaught(data).front().why, "of kernels that were measured only on the CPU or only on the GPU");
}

TEST(Contests, TakeTheBestVariantOfCorrectCases) {
  DataSet data = made_up();
  DataRow better = data.rows[0], wrong = data.rows[0], excluded = data.rows[0];
  better.call = exactly(1e-9);
  wrong.call = exactly(1e-12), wrong.status = Status::wrong;
  excluded.call = exactly(1e-12), excluded.option = std::nullopt;
  data.rows.insert(data.rows.end(), {better, wrong, excluded});
  const std::vector<Contest> contests = contests_among(data, measured_problems(data, Target::call));
  EXPECT_EQ(contests.size(), 12u);
  EXPECT_EQ(contests.front().at(Option::serial)->median, 1e-9);
  EXPECT_EQ(contests.front().rows.size(), 3u);
}

// Returns OpenMP's row for a problem of made_up with another variant and time.
DataRow by_variant(const DataSet& data, std::size_t problem, const char* variant, double seconds) {
  DataRow row = data.rows[2 * problem + 1];
  row.what.variant = variant;
  row.call = row.whole = exactly(seconds);
  return row;
}

// If only a slow variant of an option was measured, its time is scaled to the option's best variant. The
// factor comes from problems where both variants were measured.
TEST(Contests, CountASweepOfASlowVariantAsItsBest) {
  DataSet data = made_up();
  for (const std::size_t problem : {0, 1, 2})
    data.rows[2 * problem + 1] = by_variant(data, problem, "openmp.fast", 1e-6);
  data.rows[2 * 3 + 1] = by_variant(data, 3, "openmp.slow", 8e-6);
  data.rows.push_back(by_variant(data, 0, "openmp.slow", 2e-6));
  data.rows.push_back(by_variant(data, 1, "openmp.slow", 4e-6));
  data.rows.push_back(by_variant(data, 2, "openmp.slow", 4e-6));
  const std::vector<Contest> measured = measured_problems(data, Target::call),
                             best = by_the_best_variants(data, Target::call, measured);
  EXPECT_EQ(measured[3].at(Option::openmp)->median, 8e-6);
  EXPECT_NEAR(best[3].at(Option::openmp)->median, 2e-6,
              1e-12);                                  // the median factor between the variants is four
  EXPECT_LT(best[3].at(Option::openmp)->low, 1.9e-6);  // in one problem, the factor is only two
  for (const std::size_t problem : {0, 1, 2, 4, 5})
    EXPECT_EQ(best[problem].at(Option::openmp)->median, measured[problem].at(Option::openmp)->median);
  EXPECT_EQ(best[3].at(Option::serial)->median, measured[3].at(Option::serial)->median);
  for (DataRow& row : data.rows)
    if (row.problem == 3) row.machine = 1;  // variants on another machine do not count
  data.machines.push_back(machine());
  const std::vector<Contest> apart = measured_problems(data, Target::call);
  for (const Contest& contest : by_the_best_variants(data, Target::call, apart))
    if (contest.machine == 1) {
      EXPECT_EQ(contest.at(Option::openmp)->median, 8e-6);
    }
}

// Only problems with a known time of the option give information about its variants.
TEST(Contests, LookAtTheVariantsOfKnownTimesAlone) {
  DataSet data = made_up();
  data.rows[2 * 3 + 1] = by_variant(data, 3, "openmp.slow", 8e-6);
  data.rows[1] = by_variant(data, 0, "openmp.fast", 1e-6);
  data.rows.push_back(by_variant(data, 0, "openmp.slow", 4e-6));
  std::vector<Contest> known = measured_problems(data, Target::call);
  EXPECT_NEAR(by_the_best_variants(data, Target::call, known)[3].at(Option::openmp)->median, 2e-6, 1e-12);
  known[0].times[static_cast<std::size_t>(Option::openmp)].reset();
  EXPECT_EQ(by_the_best_variants(data, Target::call, known)[3].at(Option::openmp)->median, 8e-6);
}

TEST(Contests, AreNoneWhereAnOptionOfTheMachineWasNotMeasured) {
  DataSet data = made_up();
  data.rows.erase(data.rows.begin());  // removes serial code at the first problem
  EXPECT_EQ(contests_among(data, measured_problems(data, Target::call)).size(), 11u);
  data.machines[0].profile.gpu.emplace();  // adds a GPU without any measurement
  EXPECT_TRUE(contests_among(data, measured_problems(data, Target::call)).empty());
}

// A family that was measured only on the CPU or only on the GPU offers no choice between them, and is left
// out.
TEST(Contests, FamiliesWithAChoiceAreMeasuredWhereverAnyIs) {
  DataSet data = made_up();
  EXPECT_EQ(of_families_with_a_choice(data, measured_problems(data))[0].size(),
            12u);  // no GPU, so all families remain
  for (DataRow& row : data.rows)
    if (row.option == Option::openmp && row.what.kernel != "a") row.option = Option::cuda;
  std::erase_if(data.rows,
                [](const DataRow& row) { return row.what.kernel == "c" && row.option == Option::serial; });
  const auto some = of_families_with_a_choice(data, measured_problems(data))[0];
  EXPECT_EQ(some.size(), 4u);
  for (const Contest& one : some) EXPECT_EQ(data.problems[one.problem].known.family, "b");
}

TEST(Evaluate, TeachesAllThatWasMeasuredAndAsksWhereThereIsAChoice) {
  DataSet data = made_up();
  std::erase_if(data.rows,
                [](const DataRow& row) { return row.option == Option::openmp && row.what.problem.n == 100; });
  std::size_t taught_problems = 0;
  const Selector counting = {"it", [&](const DataSet&, Target, const ProblemsByTarget& taught) -> Choose {
                               taught_problems += taught[0].size();
                               return [](const Contest& contest) { return chosen(contest.best()); };
                             }};
  EXPECT_EQ(evaluate(data, Split::family_out, Target::call, {counting})[0].contests, 9u);
  EXPECT_EQ(taught_problems, 3u * 8);
}

TEST(Evaluate, GivesTheOracleAllAndEachBaselineItsShare) {
  const DataSet data = made_up();
  std::vector<Selector> selectors = baselines({});
  selectors.push_back({"oracle", [](const DataSet&, Target, const ProblemsByTarget&) -> Choose {
                         return [](const Contest& contest) { return chosen(contest.best()); };
                       }});
  const std::vector<Score> scores = evaluate(data, Split::family_out, Target::call, selectors);
  EXPECT_EQ(fraction_of(scores, "oracle"), 1);
  EXPECT_EQ(fraction_of(scores, "nearest neighbour"), 1);  // the other families have the same times
  EXPECT_EQ(fraction_of(scores, "roofline"), 1);           // the times follow from these ceilings
  EXPECT_EQ(fraction_of(scores, "physics"), 1);
  EXPECT_DOUBLE_EQ(fraction_of(scores, "always cuda"), 0.1);
  // Serial code is best at 100 and 1000. At larger sizes, it reaches (1e-6 + t/4) / t of the best.
  const auto lost = [](double n) { return (1e-6 + 0.3e-9 * n) / (1.2e-9 * n); };
  EXPECT_NEAR(fraction_of(scores, "always serial"), std::pow(lost(1e5) * lost(1e6), 0.25), 1e-12);
  EXPECT_NEAR(fraction_of(scores, "best on average"),
              std::max(fraction_of(scores, "always serial"), fraction_of(scores, "always openmp")), 1e-12);
  for (const Score& score : scores) EXPECT_EQ(score.contests, 12u);
}

// The analytic model assumes that each of many passes moves all arrays. The roofline model moves them once.
TEST(Evaluate, TellsTheRooflineFromPhysics) {
  DataSet data = made_up();
  for (DataProblem& problem : data.problems) problem.known.form.traits.launches = 20;
  const auto scores = evaluate(data, Split::family_out, Target::call, baselines({}));
  EXPECT_EQ(fraction_of(scores, "roofline"), 1);
  EXPECT_LT(fraction_of(scores, "physics"), 1);
}

TEST(Evaluate, TeachesNothingWhereNobodyIsAsked) {
  DataSet data = made_up();
  std::erase_if(data.rows, [](const DataRow& row) {  // family b offers no choice
    return row.what.kernel == "b" && row.option == Option::openmp;
  });
  int taught = 0;
  const Selector counting = {"it", [&](const DataSet&, Target, const ProblemsByTarget&) -> Choose {
                               ++taught;
                               return [](const Contest& contest) { return chosen(contest.best()); };
                             }};
  EXPECT_EQ(evaluate(data, Split::family_out, Target::call, {counting})[0].contests, 8u);
  EXPECT_EQ(taught, 2);
}

TEST(Evaluate, CountsEachFamilyTheSameAndNamesTheWorst) {
  DataSet data = made_up();
  for (DataRow& row : data.rows)  // in family c, OpenMP is ten times slower
    if (row.what.kernel == "c" && row.option == Option::openmp) row.call = exactly(10 * row.call.median);
  const auto scores = evaluate(data, Split::family_out, Target::call, baselines({}));
  for (const Score& score : scores)
    if (score.selector == "always openmp") {
      EXPECT_EQ(score.worst_name(), "c");
      EXPECT_NEAR(score.worst_family(), 0.1135, 1e-4);  // mean of .01165, .0923, .387 and .3987
      EXPECT_LT(score.fifth_percentile, 0.02);
    } else if (score.selector == "physics") {
      ASSERT_EQ(score.families.size(), 3u);
      EXPECT_EQ(score.families[0].name, "c");  // only the choices in c are wrong
      EXPECT_LT(score.families[0].fraction, 1);
      EXPECT_EQ(score.families[2].fraction, 1);
      EXPECT_EQ(score.families[0].contests, 4u);
      const auto off = [&](std::size_t family, Option option) {
        return score.families[family].error[static_cast<std::size_t>(option)];
      };
      EXPECT_NEAR(off(0, Option::openmp).value(), std::log(10), 0.1);
      EXPECT_NEAR(off(2, Option::openmp).value(), 0, 0.1);
      EXPECT_FALSE(off(0, Option::cuda).has_value());
    }
}

TEST(Evaluate, OfSizesThatNobodyHasSeenMisleadsTheNearest) {
  const auto scores = evaluate(made_up(), Split::size_out, Target::call, baselines({}));
  EXPECT_LT(fraction_of(scores, "best on average"), 1);
  EXPECT_EQ(fraction_of(scores, "roofline"), 1);
}

TEST(Evaluate, GivesRegretsByTheirShareAndWhatIsAmongTheThree) {
  Answer answer = chosen(Option::serial);  // OpenMP wins half of the sizes, by factors of 3.0 and 4.0
  answer.cost[0] = 1, answer.cost[1] = 2;
  const Score score = evaluate(made_up(), Split::family_out, Target::call, {says(answer)}).front();
  EXPECT_DOUBLE_EQ(score.median_regret, 1);
  EXPECT_NEAR(score.ninety_regret, 1.2e-3 / (1e-6 + 0.3e-3), 1e-9);
  EXPECT_NEAR(score.worst_regret, 1.2e-3 / (1e-6 + 0.3e-3), 1e-9);
  EXPECT_DOUBLE_EQ(score.top_one, 0.5);
  EXPECT_DOUBLE_EQ(score.top_three, 1);
  answer.cost[1] = Answer::none;
  EXPECT_DOUBLE_EQ(evaluate(made_up(), Split::family_out, Target::call, {says(answer)}).front().top_three,
                   0.5);
}

TEST(Evaluate, CountsMeasuredTimesInsideOfIntervals) {
  Answer answer = chosen(Option::serial);
  answer.costs_are_times = true;
  answer.cost[0] = std::log(1.2e-4);  // serial time at 100 000, one of four sizes
  answer.half_width.emplace();
  (*answer.half_width)[0] = 0.1;
  const Score score = evaluate(made_up(), Split::family_out, Target::call, {says(answer)}).front();
  ASSERT_TRUE(score.coverage && score.family_coverage && score.width);
  EXPECT_DOUBLE_EQ(*score.coverage, 0.25);
  EXPECT_DOUBLE_EQ(*score.family_coverage, 0.25);
  EXPECT_DOUBLE_EQ(*score.width, std::exp(0.2));
  const Score silent = evaluate(made_up(), Split::family_out, Target::call, baselines({})).front();
  EXPECT_FALSE(silent.coverage);
}

TEST(Evaluate, JudgesNoIntervalByATimeThatWasToldAndFamiliesAlike) {
  DataSet data = made_up();
  std::erase_if(data.rows,
                [](const DataRow& row) { return row.what.kernel == "c" && row.what.problem.n > 100; });
  Answer answer = chosen(Option::serial);
  answer.costs_are_times = true;
  answer.cost[0] = std::log(1.2e-7);  // serial time at 100: for four sizes, but in family c for only one
  answer.cost[1] = 5;
  answer.half_width.emplace();
  answer.told[1] = true;
  const auto score = [&] { return evaluate(data, Split::family_out, Target::call, {says(answer)}).front(); };
  EXPECT_DOUBLE_EQ(*score().coverage, 3.0 / 9);
  EXPECT_DOUBLE_EQ(*score().family_coverage, (0.25 + 0.25 + 1) / 3);
  answer.told[1] = false;
  EXPECT_DOUBLE_EQ(*score().coverage, 3.0 / 18);
  answer.told.fill(true);
  EXPECT_FALSE(score().coverage);
}

TEST(Evaluate, CountsRatiosInsideOfTheirIntervals) {
  Answer answer = chosen(Option::serial);
  answer.costs_are_times = true;
  answer.cost[0] = std::log(7.0),
  answer.cost[1] = std::log(2.0);  // predicts that serial code takes 3.5 times as long as OpenMP
  answer.ratio_half_width.emplace();
  (*answer.ratio_half_width)[1][0] = std::log(1.2);
  const auto score = [&] {
    return evaluate(made_up(), Split::family_out, Target::call, {says(answer)}).front();
  };
  EXPECT_DOUBLE_EQ(*score().ratio_coverage,
                   0.5);  // the real ratios are .117, 1.17, 3.87 and 3.99
  answer.told[0] = true;
  EXPECT_DOUBLE_EQ(*score().ratio_coverage, 0.5);
  answer.told[1] = true;
  EXPECT_FALSE(score().ratio_coverage);
}

TEST(Evaluate, CountsAbstentionsAndTheRest) {
  Selector timid = {"timid", [](const DataSet& data, Target, const ProblemsByTarget&) -> Choose {
                      return [&data](const Contest& contest) {
                        Answer answer = chosen(Option::serial);  // wrong at large sizes, where it abstains
                        answer.abstains = data.problems[contest.problem].what.problem.n > 500;
                        return answer;
                      };
                    }};
  const Score score = evaluate(made_up(), Split::family_out, Target::call, {timid}).front();
  EXPECT_DOUBLE_EQ(score.abstained, 0.75);
  ASSERT_TRUE(score.fraction_when_sure);
  EXPECT_DOUBLE_EQ(*score.fraction_when_sure, 1);
}

TEST(Evaluate, ScoresPartsOfMachinesApart) {
  DataSet data = made_up();
  data.machines.push_back(machine());
  Profile& part = data.machines[1].profile;
  part.cores = 8;  // with threads for only four of them
  const std::vector<DataRow> whole = data.rows;
  for (DataRow row : whole)
    if (row.what.problem.n >= 1000) row.machine = 1, data.rows.push_back(row);
  const auto contests = [&](Judged judged) {
    return evaluate(data, Split::family_out, Target::call, {says(chosen(Option::serial))}, judged)
        .front()
        .contests;
  };
  EXPECT_EQ(contests(Judged::whole_machines), 12u);
  EXPECT_EQ(contests(Judged::parts_of_machines), 9u);
}

// The GPU overtakes the CPU at N = 10 000. CPU times grow as N^turn, GPU times as N^(turn / 2).
DataSet with_crossovers(double turn) {
  DataSet data = made_up();
  std::vector<DataRow> more;
  for (DataRow& row : data.rows) {
    const auto n = static_cast<double>(data.problems[row.problem].what.problem.n);
    row.call = exactly(1e-5 * std::pow(n / 10'000, turn));
    if (row.option != Option::serial) continue;
    for (const Option option : {Option::cuda, Option::openacc}) {
      more.push_back(row);
      more.back().option = option;
      more.back().call = exactly(1e-5 * std::pow(n / 10'000, turn / 2));
    }
  }
  data.rows.insert(data.rows.end(), more.begin(), more.end());
  return data;
}

Score of_crossover(const DataSet& data, double crossover) {
  const Selector selector = {
      "it", [crossover](const DataSet& set, Target, const ProblemsByTarget&) -> Choose {
        return [crossover, &set](const Contest& contest) {
          const auto n = static_cast<double>(set.problems[contest.problem].what.problem.n);
          Answer answer = chosen(Option::cuda);
          answer.costs_are_times = true;
          answer.cost[0] = std::log(n / crossover);
          answer.cost[4] = 0;
          return answer;
        };
      }};
  return evaluate(data, Split::family_out, Target::call, {selector}).front();
}

TEST(Evaluate, SaysHowFarCrossoversAreOff) {
  DataSet data = with_crossovers(2);
  const auto of = [&](double crossover) { return of_crossover(data, crossover); };
  EXPECT_EQ(of(15'000).crossovers, 3u);  // one per family
  EXPECT_NEAR(*of(15'000).crossover_factor, 1.5, 1e-9);
  EXPECT_EQ(of(15'000).crossovers_near, 1);
  EXPECT_EQ(of(15'000).crossovers_near_in_run, 1);
  EXPECT_EQ(of(15'000).crossovers_bracketed, 1);
  EXPECT_NEAR(*of(30'000).crossover_factor, 3, 1e-9);
  EXPECT_EQ(of(30'000).crossovers_near, 0);
  EXPECT_EQ(of(30'000).crossovers_bracketed, 1);  // it lies between the measured sizes 1000 and 100 000
  EXPECT_EQ(of(600).crossovers_bracketed, 0);
  EXPECT_TRUE(std::isinf(*of(1e9).crossover_factor));
  EXPECT_EQ(of(15'000).crossovers_undetermined, 0);
  const auto serial_may_take = [&](double share) {  // `share`: lowest serial time as a fraction of the median
    for (DataRow& row : data.rows)
      if (row.what.problem.n == 100'000 && row.option == Option::serial)
        row.call.low = share * row.call.median;
  };
  serial_may_take(0.7);  // with this low time, the GPU overtakes only at 16 000
  EXPECT_EQ(of(15'000).crossovers, 3u);
  serial_may_take(0.1);  // with this low time, CPU and GPU tie at 100 000
  EXPECT_EQ(of(15'000).crossovers, 0u);
  EXPECT_EQ(of(15'000).crossovers_in_run, 0u);
  EXPECT_EQ(of(15'000).crossovers_undetermined, 1);
  EXPECT_FALSE(of(15'000).crossovers_near);
  EXPECT_FALSE(
      evaluate(data, Split::family_out, Target::call, {says(chosen(Option::cuda))}).front().crossovers_near);
}

// At twice the crossover size, CPU and GPU differ by a factor of 1.41 only. One run in twenty differs by as
// much, so the crossover is undetermined.
TEST(Evaluate, CountsCrossoversThatAnotherRunFindsToo) {
  const Score flat = of_crossover(with_crossovers(1), 30'000);
  EXPECT_EQ(flat.crossovers, 0u);
  EXPECT_FALSE(flat.crossovers_near);
  EXPECT_EQ(flat.crossovers_undetermined, 1);
  EXPECT_EQ(flat.crossovers_in_run, 3u);
  EXPECT_EQ(flat.crossovers_near_in_run, 0);
}

// The answers of a selector that always chooses serial code: right at small sizes, wrong at large ones.
std::vector<JudgedAnswer> judged_serial(const DataSet& data) {
  Answer answer = chosen(Option::serial);
  answer.costs_are_times = true;
  answer.cost[0] = std::log(1e-6), answer.cost[1] = std::log(1e-6);
  answer.half_width = Answer::Values{5, 0.5, 0, 0, 0, 0};
  return judged_answers(data, Split::family_out, Target::call, {says(answer)}).front();
}

TEST(Residuals, SayWhereTheLossIs) {
  const DataSet data = made_up();
  const std::vector<JudgedAnswer> judged = judged_serial(data);
  const std::vector<ProblemLoss> losses = losses_of(data, judged);
  ASSERT_EQ(losses.size(), 6u);  // at 100 and 1000, serial code is the best
  double sum = 0;
  for (const ProblemLoss& one : losses) sum += one.share;
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_EQ(data.problems[losses.front().judged->contest.problem].what.problem.n, 1'000'000);
  EXPECT_EQ(data.problems[losses.back().judged->contest.problem].what.problem.n, 100'000);
  const std::vector<MistakenChoice> choices = mistaken_choices(losses);
  ASSERT_EQ(choices.size(), 1u);
  EXPECT_EQ(choices[0].chosen, Option::serial);
  EXPECT_EQ(choices[0].best, Option::openmp);
  EXPECT_EQ(choices[0].problems, 6u);
  EXPECT_NEAR(choices[0].share, 1, 1e-12);
}

TEST(Residuals, SayWhatErrorsOfASizeLetBeHad) {
  const DataSet data = made_up();
  const std::vector<JudgedAnswer> judged = judged_serial(data);
  EXPECT_EQ(fraction_with_errors(data, judged, {}), 1);
  const double some = fraction_with_errors(data, judged, {0.2, 0.2}),
               many = fraction_with_errors(data, judged, {2, 2});
  EXPECT_LE(some, 1);
  EXPECT_LT(many, some);
  EXPECT_GT(many, fraction_with_errors(data, judged, {20, 20}));
  EXPECT_EQ(some, fraction_with_errors(data, judged, {0.2, 0.2}));  // the same random numbers are drawn
}

TEST(Residuals, SayHowFarEachOptionIsOff) {
  const DataSet data = made_up();
  const std::vector<OptionErrors> errors = errors_by_option(judged_serial(data));
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[1].option, Option::openmp);
  EXPECT_EQ(errors[1].times, 12u);
  double mean = 0, squares = 0;
  for (const double n : {100., 1000., 100'000., 1'000'000.}) {
    const double off = std::log((1e-6 + 1.2e-9 * n / 4) / 1e-6);
    mean += off / 4, squares += off * off / 4;
  }
  EXPECT_NEAR(errors[1].mean, mean, 1e-9);
  EXPECT_NEAR(errors[1].deviation, std::sqrt(squares), 1e-9);
  EXPECT_EQ(errors[1].coverage, 0.5);  // two of the four times lie within a factor of 1.65
  EXPECT_EQ(errors[1].above, 0.5);
  EXPECT_NEAR(*errors[1].width, std::exp(1), 1e-9);
}

// CPU and GPU times are close below the crossover and diverge above it. The closer side determines how flat
// the crossover is.
TEST(Residuals, SayHowFlatACrossoverIs) {
  const DataSet data = made_up();
  std::vector<JudgedAnswer> judged;
  const double ratios[] = {1 / 1.1, 1 / 1.05, 10};  // CPU time over GPU time at 100, 1000 and 100 000
  for (std::size_t problem = 0; problem < 3; ++problem) {
    Contest contest;
    contest.problem = problem;
    contest.times[0] = exactly(1e-6 * ratios[problem]);
    contest.times[4] = exactly(1e-6);
    Answer answer = chosen(Option::cuda);
    answer.costs_are_times = true;
    answer.cost[0] = std::log(2e-6), answer.cost[4] = std::log(1e-6) - 0.5;
    judged.push_back({contest, answer});
  }
  const Crossovers all = crossovers_of(data, judged);
  ASSERT_EQ(all.found.size(), 1u);
  const double near = std::log(1.05), after = std::log(100) * near / (near + std::log(10));
  EXPECT_NEAR(all.found[0].size, 1000 * std::exp(after), 1e-6);
  EXPECT_TRUE(std::isinf(all.found[0].factor));  // no crossover was predicted
  EXPECT_TRUE(std::isinf(all.found[0].said));
  EXPECT_NEAR(all.found[0].gpu_off, 0.5, 1e-9);
  EXPECT_NEAR(all.found[0].cpu_off, -std::log(2),
              1e-9);  // CPU and GPU times are equal at the crossover
  const double below = (std::log(2) - after) / std::log(10);
  EXPECT_NEAR(all.found[0].turn, near + below * (std::log(1.1) - near), 1e-9);
  EXPECT_EQ(all.undetermined, 0u);
  EXPECT_FALSE(all.found[0].lasts);
}

}  // namespace
}  // namespace sextant::predict
