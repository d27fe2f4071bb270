// The tables of `sextant show`: for people, a few per kernel; for programs, one of long rows.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/study.hpp"
#include "present/table.hpp"
#include "scaling/model.hpp"

namespace sextant {

struct View {
  std::vector<Table> texts;
  Table rows;  // for --json: a row a value
};

// The study's table of each kernel and type: speed-ups over serial and the best CPU, without and with
// transfers, the rate and its share of the ceiling, by size and model, and who wins.
View study_view(const std::vector<StudyRow>& rows);
View speedup_view(const std::vector<StudyRow>& rows);    // the speed-ups alone
View bandwidth_view(const std::vector<StudyRow>& rows);  // the rates alone
View transfers_view(const std::vector<StudyRow>& rows);
// "7936 is arrays of 51x51 (31.0 KiB in all)" for each N of a group; none for shapes and classes.
std::vector<std::string> sizes_explained(const std::vector<const StudyRow*>& group);
View tuning_view(const std::vector<StudyRow>& rows);
// The same, and for each problem and model the ten best tunings: time, interval, gain over the default, ties.
View ranked_tuning_view(const std::vector<StudyRow>& rows);
// Every variant at its best tuning, fastest first; what it prepares, where that takes a tenth of a call or
// more.
View variants_view(const std::vector<StudyRow>& rows);
// Every variant's rates over N, a column a variant, and who is ahead at each N: a figure's curves as a table.
View size_view(const std::vector<StudyRow>& rows);
View verdict_view(const std::vector<StudyRow>& rows);
// What a kernel that is `share` (0 to 1) of a program's time gives the whole, and when its copies pay.
View amdahl_view(const std::vector<StudyRow>& rows, double share);
// Programs: each model's best at each problem, mean and deviation of its runs, its rate, and whether its
// result was verified.
View programs_view(const std::vector<StudyRow>& rows);
// All programs and problems in one table: each model's best, its time, rate, verification, share of the
// floor, and speed-ups over plain serial and over the best CPU version. Rows for --json are those of
// programs_view.
View suite_view(const std::vector<StudyRow>& rows);
// NPB's programs in the layout of its own reports; empty if there are none.
std::string npb_reports(const std::vector<StudyRow>& rows);
// What the hardware counted, of the cases of which it is known.
View counters_view(const std::vector<StudyRow>& rows);
// Problems in parts: time, both efficiencies and what exchanging costs over the number of parts, a table a
// problem and variant.
View scaling_view(const std::vector<Summary>& summaries);
// A variant on several numbers of threads: speed-up and efficiency over one thread of the same variant, and
// gains over the serial loops at -O2 and native; a table a variant and problem.
View threads_view(const std::vector<Summary>& summaries);
// More parts than were measured, by models: a table a curve, and why there is none.
View model_view(const std::vector<scaling::Model>& models);
// "3.1 % below what was measured", at the number of parts that the model's fit has not seen.
std::string left_out_error(const scaling::Model& model);
// What is missing and why: cases that were skipped, failed, timed out or were wrong.
View problems_view(const std::vector<StudyRow>& rows);

}  // namespace sextant
