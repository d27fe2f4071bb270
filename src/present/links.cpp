#include "present/links.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "present/format.hpp"

namespace sextant {
namespace {

using GpuPair = std::pair<int, int>;

struct TeamLinks {
  // Maps a name ("copy") and a pair of GPUs (from, to) to a rate or latency.
  std::map<std::string, std::map<GpuPair, double>, std::less<>> of_pairs;
  std::map<std::string, double, std::less<>> of_all;  // maps a name ("ring") to the rate over the whole group
};

// Removes a trailing number such as "_12" and returns it. Empty if there is none.
std::optional<int> take_number(std::string_view* name) {
  const std::size_t at = name->rfind('_');
  if (at == std::string_view::npos) return {};
  int number = 0;
  const char* end = name->data() + name->size();
  const auto [last, error] = std::from_chars(name->data() + at + 1, end, number);
  if (error != std::errc() || last != end) return {};
  name->remove_suffix(name->size() - at);
  return number;
}

void add_link(const Ceiling& ceiling, TeamLinks* links) {
  constexpr std::string_view prefix = "link_", suffix = "_latency";
  std::string_view name = ceiling.name;
  name.remove_prefix(prefix.size());
  if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  const std::optional<int> to = take_number(&name), from = to ? take_number(&name) : std::nullopt;
  if (to && from)
    links->of_pairs[std::string(name)][{*from, *to}] = ceiling.value;
  else if (!to)
    links->of_all[std::string(name)] = ceiling.value;
}

std::string range_text(const std::map<GpuPair, double>& values, std::string (*format)(double)) {
  const auto [least, most] = std::minmax_element(
      values.begin(), values.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::string low = format(least->second), high = format(most->second);
  return low == high ? low : low + " to " + high;
}

std::string words_of_links(const TeamLinks& links) {
  std::string text;
  const auto say = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  for (const auto& [kind, words] : {std::pair("copy", "copies "), std::pair("both", "both ways at once "),
                                    std::pair("store", "stores "), std::pair("load", "loads ")})
    if (const auto found = links.of_pairs.find(kind); found != links.of_pairs.end())
      say(words + range_text(found->second, format_bandwidth));
  if (const auto found = links.of_pairs.find("flag"); found != links.of_pairs.end())
    say("a flag " + range_text(found->second, format_seconds));
  for (const auto& [kind, words] :
       {std::pair("ring", "all in a ring "), std::pair("all_to_all", "all to all others "),
        std::pair("nccl_all_reduce", "NCCL's all-reduce ")})
    if (const auto found = links.of_all.find(kind); found != links.of_all.end())
      say(words + format_bandwidth(found->second));
  return text;
}

std::string slow_links_of(const std::map<GpuPair, double>& copies) {
  constexpr double share = 0.8;
  double fastest = 0;
  for (const auto& [pair, rate] : copies) fastest = std::max(fastest, rate);
  std::string slow;
  for (const auto& [pair, rate] : copies)
    if (rate < share * fastest)
      slow += (slow.empty() ? "gpu" : ", gpu") + std::to_string(pair.first) + " to gpu" +
              std::to_string(pair.second) + " (" + format_bandwidth(rate) + ")";
  return slow;
}

Table table_of_pairs(const std::string& team, const std::map<GpuPair, double>& copies) {
  std::set<int> gpus;
  for (const auto& [pair, rate] : copies) gpus.insert({pair.first, pair.second});
  Table table;
  table.title = "Copies between " + team + ", from a row's GPU to a column's";
  table.keys = 1;
  table.columns = {{"from"}};
  for (const int gpu : gpus)
    table.columns.push_back({"to_gpu" + std::to_string(gpu), "gpu" + std::to_string(gpu), Unit::bandwidth});
  for (const int from : gpus) {
    std::vector<Cell> cells = {"gpu" + std::to_string(from)};
    for (const int to : gpus) {
      const auto found = copies.find({from, to});
      cells.push_back(found == copies.end() ? Cell() : Cell(found->second));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

std::vector<LinksView> links_views(const std::vector<Ceiling>& ceilings) {
  std::map<std::string, TeamLinks> teams;
  for (const Ceiling& ceiling : ceilings)
    if (ceiling.name.starts_with("link_")) add_link(ceiling, &teams[ceiling.device]);
  std::vector<LinksView> views;
  for (const auto& [team, links] : teams) {
    const auto copies = links.of_pairs.find("copy");
    if (copies == links.of_pairs.end()) continue;
    views.push_back(
        {team, table_of_pairs(team, copies->second), words_of_links(links), slow_links_of(copies->second)});
  }
  return views;
}

}  // namespace sextant
