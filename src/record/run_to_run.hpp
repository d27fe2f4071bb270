// How far apart runs of the same case come out beyond what the intervals of their samples say: learnt by measuring some
// of a run's cases once more at its end, kept in the session's environment, and part of every call time's interval.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "record/case.hpp"
#include "record/environment.hpp"
#include "record/statistics.hpp"

namespace sextant {

// A case that was measured twice, in two processes, some time apart.
struct Repeated {
  Case what;
  Interval first, again;  // of the call time
};

// What a run may differ by from another.
struct RunToRun {
  double deviation = 0;  // standard deviation of the logarithm of a run's median
  int pairs = 0;         // from so many repeated cases
};

// Fewer pairs than this say nothing.
inline constexpr int min_repeated = 4;

// The method of Paule and Mandel ("Consensus values and weighting factors", 1982) for a variance beyond the known ones:
// it is what makes the squared differences, each over its expected variance, as many as there are pairs. Pairs with
// fewer than min_interval_samples on a side are left out. Empty for fewer than min_repeated pairs.
std::optional<RunToRun> run_to_run(std::span<const Repeated> repeated);

// Adds what was learnt to a session's environment, by device class and model where there are enough pairs:
// "run_to_run.cpu" and "run_to_run.cpu.openmp" = "0.0314 of 12".
void record_run_to_run(std::span<const Repeated> repeated, Environment* environment);

// What the environment says of a case's model, else of its device class; empty if neither is known.
std::optional<RunToRun> run_to_run_of(const Environment& environment, const Case& what);

// The interval of what another run may find: each side joined, on the logarithmic scale, with the 95 % bound of
// `noise` (Student's t by the number of pairs). Unchanged where it has fewer than min_interval_samples.
Interval across_runs(const Interval& interval, const RunToRun& noise);

}  // namespace sextant
