// The views of `sextant show`. A view has tables for people, and one table for programs with one row per
// value.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/study.hpp"
#include "present/table.hpp"
#include "scaling/model.hpp"

namespace sextant {

struct View {
  std::vector<Table> texts;
  Table rows;  // the table for --json, with one row per value
};

// Returns the study's tables, one for each kernel and type. They show speed-ups over serial code and over the
// best CPU version, without and with transfers. They also show rates, fractions of ceilings and winners, by
// size and model.
View study_view(const std::vector<StudyRow>& rows);
View speedup_view(const std::vector<StudyRow>& rows);    // only the tables of speed-ups
View bandwidth_view(const std::vector<StudyRow>& rows);  // only the tables of rates
View transfers_view(const std::vector<StudyRow>& rows);
// Explains each N of a group: "7936 is arrays of 51x51 (31.0 KiB in all)". Shapes and classes are not
// explained.
std::vector<std::string> sizes_explained(const std::vector<const StudyRow*>& group);
View tuning_view(const std::vector<StudyRow>& rows);
// Like tuning_view, but also lists the ten best tunings for each problem and model, with time, interval, gain
// over the default and ties.
View ranked_tuning_view(const std::vector<StudyRow>& rows);
// Every variant with its best tuning, fastest first. The preparation time is shown if it is at least a tenth
// of a call.
View variants_view(const std::vector<StudyRow>& rows);
// Returns the rates of every variant over N, with one column per variant, and the fastest variant at each N.
View size_view(const std::vector<StudyRow>& rows);
View verdict_view(const std::vector<StudyRow>& rows);
// Returns a program's speed-up if a kernel takes `share` (0 to 1) of the program's time, and when copying the
// kernel's data pays off.
View amdahl_view(const std::vector<StudyRow>& rows, double share);
// Programs: the best result of each model at each problem, with mean, standard deviation, rate and
// verification.
View programs_view(const std::vector<StudyRow>& rows);
// Returns all programs and problems in one table. It shows the best result of each model with its time, rate,
// verification and fraction of the ceiling. It also shows speed-ups over plain serial code and over the best
// CPU version. `View::rows` is the same as in programs_view.
View suite_view(const std::vector<StudyRow>& rows);
// Results of NPB programs in the format of NPB's own reports; empty if there are none.
std::string npb_reports(const std::vector<StudyRow>& rows);
// Hardware counters of the cases that have them.
View counters_view(const std::vector<StudyRow>& rows);
// Clock, power, temperature and throttling of the GPU while each case was sampled, and times after pauses.
View state_view(const std::vector<StudyRow>& rows);
// Energy of a call of every case that has it, least first, with power, time, and energy times time.
View energy_view(const std::vector<StudyRow>& rows);
// Problems on several ranks or GPUs, with one table for each problem and variant. Each table shows time,
// exchange time and two efficiencies over the number of ranks or GPUs. One efficiency compares with the
// variant itself, the other with the best single device.
View scaling_view(const std::vector<Summary>& summaries);
// Variants on several thread counts, with one table for each variant and problem. Speed-up and efficiency
// compare with one thread of the same variant. Gains compare with serial code at -O2 (serial.baseline) and
// with serial.native.
View threads_view(const std::vector<Summary>& summaries);
// Predictions for more ranks or GPUs than were measured, with one table for each curve, or the reason why
// there is no model.
View model_view(const std::vector<scaling::Model>& models);
// Describes the error of the prediction at one number of ranks or GPUs that the model's fit excludes: "3.1 %
// below what was measured".
std::string left_out_error(const scaling::Model& model);
// Cases that were skipped, failed, timed out or gave wrong results, with reasons.
View problems_view(const std::vector<StudyRow>& rows);

}  // namespace sextant
