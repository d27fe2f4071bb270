#include "present/advice_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "analysis/study/advice.hpp"
#include "analysis/study/programs.hpp"
#include "base/join.hpp"
#include "base/plural.hpp"
#include "present/format.hpp"
#include "record/keys.hpp"
#include "record/statistics.hpp"

namespace sextant {
namespace {

using Texts = std::vector<std::string>;

// Joins the items: "a, b and c".
std::string listed(const Texts& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i)
    text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
  return text;
}

std::string number(double value) {
  std::string text = format_ratio(value);
  if (text.ends_with("x")) text.pop_back();
  return text;
}

// Formats a range of factors: "1.09 to 94 times"; "1.2 times".
std::string times(const Spread& spread) {
  const std::string low = number(spread.low), high = number(spread.high);
  return (low == high ? low : low + " to " + high) + " times";
}

std::string at_sizes(const LeadRange& range) {
  return std::to_string(range.first) + (range.last > range.first ? " to " + std::to_string(range.last) : "");
}

// Rounds to two significant digits, because an interpolated count is not more precise.
std::string rounded(double count) {
  const double step = std::pow(10, std::floor(std::log10(count)) - 1);
  return fmt::format("{:.0f}", std::round(count / step) * step);
}

// Names the model that leads in each range of N: "serial code at 7936, OpenMP at 131 k". If one model leads
// everywhere, returns only its name.
std::string cpu_text(const std::vector<LeadRange>& ranges) {
  if (ranges.size() == 1) return spoken(ranges[0].column);
  std::string text;
  for (const LeadRange& range : ranges)
    text += (text.empty() ? "" : ", ") + spoken(range.column) + " at " + at_sizes(range);
  return text;
}

// Groups kernels by the statement that applies to them: "matmul, stride4 double (from 131 k)". A kernel is
// named without its type if the same statement applies to all its types.
class Kernels {
 public:
  explicit Kernels(const std::vector<Frontier>& all) {
    for (const Frontier& one : all) ++types_[one.group.front()->kernel];
  }
  void add(const Frontier& one, const std::string& said) {
    if (std::find(order_.begin(), order_.end(), said) == order_.end()) order_.push_back(said);
    said_[said].push_back(one.group.front());
  }
  bool empty() const { return order_.empty(); }
  std::string text() const {
    Texts parts;
    for (const std::string& said : order_) {
      Texts names;
      std::map<std::string, std::size_t> count;
      for (const StudyRow* row : said_.at(said)) ++count[row->kernel];
      for (const StudyRow* row : said_.at(said)) {
        const bool all = count[row->kernel] == types_.at(row->kernel);
        const std::string name = all ? row->kernel : row->kernel + " " + name_of(row->type);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
      parts.push_back(listed(names) + (said.empty() ? "" : " (" + said + ")"));
    }
    return listed(parts);
  }

 private:
  std::map<std::string, std::size_t> types_;
  std::map<std::string, std::vector<const StudyRow*>> said_;
  Texts order_;
};

std::string exceptions(const Frontiers& f) {
  Kernels earlier(f.all), later(f.all), never(f.all);
  for (const Frontier& one : f.all) {
    if (!one.from) {
      never.add(one, one.tied ? "open at " + std::to_string(one.group.back()->n) : "");
      continue;
    }
    const std::int64_t n = one.group[*one.from]->n;
    if (n < f.typical_from) earlier.add(one, "from " + std::to_string(n));
    if (n > f.typical_from) later.add(one, "from " + std::to_string(n));
  }
  std::string text;
  if (!earlier.empty()) text += " Earlier: " + earlier.text() + ".";
  if (!later.empty()) text += " Later: " + later.text() + ".";
  if (!never.empty()) text += " Nowhere: " + never.text() + ".";
  return text;
}

constexpr std::size_t most_kernels_named = 20;

bool has_many_kernels(const Frontiers& f) {
  std::set<std::string> kernels;
  for (const Frontier& one : f.all) kernels.insert(one.group.front()->kernel);
  return kernels.size() > most_kernels_named;
}

// Returns the range of sizes from which a device wins, over the kernels of a group: "130560", "130560 to
// 9437184", "nowhere".
std::string froms_text(const std::vector<const Frontier*>& kernels) {
  std::int64_t least = 0, most = 0;
  bool everywhere = true;
  for (const Frontier* one : kernels) {
    everywhere = everywhere && one->from;
    if (!one->from) continue;
    const std::int64_t n = one->group[*one->from]->n;
    least = least ? std::min(least, n) : n;
    most = std::max(most, n);
  }
  if (!least) return "nowhere";
  return std::to_string(least) + (most > least ? " to " + std::to_string(most) : "") +
         (everywhere ? "" : ", not all");
}

// Groups the kernels by class of computation ("dwarf") or, if it is unknown, by their own group.
std::map<std::string, std::vector<const Frontier*>> by_group(const Frontiers& f) {
  std::map<std::string, std::vector<const Frontier*>> groups;
  for (const Frontier& one : f.all) {
    const StudyRow& row = *one.group.front();
    const std::string dwarf = row.description ? row.description->dwarf : "";
    groups[dwarf.empty() ? row.group : dwarf].push_back(&one);
  }
  return groups;
}

// Returns the lines of a table with one line for each group of kernels. It shows the size from which the GPU
// wins and its gain, each without and with copies.
std::vector<std::string> groups_table(const Frontiers& f, const Frontiers& with_copies) {
  std::vector<std::array<std::string, 5>> cells = {
      {"group", "kernels", "GPU from N", "times the best CPU", "with copies from N"}};
  const auto copies = by_group(with_copies);
  for (const auto& [name, kernels] : by_group(f)) {
    std::set<std::string> names;
    std::vector<double> gains;
    for (const Frontier* one : kernels) {
      names.insert(one->group.front()->kernel);
      gains.push_back(one->gain_at_largest);
    }
    const Spread gain = spread_of(gains);
    const auto also = copies.find(name);
    const std::string low = number(gain.low), high = number(gain.high);
    cells.push_back({name.empty() ? "other" : name, std::to_string(names.size()), froms_text(kernels),
                     low == high ? low : low + " to " + high,
                     also == copies.end() ? "-" : froms_text(also->second)});
  }
  std::array<std::size_t, 5> widths{};
  for (const auto& row : cells)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  std::vector<std::string> lines;
  for (const auto& row : cells) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - display_width(row[i]), ' ');
    }
    lines.push_back(line);
  }
  return lines;
}

// Text for many kernels of different kinds. No single size separates CPU and GPU, so the text counts kernels.
AdviceText where_text_of_many(const Frontiers& f, const Frontiers& with_copies) {
  std::size_t won = 0;
  for (const Frontier& one : f.all) won += one.from.has_value();
  return {"Which model",
          fmt::format(
              "The GPU is faster than the best CPU version at the largest size of {} of {} kernels and "
              "types: {}, {} in the geometric mean. By group of kernels (N: elements of all arrays; without "
              "copies unless stated):",
              won, f.all.size(), times(f.gain_at_largest), number(f.gain_at_largest.mean)),
          groups_table(f, with_copies)};
}

std::string where_text(const Frontiers& f) {
  const std::string device = spoken(f.device);
  if (f.typical_from == 0) {
    Kernels paying(f.all);
    for (const Frontier& one : f.all)
      if (one.from) paying.add(one, "from " + std::to_string(one.group[*one.from]->n));
    return "Stay on the CPU (" + cpu_text(f.cpu) + "); sizes are N, the elements of all arrays together. " +
           (paying.empty() ? "No GPU model is faster beyond noise at the largest measured size."
                           : "A GPU model is faster only for " + paying.text() + ", " + times(f.gain) + ".");
  }
  std::string text;
  if (f.cpu.empty())
    text = "Take " + device + " at every size from N = " + std::to_string(f.typical_from) + " on";
  else
    text = "Stay on the CPU" +
           (f.estimate > 0 ? " below about " + rounded(f.estimate) + " elements by the medians"
                           : std::string()) +
           " (" + cpu_text(f.cpu) + ") and take " + device + " from " + std::to_string(f.typical_from) +
           " on";
  text += fmt::format(
      ": {} the best CPU version, {} in the geometric mean at the largest sizes. Sizes are N, the "
      "elements of all arrays; times are without copies.",
      times(f.gain), number(f.gain_at_largest.mean));
  return text + exceptions(f);
}

std::string copies_text(const std::vector<StudyRow>& rows) {
  const Frontiers f = frontiers(rows, true);
  if (f.all.empty()) return "";
  Kernels paying(f.all), tied(f.all);
  for (const Frontier& one : f.all) {
    if (one.from)
      paying.add(one, "from " + std::to_string(one.group[*one.from]->n));
    else if (one.tied)
      tied.add(one, "");
  }
  std::string text = "With the copies of a single use the GPU ";
  if (has_many_kernels(f)) {
    std::size_t won = 0;
    for (const Frontier& one : f.all) won += one.from.has_value();
    text += fmt::format("pays at the largest size of {} of {} kernels and types", won, f.all.size());
    if (won > 0) text += ", " + times(f.gain);
  } else {
    text += paying.empty() ? "never pays"
                           : "pays for " + paying.text() + ", " + times(f.gain) + ", and for no others";
    if (!tied.empty()) text += "; open at the largest size: " + tied.text();
  }
  text += ".";
  const Reuse r = reuse(rows);
  if (r.kernels > r.never)
    text += fmt::format(
        " If data stay on the device, the copies pay off from {} on in the median{}, at N = {}.",
        r.median == 1 ? "the first use" : fmt::format("{} uses", r.median),
        r.least < r.most ? fmt::format(" ({} to {})", r.least, r.most) : std::string(), std::to_string(r.n));
  if (r.never) text += fmt::format(" For {} of {} they never pay off.", r.never, plural(r.kernels, "kernel"));
  return text;
}

std::string spoken_group(const std::string& group) {
  static const std::map<std::string, std::string> names = {{"stream", "streams"},
                                                           {"stencil", "stencils"},
                                                           {"reduction", "reductions"},
                                                           {"matrix", "matrix kernels"},
                                                           {"", "kernels"}};
  const auto found = names.find(group);
  return found == names.end() ? group + " kernels" : found->second;
}

// Text for more groups than a paragraph can name. It gives only the smallest, the middle and the largest
// ratio.
std::string openacc_text_of_many(std::vector<OpenaccOverCuda> groups) {
  std::sort(groups.begin(), groups.end(),
            [](const OpenaccOverCuda& a, const OpenaccOverCuda& b) { return a.ratio.high < b.ratio.high; });
  const OpenaccOverCuda &least = groups.front(), &middle = groups[groups.size() / 2], &most = groups.back();
  double low = least.ratio.low;
  for (const OpenaccOverCuda& one : groups) low = std::min(low, one.ratio.low);
  const auto text_of = [](const OpenaccOverCuda& one) {
    return times(one.ratio) + " for " + spoken_group(one.group);
  };
  return fmt::format(
      "A call of OpenACC takes {} as long as CUDA's over {} groups of kernels, each at its largest size: "
      "{} at best, {} in the median, {} at worst.",
      times(Spread{low, most.ratio.high}), groups.size(), text_of(least), text_of(middle), text_of(most));
}

std::string openacc_text(const std::vector<StudyRow>& rows) {
  constexpr std::size_t most_named = 8;
  const std::vector<OpenaccOverCuda> groups = openacc_over_cuda(rows);
  if (groups.size() > most_named) return openacc_text_of_many(groups);
  std::map<std::int64_t, Texts> apart;  // maps N to texts such as "1.51 to 2.21 times as long for streams"
  Texts close;
  for (const OpenaccOverCuda& one : groups) {
    if (one.close_from)
      close.push_back("within 5 % of CUDA for " + spoken_group(one.group) + " from " +
                      std::to_string(one.close_from));
    else
      apart[one.n].push_back(times(one.ratio) + " as long for " + spoken_group(one.group));
  }
  Texts parts;
  if (!close.empty()) parts.push_back("is " + listed(close));
  for (const auto& [n, texts] : apart)
    parts.push_back("takes " + listed(texts) + " at N = " + std::to_string(n));
  if (parts.empty()) return "";
  std::string text = "Compared with CUDA, a call of OpenACC " + listed(parts);
  const auto openacc = launch_cost(rows, "openacc"), cuda = launch_cost(rows, "cuda");
  if (openacc && cuda)
    text += "; below that its launch counts, which costs " + format_seconds(*openacc) + " (CUDA's " +
            format_seconds(*cuda) + ")";
  return text + ".";
}

// Returns how often each model is fastest, and at which sizes. It is for machines that lack CPU results or
// device results.
std::string tally_text(const std::vector<StudyRow>& rows) {
  const Tally t = tally(rows, false);
  if (!t.contested)
    return "Every problem was measured in only one model and variant: there is nothing to compare.";
  Texts leaders;
  for (const auto& [name, count] : t.leaders) {
    if (leaders.size() == 5) break;
    leaders.push_back(spoken(name) + " at " + std::to_string(count));
  }
  std::string text = "Of " + plural(t.contested, "problem") + " (kernel, type and size) ";
  text += leaders.empty() ? "none has a clear winner" : "the fastest is " + listed(leaders);
  if (t.ties) text += fmt::format("; undecided: {}", t.ties);
  text += ".";
  const std::vector<LeadRange> ranges = leaders_by_size(rows);
  if (ranges.size() > 1 && ranges.size() <= 4)
    text += " The fastest in most kernels, by N (the elements of all arrays): " + cpu_text(ranges) + ".";
  if (t.alone) text += fmt::format(" For {} more, only one version was measured.", t.alone);
  return text;
}

std::string programs_text(const std::vector<StudyRow>& rows) {
  Texts parts;
  std::set<std::string> named;  // kernels that were already named; each is named once, with its first type
  for (const StudyGroup& group : study_groups(rows)) {
    if (!is_program(*group.front()) || !named.insert(group.front()->kernel).second) continue;
    const std::vector<Standing> all = standings(group, false);
    const auto last = std::find_if(
        all.rbegin(), all.rend(), [](const Standing& one) { return one.contested() && one.missing.empty(); });
    if (last == all.rend()) continue;
    std::string text =
        group.front()->kernel + " " + name_of(group.front()->type) + " at " + last->row->size + ": ";
    text += last->tied() ? text_of(*last) + (last->equal() ? ", equal" : ", open")
                         : last->fastest().measurement->what.variant;
    if (!last->tied() && last->lead.samples) {
      const auto next = std::find_if(last->entrants.begin(), last->entrants.end(),
                                     [](const Entrant& e) { return !e.leads; });
      text +=
          ", " + number(last->lead.median) + " times as fast as " + next->summary->measurement->what.variant;
    }
    parts.push_back(text);
  }
  return parts.empty() ? "" : "The largest problems with a rival: " + join(parts, "; ") + ".";
}

// Names the model with most of the noisy cases, if one dominates: "; nearly all are OpenMP's".
std::string mostly_of(const Certainty& c) {
  for (const auto& [column, count] : c.noisy_by_column) {
    if (c.noisy < 3 || 10 * count < 6 * c.noisy) continue;
    const bool plain = column == "serial" || column == "openmp" || column == "openacc" || column == "cuda";
    return fmt::format("; {} are {}",
                       count == c.noisy            ? "all"
                       : 10 * count >= 9 * c.noisy ? "nearly all"
                                                   : "most",
                       plain ? spoken(column) + "'s" : "of " + spoken(column));
  }
  return {};
}

std::string noise_sentence(const Certainty& c) {
  if (!c.noisiest) return {};
  if (c.noisy == 0) return " Every time is known to ± 5 % or better.";
  const Case& what = c.noisiest->measurement->what;
  std::string text = fmt::format(" {} of {} may differ by more than 5 % in another run{}", c.noisy,
                                 plural(c.timed, "time"), mostly_of(c));
  if (c.worst_noise < too_noisy)
    text += fmt::format(" (the least certain: {} {} at {}, ± {})", what.kernel, what.variant,
                        what.problem_class.empty() ? std::to_string(what.problem.n) : what.problem_class,
                        format_percent(c.worst_noise));
  return text + ".";
}

std::string sure_text(const std::vector<StudyRow>& rows) {
  const Certainty c = certainty(rows);
  Texts bad;
  if (c.wrong)
    bad.push_back(plural(c.wrong, "result") + (c.wrong == 1 ? " was" : " were") + " wrong and left out");
  if (c.too_fast)
    bad.push_back(plural(c.too_fast, "time") + (c.too_fast == 1 ? " was" : " were") +
                  " shorter than the measured ceilings allow and left out");
  if (c.failed) bad.push_back(std::to_string(c.failed) + " failed or ran out of time");
  std::string text = plural(c.cases, "case") + ": " +
                     (bad.empty() ? "every result was right" : listed(bad) + "; all others were right") + ".";
  text += noise_sentence(c);
  if (c.few)
    text +=
        fmt::format(" {} fewer than {} samples, too few for an interval.",
                    c.few == 1 ? "1 time has" : fmt::format("{} times have", c.few), min_interval_samples);
  const Tally t = tally(rows, false);
  if (t.contested)
    text += t.ties == 0 ? " Every winner is certain."
                        : fmt::format(" Undecided: {} of {}.", t.ties, plural(t.contested, "problem"));
  if (c.without_gpu)
    text +=
        fmt::format(" {} more were skipped because the machine has no GPU.", plural(c.without_gpu, "case"));
  return text;
}

std::string limited_by(Limit limit, bool on_host) {
  switch (limit) {
    case Limit::memory:
      return "memory";
    case Limit::arithmetic:
      return "arithmetic";
    case Limit::link:
      return "the links between GPUs";
    default:
      return on_host ? "latency (starting threads, waiting for data)"
                     : "latency (launches, waiting for data)";
  }
}

}  // namespace

std::string limits_text(const Reasons& r) {
  constexpr std::size_t most_named = 6;
  std::map<std::string, std::set<Limit>> kernels;
  for (const auto& [limit, rows] : r.rows)
    for (const StudyRow* row : rows) kernels[row->kernel].insert(limit);
  const bool named =
      kernels.size() <= most_named &&
      std::all_of(kernels.begin(), kernels.end(), [](const auto& one) { return one.second.size() == 1; });
  Texts parts;
  for (const auto& [limit, rows] : r.rows) {
    Texts names;
    for (const StudyRow* row : rows)
      if (std::find(names.begin(), names.end(), row->kernel) == names.end()) names.push_back(row->kernel);
    parts.push_back(limited_by(limit, r.on_host) + (parts.empty() ? " limits " : " ") +
                    (named ? listed(names) : std::to_string(rows.size())));
  }
  return join(parts) + (named ? "" : " of " + plural(r.known(), "problem"));
}

namespace {

std::string why_text(const std::vector<StudyRow>& rows) {
  const Reasons large = reasons(rows, true), all = reasons(rows, false);
  if (!large.known()) return "";
  std::string text = "At the largest sizes " + limits_text(large) + ". ";
  text += large.median_fraction > 1.05
              ? "The median of the fastest versions is above the measured ceilings: the ceilings are too "
                "low, or the arrays are in caches."
              : fmt::format("The fastest versions reach {} of the measured ceilings of {} in the median.",
                            format_percent(large.median_fraction),
                            large.on_host ? "this processor" : "the device");
  return all.known() > large.known() ? text + " Over all sizes " + limits_text(all) + "." : text;
}

// States the largest speed-up of a CPU variant over the serial loop at -O2, if it exceeds the number of
// threads.
std::string beyond_threads_text(const std::vector<StudyRow>& rows) {
  const Summary* most = nullptr;
  const StudyRow* where = nullptr;
  for (const StudyRow& row : rows)
    for (const auto& [column, s] : row.best)
      if (s->on_host && s->speedup_serial.samples &&
          (!most || s->speedup_serial.median > most->speedup_serial.median))
        most = s, where = &row;
  if (!most || !most->session) return "";
  const bool several = !where->threads.empty();  // true if the results file has several thread settings
  const int cores = std::atoi(value_of(most->session->environment, "cpu.cores").c_str());
  const int threads = several ? std::atoi(where->threads.c_str()) : cores;
  if (threads < 1 || most->speedup_serial.median <= 1.1 * threads) return "";
  const std::string gain =
      fmt::format("{} of {} is {} as fast as the -O2 loop, on ", most->measurement->what.variant,
                  where->kernel, format_ratio(most->speedup_serial.median));
  const char* code = "the code of one thread, mainly vector instructions";
  if (threads == 1) return fmt::format("{}one thread: that is {}.", gain, code);
  return fmt::format(
      "{}{}: more than threads alone can gain. The rest is {}. {}", gain,
      plural(threads, several ? "thread" : "core"), code,
      several ? "`sextant show FILE --by threads` separates the two."
              : fmt::format("`sextant run -t threads=1,{}` and `show --by threads` measure both.", threads));
}

// Two variants of a problem on one device: the fastest, and the one with the least energy of a call.
struct EnergyChoice {
  const StudyRow* row = nullptr;
  const Summary *fastest = nullptr, *least = nullptr;
  int variants = 0;
};

double energy_of(const Summary& s) { return median_interval(s.measurement->energies).median; }

// Finds these variants of each problem and device on which the energy of two or more cases is known.
std::vector<EnergyChoice> energy_choices(const std::vector<StudyRow>& rows) {
  std::vector<EnergyChoice> choices;
  for (const StudyRow& row : rows) {
    std::map<std::string, EnergyChoice> by_device;
    for (const Summary* s : row.all) {
      if (!s->ok() || !(energy_of(*s) > 0)) continue;
      EnergyChoice& choice = by_device[s->measurement->what.device];
      choice.row = &row;
      ++choice.variants;
      if (!choice.fastest || s->call_time.median < choice.fastest->call_time.median) choice.fastest = s;
      if (!choice.least || energy_of(*s) < energy_of(*choice.least)) choice.least = s;
    }
    for (const auto& [device, choice] : by_device)
      if (choice.variants > 1) choices.push_back(choice);
  }
  return choices;
}

double saving(const EnergyChoice& one) { return energy_of(*one.fastest) / energy_of(*one.least); }

std::string case_text(const Summary& s) {
  const std::string tuning = tuning_text(s.measurement->what.tuning);
  return s.measurement->what.variant + (tuning.empty() ? "" : " " + tuning);
}

// States in how many problems the fastest case also uses the least energy, and where another one saves most.
std::string energy_text(const std::vector<StudyRow>& rows) {
  const std::vector<EnergyChoice> choices = energy_choices(rows);
  if (choices.empty()) return "";
  const auto same = std::count_if(choices.begin(), choices.end(),
                                  [](const EnergyChoice& one) { return one.fastest == one.least; });
  const EnergyChoice& most =
      *std::max_element(choices.begin(), choices.end(),
                        [](const EnergyChoice& a, const EnergyChoice& b) { return saving(a) < saving(b); });
  const std::string begin = fmt::format(
      "The fastest case also uses the least energy in {} of {}. In {} {} {}, ", same,
      plural(choices.size(), "problem"), most.row->kernel, name_of(most.row->type), most.row->size);
  if (most.fastest == most.least)
    return begin + case_text(*most.least) + " uses " + format_joules(energy_of(*most.least)) + " a call.";
  return begin + fmt::format("{} uses {} a call, the fastest ({}) {}. `--by energy` lists all.",
                             case_text(*most.least), format_joules(energy_of(*most.least)),
                             case_text(*most.fastest), format_joules(energy_of(*most.fastest)));
}

// Returns the position after the word that begins at `at`. A number and its unit count as one word, so that
// they stay on one line.
std::size_t end_of_word(const std::string& text, std::size_t at) {
  std::size_t end = std::min(text.find(' ', at), text.size());
  for (const char* unit : {"k", "M", "G", "%", "µs", "ms", "ns", "J", "mJ", "µJ", "kJ"})
    if (end < text.size() && text.compare(end + 1, std::string_view(unit).size(), unit) == 0) {
      const std::size_t after = end + 1 + std::string_view(unit).size();
      if (after == text.size() || std::string_view(" ,.;:)").find(text[after]) != std::string_view::npos)
        return std::min(text.find(' ', after), text.size());
    }
  return end;
}

}  // namespace

std::string advice_page(const std::vector<AdviceText>& advice, std::size_t columns) {
  std::string page;
  for (const AdviceText& one : advice) {
    std::string line = " ";
    page += (page.empty() ? "" : "\n") + one.topic + "\n";
    for (std::size_t at = 0; at < one.text.size();) {
      const std::size_t end = end_of_word(one.text, at);
      const std::string word = one.text.substr(at, end - at);
      if (display_width(line) + 1 + display_width(word) > columns) {
        page += line + "\n";
        line = " ";
      }
      line += " " + word;
      at = end + 1;
    }
    page += line + "\n";
    for (const std::string& row : one.lines) page += "    " + row + "\n";
  }
  return page;
}

std::string spoken(const std::string& column) {
  static const std::map<std::string, std::string> names = {{"serial", "serial code"},
                                                           {"openmp", "OpenMP"},
                                                           {"stdpar", "C++ algorithms"},
                                                           {"cpu library", "a CPU library"},
                                                           {"openacc", "OpenACC"},
                                                           {"target", "OpenMP's offloading"},
                                                           {"cuda", "CUDA"},
                                                           {"gpu library", "a GPU library"}};
  const auto found = names.find(column);
  return found == names.end() ? column : found->second;
}

std::vector<AdviceText> advice_text(const std::vector<StudyRow>& rows) {
  const bool any =
      std::any_of(rows.begin(), rows.end(), [](const StudyRow& row) { return !row.best.empty(); });
  if (!any)
    return {{"Which model",
             rows.empty() ? "Nothing has been measured yet."
                          : "Nothing was measured correctly: every case was skipped, failed or was wrong.",
             {}}};
  const Frontiers f = frontiers(rows, false);
  std::vector<AdviceText> texts = {
      has_many_kernels(f) ? where_text_of_many(f, frontiers(rows, true))
                          : AdviceText{"Which model", f.all.empty() ? tally_text(rows) : where_text(f), {}}};
  const auto add = [&](const char* topic, std::string text) {
    if (!text.empty()) texts.push_back({topic, std::move(text), {}});
  };
  if (!f.all.empty()) add("With copies", copies_text(rows));
  add("OpenACC", openacc_text(rows));
  add("Programs", programs_text(rows));
  add("How sure", sure_text(rows));
  add("Why", why_text(rows));
  add("Threads", beyond_threads_text(rows));
  add("Energy", energy_text(rows));
  return texts;
}

}  // namespace sextant
